//! Groups and what was learned of them.
//!
//! A group's relation has a level for each slot that it reads or may write; the short vectors that it was asked for are a set over
//! the slots that it reads. A slot that is written or copied without being read needs no test: its rows say *copy*.

use base::GroupIx;
use ldd::{Access, Entry, Ldd, Stop, Relation, Shape, Store};
use model::{Model, Stepper, Successors, Value};

use crate::guards::Guards;

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
    /// The short vectors in which the group fails.
    pub failed: Ldd,
}

/// Runs the model for short vectors.
pub(crate) struct Caller<'m> {
    pub stepper: Box<dyn Stepper + 'm>,
    /// A state, over which short vectors are written.
    state: Vec<Value>,
    buffer: Successors,
    /// How often the model was asked.
    pub calls: u64,
}

impl<'m> Caller<'m> {
    pub fn new(model: &'m dyn Model) -> Self {
        let state = model.initial().to_vec();
        Self { stepper: model.stepper(), buffer: Successors::new(state.len()), state, calls: 0 }
    }

    /// What a guard says of the state.
    pub fn guard(&mut self, guard: base::GuardIx) -> model::Truth {
        self.stepper.guard(guard, &self.state)
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
        let (asked, failed) = (store.empty(), store.empty());
        Self { group, kept, asked, relation, levels, failed }
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
        let mut shorts: Vec<u32> = Vec::new();
        let width = self.kept.iter().filter(|kept| **kept).count();
        let mut count = 0usize;
        store.for_each(&new, |short| {
            shorts.extend_from_slice(short);
            count += 1;
            true
        });
        let mut rows: Vec<Entry> = Vec::new();
        let mut failed: Vec<&[u32]> = Vec::new();
        for at in 0..count {
            let short = &shorts[at * width..(at + 1) * width];
            caller.place(&self.kept, short);
            caller.buffer.clear();
            caller.calls += 1;
            let result = match guards {
                Some(_) => caller.stepper.update(self.group, &caller.state, &mut caller.buffer),
                None => caller.stepper.group(self.group, &caller.state, &mut caller.buffer),
            };
            match result {
                Ok(()) => self.rows(caller, &mut rows),
                // How it fails is found again when the witness is replayed.
                Err(_) => failed.push(short),
            }
        }
        self.failed = store.union(&self.failed, &store.vectors(failed)?)?;
        let entries = self.relation.shape().entries();
        if entries > 0 {
            self.relation = self.relation.with_rows(rows.chunks_exact(entries))?;
        }
        self.asked = store.union(&self.asked, &new)?;
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
                }
            }
        }
    }

    /// The height of the first level: groups with a low one change only the end of a state.
    pub fn top(&self) -> usize {
        let width = self.relation.shape().width();
        self.levels.first().map_or(0, |(slot, _)| width - slot)
    }

    /// Which slots short vectors have.
    pub fn kept(&self) -> &[bool] {
        &self.kept
    }
}
