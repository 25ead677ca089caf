//! Sums over infinite sorts without a condition that says a value, an element or bounds.
//!
//! *Problem.* `sum i: Int . i * i == 49`: no condition gives i a finite range.
//!
//! *Idea.* A variable is a term without a value, of which an interval is known. The conditions are evaluated
//! with it as it is, and comparisons of numbers are decided by intervals. A condition that is false whatever
//! the value is cuts everything off. Otherwise the variable is split: a number into the intervals below and
//! above its middle, another sort into its constructors with new variables as their arguments.
//!
//! ```text
//! i in 0…      i * i in 0…      split into 0…0, which is false, and 1…
//! i in 1…      i * i in 1…      split into 1…1, which is false, and 2…
//! i in 2…      i * i in 4…      split into 2…3, which is false (4…9), and 4…
//! i in 4…7     i * i in 16…49   4…5 is false (16…25); 6 is false; 7 is a solution
//! i in 8…      i * i in 64…     false
//! i in …-1     likewise: -7 is a solution
//! ```
//!
//! *Right*, since the parts of a split are all of the interval, and an interval is never narrower than the
//! values.
//!
//! *Cost.* Limited: splits inside splits, splits of one search, and splits for nothing. Where a limit is met
//! the sum is reported to be unbounded.

use std::collections::HashSet;

use super::Solver;
use crate::code::SumVar;
use crate::eval::Evaluator;
use crate::eval::interval::Interval;
use crate::store::node::{Header, INEXACT, OPEN, Shape, VARS};
use crate::term::is_node;
use crate::{Code, EvalFault, Sort, SortIx, Term};

/// Splits inside splits.
const MOST_DEPTH: u32 = 300;
/// Splits of one sum.
const MOST_SPLITS: u32 = 200_000;

/// A variable without a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unbound {
    pub(crate) interval: Interval,
    sort: SortIx,
    /// How often its interval was split.
    splits: u32,
}

impl Unbound {
    /// Whether it is a number between two bounds.
    fn is_bounded_number(self) -> bool {
        self.sort.is_number() && self.interval.low.is_some() && self.interval.high.is_some()
    }
}

/// A variable that is split, and what is to be put back after each branch.
struct Split<'s> {
    /// The variable of the sum that has it in its value.
    name: &'s str,
    /// The variable without a value.
    number: u32,
    /// The values of the sum's variables.
    saved: Vec<Term>,
    /// How many variables without a value there are.
    mark: usize,
    /// A condition that could not be decided before.
    open: Option<Term>,
    depth: u32,
}

impl Split<'_> {
    fn unbounded(&self) -> EvalFault {
        EvalFault::Unbounded { var: self.name.to_owned() }
    }
}

/// One search.
struct Search<'s> {
    vars: &'s [SumVar],
    conditions: &'s [Code],
    splits: u32,
    /// Values that were found, where different terms may come to the same.
    seen: HashSet<Vec<Term>>,
}

impl<'d> Solver<'_, '_, 'd> {
    pub(crate) fn search(
        &mut self,
        evaluator: &mut Evaluator<'d>,
        env: &mut [Term],
        vars: &[SumVar],
        conditions: &[Code],
        open: Option<Term>,
    ) -> Result<bool, EvalFault> {
        let before = evaluator.open.len();
        evaluator.searches += 1;
        let answer = self.search_from(
            evaluator,
            env,
            Search { vars, conditions, splits: 0, seen: HashSet::new() },
            open,
        );
        evaluator.searches -= 1;
        evaluator.open.truncate(before);
        answer
    }

    fn search_from(
        &mut self,
        evaluator: &mut Evaluator<'d>,
        env: &mut [Term],
        mut search: Search<'_>,
        open: Option<Term>,
    ) -> Result<bool, EvalFault> {
        for var in search.vars {
            env[var.place] = evaluator.open_var(var.sort)?;
        }
        self.narrow(evaluator, env, &mut search, open, 0)
    }

