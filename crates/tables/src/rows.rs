//! Rows of words, numbered as they are found, shared by threads: the plain state store, and the node tables
//! of the [tree](crate::Tree).
//!
//! The words lie in one array by number, so a number is stable for ever. An index of numbers is an
//! open-addressing hash table with linear probing in the manner of Laarman, van de Pol & Weber, FMCAD'10
//! (lock-free by one compare-and-swap). Differs: an entry of 32 bits holds a number and, in the bits that
//! numbers leave free, a piece of the hash, which tells most other rows apart without a look at their words;
//! and the index grows.
//!
//! A thread writes a row's words under a number of its own, and then publishes the number in the index. Where
//! another thread was faster with the same row, it keeps the number for its next one.
//!
//! Invariant: an entry of the index never changes between barriers once it is not zero, and the words of its
//! number were written before.

mod growing;
mod index;
#[cfg(all(loom, test))]
mod races;
mod spare;

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::growth::{Crowded, Growth};
use crate::hashing::hash;
use crate::sync::{AtomicU32, AtomicU64, AtomicUsize, LARGEST, Reserved};

use growing::Move;
use index::IndexShape;

pub use spare::Spare;

/// Rows that a new table has room for.
const FIRST: usize = 3 << 10;
/// … but with no more bytes of them than this.
const FIRST_BYTES: usize = 1 << 16;
/// Where a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number, for ever.
    pub number: u32,
    /// It was not there before.
    pub new: bool,
}

/// A set of rows, each with a number.
///
/// ```
/// let (rows, mut spare) = (tables::Rows::new(2).expect("addresses"), tables::Spare::new(1));
/// let row = [7, 1 << 40];
/// let entry = rows.insert(&mut spare, rows.hash(&row), &row).expect("a new table has room");
/// assert_eq!((entry.number, entry.new, rows.len()), (0, true, 1));
/// let again = rows.insert(&mut spare, rows.hash(&row), &row).expect("it is there");
/// assert_eq!((again.number, again.new), (0, false));
/// ```
pub struct Rows {
    width: usize,
    words: Reserved<AtomicU64>,
    /// The one in use, and the one that the next growth moves to, which is all zeros.
    index: [Reserved<AtomicU32>; 2],
    side: AtomicUsize,
    /// Entries of the index in use.
    size: AtomicUsize,
    /// Numbers are below; at most three quarters of `size`.
    limit: AtomicUsize,
    /// Numbers that threads have taken.
    taken: AtomicUsize,
    growth: Growth<Move>,
}

impl Rows {
    /// A table of rows of so many words; `None` where the system has no addresses for it.
    pub fn new(words: usize) -> Option<Self> {
        Self::with_most(words, u32::MAX as usize)
    }

    /// A table that reserves addresses for so many rows at most, where the system has them.
    pub fn with_most(words: usize, most: usize) -> Option<Self> {
        let width = words.max(1);
        let mut most = most.clamp(1, u32::MAX as usize).min(LARGEST / (8 * width)).max(1);
        loop {
            if let Some(rows) = Self::reserve(width, most) {
                return Some(rows);
            }
            if most < 1 << 16 {
                return None;
            }
            most /= 2;
        }
    }

    fn reserve(width: usize, most: usize) -> Option<Self> {
        let words = Reserved::new(width.checked_mul(most)?)?;
        let entries = IndexShape::holding(most, 0).size;
        let index = [Reserved::new(entries)?, Reserved::new(entries)?];
        let first = IndexShape::holding(most.min(FIRST).min((FIRST_BYTES / (8 * width)).max(1)), 0);
        Some(Self {
            width,
            words,
            index,
            side: AtomicUsize::new(first.side),
            size: AtomicUsize::new(first.size),
            limit: AtomicUsize::new(first.limit),
            taken: AtomicUsize::new(0),
            growth: Growth::new(),
        })
    }

    #[inline(always)]
    fn shape(&self) -> IndexShape {
        // Relaxed: these change only at barriers, and a barrier orders what comes before and after it.
        IndexShape {
            side: self.side.load(Relaxed),
            size: self.size.load(Relaxed),
            limit: self.limit.load(Relaxed),
        }
    }

    /// Words of a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// All numbers in use are below. Numbers that threads took and have not used yet are counted too: see
    /// [`Spare::new`] for how many they are, and [`Spare::inserted`] for the exact number of rows.
    pub fn len(&self) -> usize {
        self.taken.load(Relaxed)
    }

    /// No row was ever inserted.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All numbers are below, until the next growth.
    pub fn limit(&self) -> usize {
        self.limit.load(Relaxed)
    }

    /// The most rows that it can ever hold.
    pub fn most(&self) -> usize {
        self.words.len() / self.width
    }

    /// The words of a row that was inserted. (A number that was never given out reads as zeros, or as words
    /// that lost a race.)
    #[inline]
    pub fn read(&self, number: u32, into: &mut [u64]) {
        for (word, into) in self.row(number).iter().zip(into) {
            *into = word.load(Relaxed);
        }
    }

    /// The first word of a row.
    #[inline(always)]
    pub fn word(&self, number: u32) -> u64 {
        self.words[number as usize * self.width].load(Relaxed)
    }

