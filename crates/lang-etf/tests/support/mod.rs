//! The naive side of every comparison: breadth-first search over a hash set, and seeded random numbers.

#![allow(dead_code, reason = "each test program uses its own part")]

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use base::{Source, render_all};
use language::Loaded;
use model::{Model, Observer, Successors, Value};

/// Numbers of a complete search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    pub states: usize,
    pub transitions: usize,
    pub deadlocks: usize,
}

/// Visits all reachable states.
pub fn explore(model: &dyn Model, observer: &mut dyn Observer) -> (Counts, HashSet<Vec<Value>>) {
    let mut stepper = model.stepper();
    let mut known = HashSet::from([model.initial().to_vec()]);
    let mut waiting = VecDeque::from([model.initial().to_vec()]);
    let mut counts = Counts { states: 0, transitions: 0, deadlocks: 0 };
    let mut successors = Successors::new(model.initial().len());
    while let Some(state) = waiting.pop_front() {
        successors.clear();
        stepper.all(&state, &mut successors).unwrap();
        counts.states += 1;
        counts.transitions += successors.len();
        counts.deadlocks += usize::from(successors.is_empty());
        for successor in successors.iter() {
            observer.transition(&state, successor);
            if !known.contains(successor.state) {
                known.insert(successor.state.to_vec());
                waiting.push_back(successor.state.to_vec());
            }
        }
    }
    (counts, known)
}

/// The counts of a text that must be a model.
pub fn counts(text: &str) -> Counts {
    explore(&*load(text).model, &mut ()).0
}

/// The model in a text.
pub fn load(text: &str) -> Loaded {
    let source = Arc::new(Source::new("test.etf", text));
    match lang_etf::load(Arc::clone(&source)) {
        Ok(loaded) => loaded,
        Err(problems) => panic!("{}", render_all(&problems, &source, 50)),
    }
}

/// The messages about a text that must not be a model, as a person reads them.
pub fn errors(text: &str) -> String {
    let source = Arc::new(Source::new("test.etf", text));
    match lang_etf::load(Arc::clone(&source)) {
        Ok(_) => panic!("this should not be a model:\n{text}"),
        Err(problems) => render_all(&problems, &source, 50),
    }
}

/// Random numbers: xorshift64*.
pub struct Random(u64);

impl Random {
    /// Seeded from `PINSCHER_SEED`, else from the clock; the seed is printed, so that a failure can be
    /// repeated.
    pub fn seeded() -> Self {
        let given = std::env::var("PINSCHER_SEED").ok().and_then(|seed| seed.parse().ok());
        let clock = || std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(1, |time| time.as_nanos() as u64);
        let seed = given.unwrap_or_else(clock);
        println!("PINSCHER_SEED={seed}");
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    /// One of these.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}
