//! What all engines share: the task they are given, the control they obey, the report they give back,
//! and the replay that checks every counterexample before anyone sees it.

mod census;
mod control;
mod figures;
mod pattern;
mod property;
mod replay;
mod report;

pub use census::{Census, Counted};
pub use control::{Control, Decided, Limits, Progress};
pub use figures::Diagrams;
pub use num_bigint::BigUint;
pub use pattern::Pattern;
pub use property::{Property, Question};
pub use replay::{ReplayError, replay};
pub use report::{Answer, Ending, Omission, Path, Report, Statistics, Step, StopReason, Verdict, Witness};

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