    /// Asks for the words of a row ahead of their use.
    #[inline(always)]
    pub fn prefetch_row(&self, number: u32) {
        self.words.prefetch(number as usize * self.width);
    }

    #[inline(always)]
    fn row(&self, number: u32) -> &[AtomicU64] {
        let start = number as usize * self.width;
        &self.words[start..start + self.width]
    }

    #[inline(always)]
    fn is_row(&self, number: u32, words: &[u64]) -> bool {
        if self.width == 1 {
            return self.word(number) == words[0];
        }
        self.row(number).iter().zip(words).all(|(word, other)| word.load(Relaxed) == *other)
    }

    /// The hash that the other calls want.
    #[inline(always)]
    pub fn hash(&self, words: &[u64]) -> u64 {
        hash(words)
    }

    /// Asks for the place of a row with this hash ahead of its use.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        let shape = self.shape();
        self.index[shape.side].prefetch(shape.home(hash));
    }

    /// Asks for the words of the row that probably has this hash, when its [place](Self::prefetch) has had
    /// time to come.
    #[inline]
    pub fn prefetch_match(&self, hash: u64) {
        let shape = self.shape();
        let (home, tag) = (shape.home(hash), shape.tag(hash));
        // A few: a row that is farther from home is rare, and then this was only a hint.
        for entry in self.index[shape.side][home..shape.size].iter().take(8) {
            let entry = entry.load(Relaxed);
            if entry == 0 {
                return;
            }
            if let Some(number) = shape.number(entry, tag) {
                return self.prefetch_row(number);
            }
        }
    }

    /// The number of a row, if it is there.
    #[inline]
    pub fn find(&self, hash: u64, words: &[u64]) -> Option<u32> {
        assert_eq!(words.len(), self.width, "BUG: a row of another width");
        let shape = self.shape();
        let index = &self.index[shape.side][..shape.size];
        let tag = shape.tag(hash);
        let mut at = shape.home(hash);
        loop {
            let entry = index[at].load(Acquire);
            if entry == 0 {
                return None;
            }
            if let Some(number) = shape.number(entry, tag)
                && self.is_row(number, words)
            {
                return Some(number);
            }
            at += 1;
            if at == index.len() {
                at = 0;
            }
        }
    }

    /// The number of a row, which is put in if it is not there. `hash` is that of the words. A spare of
    /// another table, or a thread's two spares used by two threads, mix up rows.
    #[inline]
    pub fn insert(&self, spare: &mut Spare, hash: u64, words: &[u64]) -> Result<Entry, Crowded> {
        assert_eq!(words.len(), self.width, "BUG: a row of another width");
        let shape = self.shape();
        let index = &self.index[shape.side][..shape.size];
        let tag = shape.tag(hash);
        let mut at = shape.home(hash);
        let mut mine = None;
        loop {
            let mut entry = index[at].load(Acquire);
            if entry == 0 {
                let number = match mine {
                    Some(number) => number,
                    None => *mine.insert(self.write(spare, shape.limit, words)?),
                };
                // Release: who reads the number reads the words. Relaxed would do for nobody.
                match index[at].compare_exchange(0, tag | (number + 1), Release, Acquire) {
                    Ok(_) => {
                        spare.inserted += 1;
                        return Ok(Entry { number, new: true });
                    }
                    Err(now) => entry = now,
                }
            }
            if let Some(number) = shape.number(entry, tag)
                && self.is_row(number, words)
            {
                spare.lost = mine.or(spare.lost);
                return Ok(Entry { number, new: false });
            }
            at += 1;
            if at == index.len() {
                at = 0;
            }
        }
    }

    /// Writes words under a number of the thread's own.
    #[inline]
    fn write(&self, spare: &mut Spare, limit: usize, words: &[u64]) -> Result<u32, Crowded> {
        let number = match spare.lost.take() {
            Some(number) => number,
            None => {
                if spare.next == spare.end {
                    self.refill(spare, limit)?;
                }
                spare.next += 1;
                spare.next - 1
            }
        };
        for (into, word) in self.row(number).iter().zip(words) {
            into.store(*word, Relaxed);
        }
        Ok(number)
    }

    #[cold]
    fn refill(&self, spare: &mut Spare, limit: usize) -> Result<(), Crowded> {
        let mut taken = self.taken.load(Relaxed);
        loop {
            if taken >= limit {
                return Err(Crowded);
            }
            // Small tables are not worth many holes.
            let block = (spare.block as usize).min(1 + taken / 256);
            let end = limit.min(taken + block);
            match self.taken.compare_exchange_weak(taken, end, Relaxed, Relaxed) {
                Ok(_) => {
                    (spare.next, spare.end) = (taken as u32, end as u32);
                    return Ok(());
                }
                Err(now) => taken = now,
            }
        }
    }

    /// There is no room for so many new rows.
    pub fn is_crowded(&self, more: usize) -> bool {
        self.len().saturating_add(more) > self.limit()
    }

    /// The bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.bytes_of_words(0) + self.size.load(Relaxed) * size_of::<u32>()
    }
}
