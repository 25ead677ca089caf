//! Data as algebra: sorts, functions, equations, and terms that are evaluated by them.
//!
//! A language with recursive data types (mCRL2, µCRL) gives a [`DataSpec`]: what there is, typed and
//! resolved. Expressions in it are [`Expr`]; what they come to is a shared [`Term`], a number of 32 bits.
//! [`Data`] has the equations compiled and all terms; each thread has an [`Evaluator`], which evaluates
//! compiled expressions ([`Code`]) and finds the solutions of sums ([`Sum`]).
//!
//! ```
//! use terms::{Data, DataSpec, Expr, Kind, Layout, Op, SortIx, Term};
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
//! let layout: Layout = [n].into_iter().collect();
//! let (code, sum) = (data.compile(&square, &layout).unwrap(), data.compile_sum(&[n], &[condition], &layout).unwrap());
//! let mut evaluator = data.evaluator();
//! let mut squares = Vec::new();
//! evaluator.solve(&sum, &mut [Term(0)], &mut |evaluator, env| {
//!     squares.push(data.show(evaluator.eval(&code, env)?, SortIx::NAT));
//!     Ok(())
//! }).unwrap();
//! assert_eq!(squares, ["0", "1", "4", "9"]);
//! ```
//!
//! PLAN

mod code;
mod compile;
mod data;
mod eval;
mod fault;
mod layout;
mod prepare;
mod simplify;
mod spec;
mod store;
mod term;

pub use code::{Code, Sum};
pub use data::Data;
pub use eval::{Evaluator, OnSolution, Truth};
pub use fault::{CompileError, EvalFault};
pub use layout::Layout;
pub use spec::{
    DataSpec, Equation, Expr, FunIx, FunKind, Function, Kind, Op, Sort, SortIx, Sorts, VarIx, Variable,
};
pub use store::{Store, StoreFull};
pub use term::Term;
