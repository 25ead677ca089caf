//! What people are told of a property and its answer, in a sentence: `no deadlock` where it holds,
//! `deadlock reachable after 5 steps` where it is violated. A property is named by what it states, an answer
//! by what was found.

use std::fmt::Display;

use engine::{Answer, Evidence, Property, Question, Runs, Technique};

/// The name of the question for deadlocks where no file gives it another one.
const DEADLOCK: &str = "deadlock";

/// What a property states.
pub fn title(property: &Property) -> String {
    let name = &property.name;
    match property.question {
        Question::NoDeadlock if is_unnamed_deadlock(property) => "no deadlock".to_owned(),
        Question::NoError => "no run-time errors".to_owned(),
        Question::Always(_) | Question::Never(_) if assertion(name).is_some() => {
            let (predicate, place) = assertion(name).unwrap_or_default();
            format!("assertion {predicate} in {place}")
        }
        Question::Never(_) | Question::NoAction(_) => format!("{name} never happens"),
        _ => name.clone(),
    }
}

/// What was found out about a property: what it states where it holds, what was seen where it is violated.
/// Of an answer that is not known it is the property alone.
pub(crate) fn sentence(answer: &Answer) -> String {
    if !answer.verdict.is_violated() {
        return title(&answer.property);
    }
    let name = &answer.property.name;
    let seen = match answer.property.question {
        Question::NoDeadlock if is_unnamed_deadlock(&answer.property) => deadlock(answer),
        Question::NoError => "run-time error".to_owned(),
        Question::Always(_) | Question::Never(_) if assertion(name).is_some() => {
            let (predicate, place) = assertion(name).unwrap_or_default();
            format!("assertion {predicate} fails in {place}")
        }
        Question::Always(_) | Question::Initially(_) => format!("{name} is false"),
        Question::Never(_) | Question::NoAction(_) => format!("{name} happens"),
        Question::NoDeadlock | Question::Maximum(_) | Question::Other(_) => name.clone(),
    };
    format!("{seen}{}", place(answer))
}

/// The same of a formula about a net: its own name, and what was found.
pub(crate) fn formula_sentence(answer: &Answer) -> String {
    let name = &answer.property.name;
    if answer.verdict.reason().is_some() {
        return name.clone();
    }
    let is_found = answer.is_found();
    let found = match (&answer.property.question, answer.property.runs) {
        (Question::Maximum(_), _) => match &answer.value {
            Some(value) => format!("at most {value}"),
            None => return name.clone(),
        },
        (Question::NoDeadlock, _) if is_found => format!("{}{}", deadlock(answer), place(answer)),
        (Question::NoDeadlock, _) => "no deadlock".to_owned(),
        (Question::Initially(_), _) if is_found => "false in the initial marking".to_owned(),
        (Question::Initially(_), _) => "true in the initial marking".to_owned(),
        (Question::Other(_), _) => return name.clone(),
        (_, Runs::Some) if !is_found => "such a marking cannot be reached".to_owned(),
        (_, Runs::Some) if answer.evidence.is_some() => format!("such a marking is reached{}", place(answer)),
        (_, Runs::Some) => "such a marking can be reached".to_owned(),
        (_, Runs::All) if !is_found => "true in all reachable markings".to_owned(),
        (_, Runs::All) if answer.evidence.is_some() => format!("false{}", place(answer)),
        (_, Runs::All) => "false in a reachable marking".to_owned(),
    };
    format!("{name}: {found}")
}

/// How an answer was found out, for who does not know the methods.
pub(crate) fn technique(technique: Technique) -> String {
    match technique {
        Technique::Structure => "shown by the structure of the net, without a search".to_owned(),
        Technique::RandomWalk => "found by a random walk".to_owned(),
        Technique::StateEquation => "shown by linear equations over the net, without a search".to_owned(),
        Technique::Search { .. } => technique.words(),
    }
}

/// Whether it is the question for deadlocks that bears no name of its own.
fn is_unnamed_deadlock(property: &Property) -> bool {
    property.runs == Runs::All && property.name == DEADLOCK
}

fn deadlock(answer: &Answer) -> String {
    let is_initial = answer.evidence.as_ref().is_some_and(|evidence| evidence.run().steps.is_empty());
    if is_initial { "deadlock".to_owned() } else { "deadlock reachable".to_owned() }
}

/// Where what was found is found: ` after 5 steps`.
fn place(answer: &Answer) -> String {
    match &answer.evidence {
        None => String::new(),
        Some(Evidence::Run(run)) => match run.steps.len() {
            0 => " in the initial state".to_owned(),
            steps => format!(" after {}", counted(steps, "step")),
        },
        Some(Evidence::Lasso { run, loop_from }) => {
            let steps = counted(run.steps.len() - loop_from, "step");
            format!(" in a loop of {steps} that goes on for ever")
        }
    }
}

