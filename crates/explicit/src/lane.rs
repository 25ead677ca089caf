//! A worker's lane: where the states come from whose turn it is, and where those go that it finds. The orders
//! of search differ here.

use std::sync::Arc;

use crate::Order;
use crate::block::Block;
use crate::budget::{Budget, Exhausted};
use crate::crew::Crew;
use crate::levels::{Levels, NOWHERE, Share};
use crate::stacks::{Gifts, Stack};

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

/// Where a worker is.
pub(crate) enum Lane {
    /// Breadth-first.
    Levels(Rows),
    /// Depth-first.
    Stack(Stack),
}

/// A share of the level that is being expanded, and rows of the next one.
pub(crate) struct Rows {
    worker: usize,
    share: Option<Share>,
    /// The row whose turn it is.
    row: usize,
    filled: Option<Block>,
}

impl Lane {
    pub(crate) fn new(worker: usize, order: Order, handle_words: usize, budget: &Arc<Budget>) -> Self {
        match order {
            Order::BreadthFirst => Self::Levels(Rows { worker, share: None, row: 0, filled: None }),
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

    /// Leaves work to those who have none.
    #[inline]
    pub(crate) fn share(&mut self, crew: &Crew, gifts: &Gifts) -> Result<(), Exhausted> {
        if let Self::Stack(stack) = self
            && crew.has_idle()
            && gifts.is_empty()
            && let Some(gift) = stack.share()?
        {
            gifts.put(gift);
            crew.wake();
        }
        Ok(())
    }

    /// Takes work that was left by others; says whether there was any.
    pub(crate) fn accept(&mut self, gifts: &Gifts) -> Result<bool, Exhausted> {
        match self {
            Self::Levels(_) => Ok(false),
            Self::Stack(stack) => match gifts.take() {
                Some(gift) => stack.accept(gift).map(|()| true),
                None => Ok(false),
            },
        }
    }
}

impl Rows {
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
