//! Arithmetic of expressions: 64-bit integers that wrap. The interpreter, constant folding and the tests of
//! the compiler all compute with these functions.

use model::Value;

use crate::fault::FaultKind;
use crate::program::{BinaryOp, UnaryOp};

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
