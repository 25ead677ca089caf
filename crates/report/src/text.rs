//! The report for people: verdicts first, then the numbers, then the runs that show the violations.

use std::fmt::Write as _;

use engine::{Answer, BigUint, Diagrams, Ending, Run, Statistics, StopReason, Verdict};
use machine::memory::show_bytes;

use layers::CacheFigures;

use crate::outcome::{Outcome, finding, title};
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
            let _ = write!(text, "\n{}: ", words::shown(&title(&answer.property)));
            text += &witness_text::evidence(outcome.signature(), evidence, answer.property.runs);
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
    format!("{:<9} {count} other {properties} (the search stopped at the first violation{hint})\n", "unknown")
}

fn verdict_line(outcome: &Outcome, answer: &Answer) -> String {
    let mut details: Vec<String> = Vec::new();
    if let Some(evidence) = &answer.evidence {
        details.push(witness_text::length(evidence.run()));
        // A search that stops at the first violation has counted nothing that means anything.
        let count =
            answer.violations.as_ref().filter(|count| outcome.find_all && **count > BigUint::from(1u32));
        details.extend(count.map(|count| format!("{count} violations seen")));
    }
    if let Verdict::Unknown(reason) = &answer.verdict {
        // What ended the search as a whole was said already.
        let is_said = outcome.stopped.as_ref() == Some(reason) && is_unknown(outcome);
        details.extend((!is_said).then(|| format!("{}: {}", reason.name(), outcome.explain(reason))));
        let seen = answer.violations.as_ref().filter(|count| **count > BigUint::ZERO);
        details.extend(
            seen.map(|count| format!("violations seen: {count}, but no run to one was found by then")),
        );
    }
    let mut name = title(&answer.property);
    if let Some(technique) = answer.technique {
        details.push(technique.words());
        name = format!("{name}: {}", finding(answer));
    }
    let details = if details.is_empty() { String::new() } else { format!(" ({})", details.join("; ")) };
    format!("{:<9} {}{}\n", answer.verdict.name(), words::shown(&name), words::shown(&details))
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
    let Some(statistics) = &outcome.statistics else { return sizes(outcome) };
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
        let ends = outcome.signature().end_label().filter(|_| *deadlocks > BigUint::ZERO);
        line("deadlocks", format!("{deadlocks}{}", ends.map_or("", |_| " (also where it is fine to stop)")));
    }
    if let Some(errors) = statistics.errors.as_ref().filter(|errors| **errors > BigUint::ZERO) {
        line("failing", format!("{errors} (the model fails in them)"));
    }
    let seconds = statistics.time.as_secs_f64();
    let load = outcome.load_time.as_secs_f64();
    let rate = match u64::try_from(&statistics.states) {
        Ok(states) if statistics.diagrams.is_none() && seconds > 0.0 => {
            format!(", {:.0} states/s", states as f64 / seconds)
        }
        _ => String::new(),
    };
    line("time", format!("{seconds:.2} s ({load:.2} s to load){rate}"));
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

/// How large a model is whose properties were answered one by one.
fn sizes(outcome: &Outcome) -> String {
    let (seconds, load) = (outcome.time.as_secs_f64(), outcome.load_time.as_secs_f64());
    let signature = outcome.signature();
    format!(
        "{:<12} {} places, {} transitions\n{:<12} {seconds:.2} s ({load:.2} s to load)\n",
        "net",
        signature.slots.len(),
        signature.groups.len(),
        "time",
    )
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
    let mut calls = format!("{next_state_calls} for {short_vectors} short vectors");
    for (count, what) in [(guard_calls, "guards"), (label_calls, "labels")] {
        if *count > 0 {
            let _ = write!(calls, ", {count} of {what}");
        }
    }
    line("calls", calls);
    let [learning, reaching, answering, witnesses] =
        [diagrams.learning, diagrams.reaching, diagrams.answering, diagrams.witnesses]
            .map(|time| time.as_secs_f64());
    line(
        "phases",
        format!(
            "{reaching:.2} s states ({learning:.2} s learning), {answering:.2} s answers, {witnesses:.2} s runs"
        ),
    );
}