    /// Asks the conditions, and splits a variable where that does not decide; says whether more solutions are
    /// wanted.
    fn narrow(
        &mut self,
        evaluator: &mut Evaluator<'d>,
        env: &mut [Term],
        search: &mut Search<'_>,
        open: Option<Term>,
        depth: u32,
    ) -> Result<bool, EvalFault> {
        evaluator.charge(1)?;
        let mut unsure = None;
        for condition in search.conditions {
            match evaluator.eval(condition, env)? {
                Term::FALSE => return Ok(true),
                Term::TRUE => {}
                neither => unsure = unsure.or(Some(neither)),
            }
        }
        let (conditions, vars) = (search.conditions, search.vars);
        let Some((name, number)) = evaluator.next_open(env, vars) else {
            return match vars.iter().any(|var| evaluator.data.rewritten[var.sort.ix()]) {
                true => self.found_once(evaluator, env, search, open),
                false => self.found(evaluator, env, open.or(unsure)),
            };
        };
        if unsure.is_none() && self.any {
            // It holds whatever the values are.
            return self.found(evaluator, env, open);
        }
        let known = evaluator.open[number as usize];
        search.splits += 1;
        evaluator.splits += 1;
        let endless = evaluator.data.sizes[known.sort.ix()].is_none() && !known.is_bounded_number();
        if depth > MOST_DEPTH || search.splits > MOST_SPLITS || (endless && unsure.is_none()) {
            return Err(evaluator.data.not_listed(name, known.sort));
        }
        debug_assert!(!conditions.is_empty() || self.any || !endless);
        let saved = vars.iter().map(|var| env[var.place]).collect();
        let split = Split { name, number, saved, mark: evaluator.open.len(), open, depth };
        match known.sort.is_number() {
            true => self.split_number(evaluator, env, search, &split, known),
            false => self.split_constructors(evaluator, env, search, &split, known.sort),
        }
    }

    /// Goes on with a value for the variable that is split, or with what is known of it by now; and puts the
    /// environment back as it was.
    fn branch(
        &mut self,
        evaluator: &mut Evaluator<'d>,
        env: &mut [Term],
        search: &mut Search<'_>,
        split: &Split<'_>,
        value: Option<u32>,
    ) -> Result<bool, EvalFault> {
        let vars = search.vars;
        if let Some(value) = value {
            for (var, &term) in vars.iter().zip(&split.saved) {
                env[var.place] = Term(evaluator.replace(term.0, split.number, value)?);
            }
        }
        let more = self.narrow(evaluator, env, search, split.open, split.depth + 1)?;
        evaluator.open.truncate(split.mark);
        for (var, &term) in vars.iter().zip(&split.saved) {
            env[var.place] = term;
        }
        Ok(more)
    }

