//! Targets: states that a search is to find again, to learn the way to them.

use std::collections::HashMap;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

/// States to be found, packed.
pub(crate) struct Targets {
    wanted: HashMap<Vec<u64>, usize>,
    /// Where each was reached from, by its place among the wanted ones.
    found: Mutex<Vec<Option<u64>>>,
    left: AtomicUsize,
}

impl Targets {
    /// For these states; no two are the same.
    pub(crate) fn new(wanted: Vec<Vec<u64>>) -> Self {
        let count = wanted.len();
        let wanted: HashMap<Vec<u64>, usize> = wanted.into_iter().zip(0..).collect();
        assert_eq!(wanted.len(), count, "BUG: the same state is wanted twice");
        Self { wanted, found: Mutex::new(vec![None; count]), left: AtomicUsize::new(count) }
    }

    /// A new state, and where it was reached from.
    #[inline]
    pub(super) fn look(&self, words: &[u64], origin: u64) {
        if let Some(&place) = self.wanted.get(words) {
            self.found.lock().unwrap_or_else(PoisonError::into_inner)[place] = Some(origin);
            self.left.fetch_sub(1, Relaxed);
        }
    }

    /// Whether all were found.
    #[inline]
    pub(super) fn is_done(&self) -> bool {
        self.left.load(Relaxed) == 0
    }

    /// Where each was reached from.
    pub(crate) fn found(self) -> Vec<Option<u64>> {
        self.found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
