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
        // The product is least and greatest at corners; an end that is not there is infinite, and 0 times
        // that is still 0.
        let mut hull: Option<(Endpoint, Endpoint)> = None;
        for one in [Endpoint::low(self.low), Endpoint::high(self.high)] {
            for other in [Endpoint::low(other.low), Endpoint::high(other.high)] {
                let Some(corner) = one.times(other) else { return Self::default() };
                hull = Some(hull.map_or((corner, corner), |(low, high)| (low.min(corner), high.max(corner))));
            }
        }
        let finite = |end: Endpoint| match end {
            Endpoint::At(value) => Some(value),
            _ => None,
        };
        hull.map_or_else(Self::default, |(low, high)| Self { low: finite(low), high: finite(high) })
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
        let high =
            self.high.map(|high| if high >= 0 { high.div_euclid(least) } else { quotient(high, most) });
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
            (Some(low), Some(high)) => {
                Self { low: Some(0), high: low.checked_neg().map(|low| low.max(high)) }
            }
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

/// An end of an interval, in its order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Endpoint {
    Below,
    At(i128),
    Above,
}

impl Endpoint {
    fn low(bound: Option<i128>) -> Self {
        bound.map_or(Self::Below, Self::At)
    }

    fn high(bound: Option<i128>) -> Self {
        bound.map_or(Self::Above, Self::At)
    }

    fn sign(self) -> i128 {
        match self {
            Self::Below => -1,
            Self::At(value) => value.signum(),
            Self::Above => 1,
        }
    }

    /// `None` where the product does not fit.
    fn times(self, other: Self) -> Option<Self> {
        if let (Self::At(one), Self::At(other)) = (self, other) {
            return one.checked_mul(other).map(Self::At);
        }
        Some(match self.sign() * other.sign() {
            0 => Self::At(0),
            1 => Self::Above,
            _ => Self::Below,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDS: [Option<i128>; 6] = [None, Some(-3), Some(-1), Some(0), Some(2), Some(3)];

    fn all() -> Vec<Interval> {
        let pairs = ENDS.iter().flat_map(|&low| ENDS.iter().map(move |&high| Interval { low, high }));
        pairs
            .filter(
                |interval| !matches!((interval.low, interval.high), (Some(low), Some(high)) if low > high),
            )
            .collect()
    }

    /// Some of the numbers in it.
    fn some(interval: Interval) -> Vec<i128> {
        (-8..=8).filter(|&value| has(interval, value)).collect()
    }

    fn has(interval: Interval, value: i128) -> bool {
        interval.low.is_none_or(|low| low <= value) && interval.high.is_none_or(|high| value <= high)
    }

    #[test]
    fn what_is_computed_from_members_is_a_member() {
        for one in all() {
            for &x in &some(one) {
                assert!(has(one.negated(), -x) && has(one.abs(), x.abs()), "{one:?} {x}");
            }
            for other in all() {
                for &x in &some(one) {
                    for &y in &some(other) {
                        let shown = format!("{one:?} {other:?} {x} {y}");
                        assert!(has(one.plus(other), x + y), "{shown}");
                        assert!(has(one.times(other), x * y), "{shown}");
                        assert!(has(one.max(other), x.max(y)) && has(one.min(other), x.min(y)), "{shown}");
                        assert!(has(one.hull(other), x) && has(one.hull(other), y), "{shown}");
                        assert_eq!(has(one.and(other), x), has(other, x), "{shown}");
                        assert!(!one.is_below(other) || x < y, "{shown}");
                        assert!(!one.is_not_above(other) || x <= y, "{shown}");
                        if y >= 1 {
                            assert!(has(one.div(other), x.div_euclid(y)), "{shown}");
                            assert!(has(other.modulus(one), x.rem_euclid(y)), "{shown}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn small_products_are_exact() {
        let interval = |low: i128, high: i128| Interval { low: Some(low), high: Some(high) };
        assert_eq!(interval(-2, 3).times(interval(-5, 4)), interval(-15, 12));
        let up = Interval { low: Some(4), high: None };
        assert_eq!(up.negated().times(up.negated()), Interval { low: Some(16), high: None });
        assert_eq!(up.div(interval(2, 2)), Interval { low: Some(2), high: None });
        assert_eq!(interval(0, 9).modulus(interval(3, 100)), interval(0, 8));
    }
}
