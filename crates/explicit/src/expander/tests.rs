//! Expansion against a hash set of the states themselves.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use base::{BitMatrix, GuardIx, LabelIx, TypeIx};
use model::{Dependencies, EvalError, Group, Model, Signature, Slot, SlotRole, Truth, Type, every_group};

use super::*;
use crate::budget::Budget;
use crate::packing::{Layout, Sample};
use crate::store::{Hashes, Plain, Single, StorePlan, Tree};

/// Wheels that turn on their own, one step at a time; each has a brother that follows when it is at zero.
struct Wheels {
    signature: Signature,
    dependencies: Dependencies,
    initial: Vec<Value>,
    size: Value,
}

impl Wheels {
    /// So many wheels that have a size, as slots whose type goes up to the highest value.
    fn new(wheels: usize, size: Value, highest: i32) -> Self {
        let slot =
            |at| Slot { name: format!("s{at}"), ty: TypeIx::new(0), span: None, role: SlotRole::Variable };
        let group =
            |at| Group { name: format!("g{at}"), guards: Vec::new(), spans: Vec::new(), effect: None };
        let signature = Signature {
            name: "wheels".into(),
            types: vec![Type::range("wheel", 0, highest)],
            slots: (0..2 * wheels).map(slot).collect(),
            groups: (0..wheels).map(group).collect(),
            guards: Vec::new(),
            labels: Vec::new(),
            action: Type::names("action", vec!["turn".into(), "follow".into()]),
            alarms: Vec::new(),
            source: None,
        };
        let mut dependencies = Dependencies::none(2 * wheels, wheels, 0, 0);
        for group in 0..wheels {
            for slot in [group, wheels + group] {
                dependencies.read.set(group, slot);
                dependencies.may_write.set(group, slot);
            }
        }
        Self { signature, dependencies, initial: vec![0; 2 * wheels], size }
    }

    fn may_write(&self) -> &BitMatrix {
        &self.dependencies.may_write
    }
}

impl Model for Wheels {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn dependencies(&self) -> &Dependencies {
        &self.dependencies
    }

    fn initial(&self) -> &[Value] {
        &self.initial
    }

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        Box::new(WheelStepper(self))
    }
}

struct WheelStepper<'a>(&'a Wheels);

impl Stepper for WheelStepper<'_> {
    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let (wheel, brother) = (group.ix(), self.0.initial.len() / 2 + group.ix());
        to.push(group, 0, from)[wheel] = (from[wheel] + 1) % self.0.size;
        if from[wheel] == 0 {
            to.push(group, 1, from)[brother] = 0;
            to.push(group, 1, from)[brother] = (from[brother] + 1) % self.0.size;
        }
        Ok(())
    }

    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.group(group, from, to)
    }

    fn guard(&mut self, _: GuardIx, _: &[Value]) -> Truth {
        Truth::True
    }

    fn label(&mut self, label: LabelIx, _: &[Value]) -> Result<Value, EvalError> {
        panic!("there is no label {label}")
    }

    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        every_group(self, self.0.signature.groups.len(), from, to)
    }
}

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
    wheels: &Wheels,
    store: impl Fn(&StorePlan<'_>) -> Option<S>,
    tree: bool,
) {
    let sample = Sample::declared(&wheels.signature);
    let layout = match tree {
        true => Layout::for_tree(&wheels.signature, wheels.may_write(), &sample),
        false => Layout::new(&wheels.signature, wheels.may_write(), &sample),
    };
    let (layout, budget) = (layout.expect("addresses"), Arc::new(Budget::new(None)));
    let store = store(&StorePlan { layout: &layout, budget: &budget, threads: 1 }).expect("addresses");
    let space = Space::new(wheels, &wheels.initial, Arc::new(layout), store, budget);
    let mut expander = Expander::new(&space, 1);
    while let Err(halt) = expander.insert_initial() {
        overcome(&space, &mut expander, halt, 0);
    }
    let mut handle_of = HashMap::from([(wheels.initial.clone(), expander.handle().to_vec())]);
    let mut stack = vec![(expander.handle().to_vec(), wheels.initial.clone())];
    let (mut barriers, mut stepper) = (0, wheels.stepper());
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
        assert!(asked.end.is_some_and(|end| !end.is_deadlock && !end.failed));
    }
    let pairs = wheels.initial.len() as u32 / 2;
    assert_eq!(handle_of.len() as u64, u64::from(wheels.size).pow(2 * pairs));
    assert_eq!(handle_of.values().collect::<HashSet<_>>().len(), handle_of.len(), "two states, one handle");
    assert!(barriers > 0, "nothing had to grow");
    for (state, handle) in &handle_of {
        assert_eq!(&space.state(handle), state);
    }
}

#[test]
fn handles_of_every_store_stand_for_states() {
    let short = Wheels::new(2, 10, 15);
    handles_stand_for_states(&short, Single::new, true);
    handles_stand_for_states(&short, Plain::new, false);
    handles_stand_for_states(&short, Hashes::new, false);
    // States of several words.
    let long = Wheels::new(2, 10, i32::MAX);
    handles_stand_for_states(&long, Tree::new, true);
    handles_stand_for_states(&long, Plain::new, false);
    handles_stand_for_states(&long, Hashes::new, false);
}
