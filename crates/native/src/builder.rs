//! The builder of a routine: blocks that go forward, and what they start from.
//!
//! Invariants that make routines safe. Forward only: a block is entered once, and nothing jumps to a block
//! that was entered; so the most rows that can be appended on the way to a block, and which blocks all ways
//! to it go through, are known when it is entered. Every address is made in `builder/rows.rs` from the
//! pointers that the routine was called with, or from a constant array; a computed one is used only behind
//! the comparison of its index. A number of another routine that is used by mistake is at worst another
//! number: its type is compared wherever it is used.

mod numbers;
mod rows;

use cranelift_codegen::ir::{self, BlockArg, InstBuilder, MemFlags, Value, types};
use cranelift_frontend::{FunctionBuilder, Switch, Variable};

use crate::contract::{FAULT, Shape, frame};
use numbers::Kind;
use rows::CheckedCell;

pub use numbers::{BinaryOp, Number, PartialOp, UnaryOp};
pub use rows::{Cell, Table};

/// A place to jump to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block(pub(crate) u32);

/// A place to jump to with a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Join(Block);

/// Builds one routine. It breaks its rules with a panic, never with code that does harm.
pub struct Builder<'a> {
    pub(crate) function: FunctionBuilder<'a>,
    pub(crate) shape: Shape,
    pub(crate) tables: &'a mut Vec<Box<[i64]>>,
    /// Cells whose index was compared with the length of their array. A [`Cell`](crate::Cell) is a place in
    /// this list, so that one of another routine is at worst another cell that was checked.
    pub(crate) cells: Vec<CheckedCell>,
    blocks: Vec<BlockState>,
    /// The block that is being filled, and the most on the ways to here; nothing after a jump.
    current: Option<(Block, BlockReach)>,
    /// The most on any way to an end.
    needs: RoomCount,
    pub(crate) pointers: Pointers,
    fault: Option<Block>,
    argument: Value,
}

/// What a routine was called with, and how far it has come.
#[derive(Clone, Copy)]
pub(crate) struct Pointers {
    pub vector: Value,
    pub frame: Value,
    /// The row that is being built.
    pub row: Variable,
    /// The tag of the row that is being built.
    pub tag: Variable,
    /// How many words of marks there are, with those of former routines.
    pub marked: Variable,
}

/// What a routine needs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RoomCount {
    pub rows: u32,
    pub marked: u32,
    pub uses_rows: bool,
    pub uses_marks: bool,
}

struct BlockState {
    block: ir::Block,
    entered: bool,
    /// Something jumps here, be it code that is never reached itself.
    named: bool,
    /// The most on the ways here that are known so far; nothing if there is no way.
    reached: Option<BlockReach>,
    /// The last block that all these ways go through, and how many there are above that one.
    dominator: Block,
    depth: u32,
}

/// Where a routine begins.
const ENTRY: Block = Block(0);

/// Most rows and most rows with marks that were appended on the way.
#[derive(Clone, Copy, Default)]
struct BlockReach {
    rows: u32,
    marked: u32,
}

impl BlockReach {
    fn max(self, other: Self) -> Self {
        Self { rows: self.rows.max(other.rows), marked: self.marked.max(other.marked) }
    }
}

/// A pointer that the routine was called with is always good to follow.
pub(crate) const GOOD: MemFlags = MemFlags::new().with_notrap();
/// The vector and constant arrays do not change during a call.
pub(crate) const STEADY: MemFlags = GOOD.with_readonly().with_can_move();

