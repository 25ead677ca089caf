//! The batch: successors of a few states, gathered until there are enough to look them up together.
//!
//! A lookup waits for memory that is far away. What it needs is asked for as soon as the key of a successor
//! is known, and comes near while the keys of others are made.

use std::sync::Arc;

use base::GroupIx;
use model::{Successors, Value};

use crate::budget::{Account, Budget, Exhausted};
use crate::packing::{Misfit, Packer};
use crate::store::Crowded;

/// With this many successors a batch is worth looking up …
const ENOUGH: usize = 64;
/// … or with this many bytes of them: looking up wide states together saves nothing.
const ENOUGH_BYTES: usize = 1 << 20;

/// Successors with their packed form, their key, and the tag of the state that they come from.
pub(super) struct Batch {
    /// The successors as the model gave them.
    pub(super) successors: Successors,
    words_each: usize,
    /// Bytes that a successor takes.
    bytes_each: usize,
    enough: usize,
    words: Vec<u64>,
    keys: Vec<u64>,
    tags: Vec<u64>,
    /// Where they belong in the store as it is now.
    places: Vec<u64>,
    /// How many of them were looked up.
    pub(super) inserted: usize,
    /// The most successors that the budget knows of.
    paid: usize,
    account: Account,
}

impl Batch {
    /// An empty batch for states of this many slots and words.
    pub(super) fn new(slots: usize, words_each: usize, budget: &Arc<Budget>) -> Self {
        let bytes_each = slots * size_of::<Value>() + words_each * size_of::<u64>() + 40;
        Self {
            successors: Successors::new(slots),
            words_each,
            bytes_each,
            enough: (ENOUGH_BYTES / bytes_each).clamp(1, ENOUGH),
            words: Vec::new(),
            keys: Vec::new(),
            tags: Vec::new(),
            places: Vec::new(),
            inserted: 0,
            paid: 0,
            account: Account::new(budget),
        }
    }

    /// Forgets all successors.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.successors.clear();
        self.words.clear();
        self.keys.clear();
        self.tags.clear();
        self.places.clear();
        self.inserted = 0;
    }

    /// Whether more successors should join.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.room() > 0
    }

    /// How many more successors should join.
    #[inline]
    pub(super) fn room(&self) -> usize {
        self.enough.saturating_sub(self.successors.len().max(self.keys.len()))
    }

    /// Bytes that this many successors take.
    pub(super) fn bytes(&self, successors: usize) -> u64 {
        self.bytes_each as u64 * successors as u64
    }

    /// How many successors have their key.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Packs the successor at this place, the next one that is not packed yet, over the words of its source;
    /// the answer is the group and the words.
    #[inline]
    pub(super) fn pack(
        &mut self,
        at: usize,
        packer: &mut Packer,
        source: &[u64],
    ) -> Result<(GroupIx, &[u64]), Misfit> {
        debug_assert_eq!(at, self.keys.len());
        let (group, state) = (self.successors.group(at), self.successors.state(at));
        let start = at * self.words_each;
        self.words.truncate(start);
        match source {
            [word] => self.words.push(*word),
            _ => self.words.extend_from_slice(source),
        }
        let words = &mut self.words[start..];
        packer.repack(group, state, words)?;
        debug_assert!(packs_alike(packer, group, state, words));
        Ok((group, words))
    }

    /// A successor that is known by its word alone.
    #[inline]
    pub(super) fn push_word(&mut self, word: u64, key: u64, tag: u64) {
        self.words.push(word);
        self.push(key, tag);
    }

    /// The key of the successor that was packed last, and the tag of its source.
    #[inline]
    pub(super) fn push(&mut self, key: u64, tag: u64) {
        self.keys.push(key);
        self.tags.push(tag);
    }

    /// Key, words and tag of the successor at this place.
    #[inline]
    pub(super) fn get(&self, at: usize) -> (u64, &[u64], u64) {
        (self.keys[at], &self.words[at * self.words_each..(at + 1) * self.words_each], self.tags[at])
    }

    /// Finds the place of each successor from this one on, with what says where a key belongs.
    #[inline]
    pub(super) fn find_places(
        &mut self,
        first: usize,
        place: impl Fn(u64) -> Result<u64, Crowded>,
    ) -> Result<(), Crowded> {
        self.places.truncate(first);
        for &key in &self.keys[first..] {
            self.places.push(place(key)?);
        }
        Ok(())
    }

    /// Key, place and words of the successor at this place.
    #[inline]
    pub(super) fn placed(&self, at: usize) -> (u64, u64, &[u64]) {
        (self.keys[at], self.places[at], self.get(at).1)
    }

    /// Tells the budget of buffers that grew, or will with this many more successors. They grow by doubling,
    /// so the successors seen now may be half of them.
    #[inline]
    pub(super) fn pay(&mut self, more: usize) -> Result<(), Exhausted> {
        let count = self.successors.len() + more;
        if count <= self.paid {
            return Ok(());
        }
        let count = count.next_power_of_two();
        self.account.reach(self.bytes(count))?;
        self.paid = count;
        Ok(())
    }
}

/// Whether a group left what its matrix row says it leaves: then both ways of packing give the same words.
fn packs_alike(packer: &mut Packer, group: GroupIx, state: &[Value], words: &[u64]) -> bool {
    let mut whole = vec![0; words.len()];
    assert_eq!(
        packer.pack(state, &mut whole),
        Ok(()),
        "BUG: group {group} changes a slot that it does not write"
    );
    whole == words
}
