//! Process algebra with data: what mCRL2 and µCRL have in common below their texts.
//!
//! A language gives a [`ProcessSpec`], typed and resolved. It becomes a linear process (definition 1.5 of
//! Meijer, "Improving reachability analysis in LTSmin", 2014): summands with a condition, a multi-action and
//! the next state; and that a model with a group for each summand.

mod alike;
mod calls;
mod combinations;
mod component;
mod compose;
mod constant_flow;
mod defaults;
mod dispatch;
mod fold;
mod labels;
mod linear;
mod linear_model;
mod linearise;
mod load;
mod nodes;
mod operators;
mod problem;
mod remembered;
mod skeleton;
mod stepper;
mod steps;
mod survivors;
mod syntax;
mod tidy;

pub use linear::{Linear, Named, Parameter, Summand, conjuncts};
pub use linear_model::LinearModel;
pub use linearise::linearise;
pub use load::load;
pub use syntax::{ActIx, Action, Communication, NameIx, ProcIx, Process, ProcessSpec, Term, TermKind};
