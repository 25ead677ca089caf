//! The report for people: verdicts first, then the numbers, then the runs that show the violations.

use std::fmt::Write as _;

use engine::Verdict;

use crate::memory::show_bytes;
use crate::outcome::{Answered, Outcome};
use crate::witness_text;

/// The whole report.
pub(crate) fn report(outcome: &Outcome<'_>) -> String {
    let mut text = String::new();
    if let Some(reason) = outcome.stopped.as_ref().filter(|_| is_unknown(outcome)) {
        let _ = writeln!(text, "unknown: {}: {}", reason.name(), outcome.explain(reason));
    }
    for answer in &outcome.answers {
        text += &verdict_line(outcome, answer);
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text += &numbers(outcome);
    for answer in &outcome.answers {
        if let Verdict::Violated(witness) = &answer.verdict {
            let _ = write!(text, "\n{}: ", answer.name);
            text += &witness_text::run(outcome.signature, witness);
        }
    }
    text
}

fn verdict_line(outcome: &Outcome<'_>, answer: &Answered) -> String {
    let detail = match &answer.verdict {
        Verdict::Holds => String::new(),
        Verdict::Violated(witness) => {
            let run = witness_text::length(witness);
            if answer.violations > 1 {
                format!(" ({run}; {} violations seen)", answer.violations)
            } else {
                format!(" ({run})")
            }
        }
        // What ended the search as a whole was said already.
        Verdict::Unknown(reason) if outcome.stopped.as_ref() == Some(reason) && is_unknown(outcome) => String::new(),
        Verdict::Unknown(reason) => format!(" ({}: {})", reason.name(), outcome.explain(reason)),
    };
    format!("{:<9} {}{detail}\n", answer.verdict.name(), answer.name)
}

fn is_unknown(outcome: &Outcome<'_>) -> bool {
    matches!(outcome.verdict(), Verdict::Unknown(_))
}

fn numbers(outcome: &Outcome<'_>) -> String {
    let statistics = &outcome.statistics;
    let complete = outcome.is_complete();
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<12} {value}");
    };
    let note = if complete { "" } else { " explored, not all" };
    line("states", format!("{}{note}", statistics.states));
    line("transitions", statistics.transitions.to_string());
    match statistics.levels {
        Some(levels) if complete => line("levels", levels.to_string()),
        _ => line("depth", statistics.depth.to_string()),
    }
    line("deadlocks", statistics.deadlocks.to_string());
    if statistics.errors > 0 {
        line("failing", format!("{} (the model fails in them)", statistics.errors));
    }
    let seconds = statistics.time.as_secs_f64();
    let rate = if seconds > 0.0 { statistics.states as f64 / seconds } else { 0.0 };
    let load = outcome.load_time.as_secs_f64();
    line("time", format!("{seconds:.2} s ({load:.2} s to load), {rate:.0} states/s"));
    line("memory", show_bytes(outcome.memory()));
    text
}
