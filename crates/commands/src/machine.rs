//! The machine that runs compact code: an accumulator, a small stack, no allocation.

use model::{EvalErrorKind, Value};

use crate::code::{Code, CodeRange, Instr};
use crate::layout::Cells;
use crate::program::{BinaryOp, UnaryOp};

/// Where and how code failed; turned into words only when someone wants to read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    pub kind: FaultKind,
    pub site: Site,
}

/// What failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Site {
    Instr(u32),
    Store(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FaultKind {
    DivisionByZero,
    Shift(i64),
    /// An index outside the array.
    Index {
        variable: u32,
        index: i64,
    },
    /// An index outside the constant array with this number in the code.
    TableIndex {
        table: u32,
        index: i64,
    },
    /// A value that does not fit the variable.
    Range {
        variable: u32,
        value: i64,
    },
}

/// What an operator makes of two numbers.
#[inline]
pub(crate) fn apply(op: BinaryOp, left: i64, right: i64) -> Result<i64, FaultKind> {
    Ok(match op {
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Sub => left.wrapping_sub(right),
        BinaryOp::Mul => left.wrapping_mul(right),
        BinaryOp::Div if right == 0 => return Err(FaultKind::DivisionByZero),
        BinaryOp::Div => left.wrapping_div(right),
        BinaryOp::Mod if right == 0 => return Err(FaultKind::DivisionByZero),
        BinaryOp::Mod => left.wrapping_rem(right),
        BinaryOp::BitAnd => left & right,
        BinaryOp::BitOr => left | right,
        BinaryOp::BitXor => left ^ right,
        BinaryOp::Shl | BinaryOp::Shr if !(0..64).contains(&right) => return Err(FaultKind::Shift(right)),
        BinaryOp::Shl => left.wrapping_shl(right as u32),
        BinaryOp::Shr => left.wrapping_shr(right as u32),
        BinaryOp::Eq => i64::from(left == right),
        BinaryOp::Ne => i64::from(left != right),
        BinaryOp::Lt => i64::from(left < right),
        BinaryOp::Le => i64::from(left <= right),
        BinaryOp::Gt => i64::from(left > right),
        BinaryOp::Ge => i64::from(left >= right),
    })
}

/// What an operator makes of a number.
#[inline]
pub(crate) fn apply_unary(op: UnaryOp, operand: i64) -> i64 {
    match op {
        UnaryOp::Negate => operand.wrapping_neg(),
        UnaryOp::BitNot => !operand,
        UnaryOp::Not => i64::from(operand == 0),
    }
}

/// The value modulo the size of `lo ..= hi`, in that range.
#[inline]
pub(crate) fn wrap(value: i64, lo: i64, hi: i64) -> i64 {
    let size = i128::from(hi) - i128::from(lo) + 1;
    (i128::from(lo) + (i128::from(value) - i128::from(lo)).rem_euclid(size)) as i64
}

/// A slot's value as a number.
#[inline]
pub(crate) fn number(value: Value) -> i64 {
    i64::from(value.cast_signed())
}

/// Runs code for an expression on a state. `stack` has at least the code's depth.
pub(crate) fn evaluate(
    code: &Code,
    range: CodeRange,
    state: &[Value],
    stack: &mut [i64],
) -> Result<i64, Fault> {
    let mut accumulator = 0i64;
    let mut depth = 0;
    let mut pc = range.start as usize;
    let end = range.end as usize;
    let instrs = &code.instrs[..end];
    while pc < end {
        let fault = |kind| Fault { kind, site: Site::Instr(pc as u32) };
        match instrs[pc] {
            Instr::Constant(value) => accumulator = i64::from(value),
            Instr::Wide(at) => accumulator = code.wide[at as usize],
            Instr::Load(slot) => accumulator = number(state[slot as usize]),
            Instr::LoadCell { base, length, variable } => {
                if accumulator < 0 || accumulator >= i64::from(length) {
                    return Err(fault(FaultKind::Index { variable, index: accumulator }));
                }
                accumulator = number(state[base as usize + accumulator as usize]);
            }
            Instr::Push => {
                stack[depth] = accumulator;
                depth += 1;
            }
            Instr::Unary(op) => accumulator = apply_unary(op, accumulator),
            Instr::Binary(op) => {
                depth -= 1;
                accumulator = apply(op, stack[depth], accumulator).map_err(fault)?;
            }
            Instr::BinaryConstant(op, value) => {
                accumulator = apply(op, accumulator, i64::from(value)).map_err(fault)?;
            }
            Instr::BinarySlot(op, slot) => {
                accumulator = apply(op, accumulator, number(state[slot as usize])).map_err(fault)?;
            }
            Instr::SlotConstant(op, slot, value) => {
                accumulator = apply(op, number(state[slot as usize]), i64::from(value)).map_err(fault)?;
            }
            Instr::Truth => accumulator = i64::from(accumulator != 0),
            Instr::IfFalse(target) => {
                if accumulator == 0 {
                    pc = target as usize;
                    continue;
                }
            }
            Instr::IfTrue(target) => {
                if accumulator != 0 {
                    accumulator = 1;
                    pc = target as usize;
                    continue;
                }
            }
            Instr::Choose(target) => {
                if accumulator == 0 {
                    pc = target as usize;
                    continue;
                }
            }
            Instr::Jump(target) | Instr::Else(target) => {
                pc = target as usize;
                continue;
            }
            Instr::Disabled(at) => {
                accumulator =
                    i64::from(!all_true(code, &code.guard_sets[at as usize], state, &mut stack[depth..])?);
            }
            Instr::TableCell(at) => {
                let cells = &code.tables[at as usize].cells;
                let cell = usize::try_from(accumulator).ok().and_then(|index| cells.get(index));
                let Some(&value) = cell else {
                    return Err(fault(FaultKind::TableIndex { table: at, index: accumulator }));
                };
                accumulator = value;
            }
            Instr::Wrap(at) => {
                let (lo, hi) = code.wraps[at as usize];
                accumulator = wrap(accumulator, lo, hi);
            }
        }
        pc += 1;
    }
    Ok(accumulator)
}

/// Whether all guards are true. One that is false decides, even if another fails.
fn all_true(code: &Code, guards: &[CodeRange], state: &[Value], stack: &mut [i64]) -> Result<bool, Fault> {
    let mut failed = None;
    for &guard in guards {
        match evaluate(code, guard, state, stack) {
            Ok(0) => return Ok(false),
            Ok(_) => {}
            Err(fault) => failed = failed.or(Some(fault)),
        }
    }
    failed.map_or(Ok(true), Err)
}

impl FaultKind {
    /// The same in words, with the names and sizes of variables.
    pub fn describe(self, variables: &[Cells], code: &Code) -> EvalErrorKind {
        match self {
            Self::DivisionByZero => EvalErrorKind::DivisionByZero,
            Self::Shift(amount) => EvalErrorKind::ShiftAmount(amount),
            Self::Index { variable, index } => {
                let cells = &variables[variable as usize];
                EvalErrorKind::IndexOutOfRange {
                    array: cells.name.clone(),
                    index,
                    length: cells.length as usize,
                }
            }
            Self::TableIndex { table, index } => {
                let table = &code.tables[table as usize];
                if table.cells.is_empty() {
                    return EvalErrorKind::Other(table.name.clone());
                }
                EvalErrorKind::IndexOutOfRange { array: table.name.clone(), index, length: table.cells.len() }
            }
            Self::Range { variable, value } => {
                let cells = &variables[variable as usize];
                EvalErrorKind::ValueOutOfRange {
                    variable: cells.name.clone(),
                    value,
                    lo: cells.lo,
                    hi: cells.hi,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_into_a_range_is_modular() {
        assert_eq!(wrap(256, 0, 255), 0);
        assert_eq!(wrap(-1, 0, 255), 255);
        assert_eq!(wrap(32768, -32768, 32767), -32768);
        assert_eq!(wrap(-32769, -32768, 32767), 32767);
        assert_eq!(wrap(7, 0, 255), 7);
        assert_eq!(wrap(i64::MIN, i64::MIN, i64::MAX), i64::MIN);
        assert_eq!(wrap(5, 1, 4), 1);
    }

    #[test]
    fn arithmetic_at_the_edges_is_defined() {
        assert_eq!(apply(BinaryOp::Div, i64::MIN, -1), Ok(i64::MIN));
        assert_eq!(apply(BinaryOp::Mod, i64::MIN, -1), Ok(0));
        assert_eq!(apply(BinaryOp::Mod, -7, 3), Ok(-1));
        assert_eq!(apply(BinaryOp::Mod, 7, 0), Err(FaultKind::DivisionByZero));
        assert_eq!(apply(BinaryOp::Shl, 1, 64), Err(FaultKind::Shift(64)));
        assert_eq!(apply(BinaryOp::Shr, -8, 1), Ok(-4));
    }
}
