//! What can be said of a model: predicates over its states, and formulas over its runs.
//!
//! - A [`Predicate`] is a text like `P_0.CS + P_1.CS <= 1` that was read against the signature of a model;
//!   its room is `predicate`. All problems of a text are told at once, each at its place. [`SYNTAX`] is the
//!   language in the words of a user.
//! - A [`Formula`] is a tree that holds LTL, CTL, CTL* and the µ-calculus; its room is `formula`. Parsers
//!   into it: [`ltl`] here, and those of languages that state properties in forms of their own.

mod formula;
pub mod ltl;
mod predicate;

pub use formula::{Actions, Atom, Fixpoint, Formula, Fragment, Quantifier, Reachability, Regular};
pub use predicate::{Predicate, SYNTAX};
