//! What a search found out.

use std::time::Duration;

use base::GroupIx;
use model::{EvalError, Inside, Value};
use num_bigint::BigUint;

use crate::{Counted, Diagrams, Property};

/// The answer to one question. *Holds* is said only after a complete search.
#[derive(Clone, Debug)]
pub enum Verdict<W> {
    /// It holds.
    Holds,
    /// It does not, and this run shows it.
    Violated(W),
    /// The search does not tell.
    Unknown(StopReason),
}

impl<W> Verdict<W> {
    /// The verdict over several: violated if one is, else unknown if one is or the search stopped early, else
    /// holds.
    pub fn over<'a>(
        verdicts: impl Iterator<Item = &'a Self> + Clone,
        stopped: Option<&StopReason>,
    ) -> Verdict<()>
    where
        W: 'a,
    {
        if verdicts.clone().any(|verdict| matches!(verdict, Self::Violated(_))) {
            return Verdict::Violated(());
        }
        let unknown = verdicts.filter_map(|verdict| match verdict {
            Self::Unknown(reason) => Some(reason),
            _ => None,
        });
        unknown.chain(stopped).next().map_or(Verdict::Holds, |reason| Verdict::Unknown(reason.clone()))
    }

    /// `holds`, `violated` or `unknown`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Violated(_) => "violated",
            Self::Unknown(_) => "unknown",
        }
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The memory limit was reached.
    Memory,
    /// The time limit was reached.
    Time,
    /// The limit of states was reached.
    States,
    /// States beyond the depth limit were not looked at.
    Depth,
    /// A person interrupted the search.
    Interrupted,
    /// The model fails in a reachable state; what follows such a state is not known.
    EvaluationError,
    /// More processes run than the state has slots for: what happened.
    Processes(String),
    /// There are infinitely many states: why.
    Unbounded(String),
    /// The property itself cannot be evaluated in a reachable state: what happened.
    PredicateError(String),
    /// The search stopped at a violation of another property.
    OtherViolation,
    /// States were not kept whole: some may have been taken for others and left out, with about this
    /// probability for each.
    Approximate(Omission),
    /// This cannot be checked yet.
    Unsupported(String),
    /// A defect of the tool or of a language was seen: a counterexample that did not replay, a value outside
    /// its type.
    Internal(String),
}

/// The probability that a state was left out of a search that does not keep states whole.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Omission(pub f64);

impl Eq for Omission {}

impl StopReason {
    /// One word for it, as in `"reason"` of the JSON report.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Time => "time",
            Self::States => "states",
            Self::Depth => "depth",
            Self::Interrupted => "interrupted",
            Self::EvaluationError => "evaluation-error",
            Self::Processes(_) => "processes",
            Self::Unbounded(_) => "unbounded",
            Self::PredicateError(_) => "predicate-error",
            Self::OtherViolation => "other-violation",
            Self::Approximate(_) => "approximate",
            Self::Unsupported(_) => "unsupported",
            Self::Internal(_) => "internal",
        }
    }
}

/// The states of a run, as an engine found them: in the slots of the model it was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The states from the initial one on.
    pub states: Vec<Vec<Value>>,
}

/// A run of the source model that was replayed.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The initial state.
    pub initial: Vec<Value>,
    /// The steps.
    pub steps: Vec<Step>,
    /// What the run shows.
    pub ending: Ending,
}

/// One step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The group that moved.
    pub group: GroupIx,
    /// The action.
    pub action: Value,
    /// The state after it.
    pub state: Vec<Value>,
    /// What happened inside it, as far as the model tells; empty where it tells nothing.
    pub inside: Vec<Inside>,
}

/// What a run shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The last state has no successor.
    Deadlock,
    /// The last state makes the label zero.
    Label,
    /// The last step is the action.
    Action,
    /// The last state makes the model fail: in a group, or in a label.
    Error {
        /// How.
        error: EvalError,
        /// In which group, if in one.
        group: Option<GroupIx>,
    },
}

impl Witness {
    /// The last state.
    pub fn last(&self) -> &[Value] {
        self.steps.last().map_or(&self.initial, |step| &step.state)
    }
}

/// One property with its answer.
#[derive(Clone, Debug)]
pub struct Answer<W> {
    /// The property.
    pub property: Property,
    /// Its answer.
    pub verdict: Verdict<W>,
    /// How many states or transitions violate it, as far as the search went, if the engine counts them.
    pub violations: Option<BigUint>,
}

/// Numbers of a search, exact however large; `None` is what the engine does not count.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Distinct states seen.
    pub states: BigUint,
    /// Transitions of expanded states.
    pub transitions: Option<BigUint>,
    /// Breadth-first levels, the initial state's included.
    pub levels: Option<u64>,
    /// The deepest the search went, in steps, where its order is one of steps.
    pub depth: Option<u64>,
    /// States without successors among the expanded ones.
    pub deadlocks: Option<BigUint>,
    /// Expanded states in which the model fails.
    pub errors: Option<BigUint>,
    /// Bytes that the states themselves take, where each is kept.
    pub stored: Option<u64>,
    /// Most bytes the search took at a time.
    pub memory: u64,
    /// Time of the search.
    pub time: Duration,
    /// Numbers of the decision diagrams, if there were some.
    pub diagrams: Option<Diagrams>,
}

/// What a search found out; its counterexamples are [`Path`]s until they are replayed, then [`Witness`]es.
#[derive(Clone, Debug)]
pub struct Report<W> {
    /// The answers, in the order of the questions.
    pub answers: Vec<Answer<W>>,
    /// Why the search ended before all states were expanded, if it did.
    pub stopped: Option<StopReason>,
    /// The numbers.
    pub statistics: Statistics,
    /// What was to be found out of the states as a whole.
    pub counted: Counted,
}
