//! The frontier: whose turn it is. The orders of search differ here and nowhere else.
//!
//! Breadth-first needs no queue, as states are numbered in the order of discovery: a level is a range of numbers.
//! Depth-first has a [`Stack`].
//!
//! States at the depth limit are expanded like all others, but their successors are only looked up: such a turn is
//! a *probe*. A successor that is not in the store is *cut off*, and leaves the search incomplete. Breadth-first has
//! stored all that is within the limit when it comes to the first probe, so its look-ups are final.

use engine::Order;

use crate::budget::{Budget, Exhausted};
use crate::stack::Stack;

/// A state whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Turn {
    /// The state.
    pub(crate) number: u32,
    /// What the turn is for.
    pub(crate) role: Role,
}

/// What a turn is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The only turn of most states.
    Open,
    /// The first turn of a state at the depth limit: its successors are looked up and not stored.
    Probe,
    /// The state was probed, and now a shorter way led to it: its successors are stored. All else is known.
    Reopen,
    /// The state was probed and successors of it were cut off: are they in the store now that the search is over?
    Recheck,
}

impl Role {
    /// Whether the state is looked at with the eyes of the properties, and counts.
    #[inline]
    pub(crate) fn is_first(self) -> bool {
        matches!(self, Self::Open | Self::Probe)
    }

    /// Whether its successors are stored.
    #[inline]
    pub(crate) fn stores(self) -> bool {
        matches!(self, Self::Open | Self::Reopen)
    }
}

/// States that wait for their turn.
pub(crate) enum Frontier {
    /// Breadth-first.
    Levels(Levels),
    /// Depth-first.
    Stack(Stack),
}

impl Frontier {
    /// The frontier with the initial state, whose number is zero. States `limit` steps away are probed.
    pub(crate) fn new(order: Order, limit: Option<u64>, budget: &mut Budget) -> Result<Self, Exhausted> {
        let limit = limit.unwrap_or(u64::MAX);
        Ok(match order {
            Order::BreadthFirst => Self::Levels(Levels { next: 0, end: 1, depth: 0, limit, lacking: false }),
            Order::DepthFirst => Self::Stack(Stack::new(limit, budget)?),
        })
    }

    /// The next turn, if one can be told. With successors of earlier states *unsettled*, not yet told of by
    /// [`Frontier::reached`] or [`Frontier::cut_off`], the answer `None` may mean that these must be settled first.
    /// Turns between two settlements all store, or all do not.
    #[inline]
    pub(crate) fn next(
        &mut self,
        stored: u32,
        unsettled: bool,
        budget: &mut Budget,
    ) -> Result<Option<Turn>, Exhausted> {
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

    /// Whether this successor of the state that had its turn gets another turn because the way is shorter.
    #[inline]
    pub(crate) fn comes_nearer(&self, number: u32) -> bool {
        match self {
            Self::Levels(_) => false,
            Self::Stack(stack) => stack.comes_nearer(number),
        }
    }

    /// A state that had its turn has a successor that is not in the store.
    pub(crate) fn cut_off(&mut self, turn: Turn, budget: &mut Budget) -> Result<(), Exhausted> {
        match self {
            Self::Levels(levels) => levels.lacking = true,
            Self::Stack(stack) => stack.cut_off(turn, budget)?,
        }
        Ok(())
    }

    /// Whether a successor was cut off for good.
    #[inline]
    pub(crate) fn is_lacking(&self) -> bool {
        match self {
            Self::Levels(levels) => levels.lacking,
            Self::Stack(stack) => stack.is_lacking(),
        }
    }

    /// The level that is being expanded, from one on, or the depth of the stack.
    pub(crate) fn level(&self) -> u64 {
        match self {
            Self::Levels(levels) => levels.depth + 1,
            Self::Stack(stack) => stack.depth(),
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
            Self::Stack(stack) => stack.deepest(),
        }
    }
}

/// The level that is being expanded: `next .. end` are still to come, all that is stored past it is the next level.
pub(crate) struct Levels {
    next: u32,
    end: u32,
    depth: u64,
    limit: u64,
    lacking: bool,
}

impl Levels {
    #[inline]
    fn next(&mut self, stored: u32, unsettled: bool) -> Option<Turn> {
        if self.next == self.end {
            // The next level has its end only when all of this one is settled.
            if unsettled || stored == self.end {
                return None;
            }
            self.end = stored;
            self.depth += 1;
        }
        self.next += 1;
        let role = if self.depth < self.limit { Role::Open } else { Role::Probe };
        Some(Turn { number: self.next - 1, role })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 → 1, 2; 1 → 3; 2 → 1, 3; 3 → 0: the order in which states get their turn, those that are probed negative.
    fn turns(order: Order, limit: Option<u64>) -> (Vec<i64>, u64, bool) {
        let successors: [&[u32]; 4] = [&[1, 2], &[3], &[1, 3], &[0]];
        let mut budget = Budget::new(None);
        let mut frontier = Frontier::new(order, limit, &mut budget).unwrap();
        let (mut turns, mut stored) = (Vec::new(), 1);
        while let Some(turn) = frontier.next(stored, false, &mut budget).unwrap() {
            let reached = successors[turn.number as usize];
            let end = reached.iter().max().unwrap() + 1;
            if turn.role.stores() {
                stored = stored.max(end);
                frontier.reached(reached, &mut budget).unwrap();
            } else if end > stored {
                frontier.cut_off(turn, &mut budget).unwrap();
            }
            if turn.role.is_first() {
                turns.push(if turn.role == Role::Probe { -i64::from(turn.number) } else { turn.number.into() });
            }
        }
        (turns, frontier.deepest(stored), frontier.is_lacking())
    }

    #[test]
    fn the_orders_are_what_their_names_say() {
        assert_eq!(turns(Order::BreadthFirst, None), (vec![0, 1, 2, 3], 2, false));
        assert_eq!(turns(Order::DepthFirst, None), (vec![0, 1, 3, 2], 2, false));
    }

    #[test]
    fn states_at_the_depth_limit_are_probed() {
        for order in [Order::BreadthFirst, Order::DepthFirst] {
            assert_eq!(turns(order, Some(0)), (vec![0], 0, true));
            assert_eq!(turns(order, Some(1)), (vec![0, -1, -2], 1, true));
        }
        assert_eq!(turns(Order::BreadthFirst, Some(2)), (vec![0, 1, 2, -3], 2, false));
        assert_eq!(turns(Order::DepthFirst, Some(2)), (vec![0, 1, -3, 2], 2, false));
    }

    #[test]
    fn a_level_ends_only_when_all_before_is_settled() {
        let open = |number| Turn { number, role: Role::Open };
        let mut budget = Budget::new(None);
        let mut frontier = Frontier::new(Order::BreadthFirst, None, &mut budget).unwrap();
        assert_eq!(frontier.next(1, false, &mut budget), Ok(Some(open(0))));
        assert_eq!(frontier.next(3, true, &mut budget), Ok(None));
        assert_eq!(frontier.next(3, false, &mut budget), Ok(Some(open(1))));
        assert_eq!(frontier.next(3, true, &mut budget), Ok(Some(open(2))));
        assert_eq!(frontier.levels(3), Some(2));
        assert_eq!(frontier.levels(4), Some(3));
    }
}
