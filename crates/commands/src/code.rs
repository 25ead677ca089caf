//! Compact code: expressions as flat instructions for an accumulator, updates as lists of stores.
//!
//! Comparisons of a slot with a constant, most of what guards do, are one instruction. Example: with `x`,
//! `y` and `z` in slots 0, 1 and 2, `x < 3` is `SlotConstant(Lt, 0, 3)`, and `(x + 1) * (y - z)` is
//! `SlotConstant(Add, 0, 1)`, `Push`, `Load(1)`, `BinarySlot(Sub, 2)`, `Binary(Mul)`.

pub(crate) mod machine;

use std::sync::Arc;

use model::Value;

use crate::arithmetic::wrap;
use crate::cell_map::{CellMap, Cells};
use crate::fault::FaultKind;
use crate::fold::constant;
use crate::program::{Assign, At, BinaryOp, Expr, Overflow, Place, Table, UnaryOp};

/// One instruction. The accumulator is the left operand of binary instructions unless they say otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Instr {
    Constant(i32),
    /// A constant that does not fit the instruction.
    Wide(u32),
    Load(u32),
    /// The cell whose index is in the accumulator.
    LoadCell {
        base: u32,
        length: u32,
        variable: u32,
    },
    Push,
    Unary(UnaryOp),
    /// Left operand from the stack, right operand in the accumulator.
    Binary(BinaryOp),
    BinaryConstant(BinaryOp, i32),
    BinarySlot(BinaryOp, u32),
    /// Left operand a slot, right operand a constant.
    SlotConstant(BinaryOp, u32, i32),
    /// Makes 1 of all that is not 0.
    Truth,
    Jump(u32),
    /// Jumps when 0, which stays.
    IfFalse(u32),
    /// Jumps when not 0, which becomes 1.
    IfTrue(u32),
    /// Jumps when 0, to the code behind the [`Instr::Else`] that belongs to it: the begin of a choice.
    Choose(u32),
    /// Jumps to the end of a choice.
    Else(u32),
    Wrap(u32),
    /// Whether one of these guards is false.
    Disabled(u32),
    /// The cell of a constant array whose index is in the accumulator.
    TableCell(u32),
}

/// A stretch of instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CodeRange {
    pub start: u32,
    pub end: u32,
}

impl CodeRange {
    /// How many instructions there are.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }
}

/// One assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Store {
    /// A constant that is known to fit.
    Constant {
        slot: u32,
        value: Value,
    },
    Slot {
        slot: u32,
        variable: u32,
        value: CodeRange,
    },
    Cell {
        variable: u32,
        index: CodeRange,
        value: CodeRange,
    },
}

/// All code of a model.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub instrs: Vec<Instr>,
    /// Where each instruction stands in the source.
    pub instr_at: Vec<At>,
    pub wide: Vec<i64>,
    pub wraps: Vec<(i64, i64)>,
    pub tables: Vec<Arc<Table>>,
    /// Code of guards that are asked for together.
    pub guard_sets: Vec<Vec<CodeRange>>,
    pub stores: Vec<Store>,
    /// Where each store stands in the source.
    pub store_at: Vec<At>,
    /// How deep a stack the code needs.
    pub depth: usize,
}

/// The value as a slot holds it, if the variable can hold it.
#[inline]
pub(crate) fn fit(cells: &Cells, variable: u32, value: i64) -> Result<Value, FaultKind> {
    let held = if (cells.lo..=cells.hi).contains(&value) {
        value
    } else {
        match cells.overflow {
            Overflow::Error => return Err(FaultKind::Range { variable, value }),
            Overflow::Wrap => wrap(value, cells.lo, cells.hi),
        }
    };
    Ok(held as Value)
}

impl Code {
    /// Appends code for an expression.
    pub fn expression(&mut self, cell_map: &CellMap, expr: &Expr) -> CodeRange {
        let start = self.instrs.len() as u32;
        self.emit(cell_map, expr, 0);
        CodeRange { start, end: self.instrs.len() as u32 }
    }

    /// Appends a store; the answer is its number.
    pub fn store(&mut self, cell_map: &CellMap, assign: &Assign) -> u32 {
        let Place { variable, index, at } = &assign.target;
        let cells = cell_map.of(*variable);
        let number = variable.0;
        let cell = match index {
            None => Some(0),
            Some(index) => constant(index).filter(|i| (0..i64::from(cells.length)).contains(i)),
        };
        let known = constant(&assign.value).and_then(|value| fit(cells, number, value).ok());
        let store = match (cell, known, index) {
            (Some(cell), Some(value), _) => Store::Constant { slot: cells.base + cell as u32, value },
            (Some(cell), None, _) => Store::Slot {
                slot: cells.base + cell as u32,
                variable: number,
                value: self.expression(cell_map, &assign.value),
            },
            (None, _, Some(index)) => Store::Cell {
                variable: number,
                index: self.expression(cell_map, index),
                value: self.expression(cell_map, &assign.value),
            },
            (None, _, None) => unreachable!("BUG: a single variable has cell 0"),
        };
        self.stores.push(store);
        self.store_at.push(if assign.at.0.is_some() { assign.at } else { *at });
        self.stores.len() as u32 - 1
    }

