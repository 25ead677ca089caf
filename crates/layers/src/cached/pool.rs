//! A bound on bytes that several tables have in common. Bytes are asked for before they are taken.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The bytes of all tables of a cache.
pub(super) struct Pool {
    limit: usize,
    held: AtomicUsize,
    most: AtomicUsize,
}

impl Pool {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, held: AtomicUsize::new(0), most: AtomicUsize::new(0) }
    }

    /// Takes so many bytes, if they are left.
    pub(super) fn take(&self, bytes: usize) -> bool {
        let within = |held: usize| held.checked_add(bytes).filter(|&sum| sum <= self.limit);
        match self.held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, within) {
            Ok(before) => {
                self.most.fetch_max(before + bytes, Ordering::Relaxed);
                true
            }
            Err(_) => false,
        }
    }

    /// Gives back what was taken.
    pub(super) fn give(&self, bytes: usize) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Most bytes that were held at a time.
    pub(super) fn most(&self) -> usize {
        self.most.load(Ordering::Relaxed)
    }

    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }
}
