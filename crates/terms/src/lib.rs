//! Data as algebra: sorts, functions, equations, and terms that are evaluated by them.
//!
//! A language with recursive data types (mCRL2, µCRL) gives a [`DataSpec`]: what there is, typed and resolved. Expressions in it are
//! [`Expr`]; what they come to is a shared term, a number of 32 bits.

mod expr;
mod free;
mod op;
mod sort;
mod spec;
mod substitute;

pub use expr::{Expr, Kind};
pub use op::Op;
pub use sort::{Sort, SortIx, Sorts};
pub use spec::{DataSpec, Equation, FunIx, FunKind, Function, VarIx, Variable};
