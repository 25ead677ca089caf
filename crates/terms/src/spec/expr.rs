//! Expressions: typed, resolved, immutable trees that share what they have in common.

use std::sync::Arc;

use num_bigint::BigInt;

use super::{FunIx, Op, SortIx, VarIx};

/// An expression and its sort. To clone one is cheap.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: Arc<Kind>,
    /// Its sort.
    pub sort: SortIx,
}

/// What an expression is.
#[derive(PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A variable.
    Var(VarIx),
    /// A numeral; `sort` says of which sort of numbers.
    Number(BigInt),
    /// `true` or `false`.
    Truth(bool),
    /// A function of the specification with all its arguments; a constant has none.
    Call(FunIx, Box<[Expr]>),
    /// A function of the specification as a value: `map f: Nat -> Nat` where it stands without arguments.
    Function(FunIx),
    /// A built-in function with all its arguments. As a value it is written `lambda x, y: Nat . x + y`.
    Op(Op, Box<[Expr]>),
    /// A value of a function sort, applied.
    Apply(Expr, Box<[Expr]>),
    /// `lambda x: S, y: T . e`
    Lambda(Box<[VarIx]>, Expr),
    /// `forall x: S, y: T . e`
    Forall(Box<[VarIx]>, Expr),
    /// `exists x: S, y: T . e`
    Exists(Box<[VarIx]>, Expr),
    /// `{ x: S | e }` where e is a `Bool`: a `Set(S)`.
    SetWhere(VarIx, Expr),
    /// `{ x: S | e }` where e is a `Nat`: a `Bag(S)`.
    BagWhere(VarIx, Expr),
    /// `e whr x = a, y = b end`: the bound expressions do not see the variables.
    Where(Expr, Box<[(VarIx, Expr)]>),
}

impl Expr {
    /// An expression of this kind.
    pub fn new(kind: Kind, sort: SortIx) -> Self {
        Self { kind: Arc::new(kind), sort }
    }

    /// A truth value.
    pub fn truth(value: bool) -> Self {
        Self::new(Kind::Truth(value), SortIx::BOOL)
    }

    /// A number of one of the four sorts of numbers.
    pub fn number(value: impl Into<BigInt>, sort: SortIx) -> Self {
        Self::new(Kind::Number(value.into()), sort)
    }

    /// A variable.
    pub fn var(var: VarIx, sort: SortIx) -> Self {
        Self::new(Kind::Var(var), sort)
    }

    /// A built-in function.
    pub fn op(op: Op, arguments: impl Into<Box<[Self]>>, sort: SortIx) -> Self {
        Self::new(Kind::Op(op, arguments.into()), sort)
    }
}

/// Whether a built-in function leaves its argument as it is.
pub(crate) fn is_nothing(op: Op, parts: &[Expr], result: SortIx) -> bool {
    match (op, parts) {
        (Op::Number, [part]) => part.sort <= result,
        (Op::Widen, [_]) => true,
        _ => false,
    }
}
