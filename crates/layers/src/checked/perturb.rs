//! Which slot is changed next, and to what. Slots come in rotation, so that all are tried over a run at a
//! small cost for each call. The new value is one that the slot was seen to have, so that the changed state
//! is one that the model could mean.

use base::{BitMatrix, SlotIx, SplitMix64};
use model::Value;

/// The slots that a row leaves out, one after the other and round again.
pub(super) struct Rotation {
    slots: Vec<SlotIx>,
    next: usize,
}

impl Rotation {
    /// The columns where the row is zero.
    pub(super) fn outside(matrix: &BitMatrix, row: usize) -> Self {
        let slots =
            (0..matrix.columns()).filter(|&column| !matrix.get(row, column)).map(SlotIx::new).collect();
        Self { slots, next: 0 }
    }

    /// The rotations of all rows.
    pub(super) fn rows(matrix: &BitMatrix) -> Vec<Self> {
        (0..matrix.rows()).map(|row| Self::outside(matrix, row)).collect()
    }

    /// How many slots there are.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// The next one. There must be one.
    pub(super) fn turn(&mut self) -> SlotIx {
        let slot = self.slots[self.next];
        self.next = (self.next + 1) % self.slots.len();
        slot
    }
}

/// Values that each slot was seen to have, the initial one first.
pub(super) struct SeenValues {
    values: Vec<Vec<Value>>,
    random: SplitMix64,
    next: usize,
}

impl SeenValues {
    /// A few are enough: what depends on a slot at all mostly tells two of its values apart.
    const MOST: usize = 16;

    pub(super) fn new(initial: &[Value], seed: u64) -> Self {
        Self {
            values: initial.iter().map(|&value| vec![value]).collect(),
            random: SplitMix64::new(seed),
            next: 0,
        }
    }

    /// Remembers a value; once there are many, new ones take the place of old ones now and then.
    pub(super) fn note(&mut self, slot: SlotIx, value: Value) {
        if self.values[slot.ix()].contains(&value) {
            return;
        }
        let known = &mut self.values[slot.ix()];
        if known.len() < Self::MOST {
            known.push(value);
        } else if self.random.one_in(8) {
            known[1 + self.random.below(Self::MOST - 1)] = value;
        }
    }

    /// Remembers one value of a state, of another slot each time: an engine may ask about states that are
    /// nobody's successors, and looking at all slots each time would cost more than it finds.
    pub(super) fn note_one_of(&mut self, state: &[Value]) {
        if let Some(&value) = state.get(self.next) {
            self.note(SlotIx::new(self.next), value);
        }
        self.next = if self.next + 1 < state.len() { self.next + 1 } else { 0 };
    }

    /// A value of the slot other than this one, if one was seen.
    pub(super) fn other(&mut self, slot: SlotIx, value: Value) -> Option<Value> {
        let known = &self.values[slot.ix()];
        let start = self.random.below(known.len());
        (0..known.len()).map(|at| known[(start + at) % known.len()]).find(|&other| other != value)
    }
}
