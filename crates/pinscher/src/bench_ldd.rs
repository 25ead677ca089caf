//! Benchmarks of the decision diagrams alone: dumps of transition systems as Sylvan's checker reads them, searched breadth-first, by
//! chaining and by saturation. No language and no learning takes part.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use ldd::{Dump, DumpError, Ldd, Stop, Store};

use crate::bench_combinations::Combination;
use crate::bench_csv::{DONE, Measurement};
use crate::bench_run::{Limits, rounded};
use crate::options::Bench;
use crate::{Failure, interrupt, memory, processor};

/// A way to search.
type Search = fn(&Store, &Dump) -> Result<Ldd, Stop>;

/// The ways to search a dump, by name.
const STRATEGIES: [(&str, Search); 3] = [("bfs", bfs), ("chain", chain), ("sat", saturate)];

/// The combinations that the options ask for.
pub(crate) fn wanted(options: &Bench) -> Result<Vec<Combination>, Failure> {
    let all: Vec<String> = STRATEGIES.iter().map(|(name, _)| (*name).to_owned()).collect();
    let asked = if options.strategy.is_empty() || options.strategy.iter().any(|word| word == "all") {
        &all
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
            let [reorder, separate, split_guards, effects] = [""; 4].map(str::to_owned);
            let threads = threads.to_string();
            let words = ["ldd".into(), strategy.clone(), reorder, separate, split_guards, effects, threads];
            let combination = Combination::new(words);
            if !combinations.contains(&combination) {
                combinations.push(combination);
            }
        }
    }
    Ok(combinations)
}

/// Searches a dump. Its memory is that of the store, for the process is the same for all runs.
pub(crate) fn run(file: &Path, combination: &Combination, limits: &Limits) -> Result<Measurement, Failure> {
    use crate::bench_combinations::Dimension::{Strategy, Threads};
    let started = Instant::now();
    let mut measurement = Measurement { combination: combination.clone(), ..Measurement::default() };
    let named = STRATEGIES.iter().find(|(name, _)| *name == &combination[Strategy]);
    let search = named.expect("BUG: a combination of dumps without its search").1;
    let threads: usize = combination[Threads].parse().unwrap_or(1);
    let bytes = std::fs::read(file).map_err(|error| Failure::file(file.display(), &error))?;
    let memory = limits.memory.or_else(memory::default_limit).unwrap_or(u64::MAX);
    let dump = Store::with_memory(memory).map_err(DumpError::Stopped).and_then(|store| {
        store.set_threads(threads);
        Ok((store.read_dump(&bytes)?, store))
    });
    let (dump, store) = match dump {
        Ok(dump) => dump,
        Err(DumpError::Malformed(_)) => {
            measurement.outcome = "wrong-input".into();
            return Ok(measurement);
        }
        Err(DumpError::Stopped(_)) => {
            measurement.outcome = "memory".into();
            return Ok(measurement);
        }
    };
    measurement.load = Some(rounded(started.elapsed().as_secs_f64()));
    let (begun, processor) = (Instant::now(), processor::seconds());
    let reached = within(&store, limits, || store.together(threads, dump.width, || search(&store, &dump)));
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
    measurement.memory = Some(statistics.bytes);
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
                if started.elapsed() >= limits.time || interrupt::flag().load(Ordering::Relaxed) {
                    return store.interrupt();
                }
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// Level by level, the images of the last level through all relations in one sum.
fn bfs(store: &Store, dump: &Dump) -> Result<Ldd, Stop> {
    let (mut reached, mut level) = (dump.initial.clone(), dump.initial.clone());
    while !level.is_empty() {
        let mut next = store.empty();
        for relation in &dump.relations {
            next = store.image(&level, relation, &next)?;
        }
        level = store.minus(&next, &reached)?;
        reached = store.union(&reached, &level)?;
    }
    Ok(reached)
}

/// Relation by relation, each applied to what the ones before it found from the last round's states.
fn chain(store: &Store, dump: &Dump) -> Result<Ldd, Stop> {
    let (mut reached, mut round) = (dump.initial.clone(), dump.initial.clone());
    while !round.is_empty() {
        let mut found = round;
        for relation in &dump.relations {
            found = store.image(&found, relation, &found)?;
        }
        round = store.minus(&found, &reached)?;
        reached = store.union(&reached, &round)?;
    }
    Ok(reached)
}

fn saturate(store: &Store, dump: &Dump) -> Result<Ldd, Stop> {
    store.closure(&dump.initial, &dump.relations)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two slots that count to 2 and 3, one at a time, from (0, 0).
    fn counters(store: &Store) -> Dump {
        use ldd::{Access, Entry::Value, Shape};
        let counter = |slot: usize, top: u32| {
            let rows: Vec<_> = (0..top).map(|from| [Value(from), Value(from + 1)]).collect();
            let shape = Shape::new(2, vec![(slot, Access::Both)]);
            store.relation(shape).with_rows(rows.iter().map(|row| &row[..])).unwrap()
        };
        let relations = vec![counter(0, 2), counter(1, 3)];
        Dump { width: 2, initial: store.vector(&[0, 0]).unwrap(), relations }
    }

    #[test]
    fn all_strategies_find_the_same_states() {
        for (name, search) in STRATEGIES {
            let store = Store::with_memory(1 << 24).unwrap();
            let reached = search(&store, &counters(&store)).unwrap();
            assert_eq!(store.count(&reached), 12u32.into(), "{name}");
        }
    }

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
