//! How a search is to be done.

use model::Model;

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// In which order.
    pub strategy: Strategy,
    /// Ask guards on their own.
    pub split_guards: Split,
    /// Tell reads from writes.
    pub separate: bool,
    /// Apply separable effects as they are, without learning them. Not where reads are not told from writes,
    /// nor where actions are asked for.
    pub use_effects: bool,
    /// Threads that work on it together.
    pub threads: usize,
    /// With so many nodes in use there are sets that are worth threads of their own; `sat` and `sat-fix` take
    /// them from the start.
    pub many_nodes: usize,
}

impl Options {
    /// A strategy with all that makes it fast, in one thread.
    pub fn new(strategy: Strategy) -> Self {
        let many_nodes = 1 << 14;
        Self {
            strategy,
            split_guards: Split::Auto,
            separate: true,
            use_effects: true,
            threads: 1,
            many_nodes,
        }
    }
}

/// Whether guards are asked on their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Split {
    /// All guards.
    On,
    /// None.
    Off,
    /// Those of groups that were asked for so many short vectors.
    After(u64),
    /// Those of groups that were asked for many: guards cost operations on sets, and save calls.
    Auto,
}

/// So many short vectors are many for a group whose calls take no longer than an operation on sets, …
const MANY: u64 = 1 << 19;
/// … and so many for one whose calls are slow.
const MANY_SLOW: u64 = 1 << 10;

impl Split {
    /// How many short vectors a group of this model is asked for as a whole, if its guards are ever to be
    /// asked on their own.
    pub(crate) fn from(self, model: &dyn Model) -> Option<u64> {
        match self {
            Self::Off => None,
            Self::On => Some(0),
            Self::After(count) => Some(count),
            Self::Auto => Some(if model.has_slow_calls() { MANY_SLOW } else { MANY }),
        }
    }
}

/// The strategies, by LTSmin's names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Level by level, images of the last level.
    BfsPrev,
    /// Level by level, images of all states.
    Bfs,
    /// Group by group, each seeing what the ones before it found, beginning with the last level.
    ChainPrev,
    /// The same, with all states.
    Chain,
    /// The groups that begin lowest until nothing is new, then those above; where these find something, down
    /// again.
    SatLike,
    /// The same, but down again only when the highest are done.
    SatLoop,
    /// Relations are learned for all states, then closed by saturation, until nothing is new.
    SatFix,
    /// Saturation, with relations that are learned while it goes on.
    Sat,
}

impl Strategy {
    /// All strategies.
    pub const ALL: &[Self] = &[
        Self::BfsPrev,
        Self::Bfs,
        Self::ChainPrev,
        Self::Chain,
        Self::SatLike,
        Self::SatLoop,
        Self::SatFix,
        Self::Sat,
    ];

    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::BfsPrev => "bfs-prev",
            Self::Bfs => "bfs",
            Self::ChainPrev => "chain-prev",
            Self::Chain => "chain",
            Self::SatLike => "sat-like",
            Self::SatLoop => "sat-loop",
            Self::SatFix => "sat-fix",
            Self::Sat => "sat",
        }
    }

    /// Whether it goes level by level, so that it knows how far away states are.
    pub fn has_levels(self) -> bool {
        matches!(self, Self::BfsPrev | Self::Bfs)
    }
}
