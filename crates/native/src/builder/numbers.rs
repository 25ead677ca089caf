//! Numbers: 64-bit integers that wrap, kept as narrow as they are known to be.
//!
//! What a slot holds is a 32-bit number, what a comparison answers is a bit. Both are widened only when
//! something needs 64 bits, so that the most frequent guard, a slot compared with a constant, is one
//! comparison with memory.
//!
//! No operation here traps: divisors are compared with 0 and -1, amounts of shifts with 64, indices of tables
//! with the length.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::{Block, Builder};

/// A number that a routine computes.
#[derive(Clone, Copy, Debug)]
pub struct Number(pub(crate) Kind);

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Constant(i64),
    /// 0 or 1, in eight bits.
    Bit(Value),
    /// A signed number of 32 bits.
    Narrow(Value),
    Wide(Value),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// The negative.
    Negate,
    /// All bits turned.
    BitNot,
    /// 1 for 0, 0 for all others.
    Not,
    /// 0 for 0, 1 for all others.
    Truth,
}

/// Operators with two operands that always have a value. Comparisons answer 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    BitAnd,
    BitOr,
    BitXor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Operators with two operands that have no value for some. Division rounds towards zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum PartialOp {
    Div,
    Mod,
    Shl,
    Shr,
}

impl Number {
    /// Whether it is certainly one of `lo ..= hi`.
    fn is_within(self, lo: i64, hi: i64) -> bool {
        match self.0 {
            Kind::Constant(value) => (lo..=hi).contains(&value),
            Kind::Bit(_) => lo <= 0 && hi >= 1,
            Kind::Narrow(_) => lo <= i64::from(i32::MIN) && hi >= i64::from(i32::MAX),
            Kind::Wide(_) => lo == i64::MIN && hi == i64::MAX,
        }
    }
}

