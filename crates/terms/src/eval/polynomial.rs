//! Polynomials in one variable without a value, and on which side of zero they are.
//!
//! *Problem.* `n*n*n + 11*n == 6*n*n + 6`: intervals do not tell for large n, since both sides are large.
//!
//! *Idea.* The difference of the two sides is a polynomial, n³ - 6n² + 11n - 6. Beyond Cauchy's bound of its
//! roots, 1 + max |aᵢ| / |aₖ|, a polynomial has the sign of its leading coefficient. So the search
//! ([`super::solve`]) is over where the interval of n lies beyond it.
//!
//! ```text
//! n³ - 6n² + 11n - 6      bound 1 + 11/1 = 12      n in 16…: positive, so the sides differ
//! ```
//!
//! *Cost.* Terms of degree [`MOST_DEGREE`] at the most, and of so many parts as they have.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

use super::Evaluator;
use super::interval::Interval;
use crate::store::node::Shape;
use crate::term::is_node;
use crate::{Op, SortIx};

/// Coefficients of larger powers are not computed.
const MOST_DEGREE: usize = 64;
/// Terms with more parts are not looked at: this is asked at every split of a search.
const MOST_PARTS: u32 = 1000;

/// A polynomial: the coefficient of xⁱ at i, the last one not zero.
type Polynomial = Vec<BigInt>;

/// The polynomial that a term is, and its variable once there is one.
struct Reader<'e, 'd> {
    evaluator: &'e Evaluator<'d>,
    variable: Option<u32>,
    parts: u32,
}

impl Evaluator<'_> {
    /// How one number compares with another, where their difference is a polynomial in one variable that has
    /// no root in the variable's interval and beyond.
    pub(crate) fn order_of_polynomials(&self, one: u32, other: u32) -> Option<Ordering> {
        let mut reader = Reader { evaluator: self, variable: None, parts: 0 };
        let (one, other) = (reader.read(one)?, reader.read(other)?);
        let variable = reader.variable?;
        let difference = sum(one, &product(&other, &vec![BigInt::from(-1)])?);
        sign_within(&difference, self.open.get(variable as usize)?.interval)
    }
}

impl Reader<'_, '_> {
    fn read(&mut self, term: u32) -> Option<Polynomial> {
        let data = self.evaluator.data;
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return None;
        }
        if let Some(value) = data.as_integer(term) {
            return Some(settled(vec![value]));
        }
        debug_assert!(is_node(term), "small numbers are integers");
        let (head, parts) = (data.store.header(term), data.store.parts(term));
        match head.shape() {
            Shape::Var => {
                let variable = head.number();
                let is_it = *self.variable.get_or_insert(variable) == variable;
                is_it.then(|| vec![BigInt::from(0), BigInt::from(1)])
            }
            Shape::Op => {
                let instance = data.instances.get(head.number());
                let minus = || vec![BigInt::from(-1)];
                match (instance.op, parts.len()) {
                    (Op::Plus, 2) => Some(sum(self.read(parts.get(0))?, &self.read(parts.get(1))?)),
                    (Op::Minus, 2) => {
                        let other = product(&self.read(parts.get(1))?, &minus())?;
                        Some(sum(self.read(parts.get(0))?, &other))
                    }
                    (Op::Times, 2) => product(&self.read(parts.get(0))?, &self.read(parts.get(1))?),
                    (Op::Negate, 1) => product(&self.read(parts.get(0))?, &minus()),
                    (Op::Succ, 1) => Some(sum(self.read(parts.get(0))?, &vec![BigInt::from(1)])),
                    (Op::Pred, 1) => Some(sum(self.read(parts.get(0))?, &minus())),
                    (Op::Power, 2) => {
                        let times = usize::try_from(data.as_integer(parts.get(1))?).ok()?;
                        let base = self.read(parts.get(0))?;
                        (times <= MOST_DEGREE).then_some(())?;
                        (0..times).try_fold(vec![BigInt::from(1)], |power, _| product(&power, &base))
                    }
                    // A number of a wider sort that is none of this one is not the same number.
                    (Op::Number, 1) if self.fits(parts.get(0), instance.arguments[0], instance.result) => {
                        self.read(parts.get(0))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn fits(&self, term: u32, from: SortIx, to: SortIx) -> bool {
        let least = Interval::of_sort(to).low;
        from <= to
            || from != SortIx::REAL
                && least
                    .is_none_or(|least| self.evaluator.bounds(term, 0).low.is_some_and(|low| low >= least))
    }
}

fn settled(mut polynomial: Polynomial) -> Polynomial {
    while polynomial.last().is_some_and(|last| last.sign() == Sign::NoSign) {
        polynomial.pop();
    }
    polynomial
}

fn sum(one: Polynomial, other: &Polynomial) -> Polynomial {
    let mut sum = one;
    sum.resize(sum.len().max(other.len()), BigInt::from(0));
    for (to, from) in sum.iter_mut().zip(other) {
        *to += from;
    }
    settled(sum)
}

fn product(one: &Polynomial, other: &Polynomial) -> Option<Polynomial> {
    if one.len() + other.len() > MOST_DEGREE + 2 {
        return None;
    }
    let mut product = vec![BigInt::from(0); (one.len() + other.len()).saturating_sub(1)];
    for (at, left) in one.iter().enumerate() {
        for (further, right) in other.iter().enumerate() {
            product[at + further] += left * right;
        }
    }
    Some(settled(product))
}

/// The sign of a polynomial for every value in an interval, where that lies beyond all its roots.
fn sign_within(polynomial: &Polynomial, interval: Interval) -> Option<Ordering> {
    let Some((leading, rest)) = polynomial.split_last() else { return Some(Ordering::Equal) };
    let largest = rest.iter().map(BigInt::magnitude).max().cloned().unwrap_or_default();
    // Rounded up.
    let bound = BigInt::from(largest / leading.magnitude() + 2_u32);
    let is_above = interval.low.is_some_and(|low| BigInt::from(low) >= bound);
    let is_below = interval.high.is_some_and(|high| BigInt::from(high) <= -&bound);
    let sign = if leading.sign() == Sign::Minus { Ordering::Less } else { Ordering::Greater };
    match (is_above, is_below) {
        (true, _) => Some(sign),
        (_, true) if rest.len() % 2 == 1 => Some(sign.reverse()),
        (_, true) => Some(sign),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All polynomials of small coefficients and degree, in intervals far away and near.
    #[test]
    fn the_sign_is_that_of_every_value() {
        let mut said = 0;
        for code in 0..5_i128.pow(4) {
            let polynomial: Polynomial =
                settled((0..4).map(|at| BigInt::from(code / 5_i128.pow(at) % 5 - 2)).collect());
            let value = |x: i128| polynomial.iter().rev().fold(BigInt::from(0), |sum, by| sum * x + by);
            for from in -6..=6 {
                for interval in [
                    Interval { low: Some(from), high: None },
                    Interval { low: None, high: Some(from) },
                    Interval { low: Some(from), high: Some(from + 2) },
                ] {
                    let Some(sign) = sign_within(&polynomial, interval) else { continue };
                    said += 1;
                    let has = |x: &i128| {
                        interval.low.is_none_or(|low| low <= *x)
                            && interval.high.is_none_or(|high| *x <= high)
                    };
                    for x in (-20..=20).filter(has) {
                        assert_eq!(value(x).cmp(&BigInt::from(0)), sign, "{polynomial:?} at {x}");
                    }
                }
            }
        }
        assert!(said > 5000, "{said}");
    }
}
