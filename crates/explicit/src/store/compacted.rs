//! Keys in a compact table, which comes near the least memory that a set can have. Two stores are made of it.
//!
//! - States that are a single word of few bits: the word is the key, and nothing is lost.
//! - *Hash compaction* (Wolper & Leroy 1993, Stern & Dill 1995), for models that do not fit: the key is a
//!   hash of the state. A state may be taken for another one and left out.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

use tables::{Compact, View};

use super::growing::{Table, grow, together};
use super::keyed::{KeySet, Keyed};
use super::{Crowded, StorePlan};
use crate::budget::{Account, Exhausted};
use crate::packing::Layout;

/// Bits of a hash that is kept.
const HASH_BITS: u32 = 48;

/// The store of states that are a single word.
pub(crate) type Single = Keyed<Compacted<false>>;

/// The store of hashes.
pub(crate) type Hashes = Keyed<Compacted<true>>;

/// Keys in a compact table: words as they are, or hashes.
pub(crate) struct Compacted<const HASHED: bool> {
    keys: Compact,
    /// Bits of a key.
    bits: AtomicU32,
    account: Mutex<Account>,
    threads: usize,
}

impl Single {
    /// An empty store.
    pub(crate) fn new(plan: &StorePlan<'_>) -> Option<Self> {
        assert_eq!(plan.layout.words(), 1, "BUG: states are longer than a word");
        Self::of(Compacted::new(plan.layout.bits(), plan), plan)
    }
}

impl Hashes {
    /// An empty store.
    pub(crate) fn new(plan: &StorePlan<'_>) -> Option<Self> {
        Self::of(Compacted::new(HASH_BITS, plan), plan)
    }
}

impl<const HASHED: bool> Compacted<HASHED> {
    fn new(bits: u32, plan: &StorePlan<'_>) -> Option<Self> {
        let account = Mutex::new(Account::new(plan.budget));
        Some(Self { keys: Compact::new(bits)?, bits: AtomicU32::new(bits), account, threads: plan.threads })
    }
}

impl<const HASHED: bool> KeySet for Compacted<HASHED> {
    type View<'a> = View<'a>;

    #[inline]
    fn key(words: &[u64]) -> u64 {
        if HASHED { tables::hash(words) >> (u64::BITS - HASH_BITS) } else { words[0] }
    }

    #[inline]
    fn leave_handle(key: u64, words: &[u64], handle: &mut [u64]) {
        if HASHED {
            handle.copy_from_slice(words);
        } else {
            handle[0] = key;
        }
    }

    #[inline]
    fn view(&self) -> View<'_> {
        self.keys.view()
    }

    #[inline]
    fn place(view: &View<'_>, key: u64) -> u64 {
        view.place(key)
    }

    #[inline]
    fn insert(view: &View<'_>, _: u64, place: u64) -> Result<bool, Crowded> {
        view.insert(place)
    }

    fn contains(&self, key: u64) -> bool {
        self.keys.contains(key)
    }

    fn widen(&self, layout: &Layout, states: u64) -> Result<(), Exhausted> {
        if HASHED {
            return Ok(());
        }
        let bits = layout.bits();
        let bytes = self.keys.bytes_after_growth(states, bits) as u64;
        self.account.lock().unwrap_or_else(PoisonError::into_inner).reach(bytes)?;
        self.bits.store(bits, Relaxed);
        let is_wide = together(self.threads, bytes, || self.keys.grow(states, bits).is_ok());
        if is_wide { Ok(()) } else { Err(Exhausted) }
    }

    #[inline]
    fn is_crowded(&self, states: u64) -> bool {
        self.keys.is_crowded(states, 0)
    }

    fn grow(&self, states: u64) -> Result<(), Exhausted> {
        let table = KeyTable { keys: &self.keys, bits: self.bits.load(Relaxed), states };
        grow(&table, &mut self.account.lock().unwrap_or_else(PoisonError::into_inner), self.threads)
    }

    fn bytes(&self) -> u64 {
        self.keys.bytes() as u64
    }

    /// The last state was taken for another one with this probability.
    fn omission(&self, states: u64) -> Option<f64> {
        HASHED.then(|| states as f64 / (HASH_BITS as f64).exp2())
    }
}

/// Keys of so many bits, as many as there are states.
struct KeyTable<'a> {
    keys: &'a Compact,
    bits: u32,
    states: u64,
}

impl KeyTable<'_> {
    /// Entries to grow to.
    fn room(&self, more: usize) -> u64 {
        self.keys.next_room(self.states, super::growing::FIRST as u64).min(self.states + more as u64)
    }
}

impl Table for KeyTable<'_> {
    fn len(&self) -> usize {
        self.states as usize
    }

    fn bytes_with(&self, more: usize) -> u64 {
        self.keys.bytes_after_growth(self.room(more), self.bits) as u64
    }

    fn grow(&self, more: usize) -> bool {
        self.keys.grow(self.room(more), self.bits).is_ok()
    }
}
