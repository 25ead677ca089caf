//! What a search saw of a group or a label, projected to the slots that matter to it, each thing once.

use base::{GroupIx, LabelIx, SlotIx};
use model::{Access, Dependencies, Stepper, Successor, Value};

use super::rows::{Room, Rows};

/// The transitions of a group that were seen.
pub(crate) struct SeenGroup {
    columns: Vec<Column>,
    /// How many words of a row say which columns were copied.
    mask_words: usize,
    /// Packed: the action, the mask, then for each column what was there before and, if it is written, after.
    rows: Rows,
}

struct Column {
    slot: SlotIx,
    content: Content,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    /// Before and after are one.
    Kept,
    Written,
    /// Some transitions of the group leave the slot as it was without looking.
    MayBeCopied,
}

/// One transition that was seen.
pub(crate) struct SeenRow<'a> {
    pub action: Value,
    group: &'a SeenGroup,
    packed: &'a [Value],
}

impl SeenGroup {
    /// Nothing was seen yet. The answer is none if there is no room to see anything.
    pub fn new(group: GroupIx, slots: usize, dependencies: &Dependencies, room: &mut Room) -> Option<Self> {
        let column = |slot: SlotIx| {
            let content = match dependencies.access(group, slot) {
                Access::None => return None,
                Access::Read => Content::Kept,
                Access::MustWrite | Access::Both => Content::Written,
                Access::MayWrite => Content::MayBeCopied,
            };
            Some(Column { slot, content })
        };
        let count =
            SlotIx::all(slots).filter(|&slot| dependencies.access(group, slot) != Access::None).count();
        if !room.take(count * size_of::<Column>()) {
            return None;
        }
        let mut columns = Vec::with_capacity(count);
        columns.extend(SlotIx::all(slots).filter_map(column));
        let copies = columns.iter().any(|column| column.content == Content::MayBeCopied);
        let mask_words = if copies { count.div_ceil(32) } else { 0 };
        let kept = columns.iter().filter(|column| column.content == Content::Kept).count();
        let width = 1 + mask_words + 2 * count - kept;
        Some(Self { columns, mask_words, rows: Rows::new(width, width) })
    }

    /// Remembers a transition. The scratch vector saves an allocation where it was seen before.
    pub fn see(&mut self, from: &[Value], to: &Successor<'_>, packed: &mut Vec<Value>, room: &mut Room) {
        packed.clear();
        packed.push(to.action);
        packed.resize(1 + self.mask_words, 0);
        for (number, column) in self.columns.iter().enumerate() {
            let slot = column.slot;
            match column.content {
                Content::Kept => packed.push(from[slot.ix()]),
                Content::MayBeCopied if to.copied(slot) => {
                    packed[1 + number / 32] |= 1 << (number % 32);
                    packed.extend([0, 0]);
                }
                Content::Written | Content::MayBeCopied => {
                    packed.extend([from[slot.ix()], to.state[slot.ix()]])
                }
            }
        }
        if !self.rows.contains(packed) {
            self.rows.add(packed, room);
        }
    }

    /// All transitions that were seen, in the order of discovery.
    pub fn rows(&self) -> impl Iterator<Item = SeenRow<'_>> + '_ {
        self.rows.iter().map(|packed| self.unpacked(packed))
    }

    /// All transitions that were seen, in an order that does not depend on the search.
    pub fn sorted_rows(&self) -> impl Iterator<Item = SeenRow<'_>> + '_ {
        self.rows.sorted().map(|packed| self.unpacked(packed))
    }

    fn unpacked<'a>(&'a self, packed: &'a [Value]) -> SeenRow<'a> {
        SeenRow { action: packed[0], group: self, packed }
    }
}

impl SeenRow<'_> {
    /// The columns that matter, ascending: slot, before, after.
    pub fn cells(&self) -> impl Iterator<Item = (SlotIx, Value, Value)> + '_ {
        let (mask, mut rest) = self.packed[1..].split_at(self.group.mask_words);
        self.group.columns.iter().enumerate().filter_map(move |(number, column)| {
            let cells = if column.content == Content::Kept { 1 } else { 2 };
            let (here, after) = rest.split_at(cells);
            rest = after;
            let copied = mask.get(number / 32).is_some_and(|word| word >> (number % 32) & 1 == 1);
            (!copied).then(|| (column.slot, here[0], here[cells - 1]))
        })
    }
}

/// The values of a label that were seen.
pub(crate) struct SeenLabel {
    pub slots: Vec<SlotIx>,
    label: LabelIx,
    /// The values of the slots, whether the label has a value, and which.
    rows: Rows,
}

impl SeenLabel {
    /// Nothing was seen yet. The answer is none if there is no room to see anything.
    pub fn new(label: LabelIx, dependencies: &Dependencies, room: &mut Room) -> Option<Self> {
        let count = dependencies.label_reads.count(label.ix());
        if !room.take(count * size_of::<SlotIx>()) {
            return None;
        }
        let mut slots = Vec::with_capacity(count);
        slots.extend(dependencies.label_reads.ones(label.ix()).map(SlotIx::new));
        Some(Self { slots, label, rows: Rows::new(count, count + 2) })
    }

    /// Whether two states look alike to the label.
    pub fn same(&self, left: &[Value], right: &[Value]) -> bool {
        self.slots.iter().all(|slot| left[slot.ix()] == right[slot.ix()])
    }

    /// Remembers what the label says of a state.
    pub fn see(
        &mut self,
        state: &[Value],
        stepper: &mut dyn Stepper,
        packed: &mut Vec<Value>,
        room: &mut Room,
    ) {
        packed.clear();
        packed.extend(self.slots.iter().map(|slot| state[slot.ix()]));
        if !self.rows.contains(packed) {
            let value = stepper.label(self.label, state);
            packed.extend([Value::from(value.is_ok()), value.unwrap_or(0)]);
            self.rows.add(packed, room);
        }
    }

    /// The values that the label has, in the order of discovery.
    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        self.rows.iter().filter_map(|row| self.with_value(row)).map(|(_, value)| value)
    }

    /// The values of the slots and the value of the label, in an order that does not depend on the search.
    pub fn sorted_rows(&self) -> impl Iterator<Item = (&[Value], Value)> + '_ {
        self.rows.sorted().filter_map(|row| self.with_value(row))
    }

    fn with_value<'a>(&self, row: &'a [Value]) -> Option<(&'a [Value], Value)> {
        let (key, value) = row.split_at(self.slots.len());
        (value[0] == 1).then_some((key, value[1]))
    }
}