impl<'a> Builder<'a> {
    pub(crate) fn new(
        mut function: FunctionBuilder<'a>,
        shape: Shape,
        tables: &'a mut Vec<Box<[i64]>>,
    ) -> Self {
        let entry = function.create_block();
        function.append_block_params_for_function_params(entry);
        function.switch_to_block(entry);
        function.seal_block(entry);
        let &[vector, frame_pointer, argument] = function.block_params(entry) else {
            unreachable!("BUG: a routine has three arguments")
        };
        let mut begin = |ty, offset| {
            let variable = function.declare_var(ty);
            let value = function.ins().load(ty, STEADY, frame_pointer, offset);
            function.def_var(variable, value);
            variable
        };
        let pointers = Pointers {
            vector,
            frame: frame_pointer,
            row: begin(types::I64, frame::CELLS),
            tag: begin(types::I64, frame::TAGS),
            marked: begin(types::I64, frame::MARKED),
        };
        Self {
            function,
            shape,
            tables,
            cells: Vec::new(),
            blocks: vec![BlockState {
                block: entry,
                entered: true,
                named: true,
                reached: Some(BlockReach::default()),
                dominator: ENTRY,
                depth: 0,
            }],
            current: Some((ENTRY, BlockReach::default())),
            needs: RoomCount::default(),
            pointers,
            fault: None,
            argument,
        }
    }

    pub(crate) fn finish(mut self) -> RoomCount {
        assert!(self.current.is_none(), "BUG: a routine without an end");
        if let Some(fault) = self.fault {
            self.enter(fault);
            let answer = self.function.ins().iconst(types::I64, FAULT);
            self.function.ins().return_(&[answer]);
        }
        let forgotten = self.blocks.iter().any(|block| !block.entered && block.named);
        assert!(!forgotten, "BUG: a jump to a block that was never entered");
        self.function.finalize();
        self.needs
    }

    /// The number that the routine is called with.
    pub fn argument(&self) -> Number {
        Number(Kind::Wide(self.argument))
    }

    /// A new block.
    pub fn block(&mut self) -> Block {
        let block = self.function.create_block();
        self.blocks.push(BlockState {
            block,
            entered: false,
            named: false,
            reached: None,
            dominator: ENTRY,
            depth: 1,
        });
        Block(self.blocks.len() as u32 - 1)
    }

    /// A new block that is jumped to with a number.
    pub fn join(&mut self) -> Join {
        let join = self.block();
        self.function.append_block_param(self.blocks[join.0 as usize].block, types::I64);
        Join(join)
    }

    /// The block where the routine ends with a fault.
    pub fn fault(&mut self) -> Block {
        if let Some(fault) = self.fault {
            return fault;
        }
        let fault = self.block();
        self.function.set_cold_block(self.blocks[fault.0 as usize].block);
        self.fault = Some(fault);
        fault
    }

    /// What comes next stands in this block. Answers whether anything jumps to it.
    ///
    /// # Panics
    /// When the block before has no end, or the block was entered before.
    pub fn enter(&mut self, block: Block) -> bool {
        assert!(self.current.is_none(), "BUG: a block without an end");
        let state = &mut self.blocks[block.0 as usize];
        assert!(!state.entered, "BUG: a block is entered twice");
        state.entered = true;
        self.current = Some((block, state.reached.unwrap_or_default()));
        self.function.switch_to_block(state.block);
        // Nothing jumps to it from now on.
        self.function.seal_block(state.block);
        state.reached.is_some()
    }

    /// What comes next stands in this block, and starts with the number that was jumped with.
    pub fn enter_join(&mut self, join: Join) -> Number {
        self.enter(join.0);
        Number(Kind::Wide(self.function.block_params(self.blocks[join.0.0 as usize].block)[0]))
    }

    /// The end of a block: goes on in another.
    pub fn jump(&mut self, to: Block) {
        let target = self.target(to);
        self.function.ins().jump(target, &[]);
        self.current = None;
    }

    /// The end of a block: goes on in another, with a number.
    pub fn jump_with(&mut self, to: Join, number: Number) {
        let number = self.wide(number);
        let target = self.target(to.0);
        self.function.ins().jump(target, &[BlockArg::Value(number)]);
        self.current = None;
    }

    /// The end of a block: goes on in the first block if the number is not zero, otherwise in the second.
    pub fn branch(&mut self, condition: Number, if_true: Block, if_false: Block) {
        if let Number(Kind::Constant(known)) = condition {
            return self.jump(if known != 0 { if_true } else { if_false });
        }
        let condition = self.condition(condition);
        let (if_true, if_false) = (self.target(if_true), self.target(if_false));
        self.function.ins().brif(condition, if_true, &[], if_false, &[]);
        self.current = None;
    }

