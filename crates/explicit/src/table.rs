//! The index of the store: from a state's hash to the places where the state can be. Open addressing with linear
//! probing, four bytes an entry: the state's number, and in the bits that numbers do not need yet a *tag* of its hash.
//!
//! Differs from the textbook: the capacity is any number, not a power of two (Lemire's multiplication instead of a
//! remainder), so that the last growth can take exactly what the memory limit leaves. The old table is dropped
//! before the new one is made, since the numbers and hashes all stand in the arena.
//!
//! Invariant: an entry is zero, or `tag << number_bits | number + 1`; at least one entry is zero.

use crate::budget::{Budget, Exhausted, reserve};

/// Grow when more than this share is filled …
const CROWDED: f64 = 0.8;
/// … or, when there is no memory to grow, stop at this share: searching an empty place gets slow beyond it.
const FULL: f64 = 0.95;
const ENTRY_BYTES: u64 = size_of::<u32>() as u64;
const FIRST_CAPACITY: u64 = 1 << 12;

/// Entries with their tags.
pub(crate) struct Table {
    entries: Vec<u32>,
    number_bits: u32,
    room: u64,
}

/// A place in the table and what stands there: nothing, or a number whose tag is the wanted one.
#[derive(Clone, Copy, Default)]
pub(crate) struct Place {
    pub(crate) at: usize,
    entry: u32,
}

impl Table {
    /// A table without a place in it.
    pub(crate) fn new() -> Self {
        Self { entries: Vec::new(), number_bits: 1, room: 0 }
    }

    /// How many states it holds at most.
    #[inline]
    pub(crate) fn room(&self) -> u64 {
        self.room
    }

    /// Whether it is time to grow, with this many states to hold.
    #[inline]
    pub(crate) fn is_crowded(&self, states: u64) -> bool {
        states as f64 > self.entries.len() as f64 * CROWDED
    }

    /// The capacity to grow to for this many states, if memory allows more than there is.
    ///
    /// Near the limit a larger table would take the memory of the states it is for: the greatest capacity is the one
    /// at which table and states use up the memory together.
    pub(crate) fn next_capacity(&self, states: u64, state_bytes: u64, budget: &Budget) -> Option<u64> {
        let now = self.entries.len() as u64;
        let wanted = (2 * now).max(FIRST_CAPACITY).max((states as f64 / CROWDED) as u64 + 1);
        let means = budget.left() as f64 + (now * ENTRY_BYTES) as f64 + (state_bytes * states) as f64;
        let greatest = (means / (ENTRY_BYTES as f64 + FULL * state_bytes as f64)) as u64;
        let next = wanted.min(greatest);
        // A rehash for a few places more is not worth its time.
        (next > now + now / 16).then_some(next)
    }

    /// Replaces the entries by empty ones.
    pub(crate) fn renew(&mut self, capacity: u64, budget: &mut Budget) -> Result<(), Exhausted> {
        self.forget(budget);
        budget.take(capacity * ENTRY_BYTES)?;
        let capacity = usize::try_from(capacity).map_err(|_| Exhausted)?;
        reserve(&mut self.entries, capacity)?;
        self.entries.resize(capacity, 0);
        self.room = (capacity as f64 * FULL) as u64;
        self.number_bits = (u64::BITS - self.room.leading_zeros()).clamp(1, u32::BITS);
        Ok(())
    }

    /// Gives all memory back.
    pub(crate) fn forget(&mut self, budget: &mut Budget) {
        budget.give(self.entries.len() as u64 * ENTRY_BYTES);
        self.entries = Vec::new();
        self.room = 0;
    }

    /// Where a search for this hash begins. Reads memory that is rarely in a cache: ask for many before using one.
    #[inline]
    pub(crate) fn home(&self, hash: u64) -> Place {
        let at = ((u128::from(hash) * self.entries.len() as u128) >> 64) as usize;
        Place { at, entry: self.entries[at] }
    }

    /// From a place on, the first that is empty or bears the hash's tag.
    #[inline]
    pub(crate) fn seek(&self, hash: u64, mut place: Place) -> Place {
        let tag = self.tag(hash);
        while place.entry != 0 && u64::from(place.entry) >> self.number_bits != tag {
            place = self.after(place);
        }
        place
    }

    /// The next place.
    #[inline]
    pub(crate) fn after(&self, place: Place) -> Place {
        let at = if place.at + 1 == self.entries.len() { 0 } else { place.at + 1 };
        Place { at, entry: self.entries[at] }
    }

    /// The same place as it is now.
    #[inline]
    pub(crate) fn again(&self, place: Place) -> Place {
        Place { at: place.at, entry: self.entries[place.at] }
    }

    /// The number that stands there, if any.
    #[inline]
    pub(crate) fn number(&self, place: Place) -> Option<u32> {
        let low = u64::from(place.entry) & ((1 << self.number_bits) - 1);
        (low as u32).checked_sub(1)
    }

    /// Writes a number to an empty place.
    #[inline]
    pub(crate) fn fill(&mut self, place: Place, hash: u64, number: u32) {
        let entry = self.tag(hash) << self.number_bits | (u64::from(number) + 1);
        self.entries[place.at] = entry as u32;
    }

    /// Writes a number that is not there to the first empty place of its hash.
    #[inline]
    pub(crate) fn add(&mut self, hash: u64, number: u32) {
        let mut place = self.home(hash);
        while place.entry != 0 {
            place = self.after(place);
        }
        self.fill(place, hash, number);
    }

    /// The place is taken from the upper bits, the tag from the lower ones.
    #[inline]
    fn tag(&self, hash: u64) -> u64 {
        hash & ((1 << (u32::BITS - self.number_bits)) - 1)
    }
}
