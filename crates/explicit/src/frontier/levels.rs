//! Breadth-first: the rows of the level that is being expanded, and those of the next one.
//!
//! A row is the handle of a state and its *origin*. Some levels are *kept*: their blocks stay when they had
//! their turn. The origin of a row is the row of the last kept level that it comes from, so the run to a
//! state can be read backwards.
//!
//! Example: every second level is kept, and the run to state `d` is `a b c d`. The row of `a` is kept
//! (level 0). The rows of `b` and `c` both have the row of `a` as their origin; that of `c` is kept (level
//! 2) and is the origin of `d`. The way to `d` that the rows tell is `a c d`: the states between two
//! stations are found by another search (`retrace`).

use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::NOWHERE;
use super::block::Block;
use crate::budget::{Account, Budget, Exhausted};

/// Shares of a level for each worker, so that all have work to the end of it.
const SHARES_A_WORKER: usize = 16;

/// The sizes of levels get room for this part more at a time, and for so many at least.
const SIZES_PART: usize = 4;
const FEWEST_SIZES: usize = 256;

/// A block takes as much as so many rows besides its own: levels may be as many as states, with one row each.
const ROWS_A_BLOCK: usize = 8;

/// Which levels are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keep {
    /// All of them, until there are more rows than this; then none.
    Rows(u64),
    /// Each one whose number can be divided by this one.
    Each(u64),
}

/// A part of a block: what a worker takes at a time.
#[derive(Clone)]
pub(crate) struct Share {
    pub(crate) block: Arc<Block>,
    pub(crate) rows: Range<usize>,
    /// How many steps the states are away from the initial one.
    pub(crate) depth: u64,
    /// Whether the rows themselves are the origin of what comes from them.
    pub(crate) is_kept: bool,
}

/// All that waits.
pub(crate) struct Levels {
    inner: Mutex<Inner>,
    blocks: AtomicU64,
    handle_words: usize,
    budget: Arc<Budget>,
}

struct Inner {
    /// By the worker who made them: it takes them first. What it wrote is near it, and so is much of what
    /// their successors have in common.
    current: Vec<VecDeque<Share>>,
    next: Vec<Vec<Arc<Block>>>,
    /// Rows of each level so far; the last is the one that is being expanded.
    sizes: Vec<u64>,
    /// What these take: there may be as many levels as states.
    sizes_account: Account,
    keep: Option<Keep>,
    kept: Vec<Arc<Block>>,
    /// Rows of kept blocks, and what the blocks take besides as rows.
    kept_rows: u64,
}

impl Inner {
    fn depth(&self) -> u64 {
        self.sizes.len() as u64 - 1
    }

    fn add_size(&mut self, rows: u64) -> Result<(), Exhausted> {
        if self.sizes.len() == self.sizes.capacity() {
            let more = (self.sizes.len() / SIZES_PART).max(FEWEST_SIZES);
            let bytes = |sizes: usize| (sizes * size_of::<u64>()) as u64;
            // While they move, both are there.
            self.sizes_account.reach(bytes(2 * self.sizes.len() + more))?;
            self.sizes.try_reserve_exact(more).map_err(|_| Exhausted)?;
            self.sizes_account.fall(bytes(self.sizes.capacity()));
        }
        self.sizes.push(rows);
        Ok(())
    }

    /// Rows of the next level so far.
    fn begun(&self) -> usize {
        self.next.iter().flatten().map(|block| block.rows()).sum()
    }

    fn forget(&mut self) {
        self.keep = None;
        self.kept = Vec::new();
    }

    fn keeps_current(&self) -> bool {
        match self.keep {
            Some(Keep::Rows(_)) => true,
            Some(Keep::Each(each)) => self.depth().is_multiple_of(each),
            None => false,
        }
    }
}

impl Levels {
    /// Nothing waits for so many workers.
    pub(crate) fn new(workers: usize, handle_words: usize, keep: Keep, budget: &Arc<Budget>) -> Self {
        let inner = Inner {
            current: vec![VecDeque::new(); workers],
            next: vec![Vec::new(); workers],
            sizes: Vec::new(),
            sizes_account: Account::new(budget),
            keep: Some(keep),
            kept: Vec::new(),
            kept_rows: 0,
        };
        Self { inner: Mutex::new(inner), blocks: AtomicU64::new(0), handle_words, budget: Arc::clone(budget) }
    }

    /// An empty block, to be filled with rows of the next level.
    pub(crate) fn block(&self) -> Result<Block, Exhausted> {
        let block = || Block::new(self.blocks.fetch_add(1, Relaxed), self.handle_words, &self.budget);
        block().or_else(|exhausted| if self.stop_keeping() { block() } else { Err(exhausted) })
    }

    /// Kept rows save time; without them there is still an answer. Says whether any could go.
    pub(crate) fn stop_keeping(&self) -> bool {
        let mut inner = self.lock();
        if !matches!(inner.keep, Some(Keep::Rows(_))) {
            return false;
        }
        inner.forget();
        true
    }

    /// A block of the next level, made by this worker.
    pub(crate) fn give(&self, worker: usize, mut block: Block) {
        if block.rows() > 0 {
            block.close();
            self.lock().next[worker].push(Arc::new(block));
        }
    }

