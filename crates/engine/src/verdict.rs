//! Verdicts: *holds*, *violated*, or *unknown* with the reason.

use model::EvalErrorKind;

/// What is known of a property. *Holds* is said only after a complete search, or where a run shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds.
    Holds,
    /// It does not hold.
    Violated,
    /// The search does not tell, for this reason.
    Unknown(StopReason),
}

impl Verdict {
    /// The verdict over several: violated if one is, else unknown if one is or the search stopped early, else
    /// holds.
    pub fn over<'a>(
        verdicts: impl Iterator<Item = &'a Self> + Clone,
        stopped: Option<&'a StopReason>,
    ) -> Self {
        if verdicts.clone().any(Self::is_violated) {
            return Self::Violated;
        }
        let unknown = verdicts.filter_map(Self::reason);
        unknown.chain(stopped).next().map_or(Self::Holds, |reason| Self::Unknown(reason.clone()))
    }

    /// Whether it is [`Verdict::Violated`].
    pub fn is_violated(&self) -> bool {
        *self == Self::Violated
    }

    /// Why it is unknown, if it is.
    pub fn reason(&self) -> Option<&StopReason> {
        match self {
            Self::Unknown(reason) => Some(reason),
            Self::Holds | Self::Violated => None,
        }
    }

    /// `holds`, `violated` or `unknown`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Violated => "violated",
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
    /// Another limit of the tool was met in a reachable state, and what follows such a state is not known:
    /// what was met.
    Limit(String),
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
    /// The reason that a limit of the tool is, which a model met in a reachable state.
    pub fn of_limit(limit: &EvalErrorKind) -> Self {
        match limit {
            EvalErrorKind::TooManyProcesses { .. } => Self::Processes(limit.to_string()),
            EvalErrorKind::Interrupted => Self::Interrupted,
            _ => Self::Limit(limit.to_string()),
        }
    }

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
            Self::Limit(_) => "limit",
            Self::Unbounded(_) => "unbounded",
            Self::PredicateError(_) => "predicate-error",
            Self::OtherViolation => "other-violation",
            Self::Approximate(_) => "approximate",
            Self::Unsupported(_) => "unsupported",
            Self::Internal(_) => "internal",
        }
    }
}
