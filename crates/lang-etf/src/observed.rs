//! What a search saw of a group or a label, projected to the slots that matter to it, each thing once.

use std::collections::{HashMap, HashSet};

use base::{GroupIx, LabelIx, SlotIx};
use model::{Access, Dependencies, Stepper, Successor, Value};

/// The transitions of a group that were seen.
pub(crate) struct SeenGroup {
    columns: Vec<Column>,
    /// How many words of a row say which columns were copied.
    mask_words: usize,
    /// Packed: the action, the mask, then before and after for each column.
    rows: HashSet<Box<[Value]>>,
}

struct Column {
    slot: SlotIx,
    /// Some transitions of the group leave the slot as it was without looking.
    may_copy: bool,
}

/// One transition that was seen.
pub(crate) struct SeenRow<'a> {
    pub action: Value,
    group: &'a SeenGroup,
    packed: &'a [Value],
}

impl SeenGroup {
    pub fn new(group: GroupIx, slots: usize, dependencies: &Dependencies) -> Self {
        let column = |slot: SlotIx| match dependencies.access(group, slot) {
            Access::None => None,
            access => Some(Column { slot, may_copy: access == Access::MayWrite }),
        };
        let columns: Vec<Column> = SlotIx::all(slots).filter_map(column).collect();
        let mask_words = if columns.iter().any(|column| column.may_copy) { columns.len().div_ceil(32) } else { 0 };
        Self { columns, mask_words, rows: HashSet::new() }
    }

    /// Remembers a transition. The scratch vector saves an allocation where it was seen before.
    pub fn see(&mut self, from: &[Value], to: &Successor<'_>, packed: &mut Vec<Value>) {
        packed.clear();
        packed.push(to.action);
        packed.resize(1 + self.mask_words, 0);
        for (number, column) in self.columns.iter().enumerate() {
            let slot = column.slot;
            if column.may_copy && to.copied(slot) {
                packed[1 + number / 32] |= 1 << (number % 32);
                packed.extend([0, 0]);
            } else {
                packed.extend([from[slot.ix()], to.state[slot.ix()]]);
            }
        }
        if !self.rows.contains(packed.as_slice()) {
            self.rows.insert(packed.as_slice().into());
        }
    }

    /// All transitions that were seen, in an order that does not depend on the search.
    pub fn rows(&self) -> Vec<SeenRow<'_>> {
        let mut sorted: Vec<&[Value]> = self.rows.iter().map(|row| &row[..]).collect();
        sorted.sort_unstable();
        sorted.into_iter().map(|packed| SeenRow { action: packed[0], group: self, packed }).collect()
    }
}

impl SeenRow<'_> {
    /// The columns that matter, ascending: slot, before, after.
    pub fn cells(&self) -> impl Iterator<Item = (SlotIx, Value, Value)> + '_ {
        let mask = &self.packed[1..1 + self.group.mask_words];
        let pairs = self.packed[1 + self.group.mask_words..].chunks(2);
        self.group.columns.iter().zip(pairs).enumerate().filter_map(move |(number, (column, pair))| {
            let copied = mask.get(number / 32).is_some_and(|word| word >> (number % 32) & 1 == 1);
            (!copied).then_some((column.slot, pair[0], pair[1]))
        })
    }
}

/// The values of a label that were seen.
pub(crate) struct SeenLabel {
    pub slots: Vec<SlotIx>,
    label: LabelIx,
    /// None where the label has no value.
    values: HashMap<Box<[Value]>, Option<Value>>,
}

impl SeenLabel {
    pub fn new(label: LabelIx, dependencies: &Dependencies) -> Self {
        let slots = dependencies.label_reads.ones(label.ix()).map(SlotIx::new).collect();
        Self { slots, label, values: HashMap::new() }
    }

    /// Whether two states look alike to the label.
    pub fn same(&self, left: &[Value], right: &[Value]) -> bool {
        self.slots.iter().all(|slot| left[slot.ix()] == right[slot.ix()])
    }

    /// Remembers what the label says of a state.
    pub fn see(&mut self, state: &[Value], stepper: &mut dyn Stepper, key: &mut Vec<Value>) {
        key.clear();
        key.extend(self.slots.iter().map(|slot| state[slot.ix()]));
        if !self.values.contains_key(key.as_slice()) {
            self.values.insert(key.as_slice().into(), stepper.label(self.label, state).ok());
        }
    }

    /// The values of the slots and the value of the label, in an order that does not depend on the search.
    pub fn rows(&self) -> Vec<(&[Value], Value)> {
        let mut rows: Vec<(&[Value], Value)> =
            self.values.iter().filter_map(|(key, value)| Some((&key[..], (*value)?))).collect();
        rows.sort_unstable();
        rows
    }
}
