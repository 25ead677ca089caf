//! Examinations of nets, as the Model Checking Contest has them: questions about one net, each answered in
//! the cheapest way that can answer it.
//!
//! In comes a net with what is asked of it: a whole [`Examination`], or the formulas of a file. Four kinds of
//! means are tried in rounds, each round with more time than the one before (`goals.rs`, `bounds.rs`,
//! `global.rs`, `space.rs`): the structure of the net, walks at random, which find what is easy to reach, the
//! state equation, which refutes what is far from reachable, and last the engines, on a net that was reduced
//! as far as the question allows (`searching.rs`). Out goes an [`Answer`] for each question, as soon as it is
//! known. A firing sequence that shows an answer is replayed on the model of the net before it becomes
//! [`Evidence`](engine::Evidence) (`property.rs`); one that does not replay makes the answer unknown.

#![forbid(unsafe_code)]

mod bounds;
mod constant;
mod effort;
mod formulas;
mod global;
mod goals;
mod property;
mod searching;
mod space;
#[cfg(test)]
mod tests;

use engine::{Answer, StopReason};
use lang_pnml::{PnmlNet, Query};

pub use effort::{Effort, Means, OnSearch};
pub use formulas::formulas;
pub use planner::Error;
pub use property::properties;

/// Is called for each answer, as soon as it is known.
pub type OnAnswer<'h> = dyn FnMut(Answer) + 'h;

/// What can be asked of a net as a whole, or by a file of formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Examination {
    /// How many markings and firings there are, and the most tokens.
    StateSpace,
    /// Can a marking be reached in which nothing can fire?
    ReachabilityDeadlock,
    /// Can each transition fire some time?
    QuasiLiveness,
    /// Can each transition fire again, from every marking?
    Liveness,
    /// Does some place hold as many tokens in all markings?
    StableMarking,
    /// Does no place ever hold more than one token?
    OneSafe,
    /// The greatest values of sums of places, from a file.
    UpperBounds,
    /// Predicates over tokens that hold somewhere or everywhere, from a file.
    ReachabilityCardinality,
    /// The same over what can fire, from a file.
    ReachabilityFireability,
}

impl Examination {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::StateSpace,
        Self::ReachabilityDeadlock,
        Self::QuasiLiveness,
        Self::Liveness,
        Self::StableMarking,
        Self::OneSafe,
        Self::UpperBounds,
        Self::ReachabilityCardinality,
        Self::ReachabilityFireability,
    ];

    /// Its name in the contest.
    pub fn name(self) -> &'static str {
        match self {
            Self::StateSpace => "StateSpace",
            Self::ReachabilityDeadlock => "ReachabilityDeadlock",
            Self::QuasiLiveness => "QuasiLiveness",
            Self::Liveness => "Liveness",
            Self::StableMarking => "StableMarking",
            Self::OneSafe => "OneSafe",
            Self::UpperBounds => "UpperBounds",
            Self::ReachabilityCardinality => "ReachabilityCardinality",
            Self::ReachabilityFireability => "ReachabilityFireability",
        }
    }

    /// Whether its questions stand in a file of its name.
    pub fn has_file(self) -> bool {
        matches!(self, Self::UpperBounds | Self::ReachabilityCardinality | Self::ReachabilityFireability)
    }
}

/// Examines a net. What is not answered was not found out; why, where that is known, is what comes back.
pub fn examine(
    net: &PnmlNet,
    examination: Examination,
    queries: &[Query],
    effort: &Effort,
    on_answer: &mut OnAnswer<'_>,
) -> Result<Option<StopReason>, Error> {
    match examination {
        Examination::StateSpace => space::count(net, effort, on_answer),
        Examination::ReachabilityDeadlock => {
            global::deadlock(net, property::deadlock(examination.name()), effort, on_answer)
        }
        Examination::QuasiLiveness => global::quasi_liveness(net, effort, on_answer),
        Examination::Liveness => global::liveness(net, effort, on_answer),
        Examination::StableMarking => global::stable_marking(net, effort, on_answer),
        Examination::OneSafe => global::one_safe(net, effort, on_answer),
        Examination::UpperBounds
        | Examination::ReachabilityCardinality
        | Examination::ReachabilityFireability => formulas(net, queries, effort, on_answer),
    }
}
