//! Local search on an order: each slot is moved through all positions and stays where the metric is least, as
//! sifting does with the variables of a decision diagram (Rudell 1993), but on the matrix. LTSmin's `cw`
//! swaps pairs instead.
//!
//! A swap of neighbours changes the extent of those rows only that touch one of the two, so a slot's way
//! through all positions costs as much as the matrix has ones.

use super::{Incidence, Metric};

/// Entries that may be looked at in all: about a second. On larger matrices the search ends early.
const MOST_LOOKS: usize = 100_000_000;

/// A better order, or the same.
pub fn sift(incidence: &Incidence, order: Vec<usize>, metric: Metric) -> Vec<usize> {
    let extents = incidence.extents(&order);
    let extents = extents.into_iter().map(|extent| extent.unwrap_or((0, 0))).collect();
    let mut sifting = Sifting { incidence, metric, order, extents, looks: 0 };
    // The slots with most groups first: where they stand decides most.
    let mut slots: Vec<usize> = (0..incidence.slots()).collect();
    slots.sort_by_key(|&slot| std::cmp::Reverse(incidence.column(slot).len()));
    loop {
        let mut gain = 0;
        for &slot in &slots {
            gain += sifting.place(slot);
            if sifting.looks > MOST_LOOKS {
                return sifting.order;
            }
        }
        if gain == 0 {
            return sifting.order;
        }
    }
}

struct Sifting<'i> {
    incidence: &'i Incidence,
    metric: Metric,
    order: Vec<usize>,
    extents: Vec<(usize, usize)>,
    looks: usize,
}

impl Sifting<'_> {
    /// Moves the slot to its best position; how much is won.
    fn place(&mut self, slot: usize) -> i64 {
        let start =
            self.order.iter().position(|&other| other == slot).expect("BUG: an order names every slot");
        let last = self.order.len() - 1;
        let (mut cost, mut best) = (0i64, (0i64, start));
        for at in start..last {
            cost += self.swap(at);
            if cost < best.0 {
                best = (cost, at + 1);
            }
        }
        for at in (0..last).rev() {
            cost += self.swap(at);
            if cost < best.0 {
                best = (cost, at);
            }
        }
        for at in 0..best.1 {
            cost += self.swap(at);
        }
        debug_assert_eq!(cost, best.0);
        -best.0
    }

    /// Swaps the slots at a position and the next one; by how much the cost grows.
    fn swap(&mut self, at: usize) -> i64 {
        let incidence = self.incidence;
        let (a, b) = (incidence.column(self.order[at]), incidence.column(self.order[at + 1]));
        self.looks += a.len() + b.len() + 1;
        self.order.swap(at, at + 1);
        let mut growth = 0;
        let (mut i, mut j) = (0, 0);
        // Rows with both slots keep their extent.
        while i < a.len() || j < b.len() {
            match (a.get(i), b.get(j)) {
                (Some(x), Some(y)) if x == y => (i, j) = (i + 1, j + 1),
                (Some(&x), y) if y.is_none_or(|&y| x < y) => {
                    growth += self.shift(x, at, at + 1);
                    i += 1;
                }
                (_, Some(&y)) => {
                    growth += self.shift(y, at + 1, at);
                    j += 1;
                }
                _ => break,
            }
        }
        growth
    }

    /// A slot of the group went from one position to the next or the one before, where the group has none.
    fn shift(&mut self, group: usize, from: usize, to: usize) -> i64 {
        let (first, last) = self.extents[group];
        if first != from && last != from {
            return 0;
        }
        let after = (if first == from { to } else { first }, if last == from { to } else { last });
        self.extents[group] = after;
        let cost = |extent| self.metric.cost(self.order.len(), extent) as i64;
        cost(after) - cost((first, last))
    }
}
