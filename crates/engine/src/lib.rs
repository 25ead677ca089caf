//! What all engines share: the contract ([`Engine`]), the [`Task`] they are given, the [`Control`] they obey,
//! the [`Report`] they give back, and the [`replay`] that checks all evidence before anyone sees it.
//!
//! In comes a task: a model and the properties that are asked of it. The engine that carries it out answers
//! with [`Path`]s, in the slots of the model that it was given. The planner maps them to the model without
//! layers, where [`replay`] turns each into [`Evidence`]; what does not replay never leaves as an answer.

mod cancel;
mod census;
mod control;
mod engine;
mod evidence;
mod figures;
mod pattern;
mod profile;
mod property;
mod replay;
mod report;
mod verdict;

pub use cancel::CancelToken;
pub use census::{Census, CensusReport};
pub use control::{Control, Decided, Limits, Progress};
pub use engine::{Engine, Support};
pub use evidence::{Ending, Evidence, Run, Step};
pub use figures::Diagrams;
pub use model::Path;
pub use num_bigint::{BigInt, BigUint};
pub use pattern::Pattern;
pub use profile::Profile;
pub use property::{Property, Question, Runs};
pub use replay::{ReplayError, replay, replay_groups};
pub use report::{Answer, Quantity, Report, Statistics, Technique};
pub use verdict::{Omission, StopReason, Verdict};

use model::Model;

/// What to search and what for.
pub struct Task<'a> {
    /// The model, with whatever layers the planner put on it.
    pub model: &'a dyn Model,
    /// The questions.
    pub properties: &'a [Property],
    /// Go on after a violation, to count them and to answer every question.
    pub find_all: bool,
    /// What is to be found out of the states as a whole.
    pub census: Census<'a>,
}
