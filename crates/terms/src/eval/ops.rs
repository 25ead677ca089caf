//! The built-in functions on terms: numbers of any size, and arguments that do not reduce. The machine comes
//! here where its own short cuts for small numbers do not apply.

use num_bigint::{BigInt, Sign};

use super::Evaluator;
use super::interval::Interval;
use crate::code::{Compare, Instance};
use crate::store::node::{Header, INEXACT, OPEN, Shape};
use crate::term::is_node;
use crate::{EvalFault, Op, SortIx};

/// Numbers with more bits than this are not computed.
const MOST_BITS: u64 = 1 << 24;
/// So many bits of large numbers take as long as a step of another kind.
const BITS_OF_A_STEP: u64 = 32;

impl Evaluator<'_> {
    /// What a built-in function comes to; itself with its arguments where it does not reduce.
    pub(crate) fn op(&mut self, number: u32, arguments: &[u32]) -> Result<u32, EvalFault> {
        let instance = self.data.instances.get(number);
        match self.reduce(instance, number, arguments)? {
            Some(term) => Ok(term),
            None => self.stuck(number, arguments),
        }
    }

    /// A built-in function for these sorts.
    pub(crate) fn op_of(
        &mut self,
        op: Op,
        sorts: &[SortIx],
        result: SortIx,
        arguments: &[u32],
    ) -> Result<u32, EvalFault> {
        let number = self.data.instance(op, sorts, result).ok_or(EvalFault::StoreFull)?;
        self.op(number, arguments)
    }

    /// A built-in function that does not reduce.
    pub(crate) fn stuck(&mut self, number: u32, arguments: &[u32]) -> Result<u32, EvalFault> {
        let marks = self.data.marks_of(arguments) | OPEN | INEXACT;
        let head = Header::new(Shape::Op, number, arguments.len(), marks);
        Ok(self.data.store.node(&mut self.recent, head, arguments)?)
    }

    fn reduce(
        &mut self,
        instance: &Instance,
        number: u32,
        arguments: &[u32],
    ) -> Result<Option<u32>, EvalFault> {
        if let Some((compare, swapped)) = Compare::of(instance.op) {
            let [one, other] = *arguments else { panic!("BUG: a comparison of other than two") };
            let (one, other) = if swapped { (other, one) } else { (one, other) };
            return self.compared(compare, one, other, number).map(Some);
        }
        match (instance.op, arguments) {
            (Op::If, &[condition, then, otherwise]) => Ok(match condition {
                1 => Some(then),
                0 => Some(otherwise),
                _ => (then == otherwise).then_some(then),
            }),
            (Op::Not, &[one]) => Ok((one <= 1).then(|| 1 - one)),
            (Op::And, &[one, other]) => Ok(match (one, other) {
                (0, _) | (_, 0) => Some(0),
                (1, known) | (known, 1) => Some(known),
                _ => (one == other).then_some(one),
            }),
            (Op::Or, &[one, other]) => Ok(match (one, other) {
                (1, _) | (_, 1) => Some(1),
                (0, known) | (known, 0) => Some(known),
                _ => (one == other).then_some(one),
            }),
            (Op::Implies, &[one, other]) => Ok(match (one, other) {
                (0, _) | (_, 1) => Some(1),
                (1, _) => Some(other),
                _ => (one == other).then_some(1),
            }),
            (Op::List | Op::Cons | Op::Snoc | Op::Concat | Op::ElementAt | Op::Head | Op::Tail, _)
            | (Op::LastElement | Op::AllButLast, _) => self.list_op(instance, arguments),
            (Op::In | Op::Size, _) if self.data.is_list(instance.arguments[instance.arguments.len() - 1]) => {
                self.list_op(instance, arguments)
            }
            (
                Op::In | Op::Size | Op::SetOf | Op::BagOf | Op::Union | Op::Difference | Op::Intersection,
                _,
            )
            | (Op::Complement | Op::Count | Op::Widen | Op::ToBag | Op::ToSet, _) => {
                self.set_op(instance, arguments)
            }
            (Op::Update, &[function, key, value]) => self.update(function, key, value),
            _ => self.number_op(instance, arguments),
        }
    }

    fn number_op(&mut self, instance: &Instance, arguments: &[u32]) -> Result<Option<u32>, EvalFault> {
        let mut numbers = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            match self.data.as_rational(argument) {
                Some(number) => numbers.push(number),
                None => return self.open_number_op(instance, arguments),
            }
        }
        let one = || BigInt::from(1);
        // Numbers that grow without end take ever longer: what is large counts as many steps.
        let bits: u64 = numbers.iter().map(|(over, under)| over.bits() + under.bits()).sum();
        if bits > MOST_BITS {
            return Err(EvalFault::NumberTooLarge { most_bits: MOST_BITS });
        }
        self.charge(bits / BITS_OF_A_STEP)?;
        let answer = match (instance.op, &numbers[..]) {
            (Op::Number, _) => {
                return Ok(Some(arguments[0]).filter(|&term| self.data.is_number(term, instance.result)));
            }
            (Op::Plus, [(a, b), (c, d)]) => (a * d + c * b, b * d),
            (Op::Minus, [(a, b), (c, d)]) => (a * d - c * b, b * d),
            (Op::Times, [(a, b), (c, d)]) => (a * c, b * d),
            (Op::Divide, [_, (c, _)]) if c.sign() == Sign::NoSign => return Ok(None),
            (Op::Divide, [(a, b), (c, d)]) => (a * d, b * c),
            (Op::Div | Op::Mod, [_, (c, _)]) if c.sign() == Sign::NoSign => return Ok(None),
            (Op::Div, [(a, b), (c, d)]) => (floor(&(a * d), &(b * c)), one()),
            (Op::Mod, [(a, b), (c, d)]) => {
                let quotient = floor(&(a * d), &(b * c));
                (a * d - quotient * b * c, b * d)
            }
            (Op::Power, [(a, b), (n, _)]) => {
                let bits = a.bits().max(b.bits());
                let Ok(times) = i64::try_from(n) else { return Ok(None) };
                if bits.saturating_mul(times.unsigned_abs()) > MOST_BITS {
                    return match a.bits() <= 1 && *b == one() {
                        // 0, 1 and -1 do not grow.
                        true => Ok(Some(self.small_power(a, times)?)),
                        false => Err(EvalFault::NumberTooLarge { most_bits: MOST_BITS }),
                    };
                }
                let power = times.unsigned_abs() as u32;
                match times < 0 {
                    true if a.sign() == Sign::NoSign => return Ok(None),
                    true => (b.pow(power), a.pow(power)),
                    false => (a.pow(power), b.pow(power)),
                }
            }
            (Op::Negate, [(a, b)]) => (-a, b.clone()),
            (Op::Succ, [(a, b)]) => (a + b, b.clone()),
            (Op::Pred, [(a, b)]) => (a - b, b.clone()),
            (Op::Abs, [(a, b)]) => (BigInt::from(a.magnitude().clone()), b.clone()),
            (Op::Max, [(a, b), (c, d)]) => return Ok(Some(arguments[usize::from(a * d < c * b)])),
            (Op::Min, [(a, b), (c, d)]) => return Ok(Some(arguments[usize::from(a * d > c * b)])),
            (Op::Floor, [(a, b)]) => (floor(a, b), one()),
            (Op::Ceil, [(a, b)]) => (-floor(&-a, b), one()),
            (Op::Round, [(a, b)]) => (floor(&(a * 2 + b), &(b * 2)), one()),
            (Op::Sqrt, [(a, _)]) if a.sign() != Sign::Minus => (a.sqrt(), one()),
            _ => return Ok(None),
        };
        let term = self.data.rational(&mut self.recent, answer.0, answer.1)?;
        // A smaller sort may be asked for than the answer is of; types see to it that it is not.
        Ok(Some(term))
    }

    fn small_power(&mut self, base: &BigInt, times: i64) -> Result<u32, EvalFault> {
        let value = match base.sign() {
            Sign::NoSign => 0,
            Sign::Plus => 1,
            Sign::Minus if times % 2 == 0 => 1,
            Sign::Minus => -1,
        };
        Ok(self.data.integer(&mut self.recent, &BigInt::from(value))?)
    }

    /// With arguments that do not reduce: what needs no evaluation.
    fn open_number_op(&mut self, instance: &Instance, arguments: &[u32]) -> Result<Option<u32>, EvalFault> {
        Ok(match (instance.op, arguments) {
            (Op::Number, &[one]) => {
                let least = match instance.result {
                    SortIx::POS => Some(1),
                    SortIx::NAT => Some(0),
                    _ => None,
                };
                let whole = instance.arguments[0] != SortIx::REAL;
                let fits = match least {
                    Some(least) => self.bounds(one, 0).low.is_some_and(|low| low >= least),
                    None => true,
                };
                (whole && fits).then_some(one)
            }
            (Op::Plus, &[one, 0]) | (Op::Plus, &[0, one]) | (Op::Minus, &[one, 0]) => Some(one),
            (Op::Times, &[one, 1]) | (Op::Times, &[1, one]) => Some(one),
            (Op::Times, &[_, 0]) | (Op::Times, &[0, _]) => Some(0),
            (Op::Max | Op::Min, &[one, other]) if one == other => Some(one),
            _ => None,
        })
    }

    /// A comparison as a value. The arguments are in the order of the comparison, not of the function.
    pub(crate) fn compared(
        &mut self,
        compare: Compare,
        one: u32,
        other: u32,
        number: u32,
    ) -> Result<u32, EvalFault> {
        let instance = self.data.instances.get(number);
        match self.decide(compare, one, other, instance.arguments[0])? {
            Some(holds) => Ok(u32::from(holds)),
            None => match instance.op {
                Op::Greater | Op::GreaterEqual => self.stuck(number, &[other, one]),
                _ => self.stuck(number, &[one, other]),
            },
        }
    }

    /// Whether a comparison holds, if that can be told.
    #[inline(never)]
    pub(crate) fn compare(
        &mut self,
        compare: Compare,
        one: u32,
        other: u32,
        sort: u16,
    ) -> Result<Option<bool>, EvalFault> {
        self.decide(compare, one, other, SortIx(u32::from(sort)))
    }

    fn decide(
        &mut self,
        compare: Compare,
        one: u32,
        other: u32,
        sort: SortIx,
    ) -> Result<Option<bool>, EvalFault> {
        let positive = match compare {
            Compare::Equal | Compare::NotEqual => match self.equal_without_rules(one, other, sort)? {
                known @ (0 | 1) => Some(known == 1),
                _ => None,
            },
            Compare::Less | Compare::NotLess => self.less(one, other, sort, true, 0)?,
            Compare::LessEqual | Compare::NotLessEqual => self.less(one, other, sort, false, 0)?,
        };
        let negative = matches!(compare, Compare::NotEqual | Compare::NotLess | Compare::NotLessEqual);
        Ok(positive.map(|holds| holds != negative))
    }

    /// What is known of a number that does not reduce.
    pub(crate) fn bounds(&self, term: u32, depth: u32) -> Interval {
        let data = self.data;
        if !is_node(term) {
            return Interval::point(i128::from(term as i32));
        }
        let head = data.store.header(term);
        let parts = data.store.parts(term);
        match head.shape() {
            Shape::Big => match data.as_integer(term).and_then(|value| i128::try_from(value).ok()) {
                Some(value) => Interval::point(value),
                None => Interval::default(),
            },
            Shape::Var => self.open.get(head.number() as usize).map(|open| open.interval).unwrap_or_default(),
            Shape::Call => Interval::of_sort(data.spec.functions[head.number() as usize].result),
            Shape::Op if depth < 100 => {
                let instance = data.instances.get(head.number());
                let of = |at: usize| self.bounds(parts.get(at), depth + 1);
                let known = match instance.op {
                    Op::Number => of(0),
                    Op::Plus => of(0).plus(of(1)),
                    Op::Minus => of(0).plus(of(1).negated()),
                    Op::Times => of(0).times(of(1)),
                    Op::Negate => of(0).negated(),
                    Op::Succ => of(0).plus(Interval::point(1)),
                    Op::Pred => of(0).plus(Interval::point(-1)),
                    Op::Max => of(0).max(of(1)),
                    Op::Min => of(0).min(of(1)),
                    Op::Div => of(0).div(of(1)),
                    Op::Mod => of(1).modulus(of(0)),
                    Op::Abs => of(0).abs(),
                    Op::If => of(1).hull(of(2)),
                    Op::Size => Interval { low: Some(0), high: None },
                    Op::Power if of(0).low >= Some(1) => Interval { low: Some(1), high: None },
                    _ => Interval::default(),
                };
                known.and(Interval::of_sort(instance.result))
            }
            _ => Interval::default(),
        }
    }
}

/// The largest integer that is not above a / b.
fn floor(over: &BigInt, under: &BigInt) -> BigInt {
    let (quotient, rest) = (over / under, over % under);
    match rest.sign() != Sign::NoSign && rest.sign() != under.sign() {
        true => quotient - 1,
        false => quotient,
    }
}
