//! The build of a predicate: where its code is comparisons of sums and what logic makes of them, the same as
//! a [`model::Predicate`], which an engine can take apart.
//!
//! The code is run with sums and predicates in place of numbers. What has none (an array read at a computed
//! index, a product of slots, a truth that is added up) has no build, and is evaluated as it always was. So
//! has what may fail: a number that may pass 64 bits, a negative slot, whose content does not count as it
//! stands there.

use base::SlotIx;
use model::{Domain, Linear, Predicate, Signature};

use super::code::{Binary, Code, Lazy, Op, Reading};

/// A build with more comparisons than this is of no use: *iff* doubles what it joins.
const MOST_PARTS: usize = 1 << 10;

/// The predicate that the code computes, if it has a build.
pub(crate) fn build(code: &Code, signature: &Signature) -> Option<Predicate> {
    let builder = Builder { code, signature };
    builder.run(0, code.len())?.truth().filter(|predicate| size(predicate) <= MOST_PARTS)
}

/// What stands in the place of a number.
enum BuiltValue {
    /// A sum of slots and a constant, which is never further from zero than `most`.
    Number { sum: Linear, constant: i64, most: i128 },
    /// One where the predicate holds, or else zero.
    Truth(Predicate),
}

struct Builder<'a> {
    code: &'a Code,
    signature: &'a Signature,
}

impl Builder<'_> {
    /// What this part of the code leaves behind.
    fn run(&self, from: usize, to: usize) -> Option<BuiltValue> {
        let mut stack: Vec<BuiltValue> = Vec::new();
        let mut at = from;
        while at < to {
            let op = self.code.op(at);
            at += 1;
            let part = match op {
                Op::Const(number) => BuiltValue::number(Linear::default(), number, i128::from(number).abs())?,
                Op::Slot(slot, reading) => self.slot(slot, reading)?,
                Op::Holds(slot, value) => {
                    let sum = Linear { terms: vec![(slot, 1)] };
                    BuiltValue::Truth(compare(Binary::Equal, &sum, i64::from(value))?)
                }
                Op::Not => BuiltValue::Truth(stack.pop()?.truth()?.negated()?),
                Op::Truth => BuiltValue::Truth(stack.pop()?.truth()?),
                Op::Negate => stack.pop()?.times(-1)?,
                Op::Binary(binary) => {
                    let right = stack.pop()?;
                    binary_part(binary, stack.pop()?, right)?
                }
                Op::Decide(lazy, target) => {
                    let left = stack.pop()?.truth()?;
                    // What the right side leaves is its truth, as the parser has it.
                    let BuiltValue::Truth(right) = self.run(at, target)? else { return None };
                    at = target;
                    small(match lazy {
                        Lazy::And => both(left, right),
                        Lazy::Or => either(left, right),
                        Lazy::Imply => either(left.negated()?, right),
                    })?
                }
                Op::Cell(_) | Op::Complement | Op::SameName(_) => return None,
            };
            stack.push(part);
        }
        stack.pop().filter(|_| stack.is_empty())
    }

    /// A slot, if what it holds is the number that it means, or that and a constant.
    fn slot(&self, slot: SlotIx, reading: Reading) -> Option<BuiltValue> {
        let sum = Linear { terms: vec![(slot, 1)] };
        match reading {
            Reading::Signed => match self.signature.type_of(slot).domain {
                Domain::Range { lo, hi } if lo >= 0 => BuiltValue::number(sum, 0, hi.into()),
                _ => None,
            },
            Reading::Position => BuiltValue::number(sum, 0, u32::MAX.into()),
            Reading::Integer(ty) => {
                let integers = self.code.integers(ty)?;
                let first = *integers.first()?;
                let in_a_row = integers.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
                let most = integers.iter().map(|&integer| i128::from(integer).abs()).max()?;
                if in_a_row { BuiltValue::number(sum, first, most) } else { None }
            }
        }
    }
}

impl BuiltValue {
    /// A number, if it is sure to fit.
    fn number(sum: Linear, constant: i64, most: i128) -> Option<Self> {
        (most <= i128::from(i64::MAX)).then_some(Self::Number { sum, constant, most })
    }

    fn times(self, factor: i64) -> Option<Self> {
        let Self::Number { sum, constant, most } = self else { return None };
        let terms = sum.terms.into_iter().map(|(slot, own)| Some((slot, own.checked_mul(factor)?)));
        let sum = Linear::new(terms.collect::<Option<Vec<_>>>()?)?;
        Self::number(sum, constant.checked_mul(factor)?, most.checked_mul(i128::from(factor).abs())?)
    }

    fn plus(self, other: Self) -> Option<Self> {
        let (
            Self::Number { sum, constant, most },
            Self::Number { sum: others, constant: more, most: further },
        ) = (self, other)
        else {
            return None;
        };
        let sum = Linear::new(sum.terms.into_iter().chain(others.terms))?;
        Self::number(sum, constant.checked_add(more)?, most + further)
    }

