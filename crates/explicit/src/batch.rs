//! The batch: successors of a few states, gathered until there are enough to look them up together.

use base::GroupIx;
use model::{Successors, Value};

use crate::budget::{Budget, Exhausted};
use crate::hash::hash;
use crate::packing::{Layout, Misfit};
use crate::store::{Incoming, TOGETHER};

/// With this many successors a batch is worth looking up …
const ENOUGH: usize = TOGETHER / 2;
/// … or with this many bytes of them: looking up wide states together saves nothing.
const ENOUGH_BYTES: usize = 1 << 20;

/// Successors with their packed form, their hash, and the number of the state they come from.
pub(crate) struct Batch {
    /// The successors as the model gave them.
    pub(crate) successors: Successors,
    words_each: usize,
    /// Bytes that a successor takes.
    bytes_each: usize,
    enough: usize,
    words: Vec<u64>,
    hashes: Vec<u64>,
    parents: Vec<u32>,
    /// The most successors that the budget knows of.
    paid: usize,
}

impl Batch {
    /// An empty batch for states of this many slots and words.
    pub(crate) fn new(slots: usize, words_each: usize) -> Self {
        let bytes_each = slots * size_of::<Value>() + words_each * size_of::<u64>() + 24;
        Self {
            successors: Successors::new(slots),
            words_each,
            bytes_each,
            enough: (ENOUGH_BYTES / bytes_each).clamp(1, ENOUGH),
            words: Vec::new(),
            hashes: Vec::new(),
            parents: Vec::new(),
            paid: 0,
        }
    }

    /// Forgets all successors.
    pub(crate) fn clear(&mut self) {
        self.successors.clear();
        self.words.clear();
        self.hashes.clear();
        self.parents.clear();
    }

    /// Whether more successors should join.
    #[inline]
    pub(crate) fn has_room(&self) -> bool {
        self.successors.len() < self.enough
    }

    /// Bytes that this many successors take.
    pub(crate) fn bytes(&self, successors: usize) -> u64 {
        self.bytes_each as u64 * successors as u64
    }

    /// Packs the successor at this place, the next one that is not packed yet, over the words of its source.
    #[inline]
    pub(crate) fn pack(&mut self, at: usize, layout: &Layout, parent: u32, source: &[u64]) -> Result<(), Misfit> {
        debug_assert_eq!(at, self.hashes.len());
        let successor = self.successors.get(at);
        let start = self.words.len();
        self.words.extend_from_slice(source);
        let words = &mut self.words[start..];
        layout.repack(successor.group, successor.state, words)?;
        debug_assert!(packs_alike(layout, successor.group, successor.state, words));
        self.hashes.push(hash(words));
        self.parents.push(parent);
        Ok(())
    }

    /// In how many lots the successors are looked up.
    pub(crate) fn lots(&self) -> usize {
        self.hashes.len().div_ceil(TOGETHER)
    }

    /// The packed successors of a lot, and the place of the first of them.
    pub(crate) fn lot(&self, lot: usize) -> (usize, Incoming<'_>) {
        let first = lot * TOGETHER;
        let end = (first + TOGETHER).min(self.hashes.len());
        let incoming = Incoming {
            words: &self.words[first * self.words_each..end * self.words_each],
            hashes: &self.hashes[first..end],
            parents: &self.parents[first..end],
        };
        (first, incoming)
    }

    /// Tells the budget of buffers that grew, or will with this many more successors. They grow by doubling, so the
    /// successors seen now may be half of them.
    #[inline]
    pub(crate) fn pay(&mut self, more: usize, budget: &mut Budget) -> Result<(), Exhausted> {
        let count = self.successors.len() + more;
        if count <= self.paid {
            return Ok(());
        }
        let count = count.next_power_of_two();
        budget.take(self.bytes(count - self.paid))?;
        self.paid = count;
        Ok(())
    }
}

/// Whether a group left what its matrix row says it leaves: then both ways of packing give the same words.
fn packs_alike(layout: &Layout, group: GroupIx, state: &[Value], words: &[u64]) -> bool {
    let mut whole = vec![0; words.len()];
    assert_eq!(layout.pack(state, &mut whole), Ok(()), "BUG: group {group} changes a slot that it does not write");
    whole == words
}
