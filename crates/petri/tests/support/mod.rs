//! The naive side of every comparison: the firing rule by the book, breadth-first search over a set, random
//! nets.

#![allow(dead_code, reason = "each test program uses its own part")]

use std::collections::{BTreeMap, HashMap, VecDeque};

use base::{SlotIx, SplitMix64};
use model::{Linear, Predicate, Value};
use petri::{Arc, Net, Place, Tokens, Transition};

/// What random nets are like.
#[derive(Clone, Copy)]
pub struct Shape {
    pub places: usize,
    pub transitions: usize,
    pub weight: usize,
    pub tokens: usize,
    /// Read and inhibitor arcs, too.
    pub tests: bool,
}

pub const SMALL: Shape = Shape { places: 6, transitions: 6, weight: 2, tokens: 2, tests: false };
pub const TESTING: Shape = Shape { tests: true, ..SMALL };
pub const ORDINARY: Shape = Shape { weight: 1, ..SMALL };

pub fn random_net(random: &mut SplitMix64, shape: Shape) -> Net {
    let places = 1 + random.below(shape.places);
    let transitions = random.below(shape.transitions + 1);
    let place = |at: usize, random: &mut SplitMix64| Place {
        name: format!("p{at}"),
        initial: if random.below(2) == 0 { 0 } else { 1 + random.below(shape.tokens) as Tokens },
        span: None,
    };
    let arcs = |most: usize, random: &mut SplitMix64| {
        let count = random.below(most + 1);
        let mut arcs = BTreeMap::new();
        for _ in 0..count {
            let weight = if random.below(3) == 0 { 1 + random.below(shape.weight) } else { 1 };
            arcs.insert(random.below(places), weight as Tokens);
        }
        arcs.into_iter().map(|(place, weight)| Arc { place: SlotIx::new(place), weight }).collect::<Vec<_>>()
    };
    Net {
        name: "random".to_owned(),
        places: (0..places).map(|at| place(at, random)).collect(),
        transitions: (0..transitions)
            .map(|at| Transition {
                name: format!("t{at}"),
                takes: arcs(3, random),
                gives: arcs(3, random),
                needs: if shape.tests && random.below(3) == 0 { arcs(1, random) } else { Vec::new() },
                forbids: if shape.tests && random.below(3) == 0 { arcs(1, random) } else { Vec::new() },
                span: None,
            })
            .collect(),
        ..Net::default()
    }
}

/// The marking in the beginning.
pub fn initial(net: &Net) -> Vec<Value> {
    net.places.iter().map(|place| Value::try_from(place.initial).unwrap()).collect()
}

/// The firing rule by the book.
pub fn fire(net: &Net, transition: usize, marking: &[Value]) -> Option<Vec<Value>> {
    let Transition { takes, gives, needs, forbids, .. } = &net.transitions[transition];
    let tokens = |arc: &Arc| Tokens::from(marking[arc.place.ix()]);
    let enabled = takes.iter().chain(needs).all(|arc| tokens(arc) >= arc.weight)
        && forbids.iter().all(|arc| tokens(arc) < arc.weight);
    enabled.then(|| {
        let mut after: Vec<Tokens> = marking.iter().map(|&tokens| tokens.into()).collect();
        takes.iter().for_each(|arc| after[arc.place.ix()] -= arc.weight);
        gives.iter().for_each(|arc| after[arc.place.ix()] += arc.weight);
        after.into_iter().map(|tokens| Value::try_from(tokens).unwrap()).collect()
    })
}

/// Fires one after the other.
pub fn replay(net: &Net, sequence: impl IntoIterator<Item = usize>) -> Option<Vec<Value>> {
    sequence.into_iter().try_fold(initial(net), |marking, transition| fire(net, transition, &marking))
}

/// What breadth-first search saw.
pub struct Reached {
    /// All markings, first the initial one.
    pub markings: Vec<Vec<Value>>,
    /// Nothing is left.
    pub complete: bool,
    /// Which transitions were enabled somewhere.
    pub fired: Vec<bool>,
    /// A marking without successor.
    pub deadlock: bool,
}

/// All markings, but no more than this many.
pub fn explore(net: &Net, limit: usize) -> Reached {
    let mut known: HashMap<Vec<Value>, ()> = HashMap::from([(initial(net), ())]);
    let mut markings = vec![initial(net)];
    let mut waiting = VecDeque::from([initial(net)]);
    let (mut fired, mut deadlock) = (vec![false; net.transitions.len()], false);
    let mut complete = true;
    while let Some(marking) = waiting.pop_front() {
        let mut stuck = true;
        for (transition, fired) in fired.iter_mut().enumerate() {
            let Some(after) = fire(net, transition, &marking) else { continue };
            (stuck, *fired) = (false, true);
            if known.len() >= limit {
                complete &= known.contains_key(&after);
            } else if known.insert(after.clone(), ()).is_none() {
                markings.push(after.clone());
                waiting.push_back(after);
            }
        }
        deadlock |= stuck;
    }
    Reached { markings, complete, fired, deadlock }
}

/// A random sum of places.
pub fn random_linear(random: &mut SplitMix64, net: &Net) -> Linear {
    let term =
        |random: &mut SplitMix64| (SlotIx::new(random.below(net.places.len())), random.below(5) as i64 - 2);
    let count = 1 + random.below(3);
    Linear::new((0..count).map(|_| term(random))).unwrap()
}

/// A random predicate over places.
pub fn random_predicate(random: &mut SplitMix64, net: &Net, depth: usize) -> Predicate {
    let parts = |random: &mut SplitMix64| {
        let count = random.below(4);
        (0..count).map(|_| random_predicate(random, net, depth - 1)).collect()
    };
    match random.below(if depth == 0 { 6 } else { 12 }) {
        0..=4 => Predicate::AtMost(random_linear(random, net), random.below(7) as i64 - 4),
        5 => Predicate::Constant(random.below(2) == 0),
        6..=8 => Predicate::All(parts(random)),
        _ => Predicate::Any(parts(random)),
    }
}
