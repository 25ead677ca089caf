//! Predicates and sums over the slots of the model below, as ones over the slots of the model above. What is
//! left out holds its initial value.

use base::SlotIx;
use model::{Linear, Predicate, Value};

/// Where the slots of the model below are.
pub(super) struct Positions<'a> {
    /// Where each stands, if it is not left out.
    pub(super) position: &'a [Option<usize>],
    /// What each holds at first.
    pub(super) initial: &'a [Value],
}

impl Positions<'_> {
    /// The sum of what is there, and of what is left out.
    pub(super) fn sum(&self, sum: &Linear) -> (Linear, i128) {
        let mut terms = Vec::with_capacity(sum.terms.len());
        let mut constant = 0;
        for &(slot, factor) in &sum.terms {
            match self.position[slot.ix()] {
                Some(position) => terms.push((SlotIx::new(position), factor)),
                None => constant += i128::from(factor) * i128::from(self.initial[slot.ix()]),
            }
        }
        terms.sort_unstable_by_key(|(slot, _)| *slot);
        (Linear { terms }, constant)
    }

    /// The predicate over what is there. `None` when a number does not fit.
    pub(super) fn predicate(&self, predicate: &Predicate) -> Option<Predicate> {
        let all =
            |parts: &[Predicate]| parts.iter().map(|part| self.predicate(part)).collect::<Option<Vec<_>>>();
        Some(match predicate {
            Predicate::Constant(value) => Predicate::Constant(*value),
            Predicate::AtMost(sum, most) => {
                let (sum, constant) = self.sum(sum);
                let most = i128::from(*most) - constant;
                if sum.terms.is_empty() {
                    Predicate::Constant(most >= 0)
                } else {
                    Predicate::AtMost(sum, i64::try_from(most).ok()?)
                }
            }
            Predicate::All(parts) => Predicate::All(all(parts)?),
            Predicate::Any(parts) => Predicate::Any(all(parts)?),
        })
    }
}
