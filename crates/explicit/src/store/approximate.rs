//! Stores that do not keep states whole, for models that do not fit: a state may be taken for another one and
//! left out.
//!
//! *Hash compaction* (Wolper & Leroy 1993, Stern & Dill 1995) keeps a hash of each state. *Bitstate hashing*
//! (Holzmann 1988) sets a few bits for each. What waits for its turn is kept whole: a handle is the packed
//! state itself.

use std::sync::{Arc, Mutex, PoisonError};

use base::GroupIx;
use tables::{Bits, Compact, View};

use super::{Blueprint, Crowded, Store};
use crate::budget::{Account, Exhausted};
use crate::growing::{Entries, grow};
use crate::packing::Layout;

/// Bits of a hash that is kept.
const HASH_BITS: u32 = 48;

/// Bits that a state sets; a good number for any load that leaves hope.
const BITS_A_STATE: u32 = 3;

/// The part of the memory that bits take.
const MEMORY_PART: u64 = 2;

/// The bits where there is no limit of memory.
const MOST_BYTES: u64 = 4 << 30;

/// Hash compaction.
pub(crate) struct Hashes {
    words: usize,
    hashes: Compact,
    account: Mutex<Account>,
    threads: usize,
}

impl Hashes {
    /// An empty store.
    pub(crate) fn new(plan: &Blueprint<'_>) -> Option<Self> {
        let hashes = Compact::new(HASH_BITS)?;
        Some(Self {
            words: plan.layout.words(),
            hashes,
            account: Mutex::new(Account::new(plan.budget)),
            threads: plan.threads,
        })
    }
}

impl Store for Hashes {
    type Desk = ();
    type View<'a> = View<'a>;

    fn desk(&self, _: &Arc<Layout>) {}

    fn handle_words(&self) -> usize {
        self.words
    }

    fn recall(&self, (): &mut (), handle: &[u64], words: &mut [u64]) {
        words.copy_from_slice(handle);
    }

    #[inline]
    fn key(&self, (): &mut (), _: Option<GroupIx>, words: &[u64]) -> Result<u64, Crowded> {
        Ok(tables::hash(words) >> (u64::BITS - HASH_BITS))
    }

    #[inline]
    fn view(&self) -> View<'_> {
        self.hashes.view()
    }

    #[inline]
    fn place(view: &View<'_>, key: u64) -> Result<u64, Crowded> {
        Ok(view.place(key))
    }

    #[inline]
    fn insert(
        view: &View<'_>,
        (): &mut (),
        (_, place, words): (u64, u64, &[u64]),
        handle: &mut [u64],
    ) -> Result<bool, Crowded> {
        handle.copy_from_slice(words);
        view.insert(place)
    }

    fn contains(&self, (): &mut (), key: u64, _: &[u64]) -> bool {
        self.hashes.contains(key)
    }

    #[inline]
    fn is_crowded(&self, states: u64) -> bool {
        self.hashes.is_crowded(states, 0)
    }

    fn grow(&self, states: u64) -> Result<(), Exhausted> {
        let entries = Entries { set: &self.hashes, bits: HASH_BITS, states };
        grow(&entries, &mut self.account.lock().unwrap_or_else(PoisonError::into_inner), self.threads)
    }

    fn bytes(&self) -> u64 {
        self.hashes.bytes() as u64
    }

    /// The last state was taken for another one with this probability.
    fn omission(&self, states: u64) -> Option<f64> {
        Some(states as f64 / (HASH_BITS as f64).exp2())
    }
}

/// Bitstate hashing.
pub(crate) struct Bitstate {
    words: usize,
    bits: Bits,
    _account: Account,
}

impl Bitstate {
    /// An empty store that takes a part of the memory.
    pub(crate) fn new(plan: &Blueprint<'_>) -> Option<Self> {
        let bytes = (plan.budget.left() / MEMORY_PART).min(MOST_BYTES);
        let mut account = Account::new(plan.budget);
        account.reach(bytes).ok()?;
        Some(Self { words: plan.layout.words(), bits: Bits::new(bytes as usize)?, _account: account })
    }
}

impl Store for Bitstate {
    type Desk = ();
    type View<'a> = &'a Self;

    fn desk(&self, _: &Arc<Layout>) {}

    fn handle_words(&self) -> usize {
        self.words
    }

    fn recall(&self, (): &mut (), handle: &[u64], words: &mut [u64]) {
        words.copy_from_slice(handle);
    }

    #[inline]
    fn key(&self, (): &mut (), _: Option<GroupIx>, words: &[u64]) -> Result<u64, Crowded> {
        Ok(tables::hash(words))
    }

    #[inline]
    fn view(&self) -> &Self {
        self
    }

    #[inline]
    fn place(view: &&Self, key: u64) -> Result<u64, Crowded> {
        view.bits.prefetch(key, BITS_A_STATE);
        Ok(key)
    }

    #[inline]
    fn insert(
        view: &&Self,
        (): &mut (),
        (key, _, words): (u64, u64, &[u64]),
        handle: &mut [u64],
    ) -> Result<bool, Crowded> {
        handle.copy_from_slice(words);
        Ok(view.bits.insert(key, BITS_A_STATE))
    }

    fn contains(&self, (): &mut (), key: u64, _: &[u64]) -> bool {
        self.bits.contains(key, BITS_A_STATE)
    }

    fn is_crowded(&self, _: u64) -> bool {
        false
    }

    fn grow(&self, _: u64) -> Result<(), Exhausted> {
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.bits.bytes() as u64
    }

    /// A state that comes now is taken for a known one with this probability.
    fn omission(&self, _: u64) -> Option<f64> {
        let load = self.bits.set_bits() as f64 / self.bits.len() as f64;
        Some(load.powi(BITS_A_STATE as i32))
    }
}
