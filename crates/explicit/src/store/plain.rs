//! The plain store: packed states one after the other, and a hash index. A handle is the number of the state.

use std::sync::{Arc, Mutex, PoisonError};

use base::GroupIx;
use tables::{Rows, Spare};

use super::growing::{Table, grow};
use super::{Crowded, Store, StorePlan};
use crate::budget::{Account, Exhausted};
use crate::packing::Layout;

/// Whole packed states.
pub(crate) struct Plain {
    rows: Rows,
    account: Mutex<Account>,
    threads: usize,
    /// How many numbers a worker takes at a time.
    block: u32,
}

impl Plain {
    /// An empty store.
    pub(crate) fn new(plan: &StorePlan<'_>) -> Option<Self> {
        let block = if plan.threads == 1 { 1 } else { 64 };
        let rows = Rows::new(plan.layout.words())?;
        Some(Self { rows, account: Mutex::new(Account::new(plan.budget)), threads: plan.threads, block })
    }
}

impl Store for Plain {
    type Scratch = Spare;
    type View<'a> = &'a Self;

    fn scratch(&self, _: &Arc<Layout>) -> Spare {
        Spare::new(self.block)
    }

    fn handle_words(&self) -> usize {
        1
    }

    #[inline]
    fn foresee(&self, handle: &[u64]) {
        self.rows.prefetch_row(handle[0] as u32);
    }

    #[inline]
    fn recall(&self, _: &mut Spare, handle: &[u64], words: &mut [u64]) {
        self.rows.read(handle[0] as u32, words);
    }

    #[inline]
    fn key(&self, _: &mut Spare, _: Option<GroupIx>, words: &[u64]) -> Result<u64, Crowded> {
        let hash = self.rows.hash(words);
        self.rows.prefetch(hash);
        Ok(hash)
    }

    #[inline]
    fn view(&self) -> &Self {
        self
    }

    #[inline]
    fn place(view: &&Self, key: u64) -> Result<u64, Crowded> {
        // The index has come near: it says which row to bring.
        view.rows.prefetch_match(key);
        Ok(key)
    }

    #[inline]
    fn insert(
        view: &&Self,
        scratch: &mut Spare,
        (key, _, words): (u64, u64, &[u64]),
        handle: &mut [u64],
    ) -> Result<bool, Crowded> {
        let entry = view.rows.insert(scratch, key, words)?;
        handle[0] = u64::from(entry.number);
        Ok(entry.new)
    }

    fn contains(&self, _: &mut Spare, key: u64, words: &[u64]) -> bool {
        self.rows.find(key, words).is_some()
    }

    #[inline]
    fn is_crowded(&self, _: u64) -> bool {
        // A worker that finds no room says so.
        false
    }

    fn grow(&self, _: u64) -> Result<(), Exhausted> {
        grow(&self.rows, &mut self.account.lock().unwrap_or_else(PoisonError::into_inner), self.threads)
    }

    fn bytes(&self) -> u64 {
        self.rows.bytes() as u64
    }
}

impl Table for Rows {
    fn len(&self) -> usize {
        Rows::len(self)
    }

    fn bytes_with(&self, more: usize) -> u64 {
        self.bytes_after_growth(more) as u64
    }

    fn grow(&self, more: usize) -> bool {
        Rows::grow(self, more).is_ok()
    }
}
