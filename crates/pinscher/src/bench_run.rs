//! A run of a benchmark in a process of its own, so that memory and processor time are the run's alone.
//!
//! The process is this very program, told to `count` and to report as JSON. It keeps its limits by itself; where it does
//! not, it is ended.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::bench_combinations::Combination;
use crate::bench_csv::{DONE, FAILING, Measurement};
use crate::{Failure, interrupt};

/// How often a waiting benchmark looks whether it was interrupted.
const LOOK: Duration = Duration::from_millis(100);

/// What is the same for all runs.
pub(crate) struct Limits {
    pub(crate) time: Duration,
    pub(crate) memory: Option<u64>,
}

impl Limits {
    /// When a process is ended that does not end by itself: reading the model and the report take time, too.
    fn patience(&self) -> Duration {
        self.time + self.time / 10 + Duration::from_secs(5)
    }
}

/// Runs a model with a combination. An answer without states says why.
pub(crate) fn run(file: &Path, combination: &Combination, limits: &Limits) -> Result<Measurement, Failure> {
    let program = std::env::current_exe().map_err(|error| Failure::file("this program", &error))?;
    let mut command = Command::new(program);
    command.arg("count").arg("--json").arg("--quiet").args(combination.arguments());
    command.arg("--time").arg(limits.time.as_secs_f64().to_string());
    if let Some(memory) = limits.memory {
        command.arg("--memory").arg(memory.to_string());
    }
    command.arg("--").arg(file).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let started = Instant::now();
    let mut child = command.spawn().map_err(|error| Failure::file("a process for a run", &error))?;
    let said = listen(&mut child);
    let ended = wait(&said, limits.patience());
    if ended.is_err() {
        // It may have ended by itself in the meantime.
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| Failure::file("a process for a run", &error))?;
    let mut measurement = match (&ended, status.code()) {
        (Err(reason), _) => without(reason),
        (Ok(text), Some(_)) => serde_json::from_slice(text).map_or_else(|_| without("crashed"), |report| read(&report)),
        (Ok(_), None) => without("crashed"),
    };
    measurement.wall = Some(rounded(started.elapsed().as_secs_f64()));
    measurement.combination = combination.clone();
    Ok(measurement)
}

/// All that a process says, once its output is at its end.
fn listen(child: &mut Child) -> Receiver<Vec<u8>> {
    let (send, receive) = mpsc::channel();
    if let Some(mut out) = child.stdout.take() {
        std::thread::spawn(move || {
            let mut text = Vec::new();
            // What was said before an error is no report, and is seen to be none.
            let _ = out.read_to_end(&mut text);
            let _ = send.send(text);
        });
    }
    receive
}

/// What was said in this time, or why no longer was waited.
fn wait(said: &Receiver<Vec<u8>>, patience: Duration) -> Result<Vec<u8>, &'static str> {
    let started = Instant::now();
    loop {
        match said.recv_timeout(LOOK) {
            Ok(text) => return Ok(text),
            Err(RecvTimeoutError::Disconnected) => return Err("crashed"),
            Err(RecvTimeoutError::Timeout) if started.elapsed() > patience => return Err("killed"),
            // One who is told by the terminal stops by itself; one who is not is ended a little later.
            Err(RecvTimeoutError::Timeout) if interrupt::flag().load(Ordering::Relaxed) => {
                return said.recv_timeout(Duration::from_secs(2)).map_err(|_| "interrupted");
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

fn without(reason: &str) -> Measurement {
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
        states,
        outcome,
        deadlocks: text(&report["deadlocks"]),
        load: seconds(&report["seconds"]["load"]),
        seconds: seconds(&report["seconds"]["search"]),
        reaching: seconds(&diagrams["seconds"]["reaching"]),
        cpu: seconds(&report["seconds"]["cpu"]),
        memory: count(&report["memory_bytes"]),
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
            "verdict": "holds", "reason": null, "states": "18446744073709551616", "deadlocks": "0",
            "seconds": { "load": 0.01, "search": 0.3000004, "cpu": 0.29 }, "memory_bytes": 31457280, "nodes": 5788,
            "diagrams": { "peak_nodes": 9000, "relation_nodes": 70, "next_state_calls": "123", "guard_calls": "0",
                          "seconds": { "reaching": 0.2 } },
        });
        let run = read(&report);
        assert_eq!((run.outcome.as_str(), run.states.as_deref()), (DONE, Some("18446744073709551616")));
        assert_eq!((run.seconds, run.cpu, run.reaching), (Some(0.3), Some(0.29), Some(0.2)));
        assert_eq!((run.peak_nodes, run.next_state_calls, run.guard_calls), (Some(9000), Some(123), Some(0)));
    }

    #[test]
    fn an_unfinished_run_has_no_states_and_a_failing_model_has() {
        let stopped = json!({ "verdict": "unknown", "reason": "time", "explored": "17", "seconds": { "search": 2.0 } });
        assert!(!read(&stopped).is_finished() && read(&stopped).outcome == "time");
        let failing = json!({ "verdict": "unknown", "reason": "evaluation-error", "explored": "17" });
        assert_eq!(read(&failing).states.as_deref(), Some("17"));
        let refused = json!({ "verdict": "unknown", "reason": "wrong-input", "error": "no" });
        assert!(!read(&refused).is_finished() && read(&refused).outcome == "wrong-input");
    }

    #[test]
    fn who_does_not_answer_is_not_waited_for() {
        let (send, receive) = mpsc::channel();
        assert_eq!(wait(&receive, Duration::ZERO), Err("killed"));
        send.send(vec![1]).unwrap();
        assert_eq!(wait(&receive, Duration::ZERO), Ok(vec![1]));
        drop(send);
        assert_eq!(wait(&receive, Duration::from_secs(9)), Err("crashed"));
    }
}
