//! Depth-first: each worker has a stack of its own, and who has nothing to do gets the lower half of another's.
//!
//! A state is stored when it is reached and expanded when it is taken from the stack, so of two ways to a state the one that was seen first
//! counts, not the deeper one as in a recursive search. The run to the state that is being expanded is always at hand.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::budget::{Account, Budget, Exhausted};

/// A worker's stack.
pub(crate) struct Stack {
    handle_words: usize,
    /// Handles of states that wait, each with its depth; the last is the next.
    waiting: VecDeque<u64>,
    /// Handles of the states on the way to the one that is being expanded, that one included.
    way: Vec<u64>,
    /// The most words that the budget knows of.
    paid: usize,
    account: Account,
}

/// Work that one worker leaves to another: states that wait, and the way to the deepest of them.
pub(crate) struct Gift {
    waiting: VecDeque<u64>,
    way: Vec<u64>,
}

impl Stack {
    /// An empty stack for handles of this many words.
    pub(crate) fn new(handle_words: usize, budget: &Arc<Budget>) -> Self {
        Self { handle_words, waiting: VecDeque::new(), way: Vec::new(), paid: 0, account: Account::new(budget) }
    }

    /// Adds a state that is so many steps away from the initial one.
    #[inline]
    pub(crate) fn push(&mut self, handle: &[u64], depth: u64) -> Result<(), Exhausted> {
        let words = self.waiting.len() + self.way.len() + 2 * (self.handle_words + 1);
        if words > self.paid {
            self.pay(words)?;
        }
        self.waiting.extend(handle);
        self.waiting.push_back(depth);
        Ok(())
    }

    /// Both vectors double as they grow.
    #[cold]
    fn pay(&mut self, words: usize) -> Result<(), Exhausted> {
        let wanted = (2 * words).next_power_of_two();
        self.account.reach((wanted * size_of::<u64>()) as u64)?;
        self.paid = wanted;
        Ok(())
    }

    /// The next state, whose handle is now the last of the way; the answer is its depth.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<u64> {
        let depth = self.waiting.pop_back()?;
        self.way.truncate(depth as usize * self.handle_words);
        let first = self.waiting.len() - self.handle_words;
        self.way.extend(self.waiting.range(first..));
        self.waiting.truncate(first);
        Some(depth)
    }

    /// The handle of the state that was popped last.
    #[inline]
    pub(crate) fn top(&self) -> &[u64] {
        &self.way[self.way.len() - self.handle_words..]
    }

    /// The handles of the states on the way to the one that was popped last, that one included.
    pub(crate) fn way(&self) -> Vec<Vec<u64>> {
        self.way.chunks_exact(self.handle_words).map(<[u64]>::to_vec).collect()
    }

    /// The lower half of what waits, if that is something.
    pub(crate) fn share(&mut self) -> Option<Gift> {
        let row = self.handle_words + 1;
        let given = self.waiting.len() / row / 2 * row;
        if given == 0 {
            return None;
        }
        let waiting: VecDeque<u64> = self.waiting.drain(..given).collect();
        let depths = waiting.iter().skip(self.handle_words).step_by(row);
        // No state that waits is deeper than a step below the way.
        let deepest = depths.copied().max().unwrap_or(0) as usize;
        Some(Gift { waiting, way: self.way[..deepest * self.handle_words].to_vec() })
    }

    /// Goes on with what another left.
    pub(crate) fn accept(&mut self, gift: Gift) -> Result<(), Exhausted> {
        let words = gift.waiting.len() + gift.way.len();
        if words > self.paid {
            self.pay(words)?;
        }
        (self.waiting, self.way) = (gift.waiting, gift.way);
        Ok(())
    }
}

/// Work that waits for a worker.
#[derive(Default)]
pub(crate) struct Gifts(Mutex<Vec<Gift>>);

impl Gifts {
    pub(crate) fn put(&self, gift: Gift) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(gift);
    }

    pub(crate) fn take(&self) -> Option<Gift> {
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
        assert_eq!((stack.pop(), stack.top()), (Some(0), &[10][..]));
        for handle in [20, 21, 22, 23] {
            stack.push(&[handle], 1).unwrap();
        }
        assert_eq!(stack.pop(), Some(1));
        stack.push(&[30], 2).unwrap();
        assert_eq!((stack.pop(), stack.way()), (Some(2), vec![vec![10], vec![23], vec![30]]));
        let mut other = Stack::new(1, &budget);
        // Three wait; one is half of them.
        other.accept(stack.share().unwrap()).unwrap();
        assert_eq!((other.pop(), other.way()), (Some(1), vec![vec![10], vec![20]]));
        assert_eq!(other.pop(), None);
        assert!(other.share().is_none());
        assert_eq!((stack.pop(), stack.way()), (Some(1), vec![vec![10], vec![22]]));
        assert_eq!((stack.pop(), stack.way()), (Some(1), vec![vec![10], vec![21]]));
        assert_eq!(stack.pop(), None);
    }
}
