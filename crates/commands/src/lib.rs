//! Guarded commands: the small language that imperative modelling languages are lowered to.
//!
//! A [`Program`] has typed variables and arrays, and commands: guards that must all be true, then a
//! sequence of steps, each a parallel assignment. Synchronisation of processes is one command that carries
//! the guards and the assignments of both. [`CommandModel`] makes a PINS model of it: the dependency
//! matrices, guards and their tests come out of one static analysis, and the interpreter runs it.
//!
//! Arithmetic is that of 64-bit integers that wrap; what a variable can hold is checked when it is
//! assigned ([`Overflow`]), and [`Expr::Wrap`] is for languages that cut intermediate results.
//!
//! The flow: [`Program`] → `fold` (constants) → `analysis` (matrices, guards) → `code` (compact code) →
//! `machine` (runs it). `compile` makes machine code of the compact code; where something fails, `machine`
//! still says what. `followers` and `closure` say what a command that goes on ([`Then`]) can do; `going_on`
//! runs it, above either of the two. `separable` runs the code to find out which commands do what they do to
//! each slot by itself.

mod analysis;
mod arithmetic;
mod code;
mod coded;
mod command_model;
mod compile;
mod evaluator;
mod fault;
mod fold;
mod going_on;
mod interpreter;
mod layout;
mod program;
mod separable;

pub use coded::BuildError;
pub use command_model::CommandModel;
pub use fold::constant;
pub use program::{
    Assign, At, BinaryOp, Command, Effect, Expr, LabelDef, MessageDef, Overflow, Place, Program, Step, Table,
    Then, UnaryOp, VarIx, Variable,
};
