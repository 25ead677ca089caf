//! The naive side of every comparison: breadth-first search over a hash set.

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
