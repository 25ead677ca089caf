//! What a search found out.

use std::time::Duration;

use num_bigint::{BigInt, BigUint};

use crate::{CensusReport, Diagrams, Evidence, Profile, Property, StopReason, Task, Verdict};

/// One property with its answer. What shows it is a [`Path`](crate::Path) until it was replayed, then
/// [`Evidence`].
#[derive(Clone, Debug)]
pub struct Answer<E = Evidence> {
    /// The property.
    pub property: Property,
    /// Whether it holds.
    pub verdict: Verdict,
    /// The quantity that was asked for, if the property asks for one and it is known.
    pub value: Option<Quantity>,
    /// What shows the verdict, where something does.
    pub evidence: Option<E>,
    /// How many states or transitions are of the kind that the search looks for, as far as it went, if the
    /// engine counts them.
    pub violations: Option<BigUint>,
    /// How it was found out, where that is not simply a search by the engine that the report names.
    pub technique: Option<Technique>,
}

impl<E> Answer<E> {
    /// An answer without evidence.
    pub fn new(property: Property, verdict: Verdict) -> Self {
        Self { property, verdict, value: None, evidence: None, violations: None, technique: None }
    }

    /// There is no answer, for this reason.
    pub fn unknown(property: Property, reason: StopReason) -> Self {
        Self::new(property, Verdict::Unknown(reason))
    }

    /// The answer where what the question looks for was found.
    pub fn found(property: Property, evidence: E) -> Self {
        let verdict = property.when_found();
        Self { evidence: Some(evidence), ..Self::new(property, verdict) }
    }

    /// The answer where all was searched and what the question looks for is not there.
    pub fn not_found(property: Property) -> Self {
        let verdict = property.when_absent();
        Self::new(property, verdict)
    }

    /// Whether what the question looks for was found, and evidence of it is here.
    pub fn is_found(&self) -> bool {
        self.verdict == self.property.when_found()
    }
}

/// A quantity that a property asks for: the most tokens in a place, say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Quantity {
    /// A whole number.
    Integer(BigInt),
}

impl std::fmt::Display for Quantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Integer(number) => number.fmt(f),
        }
    }
}

/// How an answer was found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Technique {
    /// The structure of a net shows it.
    Structure,
    /// A walk at random came upon it.
    RandomWalk,
    /// The state equation of a net shows it.
    StateEquation,
    /// A search of all states.
    Search {
        /// The engine.
        engine: Profile,
        /// The model was made smaller before, as far as the property allows.
        is_reduced: bool,
    },
}

impl Technique {
    /// The engine that searched, if one did.
    pub fn engine(self) -> Option<Profile> {
        match self {
            Self::Search { engine, .. } => Some(engine),
            Self::Structure | Self::RandomWalk | Self::StateEquation => None,
        }
    }

    /// In words.
    pub fn words(self) -> String {
        match self {
            Self::Structure => "the structure of the net".to_owned(),
            Self::RandomWalk => "a walk at random".to_owned(),
            Self::StateEquation => "the state equation".to_owned(),
            Self::Search { engine, is_reduced: false } => format!("{} search", engine.name),
            Self::Search { engine, is_reduced: true } => format!("{} search of the reduced net", engine.name),
        }
    }
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

/// What a search found out.
#[derive(Clone, Debug)]
pub struct Report<E = Evidence> {
    /// The answers, in the order of the questions.
    pub answers: Vec<Answer<E>>,
    /// Why the search ended before all states were expanded, if it did.
    pub stopped: Option<StopReason>,
    /// The numbers.
    pub statistics: Statistics,
    /// What was to be found out of the states as a whole.
    pub census: CensusReport,
}

impl<E> Report<E> {
    /// The report of a search that found nothing out, for this reason.
    pub fn nothing(task: &Task<'_>, reason: StopReason, statistics: Statistics) -> Self {
        let unknown = |property: &Property| Answer::unknown(property.clone(), reason.clone());
        let answers = task.properties.iter().map(unknown).collect();
        Self { answers, stopped: Some(reason), statistics, census: task.census.nothing() }
    }
}
