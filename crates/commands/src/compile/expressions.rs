//! Expressions as machine code: the flat code of `code.rs` is gone through once, its accumulator and its
//! stack are numbers of the builder. No recursion but for guards within guards.

use std::collections::BTreeMap;

use base::GuardIx;
use native::{BinaryOp as Op, Block, Builder, Join, Number, PartialOp, Table, UnaryOp as Unary};

use crate::code::{CodeRange, Instr};
use crate::coded::{CodedProgram, GuardCode};
use crate::program::{BinaryOp, UnaryOp};

/// The right operand of a lazy operator with at most so many instructions, none of which can fail, is
/// computed always: that costs less than a branch that is foreseen wrongly.
const CHEAP: usize = 6;

/// Emits the code of a model into one routine.
pub(super) struct Emitter<'m, 'b, 'r> {
    pub coded: &'m CodedProgram,
    pub builder: &'b mut Builder<'r>,
    /// The constant arrays that were needed so far, by their number in the model's code.
    pub tables: &'b mut BTreeMap<u32, Table>,
    /// The slot whose value is known here, from where the routine has looked up which commands to try.
    pub known: Option<(u32, u32)>,
    pub row: RowView,
}

/// What is known of the row that is being built.
#[derive(Default)]
pub(super) struct RowView {
    /// What fixed cells were set to.
    pub set: BTreeMap<u32, Number>,
    /// Arrays some computed cell of which was set, as ranges of cells.
    pub set_somewhere: Vec<(u32, u32)>,
}

/// A condition.
#[derive(Clone, Copy)]
pub(super) enum Test {
    Compare(BinaryOp, u32, i32),
    Code(CodeRange),
}

/// An operand of a lazy operator that is not closed yet.
struct Open {
    /// The instruction before which it is closed.
    until: u32,
    how: Lazy,
}

enum Lazy {
    /// Both operands are computed.
    Both { left: Number, op: Op },
    /// The other way leads here.
    Join(Join),
}