    fn push(&mut self, instr: Instr, at: At) {
        self.instrs.push(instr);
        self.instr_at.push(at);
    }

    /// Code that leaves the value in the accumulator, with `depth` numbers on the stack below it.
    fn emit(&mut self, cell_map: &CellMap, expr: &Expr, depth: usize) {
        self.depth = self.depth.max(depth);
        match expr {
            Expr::Constant(value) => self.constant(*value),
            Expr::Read(place) => self.read(cell_map, place, depth),
            Expr::Unary(op, operand) => {
                self.emit(cell_map, operand, depth);
                self.push(Instr::Unary(*op), At(None));
            }
            Expr::Binary(op, left, right, at) => self.binary(cell_map, (*op, *at), left, right, depth),
            Expr::And(left, right) => self.lazy(cell_map, left, right, depth, Instr::IfFalse),
            Expr::Or(left, right) => self.lazy(cell_map, left, right, depth, Instr::IfTrue),
            Expr::If(condition, then, otherwise) => {
                self.emit(cell_map, condition, depth);
                let choose = self.instrs.len();
                self.push(Instr::Choose(0), At(None));
                self.emit(cell_map, then, depth);
                let end = self.instrs.len();
                self.push(Instr::Else(0), At(None));
                self.instrs[choose] = Instr::Choose(self.instrs.len() as u32);
                self.emit(cell_map, otherwise, depth);
                self.instrs[end] = Instr::Else(self.instrs.len() as u32);
            }
            Expr::Disabled(guards) => self.disabled(cell_map, guards, depth),
            Expr::Table { table, index, at } => {
                self.emit(cell_map, index, depth);
                self.tables.push(Arc::clone(table));
                self.push(Instr::TableCell(self.tables.len() as u32 - 1), *at);
            }
            Expr::Wrap { lo, hi, value } => {
                self.emit(cell_map, value, depth);
                self.wraps.push((*lo, *hi));
                self.push(Instr::Wrap(self.wraps.len() as u32 - 1), At(None));
            }
        }
    }

    fn constant(&mut self, value: i64) {
        let instr = match i32::try_from(value) {
            Ok(small) => Instr::Constant(small),
            Err(_) => {
                self.wide.push(value);
                Instr::Wide(self.wide.len() as u32 - 1)
            }
        };
        self.push(instr, At(None));
    }

    fn read(&mut self, cell_map: &CellMap, place: &Place, depth: usize) {
        match cell_map.single_slot(place) {
            Some(slot) => self.push(Instr::Load(slot), place.at),
            None => {
                let index = place.index.as_ref().expect("BUG: a single variable has one slot");
                self.emit(cell_map, index, depth);
                let cells = cell_map.of(place.variable);
                let load =
                    Instr::LoadCell { base: cells.base, length: cells.length, variable: place.variable.0 };
                self.push(load, place.at);
            }
        }
    }

    fn binary(
        &mut self,
        cell_map: &CellMap,
        (op, at): (BinaryOp, At),
        left: &Expr,
        right: &Expr,
        depth: usize,
    ) {
        let slot_of = |expr: &Expr| match expr {
            Expr::Read(place) => cell_map.single_slot(place),
            _ => None,
        };
        let small = match right {
            Expr::Constant(value) => i32::try_from(*value).ok(),
            _ => None,
        };
        match (slot_of(left), small, slot_of(right)) {
            (Some(slot), Some(value), _) => self.push(Instr::SlotConstant(op, slot, value), at),
            (None, Some(value), _) => {
                self.emit(cell_map, left, depth);
                self.push(Instr::BinaryConstant(op, value), at);
            }
            (_, None, Some(slot)) => {
                self.emit(cell_map, left, depth);
                self.push(Instr::BinarySlot(op, slot), at);
            }
            (_, None, None) => {
                self.emit(cell_map, left, depth);
                self.push(Instr::Push, At(None));
                self.emit(cell_map, right, depth + 1);
                self.push(Instr::Binary(op), at);
            }
        }
    }

    /// The guards' code stands before the instruction that runs it, and is jumped over.
    fn disabled(&mut self, cell_map: &CellMap, guards: &[Expr], depth: usize) {
        let over = self.instrs.len();
        self.push(Instr::Jump(0), At(None));
        let ranges = guards.iter().map(|guard| {
            let start = self.instrs.len() as u32;
            // Run on the same stack, above what is there.
            self.emit(cell_map, guard, depth);
            CodeRange { start, end: self.instrs.len() as u32 }
        });
        let ranges = ranges.collect();
        self.guard_sets.push(ranges);
        self.instrs[over] = Instr::Jump(self.instrs.len() as u32);
        self.push(Instr::Disabled(self.guard_sets.len() as u32 - 1), At(None));
    }

    fn lazy(&mut self, cell_map: &CellMap, left: &Expr, right: &Expr, depth: usize, jump: fn(u32) -> Instr) {
        self.emit(cell_map, left, depth);
        let at = self.instrs.len();
        self.push(jump(0), At(None));
        self.emit(cell_map, right, depth);
        self.push(Instr::Truth, At(None));
        self.instrs[at] = jump(self.instrs.len() as u32);
    }
}
