//! Tables that are run: the rows of a group that test the same slots, found by hash and applied by copying
//! a few values. And the tables of maps, whose rows give a value to a state.

use std::collections::BTreeMap;
use std::ops::Range;

use base::GroupIx;
use model::{Successors, Value};

use crate::file::Rows;
use crate::index::Index;
use crate::relation::{Uniform, distinct};

/// The rows of a group that test the same slots.
#[derive(Debug)]
pub(crate) struct Table {
    /// Tests that all rows share, done before anything is hashed: they fail most often.
    shared: Vec<(u32, Value)>,
    /// The slots that tell the rows apart.
    keys: Vec<u32>,
    index: Index,
    /// The slots that some row changes.
    written: Vec<u32>,
    /// Row by row, what is in them afterwards.
    targets: Vec<Value>,
    actions: Vec<Value>,
    /// The slots that other rows of the group write and these leave as they are; empty if there are none.
    copied: Vec<u64>,
}

impl Table {
    /// The table of these rows. Where `ignored` says so the column is not tested: the caller knows that the
    /// rows do the same for every value that it can have.
    pub fn new(rows: &Uniform, ignored: &[bool], copied: Vec<u64>) -> Self {
        let columns = 0..rows.slots.len();
        let tested: Vec<usize> = columns.clone().filter(|&column| !ignored[column]).collect();
        let changed: Vec<usize> = columns.filter(|&column| rows.changes(column)).collect();
        let (shared, keys): (Vec<usize>, Vec<usize>) =
            tested.iter().partition(|&&column| rows.tested_values(column).len() == 1);
        let mut cells = Vec::new();
        for row in 0..rows.len() {
            cells.extend(keys.iter().map(|&column| rows.from(row, column)));
            cells.extend(changed.iter().map(|&column| rows.to(row, column)));
            cells.push(rows.action(row));
        }
        // Rows that differ only in an ignored column are one.
        let kept = distinct(&cells, keys.len() + changed.len() + 1);
        let key_values: Vec<Value> =
            kept.iter().flat_map(|&row| keys.iter().map(move |&column| rows.from(row, column))).collect();
        let (index, order) = Index::new(keys.len(), &key_values, kept.len());
        let ordered = || order.iter().map(|&at| kept[at as usize]);
        let slot = |column: usize| rows.slots[column];
        Self {
            shared: shared.iter().map(|&column| (slot(column), rows.from(0, column))).collect(),
            keys: keys.iter().map(|&column| slot(column)).collect(),
            index,
            targets: ordered()
                .flat_map(|row| changed.iter().map(move |&column| rows.to(row, column)))
                .collect(),
            actions: ordered().map(|row| rows.action(row)).collect(),
            written: changed.into_iter().map(slot).collect(),
            copied,
        }
    }

    /// Appends the successors that the rows give a state, but for those that are already among `known`.
    #[inline]
    pub fn step(&self, group: GroupIx, from: &[Value], to: &mut Successors, known: Range<usize>) {
        if !self.shared.iter().all(|&(slot, value)| from[slot as usize] == value) {
            return;
        }
        let width = self.written.len();
        for row in self.index.find(&self.keys, from) {
            let action = self.actions[row];
            let state = to.push(group, action, from);
            let targets = &self.targets[row * width..(row + 1) * width];
            for (&slot, &value) in self.written.iter().zip(targets) {
                state[slot as usize] = value;
            }
            let new = to.len() - 1;
            if known.clone().any(|known| to.get(known).action == action && to.state(known) == to.state(new)) {
                to.truncate(new);
            } else if !self.copied.is_empty() {
                to.mark_copied(&self.copied);
            }
        }
    }
}

/// A `map` section. Where several rows fit a state the last one counts, as in LTSmin.
#[derive(Debug)]
pub(crate) struct ValueTable {
    parts: Vec<ValuePart>,
}

/// The rows of a map that test the same slots.
#[derive(Debug)]
struct ValuePart {
    slots: Vec<u32>,
    index: Index,
    /// For each row its number in the section and its value.
    values: Vec<(usize, Value)>,
}

impl ValueTable {
    /// The table of these rows and their values.
    pub fn new(rows: &Rows, values: &[Value]) -> Self {
        let mut by_slots: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
        for row in 0..rows.len() {
            by_slots.entry(rows.cells(row).iter().map(|cell| cell.slot).collect()).or_default().push(row);
        }
        let part = |(slots, members): (Vec<u32>, Vec<usize>)| {
            let keys: Vec<Value> =
                members.iter().flat_map(|&row| rows.cells(row)).map(|cell| cell.from).collect();
            let (index, order) = Index::new(slots.len(), &keys, members.len());
            let values = order.iter().map(|&at| members[at as usize]).map(|row| (row, values[row])).collect();
            ValuePart { slots, index, values }
        };
        Self { parts: by_slots.into_iter().map(part).collect() }
    }

    /// The slots that some row tests.
    pub fn slots(&self) -> impl Iterator<Item = u32> + '_ {
        self.parts.iter().flat_map(|part| part.slots.iter().copied())
    }

    /// The value of a state, if a row fits it.
    pub fn value(&self, state: &[Value]) -> Option<Value> {
        let fitting = self.parts.iter().flat_map(|part| &part.values[part.index.find(&part.slots, state)]);
        fitting.max_by_key(|(number, _)| *number).map(|&(_, value)| value)
    }
}
