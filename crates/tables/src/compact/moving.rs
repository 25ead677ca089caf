//! A table moves to a larger one, block by block, by all threads that take part.
//!
//! Where keys keep their order, a block is written nearly from left to right, and what is written is known
//! without a look at it: no other thread writes there but where blocks meet.

use std::ops::Range;
use std::sync::PoisonError;

use super::Compact;
use super::cell::{Cell, insert_at};
use super::growing::{BLOCK, Move};
use super::quotient::Shape;
use crate::growth::Crowded;
use crate::hashing::ones;

/// A growth that mixes keys anew asks for the new places of so many keys ahead.
const AHEAD: usize = 32;

impl Compact {
    /// Moves a block of the old table, and gives its pages back.
    pub(super) fn rehash(&self, plan: &Move, block: usize) {
        let from = &plan.from.1;
        let length = BLOCK / from.entry_bytes();
        let range = block * length..((block + 1) * length).min(from.places());
        let old = &self.sides[plan.from.0];
        if from.wide {
            self.move_keys(plan, range.clone(), &old.wide);
            old.wide.release(range);
        } else {
            self.move_keys(plan, range.clone(), &old.narrow);
            old.narrow.release(range);
        }
    }

    /// Moves the keys at some places of the old table.
    fn move_keys<C: Cell>(&self, plan: &Move, range: Range<usize>, old: &[C]) {
        let (from, to) = (&plan.from.1, &plan.to.1);
        let side = &self.sides[plan.to.0];
        let mixed = old[range.clone()].iter().zip(range.clone()).filter_map(|(cell, place)| {
            let entry = cell.get();
            (entry != 0).then(|| from.mixed_at(place, entry))
        });
        let unplaced =
            |mixed| self.unplaced.lock().unwrap_or_else(PoisonError::into_inner).push(to.key(mixed));
        if plan.map.is_none() && from.base == to.base {
            let mixed = mixed.map(|mixed| from.longer(mixed, to));
            let alone = alone(from, to, range);
            if to.wide {
                append(&side.wide, to, alone, mixed, unplaced);
            } else {
                append(&side.narrow, to, alone, mixed, unplaced);
            }
        } else {
            let put = |mixed| {
                if side.insert(to, mixed).is_err() {
                    unplaced(mixed);
                }
            };
            let mut ahead = [None; AHEAD];
            for (at, mixed) in mixed.enumerate() {
                let key = from.key(mixed);
                let mixed = to.mixed(plan.map.as_ref().map_or(key, |map| map(key)));
                side.prefetch(to, mixed);
                ahead[at % AHEAD].replace(mixed).into_iter().for_each(put);
            }
            ahead.into_iter().flatten().for_each(put);
        }
    }
}

/// Where nobody else puts anything while the keys at some places of the old table are moved in their order:
/// not where those before them may end, and not where those behind them may begin.
fn alone(from: &Shape, to: &Shape, range: Range<usize>) -> Range<u64> {
    // The least mixed key with this home, or the largest of all.
    let least = |home: u64| home.saturating_mul(from.divisor).min(ones(from.bits));
    let home = |place: u64| to.divide(from.longer(least(place), to)).0;
    let start = if range.start == 0 { 0 } else { home(range.start as u64) + to.farthest + 1 };
    let end = if range.end == from.places() {
        to.places() as u64
    } else {
        home((range.end as u64).saturating_sub(from.farthest))
    };
    start..end
}

/// Inserts keys that come nearly in their order, all of them new: most go right behind the one before, or to
/// their home, without a look at what is there.
#[inline(always)]
fn append<C: Cell>(
    cells: &[C],
    shape: &Shape,
    alone: Range<u64>,
    mixed: impl Iterator<Item = u64>,
    mut unplaced: impl FnMut(u64),
) {
    // No place of the run is empty, and none behind it is taken as far as `alone` goes.
    let mut run = 0..0;
    for mixed in mixed {
        let (home, remainder) = shape.divide(mixed);
        let place = home.max(run.end);
        let displacement = place - home;
        let is_next = home >= run.start && displacement <= shape.farthest && alone.contains(&place);
        let place = if is_next {
            cells[place as usize].set(remainder + 1 + displacement * shape.divisor);
            place
        } else {
            match insert_at(cells, shape, mixed) {
                Ok((place, _)) => place,
                Err(Crowded) => {
                    unplaced(mixed);
                    continue;
                }
            }
        };
        if place >= run.end {
            let start = if place == run.end { run.start } else { place };
            run = start..place + 1;
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Tables of several blocks, which threads move side by side, with long rows of entries where one block
    /// ends and the next begins.
    #[test]
    #[cfg_attr(miri, ignore = "large tables")]
    fn threads_that_move_neighbouring_blocks_are_not_in_each_others_way() {
        for (bits, longer) in [(36, 38), (44, 44), (64, 64)] {
            let set = Compact::new(bits).expect("addresses");
            set.grow(1_200_000, bits).expect("room");
            let shape = set.shape.load().1;
            let block = (BLOCK / shape.entry_bytes()) as u64;
            assert!(shape.size > 3 * block, "{shape:?}");
            let mut keys = Vec::new();
            for end in (block..shape.size).step_by(block as usize) {
                // Two entries a home, from well before the end of a block to its end: the last of them stand
                // far in the next one.
                for home in end - shape.farthest.min(900)..end {
                    keys.extend(
                        [0, shape.divisor / 2].map(|remainder| shape.key(home * shape.divisor + remainder)),
                    );
                }
            }
            // All else is half full.
            keys.extend((0..shape.size / 2).map(|at| shape.key(at * 2 * shape.divisor + shape.divisor / 3)));
            keys.sort_unstable();
            keys.dedup();
            let known: Vec<u64> = keys.into_iter().filter(|&key| set.insert(key) == Ok(true)).collect();
            for (round, bits) in [bits, longer, longer].into_iter().enumerate() {
                let room = set.room() + set.room() / 50;
                std::thread::scope(|scope| {
                    for _ in 0..3 {
                        scope.spawn(|| set.grow(room, bits).expect("room"));
                    }
                });
                let mut count = 0;
                set.for_each(|_| count += 1);
                assert_eq!(count, known.len(), "{bits} bits, round {round}");
                assert!(known.iter().all(|&key| set.contains(key)), "{bits} bits, round {round}");
            }
        }
    }
}
