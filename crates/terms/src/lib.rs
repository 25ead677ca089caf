//! Data as algebra: sorts, functions, equations, and terms that are evaluated by them.
//!
//! A language with recursive data types (mCRL2, µCRL) gives a [`DataSpec`]: what there is, typed and resolved. Expressions in it are
//! [`Expr`]; what they come to is a shared term, a number of 32 bits.

mod apply;
mod build;
mod code;
mod conditions;
mod data;
mod domain;
mod equality;
mod expr;
mod fault;
mod free;
mod growing;
mod interval;
mod isolate;
mod layout;
mod lists;
mod machine;
mod matching;
mod node;
mod op;
mod parts;
mod ops;
mod rules;
mod search;
mod sets;
mod show;
mod simplify;
mod solve;
mod sort;
mod spec;
mod store;
mod substitute;
mod sum;
mod term;
mod values;

pub use data::{Code, CompileError, Data};
pub use expr::{Expr, Kind};
pub use fault::EvalFault;
pub use layout::Layout;
pub use machine::{Evaluator, Truth};
pub use op::Op;
pub use sort::{Sort, SortIx, Sorts};
pub use spec::{DataSpec, Equation, FunIx, FunKind, Function, VarIx, Variable};
pub use store::{Store, StoreFull};
pub use sum::Sum;
pub use term::Term;
