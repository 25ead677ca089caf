//! Memory: the vector that is read, the row that is being built, its marks, constant arrays. All addresses
//! are made here.
//!
//! A row is begun as a copy of the vector, changed cell by cell, and appended. Scratch cells stand behind it,
//! where the next row will be. Marks are a bit a cell, for rows that are appended with them.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::numbers::{Kind, Number};
use super::{Block, Builder, GOOD, STEADY};
use crate::contract::{TAG_BYTES, frame};

/// A computed cell that is known to be one of its array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell(u32);

/// Where a computed cell is.
#[derive(Clone, Copy)]
pub(crate) struct CheckedCell {
    /// From the start of the vector or the row, in bytes. Below `end * 4`.
    offset: Value,
    /// Behind the last cell of its array.
    end: usize,
    /// The block behind the comparison of its index.
    behind: Block,
}

/// A constant array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Table(u32);

/// Vectors that need no more registers of 16 bytes than this are loaded once a call; wider ones for each row
/// again.
const KEPT_REGISTERS: usize = 6;
/// Wider vectors are copied by a loop.
const MOST_UNROLLED: usize = 16;
/// Registers of 16 bytes that one turn of that loop copies.
const A_TURN: usize = 8;
const _: () = assert!(A_TURN <= MOST_UNROLLED, "a turn must not be wider than the vector");

