//! Benchmarks of the decision diagrams alone: dumps of transition systems as Sylvan's checker reads them,
//! searched breadth-first, by chaining and by saturation. No language and no learning takes part.

use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use cli::{Failure, interrupt};
use ldd::{DumpError, Search, Stop, Store};
use machine::{memory, processor};

use crate::bench::combinations::Combination;
use crate::bench::measurement::{DONE, Measurement};
use crate::bench::run::{Limits, rounded};
use crate::options::Bench;

/// The combinations that the options ask for.
pub(crate) fn wanted(options: &Bench) -> Result<Vec<Combination>, Failure> {
    let all = Search::ALL.map(|search| search.name().to_owned());
    let asked = if options.strategy.is_empty() || options.strategy.iter().any(|word| word == "all") {
        &all[..]
    } else {
        &options.strategy
    };
    let mut combinations = Vec::new();
    for strategy in asked {
        if !all.contains(strategy) {
            let message = format!("dumps are not searched by `{strategy}`");
            return Err(Failure::usage(message, format!("write {}", all.join(", "))));
        }
        for threads in &options.threads {
            let threads = threads.to_string();
            let combination =
                Combination::new(["ldd", strategy, "", "", "", "", &threads, "", ""].map(str::to_owned));
            if !combinations.contains(&combination) {
                combinations.push(combination);
            }
        }
    }
    Ok(combinations)
}

/// Searches a dump. Its memory is that of the store, for the process is the same for all runs.
pub(crate) fn run(file: &Path, combination: &Combination, limits: &Limits) -> Result<Measurement, Failure> {
    use crate::bench::combinations::Dimension::{Strategy, Threads};
    let started = Instant::now();
    let mut measurement = Measurement { combination: combination.clone(), ..Measurement::default() };
    let named = Search::ALL.into_iter().find(|search| search.name() == &combination[Strategy]);
    let search = named.expect("BUG: a combination of dumps without its search");
    let threads: usize = combination[Threads].parse().unwrap_or(1);
    let bytes = std::fs::read(file).map_err(|error| Failure::file(file.display(), &error))?;
    let memory = limits.memory.or_else(memory::default_limit).unwrap_or(u64::MAX);
    let dump = Store::with_memory(memory).map_err(DumpError::Stopped).and_then(|store| {
        store.set_threads(threads);
        Ok((store.read_dump(&bytes)?, store))
    });
    let (dump, store) = match dump {
        Ok(dump) => dump,
        Err(wrong @ DumpError::Malformed(_)) => {
            measurement.outcome = "wrong-input".into();
            measurement.error = Some(format!("error: {}: {wrong}\n", file.display()));
            return Ok(measurement);
        }
        Err(DumpError::Stopped(_)) => {
            measurement.outcome = "memory".into();
            return Ok(measurement);
        }
    };
    measurement.load = Some(rounded(started.elapsed().as_secs_f64()));
    let (begun, processor) = (Instant::now(), processor::seconds());
    let reached = within(&store, limits, || store.reachable(&dump, search));
    measurement.seconds = Some(rounded(begun.elapsed().as_secs_f64()));
    measurement.cpu = processor::seconds().zip(processor).map(|(now, before)| rounded(now - before));
    measurement.outcome = match &reached {
        Ok(_) => DONE,
        Err(Stop::OutOfNodes) => "memory",
        Err(Stop::Interrupted) => "time",
    }
    .into();
    store.resume();
    if let Ok(reached) = &reached {
        measurement.states = Some(store.count(reached).to_string());
        measurement.nodes = Some(store.node_count(reached) as u64);
    }
    let statistics = store.statistics();
    measurement.peak_nodes = Some(statistics.peak_nodes as u64);
    measurement.memory = Some(statistics.peak_bytes);
    measurement.relation_nodes =
        Some(dump.relations.iter().map(|relation| store.node_count(relation.diagram()) as u64).sum());
    measurement.wall = Some(rounded(started.elapsed().as_secs_f64()));
    Ok(measurement)
}

/// Works, and is interrupted when the time is over, or by a person.
fn within<T>(store: &Store, limits: &Limits, work: impl FnOnce() -> T) -> T {
    const LOOK: Duration = Duration::from_millis(100);
    let (done, over) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let started = Instant::now();
            // The channel is closed when the work is done.
            while over.recv_timeout(limits.time.saturating_sub(started.elapsed()).min(LOOK))
                == Err(RecvTimeoutError::Timeout)
            {
                if started.elapsed() >= limits.time || interrupt::token().is_cancelled() {
                    return store.interrupt();
                }
            }
        });
        let result = work();
        drop(done);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_takes_too_long_is_interrupted() {
        let store = Store::with_memory(1 << 24).unwrap();
        let limits = Limits { time: Duration::from_millis(50), memory: None };
        let endless = || (0..).find_map(|value| store.vector(&[value]).err());
        assert_eq!(within(&store, &limits, endless), Some(Stop::Interrupted));
        store.resume();
        let patient = Limits { time: Duration::from_secs(60), memory: None };
        assert!(within(&store, &patient, || store.vector(&[1])).is_ok());
    }
}
