//! A set of integers near the least memory that it can have, shared by threads: one entry of 32 bits (or 64,
//! where too much is left of a key) for each.
//!
//! Compact hashing by quotients (see `quotient.rs`) with linear probing, after Cleary 1984 and, for several
//! threads, van der Vegt & Laarman, MEMICS'11. Differs: the displacement is in the entry, so an insertion is
//! one compare-and-swap on an empty entry and nothing is ever moved or locked; entries are wide or narrow as
//! the size of the table allows; and the table grows.
//!
//! Invariant: between meetings an entry never changes once it is not zero. So two threads that insert the
//! same key pass the same entries, and meet at the first empty one.

use std::sync::PoisonError;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::growth::{Crowded, Full, Growth};
use crate::quotient::{Shape, ones};
use crate::sync::{AtomicBool, AtomicU32, AtomicU64, LARGEST, Mutex, Reserved};

mod moving;
#[cfg(all(loom, test))]
mod races;

/// Bytes of a table that a thread moves at a time when it grows: a huge page.
const BLOCK: usize = 2 << 20;
/// An entry is put about so far behind its home in a table that is rather full, which may be on the next
/// cache line.
const NARROW_AHEAD: usize = 6;
const WIDE_AHEAD: usize = 3;
/// A table of fewer places mixes its keys anew whenever they get more bits.
const SMALL: u64 = 1 << 18;

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
    /// A key was turned away: it grows at the next meeting, whatever its load.
    crowded: AtomicBool,
    /// Keys that found no place in a larger table either, until the next growth.
    homeless: Mutex<Vec<u64>>,
    growth: Growth<Move>,
}

struct Side {
    narrow: Reserved<AtomicU32>,
    wide: Reserved<AtomicU64>,
}

/// A map of keys that a growth applies.
pub(crate) type KeyMap = Box<dyn Fn(u64) -> u64 + Send + Sync>;

/// What a growth is to lead to.
pub(crate) struct Wish {
    pub entries: u64,
    pub bits: u32,
    /// Keys change, and are below `2^bits` then.
    pub map: Option<KeyMap>,
}

struct Move {
    from: (usize, Shape),
    to: (usize, Shape),
    map: Option<KeyMap>,
}

