//! The report for people: verdicts first, then the numbers, then the runs that show the violations.

use std::fmt::Write as _;

use engine::{Answer, BigUint, Diagrams, Ending, Question, Run, Statistics, StopReason, Verdict};
use machine::memory::show_bytes;

use layers::CacheFigures;

use crate::outcome::Outcome;
use crate::sentence::{counted, formula_sentence, rounded, seconds, sentence, technique};
use crate::waiting::waiting;
use crate::witness::text as witness_text;
use crate::words;

/// The whole report.
pub fn text(outcome: &Outcome) -> String {
    let mut text = String::new();
    if let Some(reason) = outcome.stopped.as_ref().filter(|_| is_unknown(outcome)) {
        let _ = writeln!(text, "unknown: {}: {}", reason.name(), words::shown(&outcome.explain(reason)));
    }
    let (cut_short, answered): (Vec<&Answer>, Vec<&Answer>) =
        outcome.answers.iter().partition(|answer| is_cut_short(answer));
    for answer in answered {
        text += &verdict_line(outcome, answer);
    }
    text += &cut_short_line(outcome, cut_short.len());
    if !text.is_empty() {
        text.push('\n');
    }
    text += &numbers(outcome);
    for answer in &outcome.answers {
        if let Some(evidence) = &answer.evidence {
            let _ = writeln!(text, "\n{}:", words::shown(&said(outcome, answer)));
            text += &witness_text::evidence(outcome.signature(), evidence);
            let run = evidence.run();
            if matches!(run.ending, Ending::Deadlock) {
                text += &waiting(&*outcome.model, run.last());
            }
        }
    }
    if let Some(run) = &outcome.failure {
        text += &first_failure(outcome, run);
    }
    text
}

/// Whether nothing is known only because another property is violated.
fn is_cut_short(answer: &Answer) -> bool {
    matches!(answer.verdict, Verdict::Unknown(StopReason::OtherViolation))
}

fn cut_short_line(outcome: &Outcome, count: usize) -> String {
    let properties = match count {
        0 => return String::new(),
        1 => "property",
        _ => "properties",
    };
    let hint = (outcome.hint)(&StopReason::OtherViolation).map_or(String::new(), |hint| format!("; {hint}"));
    format!("unknown: {count} other {properties}: the search stopped at the first violation{hint}\n")
}

/// What is said of an answer.
fn said(outcome: &Outcome, answer: &Answer) -> String {
    if outcome.strategy == Outcome::FORMULAS { formula_sentence(answer) } else { sentence(answer) }
}

fn verdict_line(outcome: &Outcome, answer: &Answer) -> String {
    let mut line = format!("{}: {}", answer.verdict.name(), said(outcome, answer));
    if let Verdict::Unknown(reason) = &answer.verdict {
        // What ended the search as a whole was said already.
        if outcome.stopped.as_ref() != Some(reason) || !is_unknown(outcome) {
            let _ = write!(line, ": {}: {}", reason.name(), outcome.explain(reason));
        }
        if let Some(count) = answer.violations.as_ref().filter(|count| **count > BigUint::ZERO) {
            let _ = write!(line, " (violations seen: {count}, but no run to one was found by then)");
        }
    } else {
        let mut details: Vec<String> = Vec::new();
        // A search that stops at the first violation has counted nothing that means anything.
        let is_counted = outcome.find_all && answer.evidence.is_some();
        let count = answer.violations.as_ref().filter(|count| is_counted && **count > BigUint::from(1u32));
        details.extend(count.map(|count| format!("{count} violations seen")));
        details.extend(answer.technique.map(technique));
        if !details.is_empty() {
            let _ = write!(line, " ({})", details.join("; "));
        }
    }
    format!("{}\n", words::shown(&line))
}

fn is_unknown(outcome: &Outcome) -> bool {
    matches!(outcome.verdict(), Verdict::Unknown(_))
}

/// Where a model that is only counted fails first.
fn first_failure(outcome: &Outcome, run: &Run) -> String {
    let Ending::Error { error, group } = &run.ending else { return String::new() };
    format!(
        "\nthe model fails {}; `pinscher check` shows the run\n{}",
        witness_text::length(run),
        witness_text::failure(outcome.signature(), error, *group)
    )
}

