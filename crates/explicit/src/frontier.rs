//! The frontier: whose turn it is. The orders of search differ here and nowhere else.
//!
//! Breadth-first needs no queue, as states are numbered in the order of discovery: a level is a range of numbers.
//! Depth-first keeps the numbers of the successors that still wait on the way down; a state is *opened* when the
//! search first comes down to it, so the order is truly depth-first although all successors are stored at once.

use engine::Order;

use crate::budget::{Budget, Exhausted};
use crate::segments::Segments;

/// States that wait for their turn.
pub(crate) enum Frontier {
    /// Breadth-first.
    Levels(Levels),
    /// Depth-first.
    Stack(Stack),
}

impl Frontier {
    /// The frontier with the initial state, whose number is zero. States `limit` steps away get no turn.
    pub(crate) fn new(order: Order, limit: Option<u64>, budget: &mut Budget) -> Result<Self, Exhausted> {
        let limit = limit.unwrap_or(u64::MAX);
        Ok(match order {
            Order::BreadthFirst => Self::Levels(Levels { next: 0, end: 1, depth: 0, limit }),
            Order::DepthFirst => Self::Stack(Stack::new(limit, budget)?),
        })
    }

    /// The next state, if one can be told. With successors of earlier states *unsettled*, not yet told of by
    /// [`Frontier::reached`], the answer `None` may mean that these must be settled first.
    #[inline]
    pub(crate) fn next(&mut self, stored: u32, unsettled: bool, budget: &mut Budget) -> Result<Option<u32>, Exhausted> {
        match self {
            Self::Levels(levels) => Ok(levels.next(stored, unsettled)),
            Self::Stack(_) if unsettled => Ok(None),
            Self::Stack(stack) => stack.next(budget),
        }
    }

    /// Successors of the states that had their turn, known ones and new ones.
    #[inline]
    pub(crate) fn reached(&mut self, numbers: &[u32], budget: &mut Budget) -> Result<(), Exhausted> {
        match self {
            Self::Levels(_) => Ok(()),
            Self::Stack(stack) => stack.reached(numbers, budget),
        }
    }

    /// The level that is being expanded, from one on, or the depth of the stack.
    pub(crate) fn level(&self) -> u64 {
        match self {
            Self::Levels(levels) => levels.depth + 1,
            Self::Stack(stack) => stack.depth,
        }
    }

    /// How many levels have states, if there are levels.
    pub(crate) fn levels(&self, stored: u32) -> Option<u64> {
        match self {
            Self::Levels(_) if stored == 0 => Some(0),
            Self::Levels(levels) => Some(levels.depth + 1 + u64::from(stored > levels.end)),
            Self::Stack(_) => None,
        }
    }

    /// The greatest distance that the search came from the initial state, in its own steps.
    pub(crate) fn deepest(&self, stored: u32) -> u64 {
        match self {
            Self::Levels(_) => self.levels(stored).map_or(0, |levels| levels.saturating_sub(1)),
            Self::Stack(stack) => stack.deepest,
        }
    }
}

/// The level that is being expanded: `next .. end` are still to come, all that is stored past it is the next level.
pub(crate) struct Levels {
    next: u32,
    end: u32,
    depth: u64,
    limit: u64,
}

impl Levels {
    #[inline]
    fn next(&mut self, stored: u32, unsettled: bool) -> Option<u32> {
        if self.next == self.end {
            // The next level has its end only when all of this one is settled.
            if unsettled || stored == self.end {
                return None;
            }
            self.end = stored;
            self.depth += 1;
        }
        if self.depth >= self.limit {
            return None;
        }
        self.next += 1;
        Some(self.next - 1)
    }
}

/// The way down from the initial state, with the successors that wait at each state on it.
pub(crate) struct Stack {
    /// For each state on the way a mark, then those of its successors that were not open when they were reached.
    waiting: Segments<u32>,
    /// A bit a state.
    opened: Segments<u64>,
    depth: u64,
    deepest: u64,
    limit: u64,
}

