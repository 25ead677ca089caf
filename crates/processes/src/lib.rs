//! Process algebra with data: what mCRL2 and µCRL have in common below their texts.
//!
//! A language gives a [`ProcessSpec`], typed and resolved. It becomes a linear process (definition 1.5 of
//! Meijer, "Improving reachability analysis in LTSmin", 2014): summands with a condition, a multi-action and
//! a next state. A linear process becomes a model with a group for each summand.
//!
//! # The plan
//!
//! ```text
//! ProcessSpec ─► sequential components ─► summands in parallel ─► LinearProcess ─► LinearModel
//! ```
//!
//! | room | what it holds |
//! |---|---|
//! | `syntax` | what a language gives: process terms, actions, communications |
//! | `linearise` | the way from a specification to a linear process |
//! | `sequential` | one sequential component: its places, the steps between them, its variables |
//! | `parallel` | components put together under `||`, `allow`, `comm` and so on |
//! | `linear` | linear processes |
//! | `offers` | what components can do by themselves: for people who ask why there is no step |
//! | `fold`, `tidy`, `defaults` | simpler expressions; smaller linear processes; a value of each sort |
//! | `linear_model` | the model of a linear process, and the stepper that runs it |
//! | `load` | all of this in one call, for languages |

mod defaults;
mod fold;
mod linear;
mod linear_model;
mod linearise;
mod load;
mod offers;
mod parallel;
mod problem;
mod sequential;
mod syntax;
mod tidy;

pub use linear::{ActionTerm, LinearProcess, Offer, Parameter, Summand, conjuncts};
pub use linear_model::LinearModel;
pub use linearise::{linearise, linearise_joining};
pub use load::load;
pub use syntax::{
    ActIx, Action, Communication, NameIx, ProcIx, Process, ProcessSpec, ProcessTerm, ProcessTermKind,
};
