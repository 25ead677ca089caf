//! Predicates whose build is known: comparisons of sums of slots, and what logic makes of them. An engine
//! that holds sets of states can take them apart, and need not ask for each state.

use base::SlotIx;

use crate::{EvalError, Value};

/// A sum of slots, each with a factor. What slots hold counts as it stands there, without a sign.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Linear {
    /// The slots and their factors: ascending, each slot once, no factor zero.
    pub terms: Vec<(SlotIx, i64)>,
}

/// A predicate over states.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Predicate {
    /// Always so, or never.
    Constant(bool),
    /// The sum is at most this.
    AtMost(Linear, i64),
    /// All of them; true of none.
    All(Vec<Predicate>),
    /// One of them at least; false of none.
    Any(Vec<Predicate>),
}

impl Linear {
    /// The sum of these, terms of a slot added up. `None` when a factor does not fit.
    pub fn new(terms: impl IntoIterator<Item = (SlotIx, i64)>) -> Option<Self> {
        let mut all: Vec<(SlotIx, i64)> = terms.into_iter().collect();
        all.sort_unstable_by_key(|(slot, _)| *slot);
        let mut terms: Vec<(SlotIx, i64)> = Vec::with_capacity(all.len());
        for (slot, factor) in all {
            match terms.last_mut().filter(|(last, _)| *last == slot) {
                Some((_, sum)) => *sum = sum.checked_add(factor)?,
                None => terms.push((slot, factor)),
            }
        }
        terms.retain(|(_, factor)| *factor != 0);
        Some(Self { terms })
    }

    /// Its value in a state; wide enough that no sum of that many slots overflows.
    pub fn value(&self, state: &[Value]) -> i128 {
        self.terms.iter().map(|&(slot, factor)| i128::from(factor) * i128::from(state[slot.ix()])).sum()
    }

    /// The sum with all signs turned. `None` when a factor does not fit.
    pub fn negated(&self) -> Option<Self> {
        let terms = self.terms.iter().map(|&(slot, factor)| Some((slot, factor.checked_neg()?)));
        Some(Self { terms: terms.collect::<Option<_>>()? })
    }
}

impl Predicate {
    /// Whether a state satisfies it.
    pub fn holds(&self, state: &[Value]) -> bool {
        match self {
            Self::Constant(value) => *value,
            Self::AtMost(sum, most) => sum.value(state) <= i128::from(*most),
            Self::All(parts) => parts.iter().all(|part| part.holds(state)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(state)),
        }
    }

    /// The slots it looks at, ascending.
    pub fn slots(&self) -> Vec<SlotIx> {
        let mut slots = Vec::new();
        self.visit(&mut |sum| slots.extend(sum.terms.iter().map(|(slot, _)| *slot)));
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    fn visit(&self, see: &mut impl FnMut(&Linear)) {
        match self {
            Self::Constant(_) => {}
            Self::AtMost(sum, _) => see(sum),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.visit(see)),
        }
    }

    /// What holds where it does not. `None` when a number does not fit.
    pub fn negated(&self) -> Option<Self> {
        Some(match self {
            Self::Constant(value) => Self::Constant(!value),
            // sum > most is −sum ≤ −most − 1, and −most − 1 is !most.
            Self::AtMost(sum, most) => Self::AtMost(sum.negated()?, !most),
            Self::All(parts) => Self::Any(parts.iter().map(Self::negated).collect::<Option<_>>()?),
            Self::Any(parts) => Self::All(parts.iter().map(Self::negated).collect::<Option<_>>()?),
        })
    }

    /// The same over other slots: `position` says where each is now.
    pub fn moved(&self, position: &impl Fn(SlotIx) -> SlotIx) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(*value),
            Self::AtMost(sum, most) => {
                let mut terms: Vec<_> =
                    sum.terms.iter().map(|&(slot, factor)| (position(slot), factor)).collect();
                terms.sort_unstable_by_key(|(slot, _)| *slot);
                Self::AtMost(Linear { terms }, *most)
            }
            Self::All(parts) => Self::All(parts.iter().map(|part| part.moved(position)).collect()),
            Self::Any(parts) => Self::Any(parts.iter().map(|part| part.moved(position)).collect()),
        }
    }
}

/// A function of the state that is not part of the model: an invariant, say.
pub trait StateFunction: Send + Sync {
    /// The slots it looks at.
    fn reads(&self) -> &[SlotIx];
    /// Its value.
    fn value(&self, state: &[Value]) -> Result<Value, EvalError>;

    /// The predicate that says where its value is not zero, if its build is known. It never fails then.
    fn predicate(&self) -> Option<&Predicate> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(terms: &[(usize, i64)]) -> Linear {
        Linear::new(terms.iter().map(|&(slot, factor)| (SlotIx::new(slot), factor))).unwrap()
    }

    #[test]
    fn terms_of_a_slot_are_added_up() {
        assert_eq!(sum(&[(2, 1), (0, 3), (2, -1), (0, 1)]), sum(&[(0, 4)]));
        assert_eq!(sum(&[(1, 2), (0, -1)]).value(&[u32::MAX, 4]), 8 - i128::from(u32::MAX));
        assert!(Linear::new([(SlotIx::new(0), i64::MAX), (SlotIx::new(0), 1)]).is_none());
    }

    #[test]
    fn what_is_negated_holds_elsewhere() {
        let predicate = Predicate::Any(vec![
            Predicate::All(vec![
                Predicate::AtMost(sum(&[(0, 1), (1, -1)]), 0),
                Predicate::AtMost(sum(&[(2, -2)]), -1),
            ]),
            Predicate::AtMost(sum(&[(0, 1), (2, 1)]), 1),
            Predicate::Constant(false),
        ]);
        let negated = predicate.negated().unwrap();
        let turned = predicate.moved(&|slot| SlotIx::new(2 - slot.ix()));
        assert_eq!(predicate.slots().len(), 3);
        for number in 0..64 {
            let state = [number % 4, number / 4 % 4, number / 16];
            assert_ne!(predicate.holds(&state), negated.holds(&state), "{state:?}");
            assert_eq!(predicate.holds(&state), turned.holds(&[state[2], state[1], state[0]]), "{state:?}");
        }
    }
}