    /// Splits a number: into the halves of its interval, until that is one value.
    fn split_number(
        &mut self,
        evaluator: &mut Evaluator<'d>,
        env: &mut [Term],
        search: &mut Search<'_>,
        split: &Split<'_>,
        known: Unbound,
    ) -> Result<bool, EvalFault> {
        if known.sort == SortIx::REAL {
            return Err(split.unbounded());
        }
        if let (Some(low), Some(high)) = (known.interval.low, known.interval.high)
            && low >= high
        {
            if low > high {
                return Ok(true);
            }
            let value = evaluator.number(low)?;
            return self.branch(evaluator, env, search, split, Some(value.0));
        }
        for half in halves(known.interval) {
            evaluator.open[split.number as usize] =
                Unbound { interval: half, splits: known.splits + 1, ..known };
            let more = self.branch(evaluator, env, search, split, None)?;
            evaluator.open[split.number as usize] = known;
            if !more {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Splits a variable of another sort: into its constructors, with new variables as their arguments, or
    /// into its values.
    fn split_constructors(
        &mut self,
        evaluator: &mut Evaluator<'d>,
        env: &mut [Term],
        search: &mut Search<'_>,
        split: &Split<'_>,
        sort: SortIx,
    ) -> Result<bool, EvalFault> {
        let data = evaluator.data;
        match data.spec.sorts.get(sort) {
            &Sort::List(element) => {
                if !self.branch(evaluator, env, search, split, Some(Term::EMPTY.0))? {
                    return Ok(false);
                }
                let (head, tail) = (evaluator.open_var(element)?, evaluator.open_var(sort)?);
                let cons = data.cons(&mut evaluator.recent, head.0, tail.0)?;
                self.branch(evaluator, env, search, split, Some(cons))
            }
            Sort::User(_) if !data.constructors[sort.ix()].is_empty() => {
                for &constructor in &data.constructors[sort.ix()] {
                    let mut parts = Vec::new();
                    for &argument in &data.spec.functions[constructor.ix()].arguments {
                        parts.push(evaluator.open_var(argument)?.0);
                    }
                    // Equations of a constructor wait until its arguments have values.
                    let value = match parts.is_empty() {
                        true => evaluator.construct(constructor, &[])?,
                        false => data.call(&mut evaluator.recent, constructor, &parts)?,
                    };
                    if !self.branch(evaluator, env, search, split, Some(value))? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => {
                let Some(elements) = data.elements_of(sort)? else {
                    return Err(data.not_listed(split.name, sort));
                };
                for &element in elements {
                    if !self.branch(evaluator, env, search, split, Some(element))? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    /// The same for values some of which may not be in normal form: each normal form is one solution.
    fn found_once(
        &mut self,
        evaluator: &mut Evaluator<'d>,
        env: &mut [Term],
        search: &mut Search<'_>,
        open: Option<Term>,
    ) -> Result<bool, EvalFault> {
        let saved: Vec<Term> = search.vars.iter().map(|var| env[var.place]).collect();
        for var in search.vars {
            env[var.place] = Term(evaluator.normal_form(env[var.place].0, var.sort)?);
        }
        let values: Vec<Term> = search.vars.iter().map(|var| env[var.place]).collect();
        let mut more = true;
        if search.seen.insert(values) {
            let mut open = open;
            let mut holds = true;
            for condition in search.conditions {
                match evaluator.eval(condition, env)? {
                    Term::FALSE => holds = false,
                    Term::TRUE => {}
                    neither => open = open.or(Some(neither)),
                }
            }
            if holds {
                more = self.found(evaluator, env, open)?;
            }
        }
        for (var, value) in search.vars.iter().zip(saved) {
            env[var.place] = value;
        }
        Ok(more)
    }

    /// A solution, perhaps with variables that may have any value.
    fn found(
        &mut self,
        evaluator: &mut Evaluator<'d>,
        env: &mut [Term],
        open: Option<Term>,
    ) -> Result<bool, EvalFault> {
        (self.each)(evaluator, env, open)
    }
}

/// Two intervals, the one nearer to 0 first.
fn halves(interval: Interval) -> [Interval; 2] {
    let part = |low: Option<i128>, high: Option<i128>| Interval { low, high };
    match (interval.low, interval.high) {
        (Some(low), Some(high)) => {
            let middle = low + (high - low) / 2;
            [part(Some(low), Some(middle)), part(Some(middle + 1), Some(high))]
        }
        // As many again as there are below, so that large numbers are reached soon.
        (Some(low), None) => {
            let next = low.max(low.saturating_mul(2)).max(low.saturating_add(1));
            [part(Some(low), Some(next - 1)), part(Some(next), None)]
        }
        (None, Some(high)) => {
            let next = high.min(high.saturating_mul(2)).min(high.saturating_sub(1));
            [part(Some(next + 1), Some(high)), part(None, Some(next))]
        }
        (None, None) => [part(Some(0), None), part(None, Some(-1))],
    }
}

impl Evaluator<'_> {
    /// A new variable without a value.
    fn open_var(&mut self, sort: SortIx) -> Result<Term, EvalFault> {
        let number = self.open.len() as u32;
        if number > crate::store::node::MOST_OF_A_KIND {
            return Err(EvalFault::StoreFull);
        }
        self.open.push(Unbound { interval: Interval::of_sort(sort), sort, splits: 0 });
        let head = Header::new(Shape::Var, number, 0, OPEN | INEXACT | VARS);
        Ok(Term(self.data.store.node(&mut self.recent, head, &[])?))
    }

    /// Of the variables without a value in the values of these, the one that was split least: what bounds one
    /// may depend on another.
    fn next_open<'v>(&self, env: &[Term], vars: &'v [SumVar]) -> Option<(&'v str, u32)> {
        let all = vars
            .iter()
            .filter_map(|var| self.open_in(env[var.place].0).map(|number| (var.name.as_str(), number)));
        all.min_by_key(|&(_, number)| self.open[number as usize].splits)
    }

    /// Of the variables without a value in a term, the one that was split least.
    fn open_in(&self, term: u32) -> Option<u32> {
        let store = &self.data.store;
        let mut todo = vec![term];
        let mut best: Option<u32> = None;
        while let Some(term) = todo.pop() {
            if !is_node(term) || store.header(term).marks() & VARS == 0 {
                continue;
            }
            let head = store.header(term);
            if head.shape() == Shape::Var {
                let splits = |number: u32| self.open[number as usize].splits;
                if best.is_none_or(|best| splits(head.number()) < splits(best)) {
                    best = Some(head.number());
                }
                continue;
            }
            todo.extend(store.parts(term).iter().rev());
        }
        best
    }

    /// A term of constructors with a value in place of a variable.
    fn replace(&mut self, term: u32, number: u32, by: u32) -> Result<u32, EvalFault> {
        let data = self.data;
        if !is_node(term) || data.store.header(term).marks() & VARS == 0 {
            return Ok(term);
        }
        let head = data.store.header(term);
        match head.shape() {
            Shape::Var => Ok(if head.number() == number { by } else { term }),
            Shape::Cons => {
                let (first, rest) = (data.store.part(term, 0), data.store.part(term, 1));
                let (first, rest) = (self.replace(first, number, by)?, self.replace(rest, number, by)?);
                Ok(data.cons(&mut self.recent, first, rest)?)
            }
            Shape::Call => {
                let parts: Vec<u32> = data.store.parts(term).iter().collect();
                let parts: Result<Vec<u32>, EvalFault> =
                    parts.into_iter().map(|part| self.replace(part, number, by)).collect();
                Ok(data.call(&mut self.recent, crate::FunIx(head.number()), &parts?)?)
            }
            _ => Ok(term),
        }
    }
}
