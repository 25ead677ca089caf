//! What the variables of a model start with.

use commands::Expr as Code;
use commands::Place as Cell;

use super::translate::View;
use crate::resolved::Initial;
use crate::world::{Storage, World};

impl World<'_> {
    /// The channels that a variable of the text starts with.
    pub fn global_channels(&self, slots: commands::VarIx) -> Vec<usize> {
        let mut next = 1;
        for (variable, storage) in self.program.globals.iter().zip(&self.globals) {
            if let Initial::Channel(_) = variable.initial {
                let cells = variable.cells();
                if matches!(storage, Storage::Slots(known) if *known == slots) {
                    return (next..next + cells).collect();
                }
                next += cells;
            }
        }
        Vec::new()
    }

    /// Gives all variables what they start with: those of the text, then those of the processes that run from
    /// the start.
    pub(super) fn start(&mut self) {
        let mut values: Vec<Vec<i32>> =
            self.out.variables.iter().map(|variable| vec![0; variable.length.unwrap_or(1)]).collect();
        for (number, variable) in self.program.globals.iter().enumerate() {
            let Storage::Slots(slots) = self.globals[number] else { continue };
            let cells = variable.cells();
            let view = View { world: self, instance: usize::MAX, timeout: false, started: 0, last: None };
            let exprs: Vec<Code> = match &variable.initial {
                Initial::Zero => Vec::new(),
                Initial::All(expr) => vec![view.expr(expr); cells],
                Initial::Cells(exprs) => exprs.iter().take(cells).map(|expr| view.expr(expr)).collect(),
                Initial::Channel(_) => self
                    .global_channels(slots)
                    .into_iter()
                    .map(|queue| Code::Constant(queue as i64))
                    .collect(),
            };
            for (at, expr) in exprs.iter().enumerate() {
                self.set(&mut values, slots, at, expr);
            }
        }
        let mut pid = 0;
        for (ty, process) in self.program.types.iter().enumerate() {
            for _ in 0..process.active {
                let found =
                    self.instances.iter().position(|instance| (instance.pid, instance.ty) == (pid, ty));
                let number = found.expect("BUG: an active process that is not foreseen");
                for step in self.started(number, &[], Code::Constant(process.priority)) {
                    for assign in step {
                        let at = assign.target.index.as_deref().and_then(commands::constant).unwrap_or(0);
                        self.set(&mut values, assign.target.variable, at as usize, &assign.value);
                    }
                }
                pid += 1;
            }
        }
        for (variable, values) in self.out.variables.iter_mut().zip(values) {
            variable.initial = values;
        }
    }

    pub(super) fn set(&self, values: &mut [Vec<i32>], slots: commands::VarIx, at: usize, expr: &Code) {
        let declared = &self.out.variables[slots.0 as usize];
        let (lo, hi) = match &self.out.types[declared.ty.ix()].domain {
            model::Domain::Range { lo, hi } => (i64::from(*lo), i64::from(*hi)),
            model::Domain::Names(names) => (0, names.len() as i64 - 1),
            model::Domain::Interned(_) | model::Domain::Shown(_) => (0, i64::from(i32::MAX)),
        };
        let value = value(expr, values).unwrap_or(0);
        let size = hi - lo + 1;
        values[slots.0 as usize][at] = (lo + (value - lo).rem_euclid(size)) as i32;
    }
}

/// The value of an expression where variables have these values; none where it has none.
fn value(expr: &Code, values: &[Vec<i32>]) -> Option<i64> {
    let known = |place: &Cell| {
        let at = place.index.as_deref().map_or(Some(0), |index| value(index, values))?;
        let cells = &values[place.variable.0 as usize];
        usize::try_from(at).ok().and_then(|at| cells.get(at)).map(|&value| i64::from(value))
    };
    let of = |expr: &Code| value(expr, values);
    match expr {
        Code::Read(place) => known(place),
        Code::Unary(op, operand) => {
            commands::constant(&Code::Unary(*op, Box::new(Code::Constant(of(operand)?))))
        }
        Code::Binary(op, left, right, at) => commands::constant(&Code::Binary(
            *op,
            Box::new(Code::Constant(of(left)?)),
            Box::new(Code::Constant(of(right)?)),
            *at,
        )),
        Code::And(left, right) => Some(i64::from(of(left)? != 0 && of(right)? != 0)),
        Code::Or(left, right) => Some(i64::from(of(left)? != 0 || of(right)? != 0)),
        Code::If(condition, yes, no) => {
            if of(condition)? != 0 {
                of(yes)
            } else {
                of(no)
            }
        }
        Code::Wrap { lo, hi, value } => {
            commands::constant(&Code::Wrap { lo: *lo, hi: *hi, value: Box::new(Code::Constant(of(value)?)) })
        }
        Code::Table { table, index, .. } => table.cells.get(usize::try_from(of(index)?).ok()?).copied(),
        _ => commands::constant(expr),
    }
}
