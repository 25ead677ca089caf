//! Groups and what was learned of them.
//!
//! A group's relation has a level for each slot that it reads or may write; the short vectors that it was asked for are a set over
//! the slots that it reads. A slot that is written or copied without being read needs no test: its rows say *copy*.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use base::{GroupIx, GuardIx, LabelIx};
use engine::Pattern;
use ldd::{Access, Entry, Ldd, Relation, Shape, Stop, Store};
use model::{EvalError, Model, Stepper, Successors, Truth, Value};

use crate::guards::Guards;
use crate::sightings::{Seen, Sightings};

/// With so many entries, rows become a part of the relation: they take memory that the store does not know of.
const MANY_ENTRIES: usize = 1 << 20;

/// Whether reads and writes are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Separation {
    /// Slots are read, written, copied or both, as the matrices say.
    Separate,
    /// Every slot that a group touches counts as read and written.
    Together,
}

/// A group as the search knows it.
pub(crate) struct Group {
    pub group: GroupIx,
    /// Which slots a short vector has.
    kept: Vec<bool>,
    /// Short vectors that were asked for.
    asked: Ldd,
    pub relation: Relation,
    /// Where the relation's levels are in a row, by slot.
    levels: Vec<(usize, Access)>,
    /// What it was seen to do.
    pub seen: Seen,
}

/// Runs the model for short vectors.
pub(crate) struct Caller<'m> {
    model: &'m dyn Model,
    pub stepper: Box<dyn Stepper + 'm>,
    /// A state, over which short vectors are written.
    state: Vec<Value>,
    buffer: Successors,
    pub calls: Calls,
    /// The actions that properties ask for.
    pub patterns: Vec<Pattern>,
    /// Raised when the search is to stop.
    pub halt: Arc<AtomicBool>,
    /// Time in which relations were learned.
    pub learning: Duration,
}

/// How often the model was asked.
#[derive(Clone, Copy, Default)]
pub(crate) struct Calls {
    pub next_state: u64,
    pub guards: u64,
    pub labels: u64,
}

impl<'m> Caller<'m> {
    pub fn new(model: &'m dyn Model) -> Self {
        let state = model.initial().to_vec();
        Self {
            model,
            stepper: model.stepper(),
            buffer: Successors::new(state.len()),
            state,
            calls: Calls::default(),
            patterns: Vec::new(),
            halt: Arc::default(),
            learning: Duration::ZERO,
        }
    }

    /// What a guard says of the state.
    pub fn guard(&mut self, guard: GuardIx) -> Truth {
        self.calls.guards += 1;
        self.stepper.guard(guard, &self.state)
    }

    /// The value of a label in the state.
    pub fn label(&mut self, label: LabelIx) -> Result<Value, EvalError> {
        self.calls.labels += 1;
        self.stepper.label(label, &self.state)
    }

    /// Whether the group fails in the state, its guards asked by the group itself.
    pub fn fails(&mut self, group: GroupIx) -> bool {
        self.calls.next_state += 1;
        self.buffer.clear();
        self.stepper.group(group, &self.state, &mut self.buffer).is_err()
    }

    /// A successor of a state by an action that matches the pattern with this number.
    pub fn acted(&mut self, from: &[Value], pattern: usize) -> Option<Vec<Value>> {
        let signature = self.model.signature();
        self.buffer.clear();
        for group in signature.group_ixs() {
            // What fails beside the action is of no concern.
            _ = self.stepper.group(group, from, &mut self.buffer);
        }
        let pattern = &mut self.patterns[pattern];
        let successor = self.buffer.iter().find(|successor| pattern.matches(successor.action, signature));
        successor.map(|successor| successor.state.to_vec())
    }

    /// Whether the search is to stop.
    pub fn is_halted(&self) -> bool {
        self.halt.load(Ordering::Relaxed)
    }

    /// Writes the short vector over the state.
    pub fn place(&mut self, kept: &[bool], short: &[u32]) {
        let slots = kept.iter().enumerate().filter(|(_, kept)| **kept).map(|(slot, _)| slot);
        for (slot, &value) in slots.zip(short) {
            self.state[slot] = value;
        }
    }
}

