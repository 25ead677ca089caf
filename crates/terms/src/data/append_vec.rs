//! An append-only vector: what is in it stays where it is, and readers take no lock.

use std::sync::{Mutex, OnceLock, PoisonError};

const SEGMENT: usize = 1 << 9;
const SEGMENTS: usize = 1 << 11;

type Segment<T> = Box<[OnceLock<T>]>;

/// A list to which anyone may add, without a lock for readers.
pub(crate) struct AppendVec<T> {
    segments: Box<[OnceLock<Segment<T>>]>,
    len: Mutex<usize>,
}

impl<T> Default for AppendVec<T> {
    fn default() -> Self {
        Self { segments: (0..SEGMENTS).map(|_| OnceLock::new()).collect(), len: Mutex::new(0) }
    }
}

impl<T> AppendVec<T> {
    /// Adds a value at the end, and says its number; `None` where there are too many.
    pub(crate) fn push(&self, value: T) -> Option<u32> {
        let number = self.reserve(1)?;
        self.set(number, value);
        Some(number)
    }

    /// Places for this many values, to be [`AppendVec::set`] later; says the first.
    pub(crate) fn reserve(&self, count: usize) -> Option<u32> {
        let mut len = self.len.lock().unwrap_or_else(PoisonError::into_inner);
        if *len + count > SEGMENT * SEGMENTS {
            return None;
        }
        let number = *len as u32;
        *len += count;
        Some(number)
    }

    /// Fills a place that was reserved.
    pub(crate) fn set(&self, number: u32, value: T) {
        let at = number as usize;
        let make = || (0..SEGMENT).map(|_| OnceLock::new()).collect();
        if self.segments[at / SEGMENT].get_or_init(make)[at % SEGMENT].set(value).is_err() {
            panic!("BUG: a place that was taken already");
        }
    }

    /// The value with this number.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> &T {
        let at = number as usize;
        match self.segments[at / SEGMENT].get().and_then(|segment| segment[at % SEGMENT].get()) {
            Some(value) => value,
            None => panic!("BUG: nothing has this number"),
        }
    }
}
