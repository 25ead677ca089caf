//! Postfix code: what a predicate is turned into, and its evaluation.
//!
//! Invariant: the parser leaves exactly one number on the stack and notes how many stand there at most, so
//! that the stack is an array of fixed size. Evaluation does not recurse, and allocates only where names of
//! two tables that grow are compared.

use std::sync::Arc;

use base::{SlotIx, TypeIx};
use model::{EvalError, EvalErrorKind, Type, Value};

/// How deep parentheses, indices and prefix operators may nest: far past what a person writes, and little
/// enough for the stack of a thread.
pub(crate) const DEEPEST: usize = 200;

/// One instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Op {
    /// Pushes a number.
    Const(i64),
    /// Pushes a slot's value.
    Slot(SlotIx, Reading),
    /// Pushes 1 where the slot holds the value, else 0.
    Holds(SlotIx, Value),
    /// Replaces an index by the value of that cell of the array with this number.
    Cell(usize),
    /// Replaces a number by its logical negation.
    Not,
    /// Replaces a number by 0 or 1.
    Truth,
    /// Replaces a number by its negative.
    Negate,
    /// Replaces a number by its complement.
    Complement,
    /// Replaces two numbers by one.
    Binary(Binary),
    /// Replaces the positions of two names, in the lists of the pair with this number, by whether the names
    /// are the same.
    SameName(usize),
    /// Where the number decides the operator, leaves the result and goes on at the target; else drops it.
    Decide(Lazy, usize),
}

/// How the content of a slot becomes a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    /// It is one, in two's complement.
    Signed,
    /// It is the position of a name of this type, and all of them are integers.
    Integer(TypeIx),
    /// It is the position of a name: good for nothing but comparison with positions in the same list.
    Position,
}

/// An operator of two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    Unequal,
    And,
    Xor,
    Or,
    Iff,
}

/// An operator that looks at its right side only where it matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lazy {
    And,
    Or,
    Imply,
}

impl Lazy {
    /// The result that the left side alone decides, if it does.
    fn decided(self, left: i64) -> Option<i64> {
        match self {
            Self::And => (left == 0).then_some(0),
            Self::Or => (left != 0).then_some(1),
            Self::Imply => (left == 0).then_some(1),
        }
    }
}

/// An array that is read at a computed index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Array {
    pub(crate) name: String,
    pub(crate) cells: Vec<(SlotIx, Reading)>,
}

/// For each type whose names are all integers: the integers, by position.
pub(crate) type Integers = Vec<Option<Arc<[i64]>>>;

/// A predicate as instructions.
#[derive(Clone, Default, Debug)]
pub(crate) struct Code {
    ops: Vec<Op>,
    arrays: Vec<Array>,
    integers: Integers,
    pairs: Vec<(Type, Type)>,
    depth: usize,
    deepest: usize,
}

/// Almost every predicate fits the small stack; clearing the large one for each state would be its main cost.
const SMALL_STACK: usize = 16;
/// Each operand that waits for its right side is one level of the parser's nesting.
const LARGE_STACK: usize = DEEPEST + 2;

impl Code {
    /// Appends an instruction; the answer is its place.
    pub(crate) fn emit(&mut self, op: Op) -> usize {
        match op {
            Op::Const(_) | Op::Slot(..) | Op::Holds(..) => self.depth += 1,
            Op::Binary(_) | Op::SameName(_) | Op::Decide(..) => self.depth -= 1,
            Op::Cell(_) | Op::Not | Op::Truth | Op::Negate | Op::Complement => {}
        }
        self.deepest = self.deepest.max(self.depth);
        self.ops.push(op);
        self.ops.len() - 1
    }

    /// Appends the reading of an array cell; the index is on the stack.
    pub(crate) fn emit_cell(&mut self, array: Array) {
        let number = self.arrays.iter().position(|known| *known == array).unwrap_or_else(|| {
            self.arrays.push(array);
            self.arrays.len() - 1
        });
        self.emit(Op::Cell(number));
    }

    /// Appends the comparison of two names; their positions are on the stack.
    pub(crate) fn emit_same_name(&mut self, left: Type, right: Type) {
        self.pairs.push((left, right));
        self.emit(Op::SameName(self.pairs.len() - 1));
    }

