//! Integer expressions of formulas: sums of places and constants, and their comparison.

use base::SlotIx;
use model::{Linear, Predicate};

use super::parts::{Part, TooLarge};

/// A sum of places, each with a factor, and a constant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    terms: Vec<(SlotIx, i64)>,
    constant: i64,
}

impl Sum {
    /// A number.
    pub fn constant(constant: i64) -> Self {
        Self { terms: Vec::new(), constant }
    }

    /// The tokens in these places together.
    pub fn places(places: impl IntoIterator<Item = SlotIx>) -> Self {
        Self { terms: places.into_iter().map(|place| (place, 1)).collect(), constant: 0 }
    }

    /// This one and another.
    pub fn plus(mut self, mut other: Self) -> Option<Self> {
        self.constant = self.constant.checked_add(other.constant)?;
        if other.terms.len() > self.terms.len() {
            std::mem::swap(&mut self.terms, &mut other.terms);
        }
        self.terms.append(&mut other.terms);
        Some(self)
    }

    /// This one without another.
    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(other.times(-1)?)
    }

    /// All factors times this.
    fn times(mut self, factor: i64) -> Option<Self> {
        for (_, own) in &mut self.terms {
            *own = own.checked_mul(factor)?;
        }
        self.constant = self.constant.checked_mul(factor)?;
        Some(self)
    }

    /// The product, if one of them is a number.
    pub fn product(self, other: Self) -> Option<Option<Self>> {
        match (self.terms.is_empty(), other.terms.is_empty()) {
            (true, _) => Some(other.times(self.constant)),
            (_, true) => Some(self.times(other.constant)),
            _ => None,
        }
    }

    /// The sum alone, if it has no constant.
    pub fn linear(self) -> Option<Linear> {
        Linear::new(self.terms).filter(|_| self.constant == 0)
    }

    /// It is at most zero.
    fn at_most_zero(self) -> Result<Part, TooLarge> {
        let linear = Linear::new(self.terms).ok_or(TooLarge::Number)?;
        let most = self.constant.checked_neg().ok_or(TooLarge::Number)?;
        Ok(Part::new(match linear.terms.is_empty() {
            true => Predicate::Constant(0 <= most),
            false => Predicate::AtMost(linear, most),
        }))
    }
}

/// Compares two sums, by the operator's name without `integer-`. `None` where there is no such operator.
pub(crate) fn compare(operator: &str, left: Sum, right: Sum) -> Option<Result<Part, TooLarge>> {
    let at_most =
        |left: Sum, right: Sum| left.minus(right).ok_or(TooLarge::Number).and_then(Sum::at_most_zero);
    // Less is not the other way at most.
    let less = |left: Sum, right: Sum| at_most(right, left).map(Part::negated);
    let equal = |left: Sum, right: Sum| {
        Part::combined([at_most(left.clone(), right.clone())?, at_most(right, left)?], true)
    };
    Some(match operator {
        "le" => at_most(left, right),
        "ge" => at_most(right, left),
        "lt" => less(left, right),
        "gt" => less(right, left),
        "eq" => equal(left, right),
        "ne" => equal(left, right).map(Part::negated),
        _ => return None,
    })
}