impl Emitter<'_, '_, '_> {
    pub fn test_of(&self, guard: GuardIx) -> Test {
        match self.coded.guards[guard.ix()] {
            GuardCode::Compare(op, slot, value) => Test::Compare(op, slot, value),
            GuardCode::Code(range) => Test::Code(range),
        }
    }

    /// The value of a test; goes to `fault` where it has none.
    pub fn test(&mut self, test: Test, fault: Block) -> Number {
        match test {
            Test::Compare(op, slot, value) => {
                let (left, right) = (self.load(slot), self.builder.constant(value.into()));
                self.apply(op, left, right, fault)
            }
            Test::Code(range) => self.evaluate(range, fault),
        }
    }

    /// The value of an expression; goes to `fault` where it has none.
    pub fn evaluate(&mut self, range: CodeRange, fault: Block) -> Number {
        let coded = self.coded;
        let mut accumulator = self.builder.constant(0);
        let mut stack: Vec<Number> = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        let mut choices: Vec<(Block, Join)> = Vec::new();
        let mut pc = range.start;
        loop {
            while let Some(lazy) = open.pop_if(|lazy| lazy.until == pc) {
                accumulator = self.close(lazy.how, accumulator);
            }
            if pc >= range.end {
                return accumulator;
            }
            let pop = |stack: &mut Vec<Number>| stack.pop().expect("BUG: code without its left operand");
            match coded.code.instrs[pc as usize] {
                Instr::Constant(value) => accumulator = self.builder.constant(value.into()),
                Instr::Wide(at) => accumulator = self.builder.constant(coded.code.wide[at as usize]),
                Instr::Load(slot) => accumulator = self.load(slot),
                Instr::LoadCell { base, length, .. } => {
                    accumulator = self.load_cell(base, length, accumulator, fault)
                }
                Instr::Push => stack.push(accumulator),
                Instr::Unary(op) => accumulator = self.builder.unary(unary(op), accumulator),
                Instr::Binary(op) => accumulator = self.apply(op, pop(&mut stack), accumulator, fault),
                Instr::BinaryConstant(op, value) => {
                    let right = self.builder.constant(value.into());
                    accumulator = self.apply(op, accumulator, right, fault);
                }
                Instr::BinarySlot(op, slot) => {
                    let right = self.load(slot);
                    accumulator = self.apply(op, accumulator, right, fault);
                }
                Instr::SlotConstant(op, slot, value) => {
                    accumulator = self.test(Test::Compare(op, slot, value), fault);
                }
                Instr::Truth => accumulator = self.builder.unary(Unary::Truth, accumulator),
                Instr::IfFalse(until) => {
                    accumulator = self.open(
                        &mut open,
                        accumulator,
                        CodeRange { start: pc + 1, end: until },
                        Op::BitAnd,
                    );
                }
                Instr::IfTrue(until) => {
                    accumulator =
                        self.open(&mut open, accumulator, CodeRange { start: pc + 1, end: until }, Op::BitOr);
                }
                Instr::Choose(_) => {
                    let (then, otherwise) = (self.builder.block(), self.builder.block());
                    choices.push((otherwise, self.builder.join()));
                    self.builder.branch(accumulator, then, otherwise);
                    self.builder.enter(then);
                }
                Instr::Else(until) => {
                    let (otherwise, join) = choices.pop().expect("BUG: an else without its choice");
                    self.builder.jump_with(join, accumulator);
                    self.builder.enter(otherwise);
                    open.push(Open { until, how: Lazy::Join(join) });
                }
                Instr::Jump(target) => {
                    pc = target;
                    continue;
                }
                Instr::Wrap(at) => {
                    let (lo, hi) = coded.code.wraps[at as usize];
                    accumulator = self.wrap(accumulator, lo, hi, fault);
                }
                Instr::Disabled(at) => accumulator = self.disabled(at, fault),
                Instr::TableCell(at) => {
                    let cells = &coded.code.tables[at as usize].cells;
                    let builder = &mut *self.builder;
                    let table = *self.tables.entry(at).or_insert_with(|| builder.table(cells));
                    accumulator = builder.table_cell(table, accumulator, fault);
                }
            }
            pc += 1;
        }
    }

    /// Begins the right operand of a lazy operator.
    fn open(&mut self, open: &mut Vec<Open>, left: Number, right: CodeRange, op: Op) -> Number {
        let how = if self.is_plain(right) && right.len() <= CHEAP {
            Lazy::Both { left: self.builder.unary(Unary::Truth, left), op }
        } else {
            let (decided, undecided) = (self.builder.block(), self.builder.block());
            let join = self.builder.join();
            match op {
                Op::BitAnd => self.builder.branch(left, undecided, decided),
                _ => self.builder.branch(left, decided, undecided),
            }
            self.builder.enter(decided);
            let answer = self.builder.constant(if op == Op::BitAnd { 0 } else { 1 });
            self.builder.jump_with(join, answer);
            self.builder.enter(undecided);
            Lazy::Join(join)
        };
        open.push(Open { until: right.end, how });
        left
    }

    fn close(&mut self, how: Lazy, right: Number) -> Number {
        match how {
            Lazy::Both { left, op } => self.builder.binary(op, left, right),
            Lazy::Join(join) => {
                self.builder.jump_with(join, right);
                self.builder.enter_join(join)
            }
        }
    }

    /// Whether a command with these guards is disabled.
    fn disabled(&mut self, set: u32, fault: Block) -> Number {
        let tests: Vec<Test> =
            self.coded.code.guard_sets[set as usize].iter().map(|&range| Test::Code(range)).collect();
        let (join, disabled) = (self.builder.join(), self.builder.block());
        self.all_true(&tests, disabled, fault);
        let no = self.builder.constant(0);
        self.builder.jump_with(join, no);
        self.builder.enter(disabled);
        let yes = self.builder.constant(1);
        self.builder.jump_with(join, yes);
        self.builder.enter_join(join)
    }

    /// Goes on where all tests are true, to `if_false` where one is false, and otherwise, where one fails, to
    /// `fault`.
    ///
    /// Tests that cannot fail come first: no answer depends on the order, and behind them fewer of the others
    /// fail.
    pub fn all_true(&mut self, tests: &[Test], if_false: Block, fault: Block) {
        let (plain, others): (Vec<Test>, Vec<Test>) = tests.iter().partition(|test| match test {
            Test::Compare(..) => true,
            Test::Code(range) => self.is_plain(*range),
        });
        let mut at_once: Option<(Number, usize)> = None;
        for test in plain {
            let cost = if let Test::Code(range) = test { range.len() } else { 1 };
            if let Some((condition, _)) = at_once.take_if(|(_, spent)| *spent + cost > CHEAP) {
                self.require(condition, if_false);
            }
            let value = self.test(test, fault);
            let value = self.builder.unary(Unary::Truth, value);
            at_once = Some(match at_once {
                None => (value, cost),
                Some((before, spent)) => (self.builder.binary(Op::BitAnd, before, value), spent + cost),
            });
        }
        if let Some((condition, _)) = at_once {
            self.require(condition, if_false);
        }
        // Where one has failed, those behind it are still asked whether they are false.
        let mut failed: Option<Number> = None;
        for (number, &test) in others.iter().enumerate() {
            if number + 1 == others.len() || !self.can_fail(test) {
                let value = self.test(test, fault);
                self.require(value, if_false);
                continue;
            }
            let (here, next, is_true) = (self.builder.block(), self.builder.join(), self.builder.block());
            let value = self.test(test, here);
            self.builder.branch(value, is_true, if_false);
            self.builder.enter(is_true);
            let before = failed.unwrap_or(self.builder.constant(0));
            self.builder.jump_with(next, before);
            self.builder.enter(here);
            let yes = self.builder.constant(1);
            self.builder.jump_with(next, yes);
            failed = Some(self.builder.enter_join(next));
        }
        if let Some(failed) = failed {
            let fine = self.builder.block();
            self.builder.branch(failed, fault, fine);
            self.builder.enter(fine);
        }
    }

    /// Goes on if the condition is true.
    pub fn require(&mut self, condition: Number, otherwise: Block) {
        let next = self.builder.block();
        self.builder.branch(condition, next, otherwise);
        self.builder.enter(next);
    }

    fn load(&mut self, slot: u32) -> Number {
        let slots = self.coded.cell_map.slots as u32;
        if let Some(&number) = self.row.set.get(&slot) {
            number
        } else if slot >= slots || self.row.is_set_somewhere(slot, slot + 1) {
            self.builder.get(slot as usize)
        } else if let Some((_, value)) = self.known.filter(|(known, _)| *known == slot) {
            self.builder.constant(value.into())
        } else {
            self.builder.slot(slot as usize)
        }
    }

    fn load_cell(&mut self, base: u32, length: u32, index: Number, fault: Block) -> Number {
        let cell = self.builder.cell(base as usize, length as usize, index, fault);
        let end = base + length;
        let in_row = self.row.set.range(base..end).next().is_some() || self.row.is_set_somewhere(base, end);
        if in_row || base >= self.coded.cell_map.slots as u32 {
            self.builder.get_at(cell)
        } else {
            self.builder.slot_at(cell)
        }
    }

    /// Ranges that the builder does not wrap into are left to the interpreter.
    pub fn wrap(&mut self, number: Number, lo: i64, hi: i64, fault: Block) -> Number {
        match self.builder.wrap(number, lo, hi) {
            Some(wrapped) => wrapped,
            None => self.builder.within(number, lo, hi, fault),
        }
    }

    fn apply(&mut self, op: BinaryOp, left: Number, right: Number, fault: Block) -> Number {
        let total = match op {
            BinaryOp::Add => Op::Add,
            BinaryOp::Sub => Op::Sub,
            BinaryOp::Mul => Op::Mul,
            BinaryOp::BitAnd => Op::BitAnd,
            BinaryOp::BitOr => Op::BitOr,
            BinaryOp::BitXor => Op::BitXor,
            BinaryOp::Eq => Op::Eq,
            BinaryOp::Ne => Op::Ne,
            BinaryOp::Lt => Op::Lt,
            BinaryOp::Le => Op::Le,
            BinaryOp::Gt => Op::Gt,
            BinaryOp::Ge => Op::Ge,
            BinaryOp::Div => return self.builder.partial(PartialOp::Div, left, right, fault),
            BinaryOp::Mod => return self.builder.partial(PartialOp::Mod, left, right, fault),
            BinaryOp::Shl => return self.builder.partial(PartialOp::Shl, left, right, fault),
            BinaryOp::Shr => return self.builder.partial(PartialOp::Shr, left, right, fault),
        };
        self.builder.binary(total, left, right)
    }

    fn can_fail(&self, test: Test) -> bool {
        match test {
            Test::Compare(..) => false,
            Test::Code(range) => self.instrs(range).iter().any(|instr| can_fail(*instr)),
        }
    }

    /// Whether the code cannot fail and asks for no guards.
    fn is_plain(&self, range: CodeRange) -> bool {
        let plain = |instr: &Instr| {
            let wraps = match instr {
                // The builder may leave these to the interpreter.
                Instr::Wrap(at) => self.coded.code.wraps[*at as usize],
                _ => (0, 0),
            };
            let served = i128::from(wraps.1) - i128::from(wraps.0) < 1 << 62 && wraps.0 <= wraps.1;
            !can_fail(*instr)
                && served
                && !matches!(instr, Instr::Jump(_) | Instr::Disabled(_) | Instr::Choose(_))
        };
        self.instrs(range).iter().all(plain)
    }

    fn instrs(&self, range: CodeRange) -> &[Instr] {
        &self.coded.code.instrs[range.start as usize..range.end as usize]
    }
}

impl RowView {
    fn is_set_somewhere(&self, start: u32, end: u32) -> bool {
        self.set_somewhere.iter().any(|&(first, last)| first < end && start < last)
    }
}

/// Whether an instruction can have no value; the code of guards that `Disabled` asks for stands before it and
/// is looked at by itself.
fn can_fail(instr: Instr) -> bool {
    let partial = |op: BinaryOp| matches!(op, BinaryOp::Div | BinaryOp::Mod | BinaryOp::Shl | BinaryOp::Shr);
    match instr {
        Instr::LoadCell { .. } | Instr::TableCell(_) => true,
        Instr::Binary(op) | Instr::BinarySlot(op, _) => partial(op),
        Instr::BinaryConstant(op, right) | Instr::SlotConstant(op, _, right) => match op {
            BinaryOp::Div | BinaryOp::Mod => right == 0,
            BinaryOp::Shl | BinaryOp::Shr => !(0..64).contains(&right),
            _ => false,
        },
        _ => false,
    }
}

fn unary(op: UnaryOp) -> Unary {
    match op {
        UnaryOp::Negate => Unary::Negate,
        UnaryOp::BitNot => Unary::BitNot,
        UnaryOp::Not => Unary::Not,
    }
}
