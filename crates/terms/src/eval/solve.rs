//! Sums and quantifiers, run: the steps of a sum give its variables values, one after the other, and go back.

mod search;

use num_bigint::BigInt;

use super::Evaluator;
use super::interval::Interval;
use crate::code::{Code, RangeBound, Selector, Step, Sum, SumVar};
use crate::store::node::{Header, INEXACT, OPEN, Shape};
use crate::term::is_node;
use crate::{EvalFault, Term};

pub(super) use search::Unbound;

/// Is given an environment with values, and the condition that could not be decided for them if there was
/// one; says whether to go on.
pub(crate) type Each<'e, 'd> =
    dyn FnMut(&mut Evaluator<'d>, &mut [Term], Option<Term>) -> Result<bool, EvalFault> + 'e;

/// Is given an environment with the values of a solution.
pub type OnSolution<'e, 'd> = dyn FnMut(&mut Evaluator<'d>, &[Term]) -> Result<(), EvalFault> + 'e;

/// So many values of one variable between its bounds are tried at most.
const MOST_VALUES: u64 = 1 << 28;

/// Limits wasted splits: those of inner searches that did not end, because a value outside of them was not
/// known yet. The search around them begins them anew whenever it splits.
const MOST_IN_VAIN: u64 = 1_000_000;

impl<'d> Evaluator<'d> {
    /// Calls `each` once for every solution of a sum, with the values of its variables put into the
    /// environment. The order is always the same. Where `each` answers [`EvalFault::Stopped`] no more are
    /// looked for, and that is the answer.
    ///
    /// # Errors
    /// A condition that is neither true nor false, a sum with infinitely many solutions, and what can go
    /// wrong in an evaluation.
    pub fn solve(
        &mut self,
        sum: &Sum,
        env: &mut [Term],
        each: &mut OnSolution<'_, 'd>,
    ) -> Result<(), EvalFault> {
        let mut all = |evaluator: &mut Self, env: &mut [Term], open: Option<Term>| match open {
            Some(term) => Err(EvalFault::Undecided(term)),
            None => each(evaluator, env).map(|()| true),
        };
        Solver { sum, each: &mut all, any: false, tried: 0 }.step(self, env, 0, None).map(|_| ())
    }

    /// A quantifier: the values from outside are on the stack from `at` on.
    pub(crate) fn quantify(&mut self, number: u32, at: usize) -> Result<u32, EvalFault> {
        let site = self.data.quantifiers.get(number);
        let count = site.outside.len();
        let mut env = self.environments.pop().unwrap_or_default();
        env.clear();
        env.extend(self.stack[at..at + count].iter().map(|&term| Term(term)));
        env.resize(site.sum.len, Term(0));
        let (mut found, mut unsure) = (false, false);
        let mut each = |_: &mut Self, _: &mut [Term], open: Option<Term>| {
            match open {
                Some(_) => unsure = true,
                None => found = true,
            }
            Ok(!found)
        };
        let splits = self.splits;
        let solved =
            Solver { sum: &site.sum, each: &mut each, any: true, tried: 0 }.step(self, &mut env, 0, None);
        let outside: Vec<u32> = env[..count].iter().map(|term| term.0).collect();
        self.environments.push(env);
        let marks = self.data.marks_of(&outside);
        match solved {
            Ok(_) if found => return Ok(u32::from(!site.forall)),
            Ok(_) if !unsure => return Ok(u32::from(site.forall)),
            Ok(_) => {}
            // With values that are not known it may well end once they are.
            Err(EvalFault::Unbounded { .. }) if marks & OPEN != 0 && self.in_vain < MOST_IN_VAIN => {
                self.in_vain += self.splits - splits;
            }
            Err(fault) => return Err(fault),
        }
        let head = Header::new(Shape::Quantifier, number, count, marks | OPEN | INEXACT);
        Ok(self.data.store.node(&mut self.recent, head, &outside)?)
    }
}

/// One run through a sum.
pub(crate) struct Solver<'s, 'e, 'd> {
    pub(crate) sum: &'s Sum,
    pub(crate) each: &'s mut Each<'e, 'd>,
    /// One solution is enough, whatever its other values.
    pub(crate) any: bool,
    tried: u64,
}

impl<'d> Solver<'_, '_, 'd> {
    /// Goes on with this step; says whether more solutions are wanted. `open` is a condition that could not
    /// be decided on the way.
    pub(crate) fn step(
        &mut self,
        evaluator: &mut Evaluator<'d>,
        env: &mut [Term],
        at: usize,
        open: Option<Term>,
    ) -> Result<bool, EvalFault> {
        let sum = self.sum;
        let Some(step) = sum.steps.get(at) else { return (self.each)(evaluator, env, open) };
        match step {
            Step::Filter(condition) => match evaluator.eval(condition, env)? {
                Term::FALSE => Ok(true),
                Term::TRUE => self.step(evaluator, env, at + 1, open),
                neither => self.step(evaluator, env, at + 1, open.or(Some(neither))),
            },
            Step::Point { var, value, inside } => self.point(evaluator, env, at, open, (var, value, inside)),
            Step::Elements { var, of } => {
                let of = evaluator.eval(of, env)?;
                match evaluator.finite_elements(of.0) {
                    Some(elements) => self.each_of(evaluator, env, at, open, (var, &elements)),
                    None => self.unbounded(evaluator, var, of, env, open),
                }
            }
            Step::Range { var, bounds } => self.range(evaluator, env, at, open, (var, bounds)),
            Step::All { var } => match evaluator.data.elements_of(var.sort)? {
                Some(elements) => self.each_of(evaluator, env, at, open, (var, elements)),
                None => Err(evaluator.data.not_listed(&var.name, var.sort)),
            },
            Step::Search { vars, conditions } => self.search(evaluator, env, vars, conditions, open),
        }
    }

    /// A variable that has one value: a part of the value of an expression.
    fn point(
        &mut self,
        evaluator: &mut Evaluator<'d>,
        env: &mut [Term],
        at: usize,
        open: Option<Term>,
        (var, value, inside): (&SumVar, &Code, &[Selector]),
    ) -> Result<bool, EvalFault> {
        let value = evaluator.eval(value, env)?;
        let term = match evaluator.inside(value.0, inside) {
            Subterm::Value(term) => term,
            Subterm::Missing => return Ok(true),
            Subterm::Unknown => return self.unbounded(evaluator, var, value, env, open),
        };
        if var.sort.is_number() && !evaluator.data.is_number(term, var.sort) {
            // A known number of another sort is no solution; one that is not known may be one.
            return match evaluator.data.is_open(term) {
                true => self.step(evaluator, env, self.sum.steps.len(), open.or(Some(Term(term)))),
                false => Ok(true),
            };
        }
        env[var.place] = Term(term);
        self.step(evaluator, env, at + 1, open)
    }

    /// A variable that has one of these values.
    fn each_of(
        &mut self,
        evaluator: &mut Evaluator<'d>,
        env: &mut [Term],
        at: usize,
        open: Option<Term>,
        (var, values): (&SumVar, &[u32]),
    ) -> Result<bool, EvalFault> {
        for &value in values {
            evaluator.charge(1)?;
            env[var.place] = Term(value);
            if !self.step(evaluator, env, at + 1, open)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A number between bounds.
    fn range(
        &mut self,
        evaluator: &mut Evaluator<'d>,
        env: &mut [Term],
        at: usize,
        open: Option<Term>,
        (var, bounds): (&SumVar, &[RangeBound]),
    ) -> Result<bool, EvalFault> {
        let Interval { mut low, mut high } = Interval::of_sort(var.sort);
        let mut unknown = None;
        for RangeBound { value, upper, strict } in bounds {
            let value = evaluator.eval(value, env)?;
            match evaluator.bound(value.0, *upper, *strict) {
                Some(bound) if *upper => high = Some(high.map_or(bound, |high| high.min(bound))),
                Some(bound) => low = Some(low.map_or(bound, |low| low.max(bound))),
                None => unknown = Some(value),
            }
        }
        let (Some(low), Some(high)) = (low, high) else {
            return self.unbounded(evaluator, var, unknown.unwrap_or_default(), env, open);
        };
        // A bound that is not known is none to rely on.
        let open = open.or(unknown);
        let mut number = low;
        while number <= high {
            self.tried += 1;
            if self.tried > MOST_VALUES {
                return Err(EvalFault::TooManyTried { var: var.name.clone(), most: MOST_VALUES });
            }
            evaluator.charge(1)?;
            env[var.place] = evaluator.number(number)?;
            if !self.step(evaluator, env, at + 1, open)? {
                return Ok(false);
            }
            number += 1;
        }
        Ok(true)
    }

    /// What the values depend on is not known: perhaps there is a solution.
    fn unbounded(
        &mut self,
        evaluator: &mut Evaluator<'d>,
        var: &SumVar,
        value: Term,
        env: &mut [Term],
        open: Option<Term>,
    ) -> Result<bool, EvalFault> {
        match self.any || evaluator.data.is_open(value.0) {
            true => (self.each)(evaluator, env, open.or(Some(value))),
            false => Err(EvalFault::Unbounded { var: var.name.clone() }),
        }
    }
}

enum Subterm {
    Value(u32),
    /// It is made by another constructor.
    Missing,
    Unknown,
}

impl Evaluator<'_> {
    fn inside(&self, value: u32, inside: &[Selector]) -> Subterm {
        let mut term = value;
        for &step in inside {
            match step {
                Selector::List(at) => match self.data.uncons(term) {
                    Some((head, tail)) => term = [head, tail][at],
                    None if term == 0 => return Subterm::Missing,
                    None => return Subterm::Unknown,
                },
                Selector::Argument(constructor, at) => match self.data.position(term) {
                    None => return Subterm::Unknown,
                    Some(position) if position != self.data.positions[constructor.ix()] => {
                        return Subterm::Missing;
                    }
                    Some(_) => term = self.data.store.parts(term).get(at),
                },
            }
        }
        Subterm::Value(term)
    }

    /// Each element of a list or a finite set or bag, once.
    fn finite_elements(&self, of: u32) -> Option<Vec<u32>> {
        let data = self.data;
        if !is_node(of) {
            return Some(Vec::new());
        }
        match data.store.header(of).shape() {
            Shape::Set => Some(data.store.parts(of).iter().collect()),
            Shape::Bag => Some(data.store.parts(of).iter().step_by(2).collect()),
            Shape::Cons => {
                let (elements, rest) = data.elements(of);
                let mut seen = std::collections::HashSet::new();
                (rest == 0).then(|| elements.into_iter().filter(|&element| seen.insert(element)).collect())
            }
            _ => None,
        }
    }

    /// The last integer that a bound allows.
    fn bound(&self, value: u32, upper: bool, strict: bool) -> Option<i128> {
        let data = self.data;
        if !is_node(value) {
            let (number, one) = (i128::from(value as i32), i128::from(strict));
            return Some(if upper { number - one } else { number + one });
        }
        if let Some((over, under)) = data.as_rational(value) {
            let floor = {
                let (quotient, rest) = (&over / &under, &over % &under);
                if rest < BigInt::from(0) { quotient - 1 } else { quotient }
            };
            let whole = &floor * &under == over;
            let floor = i128::try_from(floor).ok()?;
            return Some(match (upper, whole, strict) {
                (true, true, true) => floor - 1,
                (true, ..) => floor,
                (false, true, false) => floor,
                (false, ..) => floor + 1,
            });
        }
        let interval = self.bounds(value, 0);
        let one = i128::from(strict);
        if upper { interval.high.map(|high| high - one) } else { interval.low.map(|low| low + one) }
    }

    /// An integer as a term.
    pub(crate) fn number(&mut self, number: i128) -> Result<Term, EvalFault> {
        match i64::try_from(number).ok().and_then(Term::from_small) {
            Some(term) => Ok(term),
            None => Ok(Term(self.data.integer(&mut self.recent, &BigInt::from(number))?)),
        }
    }
}
