//! The report for people: verdicts first, then the numbers, then the runs that show the violations.

use std::fmt::Write as _;

use engine::{Ending, StopReason, Verdict, Witness};

use crate::memory::show_bytes;
use crate::outcome::{Answered, Outcome};
use crate::{witness_text, words};

/// The whole report.
pub(crate) fn report(outcome: &Outcome<'_>) -> String {
    let mut text = String::new();
    if let Some(reason) = outcome.stopped.as_ref().filter(|_| is_unknown(outcome)) {
        let _ = writeln!(text, "unknown: {}: {}", reason.name(), words::shown(&outcome.explain(reason)));
    }
    let (cut_short, answered): (Vec<&Answered>, Vec<&Answered>) =
        outcome.answers.iter().partition(|answer| is_cut_short(answer));
    for answer in answered {
        text += &verdict_line(outcome, answer);
    }
    text += &cut_short_line(cut_short.len());
    if !text.is_empty() {
        text.push('\n');
    }
    text += &numbers(outcome);
    for answer in &outcome.answers {
        if let Verdict::Violated(witness) = &answer.verdict {
            let _ = write!(text, "\n{}: ", words::shown(&answer.title));
            text += &witness_text::run(outcome.signature, witness);
        }
    }
    if let Some(witness) = &outcome.failure {
        text += &first_failure(outcome, witness);
    }
    text
}

/// Whether nothing is known only because another property is violated.
fn is_cut_short(answer: &Answered) -> bool {
    matches!(answer.verdict, Verdict::Unknown(StopReason::OtherViolation))
}

fn cut_short_line(count: usize) -> String {
    let (properties, them) = match count {
        0 => return String::new(),
        1 => ("property", "it"),
        _ => ("properties", "them"),
    };
    let why = format!("the search stopped at the first violation; --all answers {them} too");
    format!("{:<9} {count} other {properties} ({why})\n", "unknown")
}

fn verdict_line(outcome: &Outcome<'_>, answer: &Answered) -> String {
    let detail = match &answer.verdict {
        Verdict::Holds => String::new(),
        Verdict::Violated(witness) => {
            let run = witness_text::length(witness);
            // A search that stops at the first violation has counted nothing that means anything.
            if outcome.find_all && answer.violations > 1 {
                format!(" ({run}; {} violations seen)", answer.violations)
            } else {
                format!(" ({run})")
            }
        }
        // What ended the search as a whole was said already.
        Verdict::Unknown(reason) if outcome.stopped.as_ref() == Some(reason) && is_unknown(outcome) => String::new(),
        Verdict::Unknown(reason) => format!(" ({}: {})", reason.name(), outcome.explain(reason)),
    };
    format!("{:<9} {}{}\n", answer.verdict.name(), words::shown(&answer.title), words::shown(&detail))
}

fn is_unknown(outcome: &Outcome<'_>) -> bool {
    matches!(outcome.verdict(), Verdict::Unknown(_))
}

/// Where a model that is only counted fails first.
fn first_failure(outcome: &Outcome<'_>, witness: &Witness) -> String {
    let Ending::Error { error, group } = &witness.ending else { return String::new() };
    format!(
        "\nthe model fails {}; `pinscher check` shows the run\n{}",
        witness_text::length(witness),
        witness_text::failure(outcome.signature, error, *group)
    )
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