/// The mark below the successors of a state. It is no number of a state.
const MARK: u32 = u32::MAX;

impl Stack {
    fn new(limit: u64, budget: &mut Budget) -> Result<Self, Exhausted> {
        let mut waiting = Segments::new(1);
        waiting.push(&[0], budget)?;
        Ok(Self { waiting, opened: Segments::new(1), depth: 0, deepest: 0, limit })
    }

    fn next(&mut self, budget: &mut Budget) -> Result<Option<u32>, Exhausted> {
        while let Some(number) = self.waiting.pop() {
            if number == MARK {
                self.depth -= 1;
            } else if !self.is_open(number) {
                self.deepest = self.deepest.max(self.depth);
                // Not opened at the limit, so that it still gets its turn if a shorter way leads to it.
                if self.depth < self.limit {
                    self.open(number, budget)?;
                    return Ok(Some(number));
                }
            }
        }
        Ok(None)
    }

    /// The first successor is to be the first to get its turn, so it comes to lie on top.
    fn reached(&mut self, numbers: &[u32], budget: &mut Budget) -> Result<(), Exhausted> {
        for &number in numbers.iter().rev() {
            if !self.is_open(number) {
                self.waiting.push(&[number], budget)?;
            }
        }
        Ok(())
    }

    #[inline]
    fn is_open(&self, number: u32) -> bool {
        let word = number as usize / 64;
        word < self.opened.len() && self.opened.row(word)[0] >> (number % 64) & 1 == 1
    }

    fn open(&mut self, number: u32, budget: &mut Budget) -> Result<(), Exhausted> {
        let word = number as usize / 64;
        while self.opened.len() <= word {
            self.opened.push(&[0], budget)?;
        }
        self.opened.row_mut(word)[0] |= 1 << (number % 64);
        self.waiting.push(&[MARK], budget)?;
        self.depth += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 → 1, 2; 1 → 3; 2 → 1, 3; 3 → 0: the order in which states get their turn.
    fn turns(order: Order, limit: Option<u64>) -> (Vec<u32>, u64) {
        let successors: [&[u32]; 4] = [&[1, 2], &[3], &[1, 3], &[0]];
        let mut budget = Budget::new(None);
        let mut frontier = Frontier::new(order, limit, &mut budget).unwrap();
        let (mut turns, mut stored) = (Vec::new(), 1);
        while let Some(number) = frontier.next(stored, false, &mut budget).unwrap() {
            turns.push(number);
            let reached = successors[number as usize];
            stored = stored.max(reached.iter().max().unwrap() + 1);
            frontier.reached(reached, &mut budget).unwrap();
        }
        (turns, frontier.deepest(stored))
    }

    #[test]
    fn the_orders_are_what_their_names_say() {
        assert_eq!(turns(Order::BreadthFirst, None), (vec![0, 1, 2, 3], 2));
        assert_eq!(turns(Order::DepthFirst, None), (vec![0, 1, 3, 2], 2));
    }

    #[test]
    fn states_at_the_depth_limit_get_no_turn() {
        for order in [Order::BreadthFirst, Order::DepthFirst] {
            assert_eq!(turns(order, Some(0)), (vec![], 0));
            assert_eq!(turns(order, Some(1)), (vec![0], 1));
            assert_eq!(turns(order, Some(2)), (vec![0, 1, 2], 2));
        }
    }

    #[test]
    fn a_level_ends_only_when_all_before_is_settled() {
        let mut budget = Budget::new(None);
        let mut frontier = Frontier::new(Order::BreadthFirst, None, &mut budget).unwrap();
        assert_eq!(frontier.next(1, false, &mut budget), Ok(Some(0)));
        assert_eq!(frontier.next(3, true, &mut budget), Ok(None));
        assert_eq!(frontier.next(3, false, &mut budget), Ok(Some(1)));
        assert_eq!(frontier.next(3, true, &mut budget), Ok(Some(2)));
        assert_eq!(frontier.levels(3), Some(2));
        assert_eq!(frontier.levels(4), Some(3));
    }
}
