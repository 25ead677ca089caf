//! The machine that runs compact code: an accumulator, a small stack, no allocation.

use model::Value;

use super::{Code, CodeRange, Instr};
use crate::arithmetic::{apply, apply_unary, number, wrap};
use crate::fault::{Fault, FaultKind, Site};

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
