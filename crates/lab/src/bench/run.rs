//! A run of a benchmark in a process of its own, so that memory and processor time are the run's alone.
//!
//! The process is the program `pinscher`, told to `count` and to report as JSON. It keeps its limits by
//! itself; where it does not, it is ended.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use cli::Failure;

use crate::Program;
use crate::bench::combinations::Combination;
use crate::bench::measurement::{DONE, FAILING, Measurement};
use crate::child::{self, Ended, Role};
use crate::options::Bench;

/// What is the same for all runs.
pub(crate) struct Limits {
    pub(crate) time: Duration,
    pub(crate) memory: Option<u64>,
}

impl Limits {
    /// The limits that the options ask for.
    pub(crate) fn new(options: &Bench) -> Self {
        Self { time: Duration::from_secs_f64(options.time), memory: options.memory }
    }

    /// When a process is ended that does not end by itself: reading the model and the report take time, too.
    fn patience(&self) -> Duration {
        self.time + self.time / 10 + Duration::from_secs(5)
    }
}

/// Counts the states of a model with a combination. An answer without states says why. The file is in this
/// language, if one is named, whatever its name says.
pub(crate) fn count(
    program: &Program,
    file: &Path,
    language: Option<&str>,
    combination: &Combination,
    limits: &Limits,
) -> Result<Measurement, Failure> {
    let mut command = program.command();
    command.arg("count").arg("--json").arg("--quiet").args(combination.arguments());
    command.arg("--time").arg(limits.time.as_secs_f64().to_string());
    if let Some(memory) = limits.memory {
        command.arg("--memory").arg(memory.to_string());
    }
    if let Some(language) = language {
        command.arg("--lang").arg(language);
    }
    command.arg("--").arg(file);
    let output = child::run(command, Role::Searcher, limits.patience())
        .map_err(|error| Failure::file("a process for a run", &error))?;
    let mut measurement = match output.ended {
        Ended::Late => without("killed"),
        Ended::Interrupted => without("interrupted"),
        // One that a signal ended has no code.
        Ended::Itself(status) if status.code().is_some() => {
            serde_json::from_slice(&output.text).map_or_else(|_| without("crashed"), |report| read(&report))
        }
        Ended::Itself(_) => without("crashed"),
    };
    measurement.wall = Some(rounded(output.wall.as_secs_f64()));
    measurement.combination = combination.clone();
    Ok(measurement)
}

/// A run that came to nothing, and why.
pub(crate) fn without(reason: &str) -> Measurement {
    Measurement { outcome: reason.into(), ..Measurement::default() }
}

/// Microseconds are enough, and make short numbers.
pub(crate) fn rounded(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// What a report says.
fn read(report: &Value) -> Measurement {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    // Counts are numbers, or strings where they can be large.
    let count = |value: &Value| value.as_u64().or_else(|| value.as_str()?.parse().ok());
    let seconds = |value: &Value| value.as_f64().map(rounded);
    let diagrams = &report["diagrams"];
    let outcome = match (&report["verdict"], text(&report["reason"])) {
        (_, Some(reason)) => reason,
        _ => DONE.to_owned(),
    };
    let states = if outcome == FAILING { text(&report["explored"]) } else { text(&report["states"]) };
    Measurement {
        explored: if states.is_none() { text(&report["explored"]) } else { None },
        states,
        outcome,
        error: text(&report["error"]),
        transitions: text(&report["transitions"]),
        deadlocks: text(&report["deadlocks"]),
        load: seconds(&report["seconds"]["load"]),
        seconds: seconds(&report["seconds"]["search"]),
        reaching: seconds(&diagrams["seconds"]["reaching"]),
        cpu: seconds(&report["seconds"]["cpu"]),
        memory: count(&report["memory_bytes"]),
        stored: count(&report["stored_bytes"]),
        nodes: count(&report["nodes"]),
        peak_nodes: count(&diagrams["peak_nodes"]),
        relation_nodes: count(&diagrams["relation_nodes"]),
        next_state_calls: count(&diagrams["next_state_calls"]),
        guard_calls: count(&diagrams["guard_calls"]),
        ..Measurement::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_report_becomes_a_run() {
        let report = json!({
            "verdict": "holds", "reason": null, "states": "18446744073709551616", "transitions": "19", "deadlocks": "0",
            "seconds": { "load": 0.01, "search": 0.3000004, "cpu": 0.29 }, "memory_bytes": 31457280, "stored_bytes": 77,
            "nodes": 5788,
            "diagrams": { "peak_nodes": 9000, "relation_nodes": 70, "next_state_calls": "123", "guard_calls": "0",
                          "seconds": { "reaching": 0.2 } },
        });
        let run = read(&report);
        assert_eq!((run.outcome.as_str(), run.states.as_deref()), (DONE, Some("18446744073709551616")));
        assert_eq!(
            (run.transitions.as_deref(), run.explored.as_deref(), run.stored),
            (Some("19"), None, Some(77))
        );
        assert_eq!((run.seconds, run.cpu, run.reaching), (Some(0.3), Some(0.29), Some(0.2)));
        assert_eq!((run.peak_nodes, run.next_state_calls, run.guard_calls), (Some(9000), Some(123), Some(0)));
    }

    #[test]
    fn an_unfinished_run_has_no_states_and_a_failing_model_has() {
        let stopped =
            json!({ "verdict": "unknown", "reason": "time", "explored": "17", "seconds": { "search": 2.0 } });
        assert!(!read(&stopped).is_finished() && read(&stopped).outcome == "time");
        assert_eq!(read(&stopped).explored.as_deref(), Some("17"));
        let failing = json!({ "verdict": "unknown", "reason": "evaluation-error", "explored": "17" });
        assert_eq!(read(&failing).states.as_deref(), Some("17"));
        let refused = read(&json!({ "verdict": "unknown", "reason": "wrong-input", "error": "no" }));
        assert!(
            !refused.is_finished()
                && refused.outcome == "wrong-input"
                && refused.error.as_deref() == Some("no")
        );
    }
}