    /// The end of a block: goes on in the block whose number is that of the slot's 32 bits, or in
    /// `otherwise`.
    pub fn switch(&mut self, on: Number, cases: &[(u32, Block)], otherwise: Block) {
        let on = self.narrow(on);
        let mut switch = Switch::new();
        for &(case, block) in cases {
            let target = self.target(block);
            switch.set_entry(u128::from(case), target);
        }
        let otherwise = self.target(otherwise);
        switch.emit(&mut self.function, on, otherwise);
        self.current = None;
    }

    /// The end of the routine.
    pub fn done(&mut self) {
        self.reach();
        let (tag, frame_pointer) = (self.function.use_var(self.pointers.tag), self.pointers.frame);
        let first = self.function.ins().load(types::I64, STEADY, frame_pointer, frame::TAGS);
        let answer = self.function.ins().isub(tag, first);
        self.function.ins().return_(&[answer]);
        self.current = None;
    }

    /// The end of the routine, and its number.
    pub fn done_with(&mut self, number: Number) {
        let number = self.wide(number);
        self.function.ins().store(GOOD, number, self.pointers.frame, frame::VALUE);
        self.done();
    }

    pub(crate) fn count_row(&mut self, with_marks: bool) {
        let (_, reached) = self.current.as_mut().expect("BUG: code after the end of a block");
        reached.rows += 1;
        reached.marked += u32::from(with_marks);
    }

    pub(crate) fn uses_rows(&mut self) {
        self.needs.uses_rows = true;
    }

    pub(crate) fn uses_marks(&mut self) {
        self.needs.uses_marks = true;
    }

    fn reach(&mut self) -> (Block, BlockReach) {
        let (block, reached) = self.current.expect("BUG: code after the end of a block");
        self.needs.rows = self.needs.rows.max(reached.rows);
        self.needs.marked = self.needs.marked.max(reached.marked);
        (block, reached)
    }

    fn target(&mut self, to: Block) -> ir::Block {
        let (from, here) = self.reach();
        let state = &mut self.blocks[to.0 as usize];
        assert!(!state.entered, "BUG: a jump backwards");
        state.named = true;
        if self.is_dead(from) {
            return self.blocks[to.0 as usize].block;
        }
        let state = &self.blocks[to.0 as usize];
        let dominator = match state.reached {
            // It does nothing but end, and is jumped to from everywhere.
            _ if self.fault == Some(to) => ENTRY,
            None => from,
            Some(_) => self.common_dominator(state.dominator, from),
        };
        let depth = self.blocks[dominator.0 as usize].depth + 1;
        let state = &mut self.blocks[to.0 as usize];
        state.reached = Some(state.reached.map_or(here, |known| known.max(here)));
        (state.dominator, state.depth) = (dominator, depth);
        state.block
    }

    /// The last block that all ways to both go through.
    fn common_dominator(&self, mut one: Block, mut other: Block) -> Block {
        while one != other {
            let (a, b) = (&self.blocks[one.0 as usize], &self.blocks[other.0 as usize]);
            if a.depth >= b.depth {
                one = a.dominator;
            } else {
                other = b.dominator;
            }
        }
        one
    }

    /// The block that is being filled.
    pub(crate) fn here(&self) -> Block {
        self.current.expect("BUG: code after the end of a block").0
    }

    /// Whether the block, which was entered, is never reached.
    fn is_dead(&self, block: Block) -> bool {
        self.blocks[block.0 as usize].reached.is_none()
    }

    /// Whether every way to here goes through the block.
    pub(crate) fn comes_through(&self, block: Block) -> bool {
        if self.is_dead(self.here()) {
            return true;
        }
        let depth = self.blocks[block.0 as usize].depth;
        let mut above = self.here();
        while self.blocks[above.0 as usize].depth > depth {
            above = self.blocks[above.0 as usize].dominator;
        }
        above == block
    }

    /// Goes on in a new block if the condition holds, otherwise in the one that is named.
    pub(crate) fn require(&mut self, condition: Value, otherwise: Block) {
        let next = self.block();
        let (next_target, otherwise) = (self.target(next), self.target(otherwise));
        self.function.ins().brif(condition, next_target, &[], otherwise, &[]);
        self.current = None;
        self.enter(next);
    }
}
