//! A set of integers near the least memory that it can have, shared by threads: one entry of 32 bits (or 64,
//! where too much is left of a key) for each.
//!
//! The place of an entry says a part of its key, and the entry holds the rest (`quotient`). Collisions are
//! solved by linear probing, after Cleary 1984 and, for several threads, van der Vegt & Laarman, MEMICS'11.
//! Differs: the distance from home is in the entry, so an insertion is one compare-and-swap on an empty
//! entry, and nothing is ever moved or locked; entries are wide or narrow as the size of the table allows;
//! and the table grows (`growing`, `moving`).
//!
//! Invariant: between barriers an entry never changes once it is not zero. So two threads that insert the
//! same key pass the same entries, and meet at the first empty one.

mod cell;
mod growing;
mod moving;
mod quotient;
#[cfg(all(loom, test))]
mod races;
mod shape;
mod view;

use std::sync::atomic::Ordering::Relaxed;

use crate::growth::{Crowded, Growth};
use crate::hashing::ones;
use crate::sync::{AtomicBool, LARGEST, Mutex, Reserved};

use cell::{Side, contains};
use growing::Move;
use quotient::Shape;
use shape::SharedShape;

pub(crate) use growing::Request;
pub use view::View;

/// A set of integers below `2^bits`.
///
/// ```
/// let set = tables::Compact::new(40).expect("addresses");
/// assert_eq!((set.insert(12345), set.insert(12345)), (Ok(true), Ok(false)));
/// assert!(set.contains(12345) && !set.contains(54321));
/// ```
pub struct Compact {
    sides: [Side; 2],
    shape: SharedShape,
    /// A key was turned away: it grows at the next barrier, whatever its load.
    crowded: AtomicBool,
    /// Keys that found no place in a larger table either, until the next growth.
    unplaced: Mutex<Vec<u64>>,
    growth: Growth<Move>,
}

impl Compact {
    /// An empty set of integers of so many bits, 1 to 64; `None` where the system has no addresses for it.
    pub fn new(bits: u32) -> Option<Self> {
        let mut most = LARGEST;
        loop {
            if let Some(set) = Self::with_most(bits, most) {
                return Some(set);
            }
            if most < 1 << 22 {
                return None;
            }
            most /= 2;
        }
    }

    /// A set that reserves so many bytes at most for each of its arrays.
    fn with_most(bits: u32, most: usize) -> Option<Self> {
        assert!((1..=64).contains(&bits), "BUG: keys of {bits} bits");
        let side = || Some(Side { narrow: Reserved::new(most / 4)?, wide: Reserved::new(most / 8)? });
        let shape = Shape::holding(1, bits, bits, most)?;
        Some(Self {
            sides: [side()?, side()?],
            shape: SharedShape::new(0, &shape),
            crowded: AtomicBool::new(false),
            unplaced: Mutex::new(Vec::new()),
            growth: Growth::new(),
        })
    }

    /// Keys are below two to the power of this.
    pub fn bits(&self) -> u32 {
        self.shape.load().1.bits
    }

    /// Entries that it was made for.
    pub fn room(&self) -> u64 {
        self.shape.load().1.room
    }

    /// Entries to grow to when there are so many keys and so many more may come: small sets double, as a
    /// barrier costs more than their memory does, and large ones grow by a third, or by a sixth where entries
    /// take much, so that a table that has just grown is not much emptier than it may be.
    pub fn next_room(&self, len: u64, more: u64) -> u64 {
        let shape = self.shape.load().1;
        let growth = match len {
            0..0x10_0000 => len,
            _ if shape.bytes() as u64 / 6 > shape.room => len / 6,
            _ => len / 3,
        };
        len.saturating_add(growth.max(more))
    }

