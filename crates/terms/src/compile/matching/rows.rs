//! Rows: equations, and what is still to be matched of each.

use super::pattern::Pattern;
use crate::VarIx;
use crate::code::Reg;

/// Numbers below this are told apart by a table.
pub(super) const TABLE: u32 = 1 << 10;

/// An equation, and what is still to be matched of its left side.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// What is still to be matched, by register.
    pub(super) tests: Vec<(Reg, Pattern)>,
    /// Which register a variable has; a variable that is there twice must be the same in both.
    pub(super) bound: Vec<(VarIx, Reg)>,
    pub(super) rule: usize,
}

impl Row {
    pub(super) fn add(&mut self, reg: Reg, pattern: Pattern) {
        match pattern {
            Pattern::Any => {}
            Pattern::Var(var) => self.bound.push((var, reg)),
            _ => self.tests.push((reg, pattern)),
        }
    }

    pub(super) fn test(&self, reg: Reg) -> Option<&Pattern> {
        self.tests.iter().find(|(at, _)| *at == reg).map(|(_, pattern)| pattern)
    }

    /// The row without its test of a register, and with others instead.
    pub(super) fn refined(&self, reg: Reg, parts: Vec<(Reg, Pattern)>) -> Self {
        let mut row = self.clone();
        row.tests.retain(|(at, _)| *at != reg);
        parts.into_iter().for_each(|(part, pattern)| row.add(part, pattern));
        row
    }
}

/// Whether a row tests nothing but that something is a large number.
pub(super) fn is_large_number(row: &Row) -> bool {
    matches!(row.tests[..], [(_, Pattern::Term(term))] if term >= TABLE)
}

/// The rows with these numbers, in their order.
pub(super) fn in_order(own: &[usize], of_all: &[usize], rows: &[Row]) -> Vec<Row> {
    let mut numbers: Vec<usize> = own.iter().chain(of_all).copied().collect();
    numbers.sort_unstable();
    numbers.into_iter().map(|at| rows[at].clone()).collect()
}

/// The rows that may still match: of a test of the register, `None` drops the row, `Some(None)` keeps it as
/// it is, and `Some(Some(parts))` puts others in its place.
pub(super) fn keep(
    rows: &[Row],
    reg: Reg,
    decide: impl Fn(&Pattern) -> Option<Option<Vec<(Reg, Pattern)>>>,
) -> Vec<Row> {
    let kept = |row: &Row| match row.test(reg) {
        None => Some(row.clone()),
        Some(pattern) => match decide(pattern)? {
            None => Some(row.clone()),
            Some(parts) => Some(row.refined(reg, parts)),
        },
    };
    rows.iter().filter_map(kept).collect()
}
