//! Depth-first: each worker has a stack of its own. A worker that has nothing to do gets the lower half of
//! another's.
//!
//! A state is stored when it is reached and expanded when it is taken from the stack, so of two ways to a
//! state the one that was seen first counts, not the deeper one as in a recursive search. The run to the
//! state that is being expanded is always at hand.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::block::Block;
use crate::budget::{Account, Budget, Exhausted};

/// A worker's stack.
pub(crate) struct Stack {
    handle_words: usize,
    /// States that wait, each with its depth; the last row of the last block is the next. No block is empty.
    waiting: VecDeque<Block>,
    way: Way,
    budget: Arc<Budget>,
}

/// Handles of the states on the way to the one that is being expanded, that one included.
struct Way {
    handles: Vec<u64>,
    /// The most words that the account knows of.
    paid: usize,
    account: Account,
}

/// Work that one worker leaves to another: states that wait, and the way to the deepest of them.
pub(crate) struct SharedWork {
    waiting: VecDeque<Block>,
    way: Vec<u64>,
}

impl Way {
    /// Room for so many words.
    #[inline]
    fn pay(&mut self, words: usize) -> Result<(), Exhausted> {
        if words > self.paid {
            // A vector doubles, and has both at that time.
            let wanted = 3 * words.next_power_of_two();
            self.account.reach((wanted * size_of::<u64>()) as u64)?;
            self.paid = words.next_power_of_two();
        }
        Ok(())
    }
}

impl Stack {
    /// An empty stack for handles of this many words.
    pub(crate) fn new(handle_words: usize, budget: &Arc<Budget>) -> Self {
        let way = Way { handles: Vec::new(), paid: 0, account: Account::new(budget) };
        Self { handle_words, waiting: VecDeque::new(), way, budget: Arc::clone(budget) }
    }

    /// Adds a state that is so many steps away from the initial one.
    #[inline]
    pub(crate) fn push(&mut self, handle: &[u64], depth: u64) -> Result<(), Exhausted> {
        if self.waiting.back().is_none_or(Block::is_full) {
            self.waiting.push_back(Block::new(0, self.handle_words, &self.budget)?);
            // The way to it, once it has its turn.
            self.way.pay((depth as usize + 2) * self.handle_words)?;
        }
        self.waiting.back_mut().expect("BUG: there is a block now").push(handle, depth);
        Ok(())
    }

    /// The next state, whose handle is now the last of the way; the answer is its depth.
    #[inline]
    pub(crate) fn pop(&mut self) -> Result<Option<u64>, Exhausted> {
        let Some(block) = self.waiting.back_mut() else { return Ok(None) };
        let last = block.rows() - 1;
        let depth = block.origin(last);
        let start = depth as usize * self.handle_words;
        self.way.pay(start + self.handle_words)?;
        self.way.handles.truncate(start);
        self.way.handles.extend_from_slice(block.handle(last));
        block.truncate(last);
        if last == 0 {
            self.waiting.pop_back();
        }
        Ok(Some(depth))
    }

    /// The handle of the state that was popped last.
    #[inline]
    pub(crate) fn top(&self) -> &[u64] {
        &self.way.handles[self.way.handles.len() - self.handle_words..]
    }

    /// The handles of the states on the way to the one that was popped last, that one included.
    pub(crate) fn way(&self) -> Vec<Vec<u64>> {
        self.way.handles.chunks_exact(self.handle_words).map(<[u64]>::to_vec).collect()
    }

    /// The lower half of what waits, if that is something.
    pub(crate) fn share(&mut self) -> Result<Option<SharedWork>, Exhausted> {
        let waiting: VecDeque<Block> = match self.waiting.len() {
            0 => return Ok(None),
            1 => {
                let rows = self.waiting[0].rows();
                if rows < 2 {
                    return Ok(None);
                }
                let mut upper = Block::new(0, self.handle_words, &self.budget)?;
                self.waiting[0].move_rows(rows / 2, &mut upper);
                self.waiting.push_back(upper);
                self.waiting.drain(..1).collect()
            }
            blocks => self.waiting.drain(..blocks / 2).collect(),
        };
        let depths = waiting.iter().flat_map(|block| (0..block.rows()).map(|row| block.origin(row)));
        // No state that waits is deeper than a step below the way.
        let deepest = depths.max().unwrap_or(0) as usize;
        Ok(Some(SharedWork { waiting, way: self.way.handles[..deepest * self.handle_words].to_vec() }))
    }

    /// Goes on with what another left.
    pub(crate) fn accept(&mut self, work: SharedWork) -> Result<(), Exhausted> {
        self.way.pay(work.way.len())?;
        (self.waiting, self.way.handles) = (work.waiting, work.way);
        Ok(())
    }
}

/// Work that waits for a worker.
#[derive(Default)]
pub(crate) struct WorkPool(Mutex<Vec<SharedWork>>);

impl WorkPool {
    pub(crate) fn put(&self, work: SharedWork) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(work);
    }

    pub(crate) fn take(&self) -> Option<SharedWork> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_leads_to_the_top_also_on_a_stack_that_was_given() {
        let budget = Arc::new(Budget::new(None));
        let mut stack = Stack::new(1, &budget);
        stack.push(&[10], 0).unwrap();
        assert_eq!((stack.pop().unwrap(), stack.top()), (Some(0), &[10][..]));
        for handle in [20, 21, 22, 23] {
            stack.push(&[handle], 1).unwrap();
        }
        assert_eq!(stack.pop().unwrap(), Some(1));
        stack.push(&[30], 2).unwrap();
        assert_eq!((stack.pop().unwrap(), stack.way()), (Some(2), vec![vec![10], vec![23], vec![30]]));
        let mut other = Stack::new(1, &budget);
        // Three wait; one is half of them.
        other.accept(stack.share().unwrap().unwrap()).unwrap();
        assert_eq!((other.pop().unwrap(), other.way()), (Some(1), vec![vec![10], vec![20]]));
        assert_eq!(other.pop().unwrap(), None);
        assert!(other.share().unwrap().is_none());
        assert_eq!((stack.pop().unwrap(), stack.way()), (Some(1), vec![vec![10], vec![22]]));
        assert_eq!((stack.pop().unwrap(), stack.way()), (Some(1), vec![vec![10], vec![21]]));
        assert_eq!(stack.pop().unwrap(), None);
    }
}