impl Builder<'_> {
    /// A cell of the vector.
    ///
    /// # Panics
    /// When the vector is not as wide.
    pub fn slot(&mut self, slot: usize) -> Number {
        assert!(slot < self.shape.width, "BUG: slot {slot} of {}", self.shape.width);
        let value = self.function.ins().load(types::I32, STEADY, self.pointers.vector, slot as i32 * 4);
        Number(Kind::Narrow(value))
    }

    /// Cell `index` of the array of `length` cells that begins at cell `base`; goes to `otherwise` where
    /// there is none.
    ///
    /// # Panics
    /// When the array is not within vector and scratch.
    pub fn cell(&mut self, base: usize, length: usize, index: Number, otherwise: Block) -> Cell {
        let end = base.checked_add(length).expect("BUG: an array without an end");
        assert!(end <= self.shape.width + self.shape.scratch, "BUG: an array outside");
        let index = self.wide(index);
        // As an unsigned number a negative one is too large.
        let good = self.function.ins().icmp_imm(IntCC::UnsignedLessThan, index, length as i64);
        self.require(good, otherwise);
        let bytes = self.function.ins().ishl_imm(index, 2);
        let offset = self.function.ins().iadd_imm(bytes, base as i64 * 4);
        let behind = self.here();
        self.cells.push(CheckedCell { offset, end, behind });
        Cell(self.cells.len() as u32 - 1)
    }

    /// A computed cell of the vector.
    ///
    /// # Panics
    /// When its array is not in the vector.
    pub fn slot_at(&mut self, cell: Cell) -> Number {
        let CheckedCell { offset, end, .. } = self.checked(cell);
        assert!(end <= self.shape.width, "BUG: scratch is not in the vector");
        let address = self.function.ins().iadd(self.pointers.vector, offset);
        // It must not move above the comparison of its index.
        Number(Kind::Narrow(self.function.ins().load(types::I32, GOOD.with_readonly(), address, 0)))
    }

    /// Begins a row: a copy of the vector.
    pub fn begin_row(&mut self) {
        let row = self.row();
        let width = self.shape.width;
        if width < 4 {
            for slot in 0..width {
                let value =
                    self.function.ins().load(types::I32, STEADY, self.pointers.vector, slot as i32 * 4);
                self.function.ins().store(GOOD, value, row, slot as i32 * 4);
            }
            return;
        }
        let registers = width.div_ceil(4);
        if registers > MOST_UNROLLED {
            return self.copy_in_turns(row);
        }
        let flags = if registers <= KEPT_REGISTERS { STEADY } else { GOOD };
        // The last four cells overlap with those before them.
        for slot in (0..registers).map(|register| (register * 4).min(width - 4)) {
            let value = self.function.ins().load(types::I8X16, flags, self.pointers.vector, slot as i32 * 4);
            self.function.ins().store(GOOD, value, row, slot as i32 * 4);
        }
    }

    /// Copies the vector, [`A_TURN`] registers a turn; the last turn overlaps with the one before it. The one
    /// loop there is, and it ends: each turn but the last goes further.
    fn copy_in_turns(&mut self, row: Value) {
        let turn = A_TURN as i64 * 16;
        let last = self.shape.width as i64 * 4 - turn;
        let (head, more, next) =
            (self.function.create_block(), self.function.create_block(), self.function.create_block());
        let offset = self.function.append_block_param(head, types::I64);
        let zero = self.function.ins().iconst(types::I64, 0);
        self.function.ins().jump(head, &[zero.into()]);
        self.function.switch_to_block(head);
        let from = self.function.ins().iadd(self.pointers.vector, offset);
        let to = self.function.ins().iadd(row, offset);
        for register in 0..A_TURN as i32 {
            let value = self.function.ins().load(types::I8X16, GOOD, from, register * 16);
            self.function.ins().store(GOOD, value, to, register * 16);
        }
        let is_last = self.function.ins().icmp_imm(IntCC::UnsignedGreaterThanOrEqual, offset, last);
        self.function.ins().brif(is_last, next, &[], more, &[]);
        self.function.switch_to_block(more);
        self.function.seal_block(more);
        let further = self.function.ins().iadd_imm(offset, turn);
        let most = self.function.ins().iconst(types::I64, last);
        let beyond = self.function.ins().icmp(IntCC::UnsignedGreaterThan, further, most);
        let further = self.function.ins().select(beyond, most, further);
        self.function.ins().jump(head, &[further.into()]);
        self.function.seal_block(head);
        self.function.switch_to_block(next);
        self.function.seal_block(next);
    }

    /// Sets a cell of the row, or of its scratch, to the lower 32 bits of a number.
    ///
    /// # Panics
    /// When there is no such cell.
    pub fn set(&mut self, cell: usize, number: Number) {
        assert!(cell < self.shape.width + self.shape.scratch, "BUG: cell {cell} of a row");
        let (row, value) = (self.row(), self.narrow(number));
        self.function.ins().store(GOOD, value, row, cell as i32 * 4);
    }

    /// Sets a computed cell of the row or of its scratch.
    pub fn set_at(&mut self, cell: Cell, number: Number) {
        let CheckedCell { offset, .. } = self.checked(cell);
        let (row, value) = (self.row(), self.narrow(number));
        let address = self.function.ins().iadd(row, offset);
        self.function.ins().store(GOOD, value, address, 0);
    }

    /// A cell of the row, or of its scratch. What a row holds that was not begun, or scratch that was not
    /// set, is anything.
    ///
    /// # Panics
    /// When there is no such cell.
    pub fn get(&mut self, cell: usize) -> Number {
        assert!(cell < self.shape.width + self.shape.scratch, "BUG: cell {cell} of a row");
        let row = self.row();
        Number(Kind::Narrow(self.function.ins().load(types::I32, GOOD, row, cell as i32 * 4)))
    }

    /// A computed cell of the row or of its scratch.
    pub fn get_at(&mut self, cell: Cell) -> Number {
        let CheckedCell { offset, .. } = self.checked(cell);
        let row = self.row();
        let address = self.function.ins().iadd(row, offset);
        Number(Kind::Narrow(self.function.ins().load(types::I32, GOOD, address, 0)))
    }

    /// Gives the row that is being built these marks.
    ///
    /// # Panics
    /// When there are not as many words as the cells of a row need.
    pub fn mark(&mut self, words: &[u64]) {
        assert_eq!(words.len(), self.shape.width.div_ceil(64), "BUG: words of marks");
        let marks = self.marks();
        for (number, &word) in words.iter().enumerate() {
            let value = self.function.ins().iconst(types::I64, word.cast_signed());
            self.function.ins().store(GOOD, value, marks, number as i32 * 8);
        }
    }

    /// Takes the mark of a computed cell away again.
    ///
    /// # Panics
    /// When its array is not in the vector.
    pub fn unmark_at(&mut self, cell: Cell) {
        let CheckedCell { offset, end, .. } = self.checked(cell);
        assert!(end <= self.shape.width, "BUG: scratch has no marks");
        let marks = self.marks();
        let slot = self.function.ins().ushr_imm(offset, 2);
        let word = self.function.ins().ushr_imm(slot, 6);
        let word = self.function.ins().ishl_imm(word, 3);
        let address = self.function.ins().iadd(marks, word);
        let one = self.function.ins().iconst(types::I64, 1);
        // The amount of a shift counts modulo 64.
        let bit = self.function.ins().ishl(one, slot);
        let old = self.function.ins().load(types::I64, GOOD, address, 0);
        let new = self.function.ins().band_not(old, bit);
        self.function.ins().store(GOOD, new, address, 0);
    }

    /// Appends the row that was built, with two numbers and with or without its marks.
    pub fn append_row(&mut self, numbers: [u32; 2], with_marks: bool) {
        let row = self.row();
        self.count_row(with_marks);
        if with_marks {
            self.uses_marks();
            let marked = self.function.use_var(self.pointers.marked);
            let more = self.function.ins().iadd_imm(marked, self.shape.width.div_ceil(64) as i64);
            self.function.def_var(self.pointers.marked, more);
        }
        let tag = self.function.use_var(self.pointers.tag);
        for (place, number) in numbers.into_iter().enumerate() {
            let value = self.function.ins().iconst(types::I32, i64::from(number));
            self.function.ins().store(GOOD, value, tag, place as i32 * 4);
        }
        let marked = self.function.use_var(self.pointers.marked);
        self.function.ins().istore32(GOOD, marked, tag, 8);
        let next_row = self.function.ins().iadd_imm(row, self.shape.width as i64 * 4);
        self.function.def_var(self.pointers.row, next_row);
        let next_tag = self.function.ins().iadd_imm(tag, TAG_BYTES);
        self.function.def_var(self.pointers.tag, next_tag);
    }

    /// A constant array for [`Builder::table_cell`].
    pub fn table(&mut self, cells: &[i64]) -> Table {
        self.tables.push(cells.into());
        Table(self.tables.len() as u32 - 1)
    }

    /// Cell `index` of a constant array; goes to `otherwise` where there is none.
    pub fn table_cell(&mut self, table: Table, index: Number, otherwise: Block) -> Number {
        let cells = &self.tables[table.0 as usize];
        // The box does not move, and lives as long as the code.
        let (address, length) = (cells.as_ptr() as i64, cells.len() as i64);
        let index = self.wide(index);
        let good = self.function.ins().icmp_imm(IntCC::UnsignedLessThan, index, length);
        self.require(good, otherwise);
        let base = self.function.ins().iconst(types::I64, address);
        let offset = self.function.ins().ishl_imm(index, 3);
        let cell = self.function.ins().iadd(base, offset);
        Number(Kind::Wide(self.function.ins().load(types::I64, GOOD.with_readonly(), cell, 0)))
    }

    fn checked(&self, cell: Cell) -> CheckedCell {
        let checked = self.cells[cell.0 as usize];
        assert!(
            self.comes_through(checked.behind),
            "BUG: a cell whose index was not compared on the way here"
        );
        checked
    }

    /// The start of the row that is being built. There is always room for it: see `Need::cells`.
    fn row(&mut self) -> Value {
        self.uses_rows();
        self.function.use_var(self.pointers.row)
    }

    /// The start of its marks. There is always room for them: see `Need::marks`.
    fn marks(&mut self) -> Value {
        self.uses_marks();
        let first = self.function.ins().load(types::I64, STEADY, self.pointers.frame, frame::MARKS);
        let before = self.function.ins().load(types::I64, STEADY, self.pointers.frame, frame::MARKED);
        let marked = self.function.use_var(self.pointers.marked);
        let words = self.function.ins().isub(marked, before);
        let bytes = self.function.ins().ishl_imm(words, 3);
        self.function.ins().iadd(first, bytes)
    }
}
