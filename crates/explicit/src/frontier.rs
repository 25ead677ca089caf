//! The frontier: states that were found and wait to be expanded. The orders of search differ here.
//!
//! A frontier of a worker is a [`Stack`] of its own (depth-first), or its part of the [`Levels`] that all
//! workers share (breadth-first). Rows of both are handles, kept in `block`s.

mod block;
mod levels;
mod stack;

use std::sync::Arc;

use crate::Order;
use crate::budget::{Budget, Exhausted};

use block::Block;
use levels::Share;
use stack::Stack;

pub(crate) use block::BLOCK_ROWS;
pub(crate) use levels::{Keep, Levels};
pub(crate) use stack::WorkPool;

/// The origin of the initial state.
pub(crate) const NOWHERE: u64 = u64::MAX;

/// States whose turn comes so many states later are foreseen.
const AHEAD: usize = 4;

/// A state whose turn it is.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Turn {
    /// How many steps away it is.
    pub(crate) depth: u64,
    /// Which row it came from.
    pub(crate) own_origin: u64,
    /// Which row its successors come from.
    pub(crate) origin: u64,
    /// It is at the depth limit: its successors are looked up and not stored.
    pub(crate) is_probe: bool,
}

/// What waits for a worker.
pub(crate) enum Frontier {
    /// Breadth-first.
    Levels(LevelPart),
    /// Depth-first.
    Stack(Stack),
}

/// A share of the level that is being expanded, and rows of the next one.
pub(crate) struct LevelPart {
    worker: usize,
    share: Option<Share>,
    /// The row whose turn it is.
    row: usize,
    filled: Option<Block>,
}

impl Frontier {
    pub(crate) fn new(worker: usize, order: Order, handle_words: usize, budget: &Arc<Budget>) -> Self {
        match order {
            Order::BreadthFirst => Self::Levels(LevelPart { worker, share: None, row: 0, filled: None }),
            Order::DepthFirst => Self::Stack(Stack::new(handle_words, budget)),
        }
    }

    #[inline]
    pub(crate) fn is_stack(&self) -> bool {
        matches!(self, Self::Stack(_))
    }

    /// The initial state waits.
    pub(crate) fn begin(&mut self, handle: &[u64], levels: &Levels) -> Result<(), Exhausted> {
        self.push(handle, NOWHERE, 0, levels)?;
        self.hand_over(levels);
        levels.advance()?;
        Ok(())
    }

    /// The next turn, if there is any left for this worker.
    #[inline]
    pub(crate) fn next(&mut self, levels: &Levels, limit: Option<u64>) -> Result<Option<Turn>, Exhausted> {
        match self {
            Self::Levels(rows) => {
                let Some((share, row)) = rows.next(levels) else { return Ok(None) };
                let (block, depth) = (&share.block, share.depth);
                let own_origin = block.origin(row);
                let origin = if share.is_kept { block.place(row) } else { own_origin };
                Ok(Some(Turn {
                    depth,
                    own_origin,
                    origin,
                    is_probe: limit.is_some_and(|limit| depth >= limit),
                }))
            }
            Self::Stack(stack) => {
                let turn = |depth| Turn { depth, own_origin: NOWHERE, origin: NOWHERE, is_probe: false };
                Ok(stack.pop()?.map(turn))
            }
        }
    }

    /// The handle of the state whose turn it is.
    #[inline]
    pub(crate) fn handle(&self) -> &[u64] {
        match self {
            Self::Levels(rows) => {
                let share = rows.share.as_ref().expect("BUG: it is nobody's turn");
                share.block.handle(rows.row)
            }
            Self::Stack(stack) => stack.top(),
        }
    }

    /// The handle of a state whose turn comes soon.
    #[inline]
    pub(crate) fn handle_ahead(&self) -> Option<&[u64]> {
        match self {
            Self::Levels(rows) => {
                let share = rows.share.as_ref()?;
                let row = rows.row + AHEAD;
                (row < share.rows.end).then(|| share.block.handle(row))
            }
            Self::Stack(_) => None,
        }
    }

    /// A new state waits.
    #[inline]
    pub(crate) fn push(
        &mut self,
        handle: &[u64],
        origin: u64,
        depth: u64,
        levels: &Levels,
    ) -> Result<(), Exhausted> {
        match self {
            Self::Levels(rows) => rows.push(handle, origin, levels),
            Self::Stack(stack) => stack.push(handle, depth),
        }
    }

    /// Gives what waits for the next level to all.
    pub(crate) fn hand_over(&mut self, levels: &Levels) {
        if let Self::Levels(rows) = self
            && let Some(block) = rows.filled.take()
        {
            levels.give(rows.worker, block);
        }
    }

    /// Leaves work to workers that have none, if it can; says whether it did.
    #[inline]
    pub(crate) fn share(&mut self, pool: &WorkPool) -> Result<bool, Exhausted> {
        if let Self::Stack(stack) = self
            && pool.is_empty()
            && let Some(work) = stack.share()?
        {
            pool.put(work);
            return Ok(true);
        }
        Ok(false)
    }

    /// The handles of the states on the way to the one whose turn it is, that one included, where a stack has
    /// them.
    pub(crate) fn way(&self) -> Option<Vec<Vec<u64>>> {
        match self {
            Self::Levels(_) => None,
            Self::Stack(stack) => Some(stack.way()),
        }
    }

    /// Takes work that was left by others; says whether there was any.
    pub(crate) fn accept(&mut self, pool: &WorkPool) -> Result<bool, Exhausted> {
        match self {
            Self::Levels(_) => Ok(false),
            Self::Stack(stack) => match pool.take() {
                Some(work) => stack.accept(work).map(|()| true),
                None => Ok(false),
            },
        }
    }
}

impl LevelPart {
    #[inline]
    fn next(&mut self, levels: &Levels) -> Option<(&Share, usize)> {
        match &self.share {
            Some(share) if self.row + 1 < share.rows.end => self.row += 1,
            _ => {
                self.share = levels.take(self.worker);
                self.row = self.share.as_ref()?.rows.start;
            }
        }
        Some((self.share.as_ref()?, self.row))
    }

    #[inline]
    fn push(&mut self, handle: &[u64], origin: u64, levels: &Levels) -> Result<(), Exhausted> {
        if self.filled.as_ref().is_none_or(Block::is_full) {
            self.renew(levels)?;
        }
        let block = self.filled.as_mut().expect("BUG: there is a block now");
        block.push(handle, origin);
        Ok(())
    }

    #[cold]
    fn renew(&mut self, levels: &Levels) -> Result<(), Exhausted> {
        if let Some(full) = self.filled.take() {
            levels.give(self.worker, full);
        }
        self.filled = Some(levels.block()?);
        Ok(())
    }
}
