//! The depth-first frontier: the successors that still wait on the way down. A state is *opened* when the search first
//! comes down to it, so the order is truly depth-first although all successors are stored at once.
//!
//! A state that is met at the depth limit is probed, once, and stays closed: when a shorter way leads to it later it
//! is opened after all. What was cut off may be found by another way, so at the end the states that lacked a successor
//! are checked again. A state that is open stays so when a shorter way leads to it; if that matters, some state below
//! it lacks a successor.

use crate::budget::{Budget, Exhausted};
use crate::frontier::{Role, Turn};
use crate::segments::Segments;

/// The way down from the initial state, with the successors that wait at each state on it.
pub(crate) struct Stack {
    /// For each state on the way a mark, then those of its successors that were not open when they were reached.
    waiting: Segments<u32>,
    opened: Marks,
    probed: Marks,
    /// Probed states of which a successor was cut off.
    cut: Segments<u32>,
    lacking: bool,
    depth: u64,
    deepest: u64,
    limit: u64,
}

/// The mark below the successors of a state. It is no number of a state.
const MARK: u32 = u32::MAX;

impl Stack {
    /// The initial state waits; states `limit` steps away are probed.
    pub(crate) fn new(limit: u64, budget: &mut Budget) -> Result<Self, Exhausted> {
        let mut waiting = Segments::new(1);
        waiting.push(&[0], budget)?;
        let (opened, probed, cut) = (Marks::new(), Marks::new(), Segments::new(1));
        Ok(Self { waiting, opened, probed, cut, lacking: false, depth: 0, deepest: 0, limit })
    }

    /// The next turn.
    pub(crate) fn next(&mut self, budget: &mut Budget) -> Result<Option<Turn>, Exhausted> {
        while let Some(number) = self.waiting.pop() {
            if number == MARK {
                self.depth -= 1;
            } else if !self.opened.has(number) {
                self.deepest = self.deepest.max(self.depth);
                if self.depth < self.limit {
                    return self.open(number, budget).map(Some);
                } else if !self.probed.has(number) {
                    self.probed.add(number, budget)?;
                    return Ok(Some(Turn { number, role: Role::Probe }));
                }
            }
        }
        Ok(self.next_recheck())
    }

    /// The first successor is to be the first to get its turn, so it comes to lie on top.
    pub(crate) fn reached(&mut self, numbers: &[u32], budget: &mut Budget) -> Result<(), Exhausted> {
        for &number in numbers.iter().rev() {
            if !self.opened.has(number) {
                self.waiting.push(&[number], budget)?;
            }
        }
        Ok(())
    }

    /// Whether a successor of the state that was opened last was probed, and will be opened now.
    #[inline]
    pub(crate) fn comes_nearer(&self, number: u32) -> bool {
        self.depth < self.limit && self.probed.has(number) && !self.opened.has(number)
    }

    /// The state that had this turn has a successor that is not in the store.
    pub(crate) fn cut_off(&mut self, turn: Turn, budget: &mut Budget) -> Result<(), Exhausted> {
        if turn.role == Role::Recheck {
            self.lacking = true;
            return Ok(());
        }
        self.cut.push(&[turn.number], budget)
    }

    /// Whether a successor was cut off for good.
    pub(crate) fn is_lacking(&self) -> bool {
        self.lacking
    }

    /// The number of open states on the way down.
    pub(crate) fn depth(&self) -> u64 {
        self.depth
    }

    /// The most steps that a state was met at.
    pub(crate) fn deepest(&self) -> u64 {
        self.deepest
    }

    fn open(&mut self, number: u32, budget: &mut Budget) -> Result<Turn, Exhausted> {
        let role = if self.probed.has(number) { Role::Reopen } else { Role::Open };
        self.opened.add(number, budget)?;
        self.waiting.push(&[MARK], budget)?;
        self.depth += 1;
        Ok(Turn { number, role })
    }

    /// A state that was opened since stored all its successors.
    fn next_recheck(&mut self) -> Option<Turn> {
        while !self.lacking {
            let number = self.cut.pop()?;
            if !self.opened.has(number) {
                return Some(Turn { number, role: Role::Recheck });
            }
        }
        None
    }
}

/// A set of states: a bit a state.
struct Marks(Segments<u64>);

impl Marks {
    fn new() -> Self {
        Self(Segments::new(1))
    }

    #[inline]
    fn has(&self, number: u32) -> bool {
        let word = number as usize / 64;
        word < self.0.len() && self.0.row(word)[0] >> (number % 64) & 1 == 1
    }

    fn add(&mut self, number: u32, budget: &mut Budget) -> Result<(), Exhausted> {
        let word = number as usize / 64;
        while self.0.len() <= word {
            self.0.push(&[0], budget)?;
        }
        self.0.row_mut(word)[0] |= 1 << (number % 64);
        Ok(())
    }
}