/// An entry that is empty where it is zero.
trait Cell {
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
fn insert<C: Cell>(cells: &[C], shape: &Shape, mixed: u64) -> Result<bool, Crowded> {
    insert_at(cells, shape, mixed).map(|(_, is_new)| is_new)
}

/// The same; says where it is, too.
#[inline(always)]
fn insert_at<C: Cell>(cells: &[C], shape: &Shape, mixed: u64) -> Result<(u64, bool), Crowded> {
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
fn contains<C: Cell>(cells: &[C], shape: &Shape, mixed: u64) -> bool {
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

/// A set between two meetings.
pub struct View<'a> {
    shape: Shape,
    narrow: &'a Reserved<AtomicU32>,
    wide: &'a Reserved<AtomicU64>,
    crowded: &'a AtomicBool,
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

impl Side {
    #[inline(always)]
    fn insert(&self, shape: &Shape, mixed: u64) -> Result<bool, Crowded> {
        if shape.wide { insert(&self.wide, shape, mixed) } else { insert(&self.narrow, shape, mixed) }
    }

    #[inline(always)]
    fn prefetch(&self, shape: &Shape, mixed: u64) {
        let home = shape.divide(mixed).0 as usize;
        if shape.wide { self.wide.prefetch_to_write(home) } else { self.narrow.prefetch_to_write(home) }
    }

    #[inline(always)]
    fn entry(&self, shape: &Shape, place: usize) -> u64 {
        if shape.wide { self.wide[place].get() } else { self.narrow[place].get() }
    }
}

/// The shape, which changes at meetings only.
struct SharedShape {
    side: AtomicU64,
    /// Bits, base bits and width.
    bits: AtomicU64,
    size: AtomicU64,
    divisor: AtomicU64,
    reciprocal: AtomicU64,
    farthest: AtomicU64,
    room: AtomicU64,
}

impl SharedShape {
    fn new(side: usize, shape: &Shape) -> Self {
        let new = || AtomicU64::new(0);
        let (side_, bits, size, divisor) = (new(), new(), new(), new());
        let this = Self { side: side_, bits, size, divisor, reciprocal: new(), farthest: new(), room: new() };
        this.store(side, shape);
        this
    }

    // Relaxed: a meeting orders what comes before and after it.
    fn store(&self, side: usize, shape: &Shape) {
        self.side.store(side as u64, Relaxed);
        self.bits
            .store(u64::from(shape.bits) | u64::from(shape.base) << 8 | u64::from(shape.wide) << 16, Relaxed);
        self.size.store(shape.size, Relaxed);
        self.divisor.store(shape.divisor, Relaxed);
        self.reciprocal.store(shape.reciprocal, Relaxed);
        self.farthest.store(shape.farthest, Relaxed);
        self.room.store(shape.room, Relaxed);
    }

    #[inline(always)]
    fn load(&self) -> (usize, Shape) {
        let bits = self.bits.load(Relaxed);
        let shape = Shape {
            bits: bits as u32 & 0xff,
            base: (bits >> 8) as u32 & 0xff,
            wide: bits >> 16 != 0,
            size: self.size.load(Relaxed),
            divisor: self.divisor.load(Relaxed),
            reciprocal: self.reciprocal.load(Relaxed),
            farthest: self.farthest.load(Relaxed),
            room: self.room.load(Relaxed),
        };
        (self.side.load(Relaxed) as usize, shape)
    }
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
            homeless: Mutex::new(Vec::new()),
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
    /// meeting costs more than their memory does, and large ones grow by a third, or by a sixth where entries
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

    /// The table as it is until the next meeting, for who has many keys to insert.
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

    /// The bytes that it takes at most while and after [`grow`](Self::grow) does as it is told.
    pub fn bytes_after_growth(&self, entries: u64, bits: u32) -> usize {
        self.bytes_after(&Wish { entries, bits, map: None })
    }

    pub(crate) fn bytes_after(&self, wish: &Wish) -> usize {
        let old = self.shape.load().1;
        match self.grown(wish) {
            Ok(Some(new)) if wish.map.is_none() && new.base == old.base => {
                new.bytes() + old.bytes().min(BLOCK)
            }
            // In another order: old pages are given back when much of the new ones is written.
            Ok(Some(new)) => new.bytes() + old.bytes(),
            _ => old.bytes(),
        }
    }

    /// At a meeting: makes room for so many keys altogether (those that are there, and more), of so many
    /// bits, if there is none. Every thread that calls it takes part in the work.
    ///
    /// [`next_room`](Self::next_room) is a good number of entries: with few more than there are, it grows all
    /// the time.
    pub fn grow(&self, entries: u64, bits: u32) -> Result<(), Full> {
        self.regrow(|| Wish { entries, bits, map: None }, || ())
    }

    /// Grows as `wish` says, which is asked when nobody else is at it; `done` comes when all is moved and
    /// before anybody leaves.
    pub(crate) fn regrow(&self, wish: impl Fn() -> Wish, done: impl Fn()) -> Result<(), Full> {
        self.growth.share(
            || {
                let wish = wish();
                let Some(shape) = self.grown(&wish)? else { return Ok(None) };
                let from = self.shape.load();
                let to = (1 - from.0, shape);
                let side = &self.sides[to.0];
                if shape.wide {
                    side.wide.prefer_huge_pages(shape.places());
                } else {
                    side.narrow.prefer_huge_pages(shape.places());
                }
                let blocks = from.1.bytes().div_ceil(BLOCK);
                Ok(Some((Move { from, to, map: wish.map }, blocks)))
            },
            |plan, block| self.rehash(plan, block),
            |plan| {
                let (side, shape) = &plan.to;
                let mut homeless = self.homeless.lock().unwrap_or_else(PoisonError::into_inner);
                homeless.retain(|&key| self.sides[*side].insert(shape, shape.mixed(key)).is_err());
                self.crowded.store(!homeless.is_empty(), Relaxed);
                self.shape.store(*side, shape);
                done();
            },
        )
    }

    /// The shape to grow to, if any.
    fn grown(&self, wish: &Wish) -> Result<Option<Shape>, Full> {
        let old = self.shape.load().1;
        let crowded = self.crowded.load(Relaxed);
        if wish.entries <= old.room && wish.bits <= old.bits && wish.map.is_none() && !crowded {
            return Ok(None);
        }
        let bits = if wish.map.is_some() { wish.bits } else { wish.bits.max(old.bits) };
        assert!((1..=64).contains(&bits), "BUG: keys of {bits} bits");
        // It never has less room than before. Crowded before it was full: an unlucky cluster. (With a home
        // for each key it has all room that there is, and is never crowded.)
        let entries = match old.room {
            u64::MAX => wish.entries,
            room => wish.entries.max(if crowded { room + room / 6 } else { room }),
        };
        let most = self.sides[0].narrow.len() * 4;
        let new = Shape::holding(entries, bits, bits, most).ok_or(Full)?;
        // The keys keep their order where that is worth something, as long as what is mixed of them still
        // says where they live.
        let keep = wish.map.is_none() && old.size >= SMALL && new.size <= ones(old.base);
        Ok(Some(if keep { Shape { base: old.base, ..new } } else { new }))
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
        assert!(!narrow.wide && narrow.farthest < 2_000, "nobody would be homeless in {narrow:?}");
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