    /// Appends an operator; one of constants is replaced by its result. The error is that of constants
    /// without one.
    pub(crate) fn emit_folded(&mut self, op: Op) -> Result<(), EvalErrorKind> {
        let folded = self.folded(op);
        let Some(Ok(result)) = folded else {
            self.emit(op);
            return folded.map_or(Ok(()), |result| result.map(drop));
        };
        let operands = if matches!(op, Op::Binary(_)) { 2 } else { 1 };
        self.ops.truncate(self.ops.len() - operands);
        self.depth -= operands;
        self.emit(Op::Const(result));
        Ok(())
    }

    /// What the operator gives if what stands before it is constant. Code that ends in a constant is that
    /// constant alone: whatever is computed ends in its operator.
    fn folded(&self, op: Op) -> Option<Result<i64, EvalErrorKind>> {
        match (op, &self.ops[..]) {
            (Op::Binary(binary), &[.., Op::Const(left), Op::Const(right)]) => Some(binary.apply(left, right)),
            (Op::Not, &[.., Op::Const(number)]) => Some(Ok(i64::from(number == 0))),
            (Op::Complement, &[.., Op::Const(number)]) => Some(Ok(!number)),
            (Op::Negate, &[.., Op::Const(number)]) => Some(number.checked_neg().ok_or_else(overflow)),
            _ => None,
        }
    }

    /// Gives the code what the positions of integers mean.
    pub(crate) fn set_integers(&mut self, integers: Integers) {
        self.integers = integers;
    }

    /// Puts another instruction of the same effect on the stack in a place.
    pub(crate) fn patch(&mut self, at: usize, op: Op) {
        self.ops[at] = op;
    }

    /// Lets the lazy operator at this place go on after all that was emitted until now.
    pub(crate) fn land(&mut self, at: usize) {
        let target = self.ops.len();
        if let Op::Decide(_, to) = &mut self.ops[at] {
            *to = target;
        }
    }

    /// Takes the constant back that is all that was emitted since this place, if so.
    pub(crate) fn take_constant(&mut self, since: usize) -> Option<i64> {
        match self.ops[since..] {
            [Op::Const(number)] => {
                self.ops.pop();
                self.depth -= 1;
                Some(number)
            }
            _ => None,
        }
    }

    /// The instruction at a place.
    pub(crate) fn op(&self, at: usize) -> Op {
        self.ops[at]
    }

    /// What the positions of a type's names mean, if they are integers.
    pub(crate) fn integers(&self, ty: TypeIx) -> Option<&[i64]> {
        self.integers[ty.ix()].as_deref()
    }

    /// How many instructions there are.
    pub(crate) fn len(&self) -> usize {
        self.ops.len()
    }

