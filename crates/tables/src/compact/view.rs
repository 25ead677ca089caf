//! A set between two barriers, for who has many keys to insert: its shape is read once.

use std::sync::atomic::Ordering::Relaxed;

use super::cell::insert;
use super::quotient::Shape;
use crate::growth::Crowded;
use crate::hashing::ones;
use crate::sync::{AtomicBool, AtomicU32, AtomicU64, Reserved};

/// An entry is put about so far behind its home in a table that is rather full, which may be on the next
/// cache line.
const NARROW_AHEAD: usize = 6;
const WIDE_AHEAD: usize = 3;

/// A set between two barriers.
pub struct View<'a> {
    pub(super) shape: Shape,
    pub(super) narrow: &'a Reserved<AtomicU32>,
    pub(super) wide: &'a Reserved<AtomicU64>,
    pub(super) crowded: &'a AtomicBool,
}

impl View<'_> {
    /// Asks for the place of a key, and says what [`insert`](Self::insert) wants to know of it.
    #[inline(always)]
    pub fn place(&self, key: u64) -> u64 {
        let mixed = self.shape.mixed(key);
        let home = self.shape.divide(mixed).0 as usize;
        if self.shape.wide {
            self.wide.prefetch_to_write(home);
            self.wide.prefetch_to_write(home + WIDE_AHEAD);
        } else {
            self.narrow.prefetch_to_write(home);
            self.narrow.prefetch_to_write(home + NARROW_AHEAD);
        }
        mixed
    }

    /// Puts the key of a place in; true if it was not there. Of several threads that insert the same key at
    /// the same time, one is told so.
    #[inline(always)]
    pub fn insert(&self, place: u64) -> Result<bool, Crowded> {
        assert!(place <= ones(self.shape.bits), "BUG: a place of another view");
        let shape = &self.shape;
        let found =
            if shape.wide { insert(self.wide, shape, place) } else { insert(self.narrow, shape, place) };
        if found.is_err() {
            self.crowded.store(true, Relaxed);
        }
        found
    }
}
