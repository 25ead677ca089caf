//! Machine code against the interpreter: how long compiling a DVE model takes, and how many successors a
//! second each finds.
//!
//! `cargo run --release -p commands --example compiled -- FILE.dve…`
//!
//! The states are those that a breadth-first search finds first, gone through in order and again.

use std::collections::HashSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use base::Source;
use model::{Calls, Model, Stepper, Successors, Value};

/// States that are gone through.
const STATES: usize = 100_000;
/// How often each measurement is made; the best counts.
const TIMES: usize = 9;

fn main() -> ExitCode {
    println!(
        "{:<24}{:>9}{:>6}{:>16}{:>9}{:>14}{:>14}{:>7}",
        "model", "commands", "slots", "compile", "bytes", "interpreted", "compiled", "ratio"
    );
    let mut failed = false;
    for path in std::env::args().skip(1) {
        if let Err(why) = measure(Path::new(&path)) {
            eprintln!("{path}: {why}");
            failed = true;
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn measure(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let source = Arc::new(Source::new(name.clone(), text));
    let model = lang_dve::load(source).map_err(|errors| format!("{} errors", errors.len()))?.model;
    let mut interpreted = model.stepper();
    let start = processor_seconds();
    let compiled = model.compile(Calls::States);
    let for_states = processor_seconds() - start;
    model.compile(Calls::Groups);
    let for_groups = processor_seconds() - start - for_states;
    let mut native = model.stepper();
    let states = first_states(&*model);
    let (slow, wanted) = nanoseconds(&mut *interpreted, &states);
    let (fast, found) = nanoseconds(&mut *native, &states);
    assert_eq!(wanted, found, "{name}: another number of successors");
    let bytes = match compiled {
        model::Compiled::Done { code_bytes } => code_bytes.to_string(),
        other => format!("{other:?}"),
    };
    println!(
        "{name:<24}{:>9}{:>6}{:>7.1}{:>7.1}ms{bytes:>9}{slow:>12.1}ns{fast:>12.1}ns{:>7.1}",
        model.signature().groups.len(),
        model.initial().len(),
        for_states * 1e3,
        for_groups * 1e3,
        slow / fast
    );
    Ok(())
}

/// What this thread has had of the processor so far, where the system says so; otherwise the time.
fn processor_seconds() -> f64 {
    // The system counts when a thread gives way.
    std::thread::yield_now();
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = statistics.split(' ').next().and_then(|field| field.parse::<f64>().ok());
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    nanoseconds.map_or(since.as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

fn first_states(model: &dyn Model) -> Vec<Vec<Value>> {
    let mut stepper = model.stepper();
    let mut states = vec![model.initial().to_vec()];
    let mut seen: HashSet<Vec<Value>> = states.iter().cloned().collect();
    let mut buffer = Successors::new(model.initial().len());
    let mut next = 0;
    while next < states.len() && states.len() < STATES {
        buffer.clear();
        // A state with an error has no successors here.
        let _ = stepper.all(&states[next], &mut buffer);
        for successor in buffer.iter() {
            if !seen.contains(successor.state) {
                seen.insert(successor.state.to_vec());
                states.push(successor.state.to_vec());
            }
        }
        next += 1;
    }
    states
}

/// Nanoseconds a successor, and how many successors there are.
fn nanoseconds(stepper: &mut dyn Stepper, states: &[Vec<Value>]) -> (f64, usize) {
    let mut buffer = Successors::new(states[0].len());
    let mut best = f64::INFINITY;
    let mut count = 0;
    for _ in 0..TIMES {
        count = 0;
        let start = processor_seconds();
        for state in states {
            buffer.clear();
            let _ = stepper.all(state, &mut buffer);
            count += buffer.len();
        }
        best = best.min(processor_seconds() - start);
    }
    (best * 1e9 / count as f64, count)
}