    /// The slots that the code looks at, ascending.
    pub(crate) fn reads(&self) -> Vec<SlotIx> {
        let mut slots: Vec<SlotIx> = Vec::new();
        for op in &self.ops {
            match op {
                Op::Slot(slot, _) | Op::Holds(slot, _) => slots.push(*slot),
                Op::Cell(array) => slots.extend(self.arrays[*array].cells.iter().map(|(slot, _)| slot)),
                _ => {}
            }
        }
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// The error that the code gives in every state, if it looks at none.
    pub(crate) fn constant_error(&self) -> Option<EvalError> {
        self.reads().is_empty().then(|| self.run(&[]).err())?
    }

    /// The number that the code gives in a state.
    pub(crate) fn run(&self, state: &[Value]) -> Result<i64, EvalError> {
        if self.deepest <= SMALL_STACK {
            self.run_on([0; SMALL_STACK], state)
        } else {
            self.run_on([0; LARGE_STACK], state)
        }
        .map_err(|kind| EvalError { kind, span: None })
    }

    fn run_on<const N: usize>(&self, mut stack: [i64; N], state: &[Value]) -> Result<i64, EvalErrorKind> {
        let (mut at, mut top) = (0, 0);
        while let Some(&op) = self.ops.get(at) {
            at += 1;
            match op {
                Op::Const(number) => push(&mut stack, &mut top, number),
                Op::Slot(slot, reading) => push(&mut stack, &mut top, self.read(reading, state[slot.ix()])?),
                Op::Holds(slot, value) => push(&mut stack, &mut top, i64::from(state[slot.ix()] == value)),
                Op::Cell(array) => stack[top - 1] = self.cell(&self.arrays[array], stack[top - 1], state)?,
                Op::Not => stack[top - 1] = i64::from(stack[top - 1] == 0),
                Op::Truth => stack[top - 1] = i64::from(stack[top - 1] != 0),
                Op::Negate => stack[top - 1] = stack[top - 1].checked_neg().ok_or_else(overflow)?,
                Op::Complement => stack[top - 1] = !stack[top - 1],
                Op::Binary(binary) => {
                    top -= 1;
                    stack[top - 1] = binary.apply(stack[top - 1], stack[top])?;
                }
                Op::SameName(pair) => {
                    top -= 1;
                    stack[top - 1] = i64::from(self.same_name(pair, stack[top - 1], stack[top]));
                }
                Op::Decide(lazy, target) => match lazy.decided(stack[top - 1]) {
                    Some(result) => {
                        stack[top - 1] = result;
                        at = target;
                    }
                    None => top -= 1,
                },
            }
        }
        Ok(stack[0])
    }

    /// What the content of a slot is as a number.
    #[inline]
    fn read(&self, reading: Reading, value: Value) -> Result<i64, EvalErrorKind> {
        match reading {
            Reading::Signed => Ok(i64::from(value.cast_signed())),
            Reading::Position => Ok(i64::from(value)),
            Reading::Integer(ty) => {
                let integers = self.integers[ty.ix()].as_deref().unwrap_or_default();
                let unlisted = || EvalErrorKind::Other(format!("value #{value} is outside its type"));
                integers.get(value as usize).copied().ok_or_else(unlisted)
            }
        }
    }

    fn cell(&self, array: &Array, index: i64, state: &[Value]) -> Result<i64, EvalErrorKind> {
        let cell = usize::try_from(index).ok().and_then(|index| array.cells.get(index));
        let &(slot, reading) = cell.ok_or_else(|| EvalErrorKind::IndexOutOfRange {
            array: array.name.clone(),
            index,
            length: array.cells.len(),
        })?;
        self.read(reading, state[slot.ix()])
    }

    fn same_name(&self, pair: usize, left: i64, right: i64) -> bool {
        let (left_type, right_type) = &self.pairs[pair];
        // A slot holds 32 bits, and both numbers came from slots.
        left_type.show(left as Value) == right_type.show(right as Value)
    }
}

#[inline]
fn push(stack: &mut [i64], top: &mut usize, number: i64) {
    stack[*top] = number;
    *top += 1;
}

fn overflow() -> EvalErrorKind {
    EvalErrorKind::Other("a number of the predicate passes 64 bits".into())
}

impl Binary {
    fn apply(self, left: i64, right: i64) -> Result<i64, EvalErrorKind> {
        let truth = |value: bool| Ok(i64::from(value));
        match self {
            Self::Multiply => left.checked_mul(right).ok_or_else(overflow),
            Self::Add => left.checked_add(right).ok_or_else(overflow),
            Self::Subtract => left.checked_sub(right).ok_or_else(overflow),
            Self::Divide | Self::Remainder if right == 0 => Err(EvalErrorKind::DivisionByZero),
            Self::Divide => left.checked_div(right).ok_or_else(overflow),
            Self::Remainder => Ok(left.wrapping_rem(right)),
            Self::ShiftLeft => amount(right).map(|bits| left << bits),
            Self::ShiftRight => amount(right).map(|bits| left >> bits),
            Self::Less => truth(left < right),
            Self::LessEqual => truth(left <= right),
            Self::Greater => truth(left > right),
            Self::GreaterEqual => truth(left >= right),
            Self::Equal => truth(left == right),
            Self::Unequal => truth(left != right),
            Self::And => Ok(left & right),
            Self::Xor => Ok(left ^ right),
            Self::Or => Ok(left | right),
            Self::Iff => truth((left != 0) == (right != 0)),
        }
    }
}

fn amount(bits: i64) -> Result<u32, EvalErrorKind> {
    u32::try_from(bits).ok().filter(|&bits| bits < i64::BITS).ok_or(EvalErrorKind::ShiftAmount(bits))
}
