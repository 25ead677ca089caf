//! A run of the model in the words of its source: where it begins, steps with their places, what each
//! changed, the last state.

use std::fmt::Write as _;

use base::{Diagnostic, GroupIx};
use engine::{Ending, Evidence, Run, Step};
use model::{EvalError, Inside, Message, Mover, Passing, Signature, Value};

use crate::witness::state as state_text;
use crate::words;

/// Most statements of one step that are shown: so many from its beginning, and so many from its end.
const FIRST_STATEMENTS: usize = 30;
const LAST_STATEMENTS: usize = 5;

/// How long a run is, in words.
pub fn length(run: &Run) -> String {
    match run.steps.len() {
        0 => "in the initial state".into(),
        1 => "after 1 step".into(),
        steps => format!("after {steps} steps"),
    }
}

/// The steps and states that show an answer.
pub fn evidence(signature: &Signature, evidence: &Evidence) -> String {
    body(signature, evidence.run(), evidence.loop_from())
}

/// The steps and states of a run; a loop begins after so many steps.
fn body(signature: &Signature, run: &Run, loop_from: Option<usize>) -> String {
    let mut text = String::new();
    let mut from: &[Value] = &run.initial;
    if run.steps.is_empty() {
        text += "  initial state\n";
    } else {
        text += "    0  initial state\n";
        text += &compact_state(signature, from);
        for (number, step) in run.steps.iter().enumerate() {
            if loop_from == Some(number) {
                text += "  the loop begins here\n";
            }
            text += &self::step(signature, number + 1, from, step);
            from = &step.state;
        }
        let last = if loop_from.is_some() { "the loop is closed: again this state" } else { "final state" };
        let _ = writeln!(text, "  {last}");
    }
    text += &state(signature, run.last());
    if let Ending::Error { error, group } = &run.ending {
        text += &failure(signature, error, *group);
    }
    text
}

/// One step: its number, who does what where, what it changed. A step of several statements is shown as
/// those.
pub fn step(signature: &Signature, number: usize, from: &[Value], step: &Step) -> String {
    match step.inside.as_slice() {
        [] => whole(signature, number, from, step),
        inside if inside.iter().any(|inside| inside.movers.is_empty()) => {
            whole(signature, number, from, step)
        }
        [one] if statements(one) == 1 => {
            let lines = statement(signature, from, one);
            lines
                .into_iter()
                .enumerate()
                .map(|(at, line)| match at {
                    0 => format!("{number:>5}  {line}\n"),
                    _ => format!("       {line}\n"),
                })
                .collect()
        }
        inside => {
            let who = words::shown(&inside[0].movers[0].name);
            let count: usize = inside.iter().map(statements).sum();
            let mut text = format!("{number:>5}  {who}: {count} statements in one step\n");
            let mut before = from;
            for (at, one) in inside.iter().enumerate() {
                if at == FIRST_STATEMENTS && inside.len() > FIRST_STATEMENTS + LAST_STATEMENTS {
                    let _ = writeln!(
                        text,
                        "         … {} more",
                        inside.len() - FIRST_STATEMENTS - LAST_STATEMENTS
                    );
                }
                if at < FIRST_STATEMENTS || at + LAST_STATEMENTS >= inside.len() {
                    text.extend(
                        statement(signature, before, one).iter().map(|line| format!("         {line}\n")),
                    );
                }
                before = &one.state;
            }
            text
        }
    }
}

/// How many statements it is: one that two processes do together is one, but a process can do several at
/// once.
fn statements(inside: &Inside) -> usize {
    let sender = &inside.movers[0].process;
    let receives = |mover: &Mover| mover.process != *sender;
    inside.movers.len() - usize::from(inside.movers.iter().any(receives))
}

/// A step of which no more is known than its action.
fn whole(signature: &Signature, number: usize, from: &[Value], step: &Step) -> String {
    let places = words::places(signature, step.group).join(", ");
    let mut text = format!("{number:>5}  {}", words::action(signature, step.action));
    if !places.is_empty() {
        let _ = write!(text, "   {places}");
    }
    text.push('\n');
    for change in state_text::changes(signature, from, &step.state, true) {
        let _ = writeln!(text, "         {change}");
    }
    text
}

/// A statement: a line for each process that moves, then what changed.
fn statement(signature: &Signature, from: &[Value], inside: &Inside) -> Vec<String> {
    let mut lines = Vec::new();
    // What is said before the name when something is wrong.
    let alarm = inside.action.strip_suffix(inside.name.as_str()).unwrap_or("");
    for (number, mover) in inside.movers.iter().enumerate() {
        let mut line =
            format!("{}{}: {}", words::shown(alarm), words::shown(&mover.name), words::shown(&mover.words));
        if let Some(place) = inside.spans.get(number).and_then(|&span| words::place(signature, span)) {
            let _ = write!(line, "   {place}");
        }
        let is_passed = |message: &&Message| number == 0 || number == 1 && message.passing == Passing::Handed;
        if let Some(message) = inside.message.as_ref().filter(is_passed) {
            let passed = words::message(message, number == 0);
            let is_written = mover.words.split_whitespace().collect::<String>() == passed;
            if !is_written {
                let _ = write!(line, "   {passed}");
            }
        }
        lines.push(line);
    }
    let changes = state_text::changes(signature, from, &inside.state, false);
    lines.extend(changes.into_iter().map(|change| format!("  {change}")));
    lines
}

/// A state in full: a line for each variable, array, channel and process.
pub fn state(signature: &Signature, state: &[Value]) -> String {
    state_text::equations(signature, state).iter().map(|equation| format!("         {equation}\n")).collect()
}

/// A state on as few lines as it takes.
pub fn compact_state(signature: &Signature, state: &[Value]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for equation in state_text::equations(signature, state) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 2 + equation.chars().count() <= state_text::WIDEST => {
                let _ = write!(line, ", {equation}");
            }
            _ => lines.push(format!("         {equation}")),
        }
    }
    lines.join(",\n") + "\n"
}

/// An evaluation error at its place in the source.
pub fn failure(signature: &Signature, error: &EvalError, group: Option<GroupIx>) -> String {
    let within = group.map(|group| format!("in {}", words::group(signature, group)));
    let text = match (error.span, &signature.source) {
        (Some(span), Some(source)) => {
            let label = within.unwrap_or_default();
            let text = Diagnostic::error(error.to_string(), span).label(label).render(source);
            let arrow = |name: &str| format!("\n  --> {name}:");
            text.replacen(&arrow(source.name_at(span)), &arrow(words::file_name(source, span)), 1)
        }
        _ => format!("error: {error} {}\n", within.unwrap_or_else(|| "in a label".into())),
    };
    words::shown_lines(&text).into_owned()
}
