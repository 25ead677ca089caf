//! How a set grows: what it is to lead to, what it takes, and who does what.

use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

use super::Compact;
use super::quotient::Shape;
use crate::growth::Full;
use crate::hashing::ones;

/// Bytes of a table that a thread moves at a time when it grows: a huge page.
pub(super) const BLOCK: usize = 2 << 20;
/// A table of fewer places mixes its keys anew whenever they get more bits.
const SMALL: u64 = 1 << 18;

/// A map of keys that a growth applies.
pub(crate) type KeyMap = Box<dyn Fn(u64) -> u64 + Send + Sync>;

/// What a growth is to lead to.
pub(crate) struct Request {
    pub entries: u64,
    pub bits: u32,
    /// Keys change, and are below `2^bits` then.
    pub map: Option<KeyMap>,
}

pub(super) struct Move {
    pub(super) from: (usize, Shape),
    pub(super) to: (usize, Shape),
    pub(super) map: Option<KeyMap>,
}

impl Compact {
    /// The bytes that it takes at most while and after [`grow`](Self::grow) does as it is told.
    pub fn bytes_after_growth(&self, entries: u64, bits: u32) -> usize {
        self.bytes_after(&Request { entries, bits, map: None })
    }

    pub(crate) fn bytes_after(&self, request: &Request) -> usize {
        let old = self.shape.load().1;
        match self.grown(request) {
            Ok(Some(new)) if request.map.is_none() && new.base == old.base => {
                new.bytes() + old.bytes().min(BLOCK)
            }
            // In another order: old pages are given back when much of the new ones is written.
            Ok(Some(new)) => new.bytes() + old.bytes(),
            _ => old.bytes(),
        }
    }

    /// At a barrier: makes room for so many keys altogether (those that are there, and more), of so many
    /// bits, if there is none. Every thread that calls it takes part in the work.
    ///
    /// [`next_room`](Self::next_room) is a good number of entries: with few more than there are, it grows all
    /// the time.
    pub fn grow(&self, entries: u64, bits: u32) -> Result<(), Full> {
        self.regrow(|| Request { entries, bits, map: None }, || ())
    }

    /// Grows as `request` says, which is asked when nobody else is at it; `done` comes when all is moved and
    /// before anybody leaves.
    pub(crate) fn regrow(&self, request: impl Fn() -> Request, done: impl Fn()) -> Result<(), Full> {
        self.growth.share(
            || {
                let request = request();
                let Some(shape) = self.grown(&request)? else { return Ok(None) };
                let from = self.shape.load();
                let to = (1 - from.0, shape);
                let side = &self.sides[to.0];
                if shape.wide {
                    side.wide.prefer_huge_pages(shape.places());
                } else {
                    side.narrow.prefer_huge_pages(shape.places());
                }
                let blocks = from.1.bytes().div_ceil(BLOCK);
                Ok(Some((Move { from, to, map: request.map }, blocks)))
            },
            |plan, block| self.rehash(plan, block),
            |plan| {
                let (side, shape) = &plan.to;
                let mut unplaced = self.unplaced.lock().unwrap_or_else(PoisonError::into_inner);
                unplaced.retain(|&key| self.sides[*side].insert(shape, shape.mixed(key)).is_err());
                self.crowded.store(!unplaced.is_empty(), Relaxed);
                self.shape.store(*side, shape);
                done();
            },
        )
    }

    /// The shape to grow to, if any.
    fn grown(&self, request: &Request) -> Result<Option<Shape>, Full> {
        let old = self.shape.load().1;
        let crowded = self.crowded.load(Relaxed);
        if request.entries <= old.room && request.bits <= old.bits && request.map.is_none() && !crowded {
            return Ok(None);
        }
        let bits = if request.map.is_some() { request.bits } else { request.bits.max(old.bits) };
        assert!((1..=64).contains(&bits), "BUG: keys of {bits} bits");
        // It never has less room than before. Crowded before it was full: an unlucky cluster. (With a home
        // for each key it has all room that there is, and is never crowded.)
        let entries = match old.room {
            u64::MAX => request.entries,
            room => request.entries.max(if crowded { room + room / 6 } else { room }),
        };
        let most = self.sides[0].narrow.len() * 4;
        let new = Shape::holding(entries, bits, bits, most).ok_or(Full)?;
        // The keys keep their order where that is worth something, as long as what is mixed of them still
        // says where they live.
        let keep = request.map.is_none() && old.size >= SMALL && new.size <= ones(old.base);
        Ok(Some(if keep { Shape { base: old.base, ..new } } else { new }))
    }
}