    /// Where it is not zero.
    fn truth(self) -> Option<Predicate> {
        match self {
            Self::Truth(predicate) => Some(predicate),
            Self::Number { sum, constant, .. } => compare(Binary::Unequal, &sum, constant.checked_neg()?),
        }
    }

    fn constant(&self) -> Option<i64> {
        match self {
            Self::Number { sum, constant, .. } if sum.terms.is_empty() => Some(*constant),
            _ => None,
        }
    }
}

fn binary_part(binary: Binary, left: BuiltValue, right: BuiltValue) -> Option<BuiltValue> {
    let same = |left: Predicate, right: Predicate| {
        let (no_left, no_right) = (left.negated()?, right.negated()?);
        Some(either(both(left, right), both(no_left, no_right)))
    };
    match (binary, left, right) {
        (Binary::Iff, left, right) => small(same(left.truth()?, right.truth()?)?),
        (Binary::Equal, BuiltValue::Truth(left), BuiltValue::Truth(right)) => small(same(left, right)?),
        (Binary::Unequal | Binary::Xor, BuiltValue::Truth(left), BuiltValue::Truth(right)) => {
            small(same(left, right.negated()?)?)
        }
        (Binary::And, BuiltValue::Truth(left), BuiltValue::Truth(right)) => small(both(left, right)),
        (Binary::Or, BuiltValue::Truth(left), BuiltValue::Truth(right)) => small(either(left, right)),
        (Binary::Add, left, right) => left.plus(right),
        (Binary::Subtract, left, right) => left.plus(right.times(-1)?),
        (Binary::Multiply, left, right) => match (left.constant(), right.constant()) {
            (_, Some(factor)) => left.times(factor),
            (Some(factor), _) => right.times(factor),
            (None, None) => None,
        },
        // A truth beside a constant: what it says for one and for zero.
        (binary, BuiltValue::Truth(truth), right) => {
            let right = right.constant()?;
            let says = |left: i64| compare(binary, &Linear::default(), right.checked_sub(left)?);
            small(same_as(truth, says(1)?, says(0)?)?)
        }
        (binary, left, BuiltValue::Truth(truth)) => {
            let left = left.constant()?;
            let says = |right: i64| compare(binary, &Linear::default(), right.checked_sub(left)?);
            small(same_as(truth, says(1)?, says(0)?)?)
        }
        (binary, left, right) => {
            let BuiltValue::Number { sum, constant, .. } = left.plus(right.times(-1)?)? else { return None };
            small(compare(binary, &sum, constant.checked_neg()?)?)
        }
    }
}

/// What is said where a predicate holds, and where it does not.
fn same_as(truth: Predicate, then: Predicate, otherwise: Predicate) -> Option<Predicate> {
    let not = truth.negated()?;
    Some(either(both(truth, then), both(not, otherwise)))
}

/// A truth, unless its build is too large: it would be as deep, and no stack is deep enough for every text.
fn small(predicate: Predicate) -> Option<BuiltValue> {
    (size(&predicate) <= MOST_PARTS).then_some(BuiltValue::Truth(predicate))
}

/// *And*; a conjunction that goes on is one.
fn both(left: Predicate, right: Predicate) -> Predicate {
    let parts = |predicate| match predicate {
        Predicate::All(parts) => parts,
        other => vec![other],
    };
    Predicate::All(parts(left).into_iter().chain(parts(right)).collect())
}

/// *Or*; a disjunction that goes on is one.
fn either(left: Predicate, right: Predicate) -> Predicate {
    let parts = |predicate| match predicate {
        Predicate::Any(parts) => parts,
        other => vec![other],
    };
    Predicate::Any(parts(left).into_iter().chain(parts(right)).collect())
}

/// Where the sum stands so to the number.
fn compare(binary: Binary, sum: &Linear, number: i64) -> Option<Predicate> {
    let at_most = |most: i64| {
        Some(if sum.terms.is_empty() {
            Predicate::Constant(0 <= most)
        } else {
            Predicate::AtMost(sum.clone(), most)
        })
    };
    let less = || number.checked_sub(1).and_then(at_most);
    Some(match binary {
        Binary::LessEqual => at_most(number)?,
        Binary::Less => less()?,
        Binary::Greater => at_most(number)?.negated()?,
        Binary::GreaterEqual => less()?.negated()?,
        Binary::Equal => Predicate::All(vec![at_most(number)?, less()?.negated()?]),
        Binary::Unequal => Predicate::Any(vec![less()?, at_most(number)?.negated()?]),
        _ => return None,
    })
}

/// How many comparisons it has.
fn size(predicate: &Predicate) -> usize {
    match predicate {
        Predicate::Constant(_) | Predicate::AtMost(..) => 1,
        Predicate::All(parts) | Predicate::Any(parts) => parts.iter().map(size).sum(),
    }
}