/// The predicate of an assertion and the place where it stands, of names as languages give them:
/// `assert P.s: x < 3`, and `assertion violated: P(1): assert(x < 3)`.
fn assertion(name: &str) -> Option<(&str, &str)> {
    if let Some(rest) = name.strip_prefix("assert ") {
        let (place, predicate) = rest.split_once(": ")?;
        return Some((predicate, place));
    }
    let (place, statement) = name.strip_prefix("assertion violated: ")?.split_once(": ")?;
    let predicate = statement.strip_prefix("assert(")?.strip_suffix(')')?;
    Some((predicate, place))
}

/// A number of things: `1 step`, `2 steps`.
pub(crate) fn counted<N: Display + PartialEq + From<u8>>(number: N, what: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// Seconds as a person reads them: to a tenth, and to a hundredth below one.
pub(crate) fn seconds(seconds: f64) -> String {
    if seconds < 1.0 { format!("{seconds:.2} s") } else { format!("{seconds:.1} s") }
}

/// A number to three digits, the thousands set apart: `181,000`.
pub(crate) fn rounded(number: f64) -> String {
    let mut unit = 1.0;
    while number / unit >= 1000.0 {
        unit *= 10.0;
    }
    let digits = format!("{:.0}", (number / unit).round() * unit);
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use base::LabelIx;
    use engine::{Ending, Run, Step, StopReason};
    use model::Value;

    use super::*;

    fn run(steps: usize) -> Evidence {
        let step =
            Step { action: 0, group: base::GroupIx::new(0), state: vec![0 as Value], inside: Vec::new() };
        Evidence::Run(Run { initial: vec![0], steps: vec![step; steps], ending: Ending::Deadlock })
    }

    #[test]
    fn properties_are_named_by_what_they_state_and_answers_by_what_was_seen() {
        let always = || Question::Always(LabelIx::new(0));
        let promela = "assertion violated: Receiver(1): assert(data == due)";
        for (name, question, holds, violated) in [
            ("deadlock", Question::NoDeadlock, "no deadlock", "deadlock reachable after 5 steps"),
            ("errors", Question::NoError, "no run-time errors", "run-time error after 5 steps"),
            ("invariant x < 3", always(), "invariant x < 3", "invariant x < 3 is false after 5 steps"),
            (
                "assert P.s: x < 3",
                always(),
                "assertion x < 3 in P.s",
                "assertion x < 3 fails in P.s after 5 steps",
            ),
            (
                promela,
                Question::Never(7),
                "assertion data == due in Receiver(1)",
                "assertion data == due fails in Receiver(1) after 5 steps",
            ),
            ("alarm", Question::Never(7), "alarm never happens", "alarm happens after 5 steps"),
            (
                "action wrong",
                Question::NoAction("wrong".into()),
                "action wrong never happens",
                "action wrong happens after 5 steps",
            ),
        ] {
            let property = Property::new(name, question);
            assert_eq!(sentence(&Answer::not_found(property.clone())), holds);
            assert_eq!(sentence(&Answer::found(property.clone(), run(5))), violated);
            let unknown = Answer::unknown(property.clone(), StopReason::Time);
            assert_eq!(sentence(&unknown), title(&property));
        }
        let stuck = Answer::found(Property::new("deadlock", Question::NoDeadlock), run(0));
        assert_eq!(sentence(&stuck), "deadlock in the initial state");
    }

    #[test]
    fn formulas_keep_their_names_and_say_what_was_found() {
        let always = || Property::new("f", Question::Always(LabelIx::new(0)));
        let dead = || Property::new("f", Question::NoDeadlock);
        for (property, steps, found, not_found) in [
            (always(), 1, "f: false after 1 step", "f: true in all reachable markings"),
            (
                always().of_some_run(),
                2,
                "f: such a marking is reached after 2 steps",
                "f: such a marking cannot be reached",
            ),
            (dead(), 3, "f: deadlock reachable after 3 steps", "f: no deadlock"),
            (dead().of_some_run(), 3, "f: deadlock reachable after 3 steps", "f: no deadlock"),
        ] {
            assert_eq!(formula_sentence(&Answer::found(property.clone(), run(steps))), found);
            assert_eq!(formula_sentence(&Answer::not_found(property.clone())), not_found);
            assert_eq!(formula_sentence(&Answer::unknown(property.clone(), StopReason::Time)), "f");
            assert_eq!(title(&property), "f");
        }
    }

    #[test]
    fn numbers_are_rounded_for_people() {
        for (number, text) in [
            (0.0, "0"),
            (999.6, "1,000"),
            (1338.2, "1,340"),
            (181_333.0, "181,000"),
            (2.5e9, "2,500,000,000"),
        ] {
            assert_eq!(rounded(number), text);
        }
        assert_eq!((seconds(0.042), seconds(10.04)), ("0.04 s".to_owned(), "10.0 s".to_owned()));
        assert_eq!((counted(1, "place"), counted(2, "place")), ("1 place".to_owned(), "2 places".to_owned()));
    }
}