    /// Asks for the place of a key ahead of its use.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        let (side, shape) = self.shape.load();
        self.sides[side].prefetch(&shape, shape.mixed(key));
    }

    /// Puts a key in; true if it was not there. Of several threads that insert the same key at the same time,
    /// one is told so.
    #[inline]
    pub fn insert(&self, key: u64) -> Result<bool, Crowded> {
        let (side, shape) = self.shape.load();
        assert!(key <= ones(shape.bits), "BUG: a key of more than {} bits", shape.bits);
        let found = self.sides[side].insert(&shape, shape.mixed(key));
        if found.is_err() {
            self.crowded.store(true, Relaxed);
        }
        found
    }

    /// The table as it is until the next barrier, for who has many keys to insert.
    #[inline]
    pub fn view(&self) -> View<'_> {
        let (side, shape) = self.shape.load();
        let Side { narrow, wide } = &self.sides[side];
        View { shape, narrow, wide, crowded: &self.crowded }
    }

    /// The key is there.
    #[inline]
    pub fn contains(&self, key: u64) -> bool {
        let (side, shape) = self.shape.load();
        if key > ones(shape.bits) {
            return false;
        }
        let (side, mixed) = (&self.sides[side], shape.mixed(key));
        if shape.wide { contains(&side.wide, &shape, mixed) } else { contains(&side.narrow, &shape, mixed) }
    }

    /// With `len` keys in it, there is no room for so many more, or a key was turned away.
    pub fn is_crowded(&self, len: u64, more: u64) -> bool {
        len.saturating_add(more) > self.room() || self.crowded.load(Relaxed)
    }

    /// The bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.shape.load().1.bytes()
    }

    /// Every key, in no order that means anything.
    pub fn for_each(&self, mut each: impl FnMut(u64)) {
        let (side, shape) = self.shape.load();
        for place in 0..shape.places() {
            let entry = self.sides[side].entry(&shape, place);
            if entry != 0 {
                each(shape.key(shape.mixed_at(place, entry)));
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Keys that lie together in a table whose entries have less room for displacements than those of the
    /// table before.
    #[test]
    #[cfg_attr(miri, ignore = "large tables")]
    fn keys_that_find_no_place_when_it_grows_are_not_lost() {
        let set = Compact::new(40).expect("addresses");
        set.grow(1 << 14, 40).expect("room");
        let shape = set.shape.load().1;
        assert!(shape.wide);
        let keys: Vec<u64> = (0..3_000).map(|at| shape.key((1 << 39) + at)).collect();
        assert!(keys.iter().all(|&key| set.insert(key) == Ok(true)));
        let narrow = Shape::holding(250_000, 40, 40, LARGEST).expect("room");
        assert!(!narrow.wide && narrow.farthest < 2_000, "nobody would be unplaced in {narrow:?}");
        set.grow(250_000, 40).expect("room");
        assert!(!set.is_crowded(3_000, 1));
        assert!(keys.iter().all(|&key| set.contains(key) && set.insert(key) == Ok(false)));
        let mut count = 0;
        set.for_each(|_| count += 1);
        assert_eq!(count, keys.len());
    }

    /// More keys in one home than an entry can say: it is crowded long before it is full, and grows when it
    /// is asked to hold what it holds.
    #[test]
    #[cfg_attr(miri, ignore = "large tables")]
    fn a_set_that_turned_a_key_away_grows() {
        let set = Compact::new(64).expect("addresses");
        let shape = set.shape.load().1;
        let keys: Vec<u64> = (0..=shape.farthest + 1).map(|at| shape.key(at)).collect();
        let (last, others) = keys.split_last().expect("some");
        assert!(others.iter().all(|&key| set.insert(key) == Ok(true)));
        assert_eq!(
            (set.insert(*last), set.contains(*last), set.is_crowded(0, 0)),
            (Err(Crowded), false, true)
        );
        for _ in 0..20 {
            set.grow(1, 64).expect("room");
            assert!(!set.is_crowded(0, 0) && others.iter().all(|&key| set.contains(key)));
            if set.insert(*last) == Ok(true) {
                return;
            }
        }
        panic!("it did not grow");
    }
}
