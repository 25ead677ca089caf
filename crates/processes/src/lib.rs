//! Process algebra with data: what mCRL2 and µCRL have in common below their texts.
//!
//! A language gives a [`ProcessSpec`], typed and resolved. It becomes a linear process (definition 1.5 of
//! Meijer, "Improving reachability analysis in LTSmin", 2014): summands with a condition, a multi-action and
//! the next state; and that a model with a group for each summand.

mod defaults;
mod fold;
mod linear;
mod linear_model;
mod linearise;
mod load;
mod parallel;
mod problem;
mod sequential;
mod syntax;
mod tidy;

pub use linear::{Linear, Named, Parameter, Summand, conjuncts};
pub use linear_model::LinearModel;
pub use linearise::linearise;
pub use load::load;
pub use syntax::{ActIx, Action, Communication, NameIx, ProcIx, Process, ProcessSpec, Term, TermKind};
