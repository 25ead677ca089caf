//! Examinations of nets, as the Model Checking Contest has them: what is asked, who is asked in turn, and
//! what was found.
//!
//! The structure of a net is asked first, then walks at random, which find what is easy to reach, then the
//! state equation, which refutes what is far from reachable, and at last the engines, in a race, on a net
//! that was reduced as far as the question allows.

mod bounds;
mod global;
mod goals;
#[cfg(test)]
mod repeats;
mod room;
mod searching;
mod space;
#[cfg(test)]
mod tests;

use lang_pnml::{PnmlNet, Query, Question};
use model::Predicate;
use petri::TransitionIx;

use planner::failure::Failure;
pub use room::{Means, Room};

/// What can be asked of a net as a whole, or by a file of formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Examination {
    StateSpace,
    ReachabilityDeadlock,
    QuasiLiveness,
    Liveness,
    StableMarking,
    OneSafe,
    UpperBounds,
    ReachabilityCardinality,
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

/// Who found something out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// What the structure of the net shows.
    Structure,
    /// A walk at random.
    Walk,
    /// The state equation.
    Equation,
    /// An engine, on a net that was reduced or not.
    Search {
        /// With decision diagrams.
        symbolic: bool,
        /// The net was reduced.
        reduced: bool,
    },
}

impl By {
    /// The words of the contest for it.
    pub fn techniques(self) -> &'static str {
        match self {
            Self::Structure => "TOPOLOGICAL",
            Self::Walk => "RANDOM_WALK",
            Self::Equation => "STATE_EQUATION",
            Self::Search { symbolic: true, reduced: false } => "DECISION_DIAGRAMS",
            Self::Search { symbolic: true, reduced: true } => "DECISION_DIAGRAMS STRUCTURAL_REDUCTION",
            Self::Search { symbolic: false, reduced: false } => "EXPLICIT STATE_COMPRESSION",
            Self::Search { symbolic: false, reduced: true } => {
                "EXPLICIT STATE_COMPRESSION STRUCTURAL_REDUCTION"
            }
        }
    }

    /// The same for a person.
    pub fn words(self) -> &'static str {
        match self {
            Self::Structure => "the structure of the net",
            Self::Walk => "a walk at random",
            Self::Equation => "the state equation",
            Self::Search { symbolic: true, reduced: false } => "symbolic search",
            Self::Search { symbolic: true, reduced: true } => "symbolic search of the reduced net",
            Self::Search { symbolic: false, reduced: false } => "explicit search",
            Self::Search { symbolic: false, reduced: true } => "explicit search of the reduced net",
        }
    }
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// To a question of yes or no.
    Truth(bool),
    /// A number, exact.
    Number(String),
}

/// What was found out, and how.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What was asked: the name of a formula, or of the examination, or of a number of the state space.
    pub id: String,
    /// The answer.
    pub found: Found,
    /// Who found it.
    pub by: By,
    /// The firing sequence that shows it, if one does and it was wanted. It was replayed.
    pub run: Option<Vec<TransitionIx>>,
}

/// Who hears of what was found, at once.
pub type Hear<'h> = dyn FnMut(Finding) + 'h;

/// Examines a net within limits. What is not told was not found out; the answer says why where that is known.
pub fn examine(
    net: &PnmlNet,
    examination: Examination,
    queries: &[Query],
    room: &Room,
    hear: &mut Hear<'_>,
) -> Result<Option<String>, Failure> {
    match examination {
        Examination::StateSpace => space::count(net, room, hear),
        Examination::ReachabilityDeadlock => global::deadlock(net, examination.name(), room, hear),
        Examination::QuasiLiveness => global::quasi_liveness(net, room, hear),
        Examination::Liveness => global::liveness(net, room, hear),
        Examination::StableMarking => global::stable_marking(net, room, hear),
        Examination::OneSafe => global::one_safe(net, room, hear),
        Examination::UpperBounds
        | Examination::ReachabilityCardinality
        | Examination::ReachabilityFireability => formulas(net, queries, room, hear),
    }
}

/// Answers formulas of one file, all in one run.
pub fn formulas(
    net: &PnmlNet,
    queries: &[Query],
    room: &Room,
    hear: &mut Hear<'_>,
) -> Result<Option<String>, Failure> {
    let (mut goals, mut sums, mut why) = (Vec::new(), Vec::new(), None);
    let initial: Vec<u32> =
        net.net.places.iter().map(|place| u32::try_from(place.initial).unwrap_or(u32::MAX)).collect();
    for query in queries {
        let id = query.id.clone();
        match &query.question {
            Question::Possible(target) => {
                goals.push(goals::Goal { id, target: target.clone(), found_means: true })
            }
            Question::Always(predicate) => match predicate.negated() {
                Some(target) => goals.push(goals::Goal { id, target, found_means: false }),
                None => why = Some(format!("{id}: a number of it cannot be turned into its negative")),
            },
            Question::Initially(predicate) => {
                let found = Found::Truth(predicate.holds(&initial));
                hear(Finding { id, found, by: By::Structure, run: None });
            }
            Question::Bound(sum) => sums.push((id, sum.clone())),
            Question::Deadlock | Question::NoDeadlock => {
                let turned = query.question == Question::NoDeadlock;
                let mut turn = |finding: Finding| {
                    let found = match finding.found {
                        Found::Truth(truth) => Found::Truth(truth != turned),
                        number => number,
                    };
                    hear(Finding { found, ..finding });
                };
                why = global::deadlock(net, &id, room, &mut turn)?.or(why);
            }
            Question::Temporal(_) => {
                why = Some(format!("{id}: formulas of CTL and LTL cannot be checked yet"))
            }
            Question::TooLarge(reason) => why = Some(format!("{id}: {reason}")),
        }
    }
    if !sums.is_empty() {
        why = bounds::bounds(net, &sums, room, hear)?.or(why);
    }
    if !goals.is_empty() {
        why = goals::decide(&net.net, goals, room, hear)?.or(why);
    }
    // A search that had its share of the time is not why a person saw no more.
    let is_interrupted = cli::interrupt::flag().load(std::sync::atomic::Ordering::Relaxed);
    Ok(if is_interrupted { Some("interrupted".to_owned()) } else { why })
}

/// Whether nothing is left to ask of a predicate: it is the same everywhere.
fn constant(predicate: &Predicate) -> Option<bool> {
    match predicate {
        Predicate::Constant(value) => Some(*value),
        Predicate::AtMost(sum, most) if sum.terms.is_empty() => Some(*most >= 0),
        Predicate::AtMost(sum, most) if *most >= 0 && sum.terms.iter().all(|(_, factor)| *factor < 0) => {
            Some(true)
        }
        Predicate::AtMost(sum, most) if *most < 0 && sum.terms.iter().all(|(_, factor)| *factor > 0) => {
            Some(false)
        }
        Predicate::AtMost(..) => None,
        Predicate::All(parts) => all(parts.iter().map(constant), true),
        Predicate::Any(parts) => all(parts.iter().map(constant), false),
    }
}

/// What a conjunction (`neutral` is true) or a disjunction of these is.
fn all(parts: impl Iterator<Item = Option<bool>>, neutral: bool) -> Option<bool> {
    let mut result = Some(neutral);
    for part in parts {
        match part {
            Some(value) if value != neutral => return Some(!neutral),
            Some(_) => {}
            None => result = None,
        }
    }
    result
}