    /// Something for this worker to expand: of its own, or else of who has most.
    pub(crate) fn take(&self, worker: usize) -> Option<Share> {
        let mut inner = self.lock();
        let own = inner.current[worker].pop_front();
        own.or_else(|| inner.current.iter_mut().max_by_key(|shares| shares.len())?.pop_back())
    }

    /// The next level becomes the current one; says whether there is any. To be called when all have given
    /// what they have.
    pub(crate) fn advance(&self) -> Result<bool, Exhausted> {
        let mut inner = self.lock();
        let inner = &mut *inner;
        let is_done = inner.current.iter().all(VecDeque::is_empty);
        assert!(is_done, "BUG: a level ends before all of it had its turn");
        let rows = inner.begun();
        if rows == 0 {
            return Ok(false);
        }
        inner.add_size(rows as u64)?;
        let cost = (rows + ROWS_A_BLOCK * inner.next.iter().map(Vec::len).sum::<usize>()) as u64;
        if let Some(Keep::Rows(most)) = inner.keep
            && inner.kept_rows + cost > most
        {
            inner.forget();
        }
        let (depth, is_kept) = (inner.depth(), inner.keeps_current());
        if is_kept {
            inner.kept_rows += cost;
            inner.kept.extend(inner.next.iter().flatten().cloned());
        }
        let most = (rows / (inner.next.len() * SHARES_A_WORKER)).max(1);
        for (blocks, shares) in inner.next.iter_mut().zip(&mut inner.current) {
            for block in blocks.drain(..) {
                for start in (0..block.rows()).step_by(most) {
                    let rows = start..(start + most).min(block.rows());
                    shares.push_back(Share { block: Arc::clone(&block), rows, depth, is_kept });
                }
            }
        }
        Ok(true)
    }

    /// How many rows the levels have, as far as the search came.
    pub(crate) fn sizes(&self) -> Vec<u64> {
        let inner = self.lock();
        let begun = inner.begun();
        inner.sizes.iter().copied().chain((begun > 0).then_some(begun as u64)).collect()
    }

    /// The handles of some states that wait, spread over all of them.
    pub(crate) fn some(&self, most: usize) -> Vec<Vec<u64>> {
        let inner = self.lock();
        let waiting = inner.current.iter().flatten().map(|share| &share.block);
        let blocks = inner.next.iter().flatten().chain(waiting);
        let all: Vec<(&Arc<Block>, usize)> =
            blocks.flat_map(|block| (0..block.rows()).map(move |row| (block, row))).collect();
        let step = all.len().div_ceil(most).max(1);
        all.iter().step_by(step).map(|(block, row)| block.handle(*row).to_vec()).collect()
    }

    /// The level that is being expanded, from one on.
    pub(crate) fn level(&self) -> u64 {
        self.lock().sizes.len() as u64
    }

    /// The handles of the kept states on the way to here, the initial state first, if any were kept.
    pub(crate) fn way(&self, origin: u64) -> Option<Vec<Vec<u64>>> {
        let inner = self.lock();
        inner.keep?;
        let blocks: HashMap<u64, &Block> = inner.kept.iter().map(|block| (block.number, &**block)).collect();
        let mut way = Vec::new();
        let mut place = origin;
        while place != NOWHERE {
            let (number, row) = Block::split(place);
            let block = blocks[&number];
            way.push(block.handle(row).to_vec());
            place = block.origin(row);
        }
        way.reverse();
        Some(way)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of states is a level a state: a kept level takes what its rows take, not what a full block
    /// would.
    #[test]
    fn kept_levels_of_one_row_take_little() {
        let budget = Arc::new(Budget::new(None));
        let before = budget.used();
        let levels = Levels::new(1, 1, Keep::Rows(u64::MAX), &budget);
        const LEVELS: u64 = 1000;
        for level in 0..LEVELS {
            let mut block = levels.block().unwrap();
            block.push(&[level], level.checked_sub(1).map_or(NOWHERE, |_| block.place(0) - 512));
            levels.give(0, block);
            assert!(levels.advance().is_ok_and(|more| more) && levels.take(0).is_some());
        }
        let taken = budget.used() - before;
        assert!(taken < 200 * LEVELS, "{taken} bytes");
        let last = levels.block().unwrap().number - 1;
        let way = levels.way(last * 512).unwrap();
        assert_eq!(way, (0..LEVELS).map(|level| vec![level]).collect::<Vec<_>>());
    }

    /// Nothing is kept, and still each level leaves its size.
    #[test]
    fn endless_levels_meet_the_limit_of_memory() {
        const ROOM: u64 = 1 << 20;
        let budget = Arc::new(Budget::new(Some(Budget::new(None).used() + ROOM)));
        let levels = Levels::new(1, 1, Keep::Rows(0), &budget);
        let mut level = 0;
        while let Ok(mut block) = levels.block() {
            block.push(&[level], NOWHERE);
            levels.give(0, block);
            match levels.advance() {
                Ok(more) => assert!(more && levels.take(0).is_some()),
                Err(Exhausted) => break,
            }
            level += 1;
            assert!(level < ROOM / size_of::<u64>() as u64, "sizes take no memory");
        }
        assert!(level > 1000);
    }
}