fn numbers(outcome: &Outcome) -> String {
    let Some(statistics) = &outcome.statistics else { return without_search(outcome) };
    let complete = outcome.is_complete();
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<12} {value}");
    };
    let note = if complete { "" } else { " explored, not all" };
    line("states", format!("{}{note}", statistics.states));
    if let Some(transitions) = &statistics.transitions {
        line("transitions", transitions.to_string());
    }
    match (statistics.levels, statistics.depth) {
        (Some(levels), _) if complete => line("levels", levels.to_string()),
        (_, Some(depth)) => line("depth", depth.to_string()),
        _ => {}
    }
    if let Some(deadlocks) = &statistics.deadlocks {
        line("deadlocks", format!("{deadlocks}{}", fine_stops(outcome, deadlocks)));
    }
    if let Some(errors) = statistics.errors.as_ref().filter(|errors| **errors > BigUint::ZERO) {
        line("failing", format!("{errors} (the model fails in them)"));
    }
    let time = statistics.time.as_secs_f64();
    let rate = match u64::try_from(&statistics.states) {
        Ok(states) if statistics.diagrams.is_none() && time > 0.0 => {
            format!(", {} states/s", rounded(states as f64 / time))
        }
        _ => String::new(),
    };
    line("time", format!("{}{rate}", times(outcome, time)));
    line("memory", format!("{}{}", show_bytes(outcome.memory()), stored(statistics)));
    if let Some(why) = outcome.why {
        line("engine", format!("{}, {}: {why}", outcome.engine, outcome.strategy));
    } else if statistics.diagrams.is_some() {
        line("engine", format!("{}, {}", outcome.engine, outcome.strategy));
    }
    if let Some(cached) = outcome.cache.as_ref().and_then(cached) {
        line("cache", cached);
    }
    if let Some(diagrams) = &statistics.diagrams {
        diagram_numbers(diagrams, line);
    }
    text
}

/// How large a net is whose formulas were answered one by one; or that nothing was searched.
fn without_search(outcome: &Outcome) -> String {
    let signature = outcome.signature();
    let (name, value) = if outcome.strategy == Outcome::FORMULAS {
        let places = counted(signature.slots.len(), "place");
        ("net", format!("{places}, {}", counted(signature.groups.len(), "transition")))
    } else {
        ("states", "not searched".to_owned())
    };
    format!("{name:<12} {value}\n{:<12} {}\n", "time", times(outcome, outcome.time.as_secs_f64()))
}

/// How long the answers took, and the model before them.
fn times(outcome: &Outcome, time: f64) -> String {
    format!("{} ({} to load)", seconds(time), seconds(outcome.load_time.as_secs_f64()))
}

/// What is to be known of states without successors in a model that says where it is fine to stop. Beside a
/// deadlock that was found there is nothing to explain.
fn fine_stops(outcome: &Outcome, deadlocks: &BigUint) -> &'static str {
    if *deadlocks == BigUint::ZERO || outcome.signature().end_label().is_none() {
        return "";
    }
    let asked = outcome.answers.iter().find(|answer| answer.property.question == Question::NoDeadlock);
    match asked.map(|answer| &answer.verdict) {
        Some(Verdict::Holds) => ", all where it is fine to stop",
        Some(Verdict::Violated) => "",
        Some(Verdict::Unknown(_)) | None => ", with those where it is fine to stop",
    }
}

/// What the states of a large search take.
fn stored(statistics: &Statistics) -> String {
    const LARGE: u64 = 100_000;
    match (u64::try_from(&statistics.states), statistics.stored) {
        (Ok(states), Some(bytes)) if states >= LARGE => {
            format!(", {:.1} bytes a state in the store", bytes as f64 / states as f64)
        }
        _ => String::new(),
    }
}

/// What the cache did, or why there was none if that was tried out.
fn cached(figures: &CacheFigures) -> Option<String> {
    let CacheFigures { mode, why, is_measured, asked, hits, bytes } = figures;
    let why = why.as_ref().map_or(String::new(), |why| format!("; {why}"));
    if *mode == CacheFigures::OFF {
        return is_measured.then(|| format!("off{why}"));
    }
    let rate = *hits as f64 / (*asked).max(1) as f64 * 100.0;
    Some(format!("{mode}, {rate:.1}% of {asked} look-ups answered, {}{why}", show_bytes(*bytes)))
}

fn diagram_numbers(diagrams: &Diagrams, mut line: impl FnMut(&str, String)) {
    let Diagrams { nodes, peak_nodes, relation_nodes, short_vectors, collections, .. } = diagrams;
    let collected = match collections {
        0 => String::new(),
        1 => ", collected once".into(),
        times => format!(", collected {times} times"),
    };
    line("nodes", format!("{nodes}, {relation_nodes} of relations, {peak_nodes} at most{collected}"));
    let Diagrams { next_state_calls, guard_calls, label_calls, .. } = diagrams;
    let mut calls = format!("{next_state_calls} of groups");
    for (count, what) in [(guard_calls, "guards"), (label_calls, "labels")] {
        if *count > 0 {
            let _ = write!(calls, ", {count} of {what}");
        }
    }
    let _ = write!(calls, "; {short_vectors} combinations of values that groups read");
    line("calls", calls);
    let [learning, reaching, answering, witnesses] =
        [diagrams.learning, diagrams.reaching, diagrams.answering, diagrams.witnesses]
            .map(|time| seconds(time.as_secs_f64()));
    line("phases", format!("{reaching} states ({learning} learning), {answering} answers, {witnesses} runs"));
}
