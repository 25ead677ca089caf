//! Operators, and how they are written.

use std::fmt;

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-`
    Minus,
    /// `~`
    Complement,
    /// `!`
    Not,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// Both operands are computed.
    Strict(commands::BinaryOp),
    /// `&&`
    And,
    /// `||`
    Or,
}

impl fmt::Display for UnaryOp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            UnaryOp::Minus => "-",
            UnaryOp::Complement => "~",
            UnaryOp::Not => "!",
        })
    }
}

impl fmt::Display for BinaryOp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            BinaryOp::Strict(op) => op.symbol(),
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        })
    }
}
