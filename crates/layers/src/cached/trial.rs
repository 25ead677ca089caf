//! Whether a cache pays, tried on the first states of a model: the time that [`Stepper::all`] takes with a
//! cache, as a part of the time it takes without.
//!
//! The first half of the states fills the cache. The other half, states that the cache never saw, is timed in
//! short rounds, each with and without the cache. The middle one of the ratios counts, because some rounds
//! mean nothing on a machine that does something else as well. Early states repeat their short vectors less
//! than later ones do, so the trial rather underrates the cache.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use model::{Model, Stepper, StopSignal, Successors, Value};

use super::Cached;

/// What came out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CacheTrial {
    /// States that were found.
    pub states: usize,
    /// Whether the model has no others.
    pub is_complete: bool,
    /// About the time of one call of the plain model for one group.
    pub call: Duration,
    /// The time that the cached model takes, as a part of what the plain one takes; none where there was too
    /// little to tell.
    pub ratio: Option<f64>,
}

/// Rounds that are timed. Many and short: then the processor is taken away in few of them only.
const ROUNDS: usize = 33;
/// The least number of states in each.
const LEAST: usize = 2;
/// So many states are expanded in any case, …
const FIRST: usize = 8;
/// … unless they take so many times as long as there is time. With a cache that takes longer than that no
/// more states are tried either.
const EXCESS: u32 = 10;
/// So many rounds are timed in any case.
const FEWEST: usize = 5;

/// Tries a cache of at most this many bytes on at most this many states, or on what can be had in this time;
/// all in all it takes three or four times as long, longer only where a single state takes more than that. A
/// model that has no other states is not tried.
pub fn try_cache(model: &Arc<dyn Model>, memory: usize, states: usize, time: Duration) -> CacheTrial {
    let FirstStates { states, expanded, call } = sample(&**model, states, time);
    let is_complete = expanded == states.len();
    let (warming, timed) = states[..expanded].split_at(expanded / 2);
    let is_tried = !is_complete && timed.len() >= ROUNDS * LEAST;
    let ratio = is_tried.then(|| ratio(model, memory, warming, timed, time * EXCESS));
    CacheTrial { states: states.len(), is_complete, call, ratio }
}

/// The first states of a breadth-first search.
struct FirstStates {
    states: Vec<Vec<Value>>,
    /// So many of them were expanded.
    expanded: usize,
    /// The time of a call for one group, in the state that took the middle time.
    call: Duration,
}

fn sample(model: &dyn Model, most: usize, time: Duration) -> FirstStates {
    let mut stepper = model.stepper();
    let mut buffer = Successors::new(model.initial().len());
    let mut states = vec![model.initial().to_vec()];
    let mut known: HashSet<Vec<Value>> = states.iter().cloned().collect();
    let (started, mut times) = (Instant::now(), Vec::new());
    // A pause of the processor is not taken for a slow model: a few states are asked for in any case, but for
    // very slow ones.
    stepper.heed(&patience_of(started, time * EXCESS));
    let is_over = |expanded| started.elapsed() >= if expanded < FIRST { time * EXCESS } else { time };
    while times.len() < states.len().min(most) && !is_over(times.len()) {
        let asked = Instant::now();
        take(&mut *stepper, &states[times.len()..=times.len()], &mut buffer);
        times.push(asked.elapsed());
        for at in 0..buffer.len() {
            if known.len() <= most && !known.contains(buffer.state(at)) {
                known.insert(buffer.state(at).to_vec());
                states.push(buffer.state(at).to_vec());
            }
        }
    }
    let expanded = times.len();
    times.sort_unstable();
    let middle = times.get(expanded / 2).copied().unwrap_or_default();
    FirstStates { states, expanded, call: middle.div_f64(model.signature().groups.len().max(1) as f64) }
}

/// The middle one of the rounds' ratios of time with and without a cache, and of fewer rounds where they take
/// too long.
fn ratio(
    model: &Arc<dyn Model>,
    memory: usize,
    warming: &[Vec<Value>],
    timed: &[Vec<Value>],
    patience: Duration,
) -> f64 {
    let layer = Cached::per_stepper(Arc::clone(model), memory, 1);
    let (mut plain, mut cached) = (model.stepper(), layer.stepper());
    let mut buffer = Successors::new(model.initial().len());
    let started = Instant::now();
    let stop = patience_of(started, patience);
    plain.heed(&stop);
    cached.heed(&stop);
    for states in warming.chunks(FIRST) {
        take(&mut *cached, states, &mut buffer);
        if started.elapsed() >= patience {
            break;
        }
    }
    take(&mut *plain, &warming[..1], &mut buffer);
    let rounds = timed.chunks(timed.len().div_ceil(ROUNDS)).enumerate();
    let started = Instant::now();
    let mut ratios: Vec<f64> = rounds
        .take_while(|(number, _)| *number < FEWEST || started.elapsed() < patience)
        .map(|(number, states)| {
            let mut time = |stepper: &mut dyn Stepper| {
                let started = Instant::now();
                take(stepper, states, &mut buffer);
                started.elapsed().as_secs_f64()
            };
            // The second of them finds the states in the processor's cache.
            let (with, without) = if number % 2 == 0 {
                let with = time(&mut *cached);
                (with, time(&mut *plain))
            } else {
                let without = time(&mut *plain);
                (time(&mut *cached), without)
            };
            with / without.max(1e-9)
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

/// Expands states; the buffer has the successors of the last one. A state in which the model fails has none,
/// and costs what it costs.
/// Says to stop when so much time has gone by.
fn patience_of(started: Instant, patience: Duration) -> StopSignal {
    Arc::new(move |_| started.elapsed() >= patience)
}

fn take(stepper: &mut dyn Stepper, states: &[Vec<Value>], buffer: &mut Successors) {
    for state in states {
        buffer.clear();
        _ = stepper.all(state, buffer);
    }
}
