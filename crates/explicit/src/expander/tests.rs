//! Expansion against a hash set of the states themselves.

#[allow(dead_code, reason = "other tests use more of it")]
#[path = "../../tests/toy/wide.rs"]
mod wide;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use model::Model;

use super::*;
use crate::budget::Budget;
use crate::packing::{Layout, Sample};
use crate::store::{Hashes, Plain, Single, StorePlan, Tree};
use wide::Wide;

/// The barrier of a search with one worker.
fn overcome<S: Store>(space: &Space<'_, S>, expander: &mut Expander<'_, '_, S>, halt: Halt, states: u64) {
    match halt {
        Halt::Barrier => {
            assert!(space.widen(states).is_ok_and(|has_room| has_room), "no room for more bits");
            space.grow(states).expect("no limit of memory");
            expander.adapt();
        }
        Halt::Stop(reason) => panic!("{reason:?}"),
    }
}

/// A depth-first search that knows nothing but handles: every transition comes once, with its group and its
/// action; states have one handle each, whether they are new or known, and are new once.
fn handles_stand_for_states<S: Store>(
    model: &Wide,
    states: u64,
    store: impl Fn(&StorePlan<'_>) -> Option<S>,
    is_tree: bool,
) {
    let (signature, initial) = (model.signature(), model.initial());
    let (may_write, sample) = (&model.dependencies().may_write, Sample::declared(signature));
    let layout = match is_tree {
        true => Layout::for_tree(signature, may_write, &sample),
        false => Layout::new(signature, may_write, &sample),
    };
    let (layout, budget) = (layout.expect("addresses"), Arc::new(Budget::new(None)));
    let store = store(&StorePlan { layout: &layout, budget: &budget, threads: 1 }).expect("addresses");
    let space = Space::new(model, initial, Arc::new(layout), store, budget);
    let mut expander = Expander::new(&space, 1);
    while let Err(halt) = expander.insert_initial() {
        overcome(&space, &mut expander, halt, 0);
    }
    let mut handle_of = HashMap::from([(initial.to_vec(), expander.handle().to_vec())]);
    let mut stack = vec![(expander.handle().to_vec(), initial.to_vec())];
    let (mut barriers, mut stepper) = (0, model.stepper());
    while let Some((handle, state)) = stack.pop() {
        let tag = handle_of.len() as u64;
        expander.clear();
        expander.load(&handle, tag);
        let asked = expander.ask().unwrap_or_else(|_| panic!("asking takes no room"));
        assert_eq!(expander.source().0, state);
        while let Err(halt) = expander.pack() {
            overcome(&space, &mut expander, halt, handle_of.len() as u64);
            barriers += 1;
        }
        let mut seen = Vec::new();
        let mut insert = |expander: &mut Expander<'_, '_, S>, handle_of: &mut HashMap<_, _>| {
            expander.insert(|found| {
                let successor = found.successor().expect("no step is local");
                let (group, action) = (successor.group.ix(), successor.action);
                let target = found.state().0.to_vec();
                seen.push((group, action, target.clone()));
                assert_eq!(found.tag, tag);
                let known = handle_of.insert(target.clone(), found.handle.to_vec());
                assert_eq!(found.is_new, known.is_none(), "{target:?}");
                assert!(known.is_none_or(|known| known == found.handle), "{target:?} has two handles");
                if found.is_new {
                    stack.push((found.handle.to_vec(), target));
                }
                Ok(())
            })
        };
        while let Err(halt) = insert(&mut expander, &mut handle_of) {
            overcome(&space, &mut expander, halt, handle_of.len() as u64);
            barriers += 1;
        }
        let mut successors = Successors::new(state.len());
        stepper.all(&state, &mut successors).expect("no group fails");
        let wanted: Vec<_> =
            successors.iter().map(|to| (to.group.ix(), to.action, to.state.to_vec())).collect();
        assert_eq!((asked.successors, &seen), (wanted.len() as u64, &wanted));
        assert!(asked.end.is_some_and(|end| end.is_deadlock == wanted.is_empty() && !end.failed));
    }
    assert_eq!(handle_of.len() as u64, states);
    assert_eq!(handle_of.values().collect::<HashSet<_>>().len(), handle_of.len(), "two states, one handle");
    assert!(barriers > 0, "nothing had to grow");
    for (state, handle) in &handle_of {
        assert_eq!(&space.state(handle), state);
    }
}

#[test]
fn handles_of_every_store_stand_for_states() {
    // Four bytes, each from 0 to 9.
    let (short, states) = (Wide::new(4, 4, 9), 10u64.pow(4));
    handles_stand_for_states(&short, states, Single::new, true);
    handles_stand_for_states(&short, states, Plain::new, false);
    handles_stand_for_states(&short, states, Hashes::new, false);
    // States of several words: nine bytes, each from 0 to 2.
    let (long, states) = (Wide::new(9, 9, 2), 3u64.pow(9));
    handles_stand_for_states(&long, states, Tree::new, true);
    handles_stand_for_states(&long, states, Plain::new, false);
    handles_stand_for_states(&long, states, Hashes::new, false);
}
