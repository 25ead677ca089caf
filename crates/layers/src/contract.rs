//! What a layer needs of the model below, what it keeps of it, and what a question needs kept.

use model::Model;

/// Something that a layer can need of the model below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Requirement {
    /// Some group names the guards that enable it.
    Guards,
}

impl Requirement {
    /// Whether the model has it. A model without groups lacks nothing.
    pub fn is_met_by(self, model: &dyn Model) -> bool {
        let groups = &model.signature().groups;
        match self {
            Self::Guards => groups.is_empty() || groups.iter().any(|group| !group.guards.is_empty()),
        }
    }
}

impl std::fmt::Display for Requirement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Guards => "guards",
        })
    }
}

/// What a question can be about, and what a layer can preserve.
///
/// The first five are facts about single states and steps. The next three are about runs as the state labels
/// show them, each finer than the one before. [`Aspect::Actions`] is about what steps are called. A layer
/// that preserves it and one of the others preserves that other aspect where it speaks of actions, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aspect {
    /// How many states are reachable, and which.
    States,
    /// How many transitions there are.
    Transitions,
    /// Whether a state without successors is reachable.
    Deadlocks,
    /// Whether a state in which the model fails is reachable.
    Errors,
    /// Which values the state labels take in reachable states: for invariants.
    Invariants,
    /// Which sequences of label values runs go through, where a value that is repeated counts once: for
    /// linear time without *next*.
    StutterTraces,
    /// Which sequences of label values runs go through: for linear time.
    Traces,
    /// Which sequences of label values can go on how from where, as bisimilar models agree on: for branching
    /// time.
    Branching,
    /// Which actions steps carry.
    Actions,
}

impl Aspect {
    /// All of them: what a layer preserves that only changes how states are written down or computed.
    pub const ALL: &[Self] = &[
        Self::States,
        Self::Transitions,
        Self::Deadlocks,
        Self::Errors,
        Self::Invariants,
        Self::StutterTraces,
        Self::Traces,
        Self::Branching,
        Self::Actions,
    ];

    /// All but the names of steps.
    pub const WITHOUT_ACTIONS: &[Self] = &[
        Self::States,
        Self::Transitions,
        Self::Deadlocks,
        Self::Errors,
        Self::Invariants,
        Self::StutterTraces,
        Self::Traces,
        Self::Branching,
    ];

    /// All that a report counts.
    pub const NUMBERS: &[Self] =
        &[Self::States, Self::Transitions, Self::Deadlocks, Self::Errors, Self::Invariants];
}

impl std::fmt::Display for Aspect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::States => "the set of states",
            Self::Transitions => "the number of transitions",
            Self::Deadlocks => "deadlocks",
            Self::Errors => "evaluation errors",
            Self::Invariants => "the values of state labels",
            Self::StutterTraces => "runs up to repetition",
            Self::Traces => "runs step by step",
            Self::Branching => "the choices that states have",
            Self::Actions => "the actions that occur",
        })
    }
}

/// An aspect that every layer must preserve, and what needs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Need {
    /// What must be the same at the top as in the plain model.
    pub aspect: Aspect,
    /// What is asked that needs it: "the property `deadlock`".
    pub of: String,
}