impl Group {
    /// A group of which nothing is known yet. With `guards`, only what its update reads is a part of short vectors.
    pub fn new(model: &dyn Model, group: GroupIx, store: &Store, separation: Separation, split: bool) -> Self {
        let dependencies = model.dependencies();
        let width = model.signature().slots.len();
        let reads = |slot: usize| {
            let read = if split { &dependencies.update_read } else { &dependencies.read };
            read.get(group.ix(), slot)
        };
        let writes = |slot: usize| dependencies.may_write.get(group.ix(), slot);
        let access = |slot: usize| match (separation, reads(slot), writes(slot)) {
            (_, false, false) => None,
            (Separation::Together, ..) => Some(Access::Both),
            (Separation::Separate, true, false) => Some(Access::Read),
            (Separation::Separate, false, true) => Some(Access::Write),
            (Separation::Separate, true, true) => Some(Access::Both),
        };
        let levels: Vec<(usize, Access)> = (0..width).filter_map(|slot| Some((slot, access(slot)?))).collect();
        let mut kept = vec![false; width];
        for (slot, access) in &levels {
            kept[*slot] = *access != Access::Write;
        }
        let relation = store.relation(Shape::new(width, levels.clone()));
        Self { group, kept, asked: store.empty(), relation, levels, seen: Seen::nothing(store) }
    }

    /// Learns what the group does to the states of a set. All of them have true guards if guards are split.
    pub fn learn(
        &mut self,
        store: &Store,
        set: &Ldd,
        caller: &mut Caller<'_>,
        guards: Option<&Guards>,
    ) -> Result<(), Stop> {
        let new = store.project_minus(set, &self.kept, &self.asked)?;
        if new.is_empty() {
            return Ok(());
        }
        let begun = Instant::now();
        let (mut rows, mut sightings) = (Vec::new(), Sightings::default());
        let mut result = Ok(());
        store.for_each(&new, |short| {
            self.ask(short, caller, guards.is_some(), &mut rows, &mut sightings);
            if caller.is_halted() {
                result = Err(Stop::Interrupted);
            } else if rows.len() > MANY_ENTRIES {
                result = self.settle(store, &mut rows, &mut sightings);
            }
            result.is_ok()
        });
        result?;
        self.settle(store, &mut rows, &mut sightings)?;
        self.asked = store.union(&self.asked, &new)?;
        caller.learning += begun.elapsed();
        Ok(())
    }

    /// Asks the group for a short vector.
    fn ask(
        &self,
        short: &[u32],
        caller: &mut Caller<'_>,
        split: bool,
        rows: &mut Vec<Entry>,
        sightings: &mut Sightings,
    ) {
        caller.place(&self.kept, short);
        caller.buffer.clear();
        caller.calls.next_state += 1;
        let result = if split {
            caller.stepper.update(self.group, &caller.state, &mut caller.buffer)
        } else {
            caller.stepper.group(self.group, &caller.state, &mut caller.buffer)
        };
        match result {
            Ok(()) => {
                sightings.succeeded(short, &caller.buffer, &mut caller.patterns, caller.model.signature());
                self.rows(caller, rows);
            }
            Err(_) => sightings.failed(short),
        }
    }

    /// Adds rows and sightings to what is known.
    fn settle(&mut self, store: &Store, rows: &mut Vec<Entry>, sightings: &mut Sightings) -> Result<(), Stop> {
        self.seen.settle(store, sightings)?;
        let entries = self.relation.shape().entries();
        if entries > 0 {
            self.relation = self.relation.with_rows(rows.chunks_exact(entries))?;
        }
        rows.clear();
        Ok(())
    }

    /// Appends a row for each successor in the caller's buffer.
    fn rows(&self, caller: &Caller<'_>, rows: &mut Vec<Entry>) {
        for successor in caller.buffer.iter() {
            for &(slot, access) in &self.levels {
                let from = caller.state[slot];
                let to = successor.state[slot];
                let slot = base::SlotIx::new(slot);
                let write = if successor.copied(slot) { Entry::Copy } else { Entry::Value(to) };
                match access {
                    Access::Read => rows.push(Entry::Value(from)),
                    Access::Write => rows.push(write),
                    Access::Both => rows.extend([Entry::Value(from), write]),
                    Access::Rules => panic!("BUG: rules are not learned"),
                }
            }
        }
    }

    /// The height of the first level: groups with a low one change only the end of a state.
    pub fn top(&self) -> usize {
        let width = self.relation.shape().width();
        self.levels.first().map_or(0, |(slot, _)| width - slot)
    }

    /// The short vectors that were asked for.
    pub fn asked(&self) -> &Ldd {
        &self.asked
    }

    /// Which slots short vectors have.
    pub fn kept(&self) -> &[bool] {
        &self.kept
    }
}