impl Builder<'_> {
    /// A constant.
    pub fn constant(&self, value: i64) -> Number {
        Number(Kind::Constant(value))
    }

    /// An operator with one operand.
    pub fn unary(&mut self, op: UnaryOp, operand: Number) -> Number {
        match op {
            UnaryOp::Not => return self.compare(IntCC::Equal, operand, Number(Kind::Constant(0))),
            UnaryOp::Truth if matches!(operand.0, Kind::Bit(_)) => return operand,
            UnaryOp::Truth => return self.compare(IntCC::NotEqual, operand, Number(Kind::Constant(0))),
            UnaryOp::Negate | UnaryOp::BitNot => {}
        }
        let value = self.wide(operand);
        Number(Kind::Wide(match op {
            UnaryOp::Negate => self.function.ins().ineg(value),
            _ => self.function.ins().bnot(value),
        }))
    }

    /// An operator with two operands.
    pub fn binary(&mut self, op: BinaryOp, left: Number, right: Number) -> Number {
        let compare = match op {
            BinaryOp::Eq => IntCC::Equal,
            BinaryOp::Ne => IntCC::NotEqual,
            BinaryOp::Lt => IntCC::SignedLessThan,
            BinaryOp::Le => IntCC::SignedLessThanOrEqual,
            BinaryOp::Gt => IntCC::SignedGreaterThan,
            BinaryOp::Ge => IntCC::SignedGreaterThanOrEqual,
            _ => return self.arithmetic(op, left, right),
        };
        self.compare(compare, left, right)
    }

    fn arithmetic(&mut self, op: BinaryOp, left: Number, right: Number) -> Number {
        if let (Kind::Bit(_), Kind::Bit(_)) = (left.0, right.0) {
            let (l, r) = (self.own(left), self.own(right));
            match op {
                BinaryOp::BitAnd => return Number(Kind::Bit(self.function.ins().band(l, r))),
                BinaryOp::BitOr => return Number(Kind::Bit(self.function.ins().bor(l, r))),
                BinaryOp::BitXor => return Number(Kind::Bit(self.function.ins().bxor(l, r))),
                _ => {}
            }
        }
        if let (Kind::Constant(l), Kind::Constant(r)) = (left.0, right.0) {
            return Number(Kind::Constant(match op {
                BinaryOp::Add => l.wrapping_add(r),
                BinaryOp::Sub => l.wrapping_sub(r),
                BinaryOp::Mul => l.wrapping_mul(r),
                BinaryOp::BitAnd => l & r,
                BinaryOp::BitOr => l | r,
                _ => l ^ r,
            }));
        }
        let (l, r) = (self.wide(left), self.wide(right));
        let ins = self.function.ins();
        Number(Kind::Wide(match op {
            BinaryOp::Add => ins.iadd(l, r),
            BinaryOp::Sub => ins.isub(l, r),
            BinaryOp::Mul => ins.imul(l, r),
            BinaryOp::BitAnd => ins.band(l, r),
            BinaryOp::BitOr => ins.bor(l, r),
            _ => ins.bxor(l, r),
        }))
    }

    fn compare(&mut self, condition: IntCC, left: Number, right: Number) -> Number {
        let is_small = |number: Number| match number.0 {
            Kind::Constant(value) => i32::try_from(value).is_ok(),
            Kind::Bit(_) | Kind::Narrow(_) => true,
            Kind::Wide(_) => false,
        };
        let value = match (left.0, right.0) {
            (Kind::Constant(l), Kind::Constant(r)) => {
                let holds = match condition {
                    IntCC::Equal => l == r,
                    IntCC::NotEqual => l != r,
                    IntCC::SignedLessThan => l < r,
                    IntCC::SignedLessThanOrEqual => l <= r,
                    IntCC::SignedGreaterThan => l > r,
                    _ => l >= r,
                };
                return Number(Kind::Constant(holds.into()));
            }
            (Kind::Bit(_), Kind::Constant(0)) if condition == IntCC::Equal => {
                let bit = self.own(left);
                self.function.ins().bxor_imm(bit, 1)
            }
            _ if is_small(left) && is_small(right) => {
                let (l, r) = (self.narrow(left), self.narrow(right));
                self.function.ins().icmp(condition, l, r)
            }
            _ => {
                let (l, r) = (self.wide(left), self.wide(right));
                self.function.ins().icmp(condition, l, r)
            }
        };
        Number(Kind::Bit(value))
    }

    /// An operator with two operands; goes to `otherwise` where it has no value: a divisor that is zero, an
    /// amount of bits outside 0 to 63.
    pub fn partial(&mut self, op: PartialOp, left: Number, right: Number, otherwise: Block) -> Number {
        let l = self.wide(left);
        Number(Kind::Wide(match op {
            PartialOp::Div | PartialOp::Mod => self.divide(op, l, right, otherwise),
            PartialOp::Shl | PartialOp::Shr => {
                let r = self.wide(right);
                if !matches!(right.0, Kind::Constant(0..=63)) {
                    let good = self.function.ins().icmp_imm(IntCC::UnsignedLessThan, r, 64);
                    self.require(good, otherwise);
                }
                match op {
                    PartialOp::Shl => self.function.ins().ishl(l, r),
                    _ => self.function.ins().sshr(l, r),
                }
            }
        }))
    }

    fn divide(&mut self, op: PartialOp, l: Value, right: Number, otherwise: Block) -> Value {
        let r = self.wide(right);
        if let Kind::Constant(divisor) = right.0
            && divisor != 0
            && divisor != -1
        {
            return match op {
                PartialOp::Div => self.function.ins().sdiv(l, r),
                _ => self.function.ins().srem(l, r),
            };
        }
        let good = self.function.ins().icmp_imm(IntCC::NotEqual, r, 0);
        self.require(good, otherwise);
        // The least number divided by -1 would trap, so -1 is not divided by.
        let minus = self.function.ins().icmp_imm(IntCC::Equal, r, -1);
        let one = self.function.ins().iconst(types::I64, 1);
        let divisor = self.function.ins().select(minus, one, r);
        match op {
            PartialOp::Div => {
                let quotient = self.function.ins().sdiv(l, divisor);
                let negative = self.function.ins().ineg(l);
                self.function.ins().select(minus, negative, quotient)
            }
            // What is left over by 1 is what is left over by -1.
            _ => self.function.ins().srem(l, divisor),
        }
    }

    /// The number if it is one of `lo ..= hi`; otherwise goes to `otherwise`.
    pub fn within(&mut self, number: Number, lo: i64, hi: i64, otherwise: Block) -> Number {
        if !number.is_within(lo, hi) {
            let value = self.wide(number);
            let good = if lo > hi {
                self.function.ins().iconst(types::I8, 0)
            } else {
                let above = self.function.ins().iadd_imm(value, lo.wrapping_neg());
                let most = self.function.ins().iconst(types::I64, hi.wrapping_sub(lo));
                self.function.ins().icmp(IntCC::UnsignedLessThanOrEqual, above, most)
            };
            self.require(good, otherwise);
        }
        number
    }

    /// The number modulo the size of `lo ..= hi`, in that range. Nothing for ranges that are empty or, unless
    /// a power of two, very large.
    pub fn wrap(&mut self, number: Number, lo: i64, hi: i64) -> Option<Number> {
        if number.is_within(lo, hi) {
            return Some(number);
        }
        let size = i128::from(hi) - i128::from(lo) + 1;
        if size <= 0 || size > 1 << 62 {
            return None;
        }
        let size = size as i64;
        let value = self.wide(number);
        let above = if size.count_ones() == 1 {
            let above = self.function.ins().iadd_imm(value, lo.wrapping_neg());
            self.function.ins().band_imm(above, size - 1)
        } else {
            // Both remainders are below the size, so their difference is above twice its negative.
            let modulus = self.function.ins().iconst(types::I64, size);
            let rest = self.function.ins().srem(value, modulus);
            let mut above = self.function.ins().iadd_imm(rest, -lo.rem_euclid(size));
            for _ in 0..2 {
                let raised = self.function.ins().iadd_imm(above, size);
                let negative = self.function.ins().icmp_imm(IntCC::SignedLessThan, above, 0);
                above = self.function.ins().select(negative, raised, above);
            }
            above
        };
        Some(Number(Kind::Wide(self.function.ins().iadd_imm(above, lo))))
    }

    /// The number, cut to 32 bits and read as a signed number: what a cell holds after it was set to it.
    pub fn as_held(&mut self, number: Number) -> Number {
        match number.0 {
            Kind::Constant(value) => Number(Kind::Constant(i64::from(value as i32))),
            Kind::Bit(_) | Kind::Narrow(_) => number,
            Kind::Wide(_) => Number(Kind::Narrow(self.narrow(number))),
        }
    }

    /// 64 bits.
    pub(crate) fn wide(&mut self, number: Number) -> Value {
        let value = self.own(number);
        match number.0 {
            Kind::Constant(value) => self.function.ins().iconst(types::I64, value),
            Kind::Bit(_) => self.function.ins().uextend(types::I64, value),
            Kind::Narrow(_) => self.function.ins().sextend(types::I64, value),
            Kind::Wide(_) => value,
        }
    }

    /// The lower 32 bits.
    pub(crate) fn narrow(&mut self, number: Number) -> Value {
        let value = self.own(number);
        match number.0 {
            Kind::Constant(value) => self.function.ins().iconst(types::I32, i64::from(value as u32)),
            Kind::Bit(_) => self.function.ins().uextend(types::I32, value),
            Kind::Narrow(_) => value,
            Kind::Wide(_) => self.function.ins().ireduce(types::I32, value),
        }
    }

    /// Something that is not zero where the number is not.
    pub(crate) fn condition(&mut self, number: Number) -> Value {
        match number.0 {
            Kind::Constant(_) => self.wide(number),
            _ => self.own(number),
        }
    }

    /// A value of the type that the number has, which may not be so for numbers of other routines.
    fn own(&self, number: Number) -> Value {
        let (value, ty) = match number.0 {
            Kind::Constant(_) => return Value::from_u32(0),
            Kind::Bit(value) => (value, types::I8),
            Kind::Narrow(value) => (value, types::I32),
            Kind::Wide(value) => (value, types::I64),
        };
        assert!(self.function.func.dfg.value_type(value) == ty, "BUG: a number of another routine");
        value
    }
}
