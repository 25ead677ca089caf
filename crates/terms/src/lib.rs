//! Data as algebra: sorts, functions, equations, and terms that are evaluated by them.
//!
//! A language with recursive data types (mCRL2, µCRL) gives a [`DataSpec`]: what there is, typed and
//! resolved. Expressions in it are [`Expr`]; what they come to is a shared [`Term`], a number of 32 bits.
//! [`Data`] has the equations compiled and all terms; each thread has an [`Evaluator`], which evaluates
//! compiled expressions ([`Code`]) and finds the solutions of sums ([`Sum`]).
//!
//! ```
//! use terms::{Data, DataSpec, Expr, Kind, VarPlaces, Op, SortIx, Term};
//!
//! // n * n < 10
//! let mut spec = DataSpec::default();
//! let n = spec.variable("n", SortIx::NAT);
//! let number = |value: u32| Expr::new(Kind::Number(value.into()), SortIx::NAT);
//! let var = Expr::var(n, SortIx::NAT);
//! let square = Expr::op(Op::Times, [var.clone(), var], SortIx::NAT);
//! let condition = Expr::op(Op::Less, [square.clone(), number(10)], SortIx::BOOL);
//!
//! let data = Data::new(spec).unwrap();
//! let places: VarPlaces = [n].into_iter().collect();
//! let code = data.compile(&square, &places).unwrap();
//! let sum = data.compile_sum(&[n], &[condition], &places).unwrap();
//! let mut evaluator = data.evaluator();
//! let mut squares = Vec::new();
//! evaluator.solve(&sum, &mut [Term(0)], &mut |evaluator, env| {
//!     squares.push(data.show(evaluator.eval(&code, env)?, SortIx::NAT));
//!     Ok(())
//! }).unwrap();
//! assert_eq!(squares, ["0", "1", "4", "9"]);
//! ```
//!
//! # The plan
//!
//! What comes in is a [`DataSpec`]; what goes out are [`Term`]s.
//!
//! ```text
//! DataSpec ─► Data ─► Code, Sum ─► Evaluator ─► Term
//! ```
//!
//! | room | what it holds |
//! |---|---|
//! | `spec` | what a language gives: sorts, functions, equations, and typed expressions |
//! | `term`, `store` | what the 32 bits of a term mean, and the nodes that larger terms are |
//! | `code` | what is run: units of instructions, and the steps of sums |
//! | `data` | [`Data`]: a specification with its terms and code; how values are made, ordered and shown |
//! | `compile` | equations, expressions and sums become code |
//! | `eval` | [`Evaluator`]: the machine, the built-in functions, the solutions of sums |
//! | `prepare` | a specification becomes [`Data`]: compiled, constants evaluated, compiled once more |
//! | `simplify` | simpler expressions with the same value |
//! | `var_places` | which place of an environment has the value of which variable |
//!
//! A room knows those above it. Two things are made while others run: `eval` compiles what is rarely needed
//! when it is first met (the slow path of a conditional, the members of a set given by a condition).

mod code;
mod compile;
mod data;
mod eval;
mod fault;
mod prepare;
mod simplify;
mod spec;
mod store;
mod term;
mod var_places;

pub use code::{Code, Sum};
pub use data::Data;
pub use eval::{Evaluator, OnSolution, StopSignal, Truth};
pub use fault::{CompileError, EvalFault};
pub use spec::{
    DataSpec, Equation, Expr, FunIx, FunKind, Function, Kind, Op, Sort, SortIx, Sorts, VarIx, Variable,
};
pub use store::{Store, StoreFull};
pub use term::Term;
pub use var_places::VarPlaces;
