//! Functions of truth values alone: their tables, by the equations.

use std::collections::HashMap;

use terms::{DataSpec, Expr, FunIx, Kind, Op, SortIx, VarIx};

use super::{Equations, Meanings, mappings};

/// Functions with more arguments are none of those that are built in.
const MOST_ARGUMENTS: usize = 3;

/// Who needs more steps than this for a row is left alone.
const DEEPEST: usize = 200;

/// All tables together take no more calls than this: who writes more has other worries.
const MOST_STEPS: usize = 100_000;

/// The functions whose tables are those of built-in ones.
pub(super) fn meanings(data: &DataSpec, equations: &Equations<'_>) -> Meanings {
    let mut tables = Tables { data, equations, known: HashMap::new(), steps: 0 };
    let mut meanings = Meanings::new();
    for (function, declared) in mappings(data) {
        let count = declared.arguments.len();
        if !tables.is_of_truths(function) || !(1..=MOST_ARGUMENTS).contains(&count) {
            continue;
        }
        let rows: Option<Vec<bool>> = (0..1u8 << count).map(|row| tables.value(function, row, 0)).collect();
        if let Some(op) = rows.and_then(|rows| built_in(&rows)) {
            meanings.insert(function, op);
        }
    }
    meanings
}

/// The built-in function with this table. Row 1 of `f(x, y)` is that for x = T and y = F.
fn built_in(rows: &[bool]) -> Option<Op> {
    match rows {
        [true, false] => Some(Op::Not),
        [false, false, false, true] => Some(Op::And),
        [false, true, true, true] => Some(Op::Or),
        [true, false, true, true] => Some(Op::Implies),
        [true, false, false, true] => Some(Op::Equal),
        [false, true, true, false] => Some(Op::NotEqual),
        // if(c, x, y): where c is F, the third; else the second.
        [false, false, false, true, true, false, true, true] => Some(Op::If),
        _ => None,
    }
}

struct Tables<'d> {
    data: &'d DataSpec,
    equations: &'d Equations<'d>,
    /// Rows that are known, or being found out: nothing.
    known: HashMap<(FunIx, u8), Option<bool>>,
    steps: usize,
}

impl Tables<'_> {
    fn is_of_truths(&self, function: FunIx) -> bool {
        let declared = &self.data.functions[function.ix()];
        declared.result == SortIx::BOOL
            && declared.arguments.len() <= MOST_ARGUMENTS
            && declared.arguments.iter().all(|&sort| sort == SortIx::BOOL)
    }

    /// What a function is for arguments that are these bits, if its equations say so and do not contradict
    /// each other.
    fn value(&mut self, function: FunIx, row: u8, depth: usize) -> Option<bool> {
        if let Some(&known) = self.known.get(&(function, row)) {
            return known;
        }
        self.steps += 1;
        if depth > DEEPEST || self.steps > MOST_STEPS {
            return None;
        }
        // Who is asked again in between gets no answer: an equation that leads back here says nothing by
        // itself.
        self.known.insert((function, row), None);
        let equations = self.equations;
        let mut found = None;
        for (patterns, equation) in equations.of(function) {
            let Some(binding) = matched(patterns, row) else { continue };
            let Some(value) = self.evaluated(&equation.right, &binding, depth + 1) else { continue };
            if found.is_some_and(|found| found != value) {
                // Where they contradict each other no one gets an answer, ever.
                return None;
            }
            found = Some(value);
        }
        match found {
            Some(_) => self.known.insert((function, row), found),
            // Perhaps only because someone is being asked already: from elsewhere there may be an answer.
            None => self.known.remove(&(function, row)),
        };
        found
    }

    fn evaluated(&mut self, expr: &Expr, binding: &[(VarIx, bool)], depth: usize) -> Option<bool> {
        if depth > DEEPEST {
            return None;
        }
        match &*expr.kind {
            Kind::Truth(value) => Some(*value),
            Kind::Var(var) => binding.iter().find(|(bound, _)| bound == var).map(|&(_, value)| value),
            Kind::Call(function, arguments) if self.is_of_truths(*function) => {
                let mut row = 0;
                for (at, argument) in arguments.iter().enumerate() {
                    row |= u8::from(self.evaluated(argument, binding, depth + 1)?) << at;
                }
                self.value(*function, row, depth + 1)
            }
            _ => None,
        }
    }
}

/// The values of the variables where the patterns fit.
fn matched(patterns: &[Expr], row: u8) -> Option<Vec<(VarIx, bool)>> {
    let mut binding: Vec<(VarIx, bool)> = Vec::new();
    for (at, pattern) in patterns.iter().enumerate() {
        let value = row >> at & 1 == 1;
        let fits = match &*pattern.kind {
            Kind::Truth(wanted) => *wanted == value,
            Kind::Var(var) => match binding.iter().find(|(bound, _)| bound == var) {
                Some(&(_, before)) => before == value,
                None => {
                    binding.push((*var, value));
                    true
                }
            },
            _ => false,
        };
        if !fits {
            return None;
        }
    }
    Some(binding)
}
