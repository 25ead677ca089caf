//! Expressions and the places that they read.

use std::sync::Arc;

use base::Span;

use super::VarIx;

/// A variable, or a cell of an array.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The variable.
    pub variable: VarIx,
    /// Which cell, for an array.
    pub index: Option<Box<Expr>>,
    /// Where it stands.
    pub at: At,
}

/// A place in the source that does not count when expressions are compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct At(pub Option<Span>);

impl PartialEq for At {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for At {}

impl std::hash::Hash for At {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

/// An expression. Truth is a number: zero is false, all others are true, operators answer 0 or 1.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A constant.
    Constant(i64),
    /// The value of a variable or a cell.
    Read(Place),
    /// One operand.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands, both computed.
    Binary(BinaryOp, Box<Expr>, Box<Expr>, At),
    /// The second operand is computed only if the first is true.
    And(Box<Expr>, Box<Expr>),
    /// The second operand is computed only if the first is false.
    Or(Box<Expr>, Box<Expr>),
    /// The second operand if the first is true, else the third; the other one is not computed.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Whether a command with these guards is disabled: one of them is false, whatever the others say.
    Disabled(Vec<Expr>),
    /// A cell of a constant array.
    Table {
        /// The array.
        table: Arc<Table>,
        /// Which cell.
        index: Box<Expr>,
        /// Where it stands.
        at: At,
    },
    /// The value modulo the size of the range, in the range.
    Wrap {
        /// The least value of the range.
        lo: i64,
        /// The greatest value of the range.
        hi: i64,
        /// The value.
        value: Box<Expr>,
    },
}

/// A constant array. One without cells has no value whatever the index is, and its name says why.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its cells.
    pub cells: Vec<i64>,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `~`
    BitNot,
    /// `not`
    Not,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Expr {
    /// Two operands.
    pub fn binary(op: BinaryOp, left: Self, right: Self) -> Self {
        Self::Binary(op, Box::new(left), Box::new(right), At(None))
    }

    /// Both.
    pub fn and(self, other: Self) -> Self {
        Self::And(Box::new(self), Box::new(other))
    }

    /// One of both.
    pub fn or(self, other: Self) -> Self {
        Self::Or(Box::new(self), Box::new(other))
    }

    /// One of two, by a condition.
    pub fn choice(condition: Self, then: Self, otherwise: Self) -> Self {
        Self::If(Box::new(condition), Box::new(then), Box::new(otherwise))
    }

    /// True where this is false.
    #[expect(
        clippy::should_implement_trait,
        reason = "it is the operator of the modelled language, not of Rust"
    )]
    pub fn not(self) -> Self {
        Self::Unary(UnaryOp::Not, Box::new(self))
    }

    /// The value of a single variable.
    pub fn variable(variable: VarIx) -> Self {
        Self::Read(Place::single(variable))
    }

    /// Calls `visit` on every place that is read, indices' places included.
    pub fn for_each_read<'a>(&'a self, visit: &mut impl FnMut(&'a Place)) {
        match self {
            Self::Constant(_) => {}
            Self::Read(place) => {
                if let Some(index) = &place.index {
                    index.for_each_read(visit);
                }
                visit(place);
            }
            Self::Unary(_, operand)
            | Self::Wrap { value: operand, .. }
            | Self::Table { index: operand, .. } => {
                operand.for_each_read(visit);
            }
            Self::Disabled(guards) => guards.iter().for_each(|guard| guard.for_each_read(visit)),
            Self::If(condition, then, otherwise) => {
                condition.for_each_read(visit);
                then.for_each_read(visit);
                otherwise.for_each_read(visit);
            }
            Self::Binary(_, left, right, _) | Self::And(left, right) | Self::Or(left, right) => {
                left.for_each_read(visit);
                right.for_each_read(visit);
            }
        }
    }

    /// The parts of a conjunction, from left to right.
    pub fn conjuncts(self) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut rest = vec![self];
        while let Some(expr) = rest.pop() {
            match expr {
                Self::And(left, right) => {
                    rest.push(*right);
                    rest.push(*left);
                }
                part => parts.push(part),
            }
        }
        parts
    }
}

impl Place {
    /// A single variable.
    pub fn single(variable: VarIx) -> Self {
        Self { variable, index: None, at: At(None) }
    }

    /// A cell of an array.
    pub fn cell(variable: VarIx, index: Expr) -> Self {
        Self { variable, index: Some(Box::new(index)), at: At(None) }
    }
}

impl BinaryOp {
    /// Whether it answers 0 or 1, always.
    pub fn is_comparison(self) -> bool {
        matches!(self, Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge)
    }

    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Mod => "%",
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::BitXor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        }
    }
}
