//! Intervals of integers: what is known of a number that has no value yet.

use crate::SortIx;

/// From `low` to `high`, both included; `None` is no bound.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Interval {
    pub(crate) low: Option<i128>,
    pub(crate) high: Option<i128>,
}

impl Interval {
    pub(crate) fn point(value: i128) -> Self {
        Self { low: Some(value), high: Some(value) }
    }

    /// All numbers of a sort.
    pub(crate) fn of_sort(sort: SortIx) -> Self {
        match sort {
            SortIx::POS => Self { low: Some(1), high: None },
            SortIx::NAT => Self { low: Some(0), high: None },
            _ => Self::default(),
        }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        let add = |one: Option<i128>, other: Option<i128>| one?.checked_add(other?);
        Self { low: add(self.low, other.low), high: add(self.high, other.high) }
    }

    pub(crate) fn negated(self) -> Self {
        let negate = |bound: Option<i128>| bound?.checked_neg();
        Self { low: negate(self.high), high: negate(self.low) }
    }

    pub(crate) fn times(self, other: Self) -> Self {
        if let (Some(a), Some(b), Some(c), Some(d)) = (self.low, self.high, other.low, other.high) {
            let corners = [a.checked_mul(c), a.checked_mul(d), b.checked_mul(c), b.checked_mul(d)];
            let Some(corners) = corners.into_iter().collect::<Option<Vec<i128>>>() else { return Self::default() };
            return Self { low: corners.iter().min().copied(), high: corners.iter().max().copied() };
        }
        // Without upper bounds only numbers that are not negative are known to grow.
        match (self.low, other.low) {
            (Some(one), Some(other)) if one >= 0 && other >= 0 => Self { low: one.checked_mul(other), high: None },
            _ => Self::default(),
        }
    }

    /// Rounded down, by a divisor that is at least 1.
    pub(crate) fn div(self, divisor: Self) -> Self {
        let (Some(least), most) = (divisor.low, divisor.high) else { return Self::default() };
        if least < 1 {
            return Self::default();
        }
        let quotient = |bound: i128, by: Option<i128>| match by {
            Some(by) => bound.div_euclid(by),
            None => bound.signum().min(0),
        };
        let low = self.low.map(|low| if low >= 0 { quotient(low, most) } else { low.div_euclid(least) });
        let high = self.high.map(|high| if high >= 0 { high.div_euclid(least) } else { quotient(high, most) });
        Self { low, high }
    }

    /// Of a number modulo one of these, which are at least 1.
    pub(crate) fn modulus(self, number: Self) -> Self {
        let below = self.high.map(|high| high - 1);
        let high = match (number.low, number.high) {
            (Some(low), Some(high)) if low >= 0 => Some(below.map_or(high, |below| below.min(high))),
            _ => below,
        };
        Self { low: Some(0), high }
    }

    pub(crate) fn abs(self) -> Self {
        match (self.low, self.high) {
            (Some(low), _) if low >= 0 => self,
            (_, Some(high)) if high <= 0 => self.negated(),
            (Some(low), Some(high)) => Self { low: Some(0), high: low.checked_neg().map(|low| low.max(high)) },
            _ => Self { low: Some(0), high: None },
        }
    }

    pub(crate) fn max(self, other: Self) -> Self {
        let low = match (self.low, other.low) {
            (Some(one), Some(other)) => Some(one.max(other)),
            (one, other) => one.or(other),
        };
        Self { low, high: self.high.zip(other.high).map(|(one, other)| one.max(other)) }
    }

    pub(crate) fn min(self, other: Self) -> Self {
        self.negated().max(other.negated()).negated()
    }

    /// Everything in one of them.
    pub(crate) fn hull(self, other: Self) -> Self {
        let low = self.low.zip(other.low).map(|(one, other)| one.min(other));
        Self { low, high: self.high.zip(other.high).map(|(one, other)| one.max(other)) }
    }

    /// Everything in both.
    pub(crate) fn and(self, other: Self) -> Self {
        let low = match (self.low, other.low) {
            (Some(one), Some(other)) => Some(one.max(other)),
            (one, other) => one.or(other),
        };
        let high = match (self.high, other.high) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Self { low, high }
    }

    /// Whether everything in this is below everything in the other.
    pub(crate) fn is_below(self, other: Self) -> bool {
        matches!((self.high, other.low), (Some(high), Some(low)) if high < low)
    }

    /// Whether nothing in this is above anything in the other.
    pub(crate) fn is_not_above(self, other: Self) -> bool {
        matches!((self.high, other.low), (Some(high), Some(low)) if high <= low)
    }
}
