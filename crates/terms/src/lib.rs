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
//! From the inside out: `term` and `node` say what the 32 bits mean, `store` keeps the nodes; `values`,
//! `lists`, `sets`, `ops`, `equality` are the built-in functions; `rules`, `matching`, `build`, `operators`,
//! `conditions` make code (`code`) of equations and expressions; `machine` and `apply` run it; `isolate`,
//! `sum`, `solve`, `search` are sums.

mod alpha;
mod apply;
mod bags;
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
mod operators;
mod ops;
mod otherwise;
mod parts;
mod pattern;
mod rules;
mod search;
mod sets;
mod short;
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
pub use solve::OnSolution;
pub use sort::{Sort, SortIx, Sorts};
pub use spec::{DataSpec, Equation, FunIx, FunKind, Function, VarIx, Variable};
pub use store::{Store, StoreFull};
pub use sum::Sum;
pub use term::Term;
