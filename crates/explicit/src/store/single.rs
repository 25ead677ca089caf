//! States that are a single word of few bits: the word is the key, the handle and all that is kept, in a
//! table that comes near the least memory that a set can have.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};

use base::GroupIx;
use tables::{Compact, View};

use super::{Blueprint, Crowded, Store};
use crate::budget::{Account, Exhausted};
use crate::growing::{Entries, grow, together};
use crate::packing::Layout;

/// Words as they are.
pub(crate) struct Single {
    words: Compact,
    /// Bits of a word.
    bits: AtomicU32,
    account: Mutex<Account>,
    threads: usize,
}

impl Single {
    /// An empty store.
    pub(crate) fn new(plan: &Blueprint<'_>) -> Option<Self> {
        assert_eq!(plan.layout.words(), 1, "BUG: states are longer than a word");
        let bits = plan.layout.bits();
        let account = Mutex::new(Account::new(plan.budget));
        Some(Self { words: Compact::new(bits)?, bits: AtomicU32::new(bits), account, threads: plan.threads })
    }
}

impl Store for Single {
    type Desk = ();
    type View<'a> = View<'a>;

    fn desk(&self, _: &Arc<Layout>) {}

    fn widen(&self, layout: &Layout, states: u64) -> Result<(), Exhausted> {
        let bits = layout.bits();
        let bytes = self.words.bytes_after_growth(states, bits) as u64;
        self.account.lock().unwrap_or_else(PoisonError::into_inner).reach(bytes)?;
        self.bits.store(bits, Relaxed);
        let is_wide = together(self.threads, bytes, || self.words.grow(states, bits).is_ok());
        if is_wide { Ok(()) } else { Err(Exhausted) }
    }

    fn handle_words(&self) -> usize {
        1
    }

    #[inline]
    fn recall(&self, (): &mut (), handle: &[u64], words: &mut [u64]) {
        words[0] = handle[0];
    }

    #[inline]
    fn key(&self, (): &mut (), _: Option<GroupIx>, words: &[u64]) -> Result<u64, Crowded> {
        Ok(words[0])
    }

    #[inline]
    fn view(&self) -> View<'_> {
        self.words.view()
    }

    #[inline]
    fn place(view: &View<'_>, key: u64) -> Result<u64, Crowded> {
        Ok(view.place(key))
    }

    #[inline]
    fn insert(
        view: &View<'_>,
        (): &mut (),
        (key, place, _): (u64, u64, &[u64]),
        handle: &mut [u64],
    ) -> Result<bool, Crowded> {
        handle[0] = key;
        view.insert(place)
    }

    fn contains(&self, (): &mut (), key: u64, _: &[u64]) -> bool {
        self.words.contains(key)
    }

    #[inline]
    fn is_crowded(&self, states: u64) -> bool {
        self.words.is_crowded(states, 0)
    }

    fn grow(&self, states: u64) -> Result<(), Exhausted> {
        let entries = Entries { set: &self.words, bits: self.bits.load(Relaxed), states };
        grow(&entries, &mut self.account.lock().unwrap_or_else(PoisonError::into_inner), self.threads)
    }

    fn bytes(&self) -> u64 {
        self.words.bytes() as u64
    }
}
