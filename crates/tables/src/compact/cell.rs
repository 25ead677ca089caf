//! Entries of a compact set, and the probing of them.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use super::quotient::Shape;
use crate::growth::Crowded;
use crate::sync::{AtomicU32, AtomicU64, Reserved};

/// An entry that is empty where it is zero.
pub(super) trait Cell {
    fn get(&self) -> u64;
    /// What was in it; it was put in where that is zero.
    fn put(&self, entry: u64) -> u64;
    /// Puts it in where nobody else does.
    fn set(&self, entry: u64);
}

impl Cell for AtomicU32 {
    #[inline(always)]
    fn get(&self) -> u64 {
        u64::from(self.load(Acquire))
    }

    #[inline(always)]
    fn put(&self, entry: u64) -> u64 {
        u64::from(self.compare_exchange(0, entry as u32, AcqRel, Acquire).unwrap_or_else(|now| now))
    }

    #[inline(always)]
    fn set(&self, entry: u64) {
        self.store(entry as u32, Relaxed);
    }
}

impl Cell for AtomicU64 {
    #[inline(always)]
    fn get(&self) -> u64 {
        self.load(Acquire)
    }

    #[inline(always)]
    fn put(&self, entry: u64) -> u64 {
        self.compare_exchange(0, entry, AcqRel, Acquire).unwrap_or_else(|now| now)
    }

    #[inline(always)]
    fn set(&self, entry: u64) {
        self.store(entry, Relaxed);
    }
}

/// Looks for an entry from its home on, and puts it in the first empty place; says whether it did.
#[inline(always)]
pub(super) fn insert<C: Cell>(cells: &[C], shape: &Shape, mixed: u64) -> Result<bool, Crowded> {
    insert_at(cells, shape, mixed).map(|(_, is_new)| is_new)
}

/// The same; says where it is, too.
#[inline(always)]
pub(super) fn insert_at<C: Cell>(cells: &[C], shape: &Shape, mixed: u64) -> Result<(u64, bool), Crowded> {
    let (home, remainder) = shape.divide(mixed);
    let mut wanted = remainder + 1;
    for (cell, place) in cells[home as usize..=(home + shape.farthest) as usize].iter().zip(home..) {
        let mut entry = cell.get();
        if entry == 0 {
            entry = cell.put(wanted);
            if entry == 0 {
                return Ok((place, true));
            }
        }
        if entry == wanted {
            return Ok((place, false));
        }
        wanted = wanted.wrapping_add(shape.divisor);
    }
    Err(Crowded)
}

#[inline(always)]
pub(super) fn contains<C: Cell>(cells: &[C], shape: &Shape, mixed: u64) -> bool {
    let (home, remainder) = shape.divide(mixed);
    let mut wanted = remainder + 1;
    for cell in &cells[home as usize..=(home + shape.farthest) as usize] {
        let entry = cell.get();
        if entry == 0 || entry == wanted {
            return entry != 0;
        }
        wanted = wanted.wrapping_add(shape.divisor);
    }
    false
}

/// The two arrays of a table, one of which is in use: for narrow entries and for wide ones.
pub(super) struct Side {
    pub(super) narrow: Reserved<AtomicU32>,
    pub(super) wide: Reserved<AtomicU64>,
}

impl Side {
    #[inline(always)]
    pub(super) fn insert(&self, shape: &Shape, mixed: u64) -> Result<bool, Crowded> {
        if shape.wide { insert(&self.wide, shape, mixed) } else { insert(&self.narrow, shape, mixed) }
    }

    #[inline(always)]
    pub(super) fn prefetch(&self, shape: &Shape, mixed: u64) {
        let home = shape.divide(mixed).0 as usize;
        if shape.wide { self.wide.prefetch_to_write(home) } else { self.narrow.prefetch_to_write(home) }
    }

    #[inline(always)]
    pub(super) fn entry(&self, shape: &Shape, place: usize) -> u64 {
        if shape.wide { self.wide[place].get() } else { self.narrow[place].get() }
    }
}
