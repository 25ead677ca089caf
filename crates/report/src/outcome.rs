//! What a command found out, in one shape for the printers: text and JSON tell the same story.

use std::sync::Arc;
use std::time::Duration;

use engine::{Answer, Ending, Limits, Profile, Run, Statistics, StopReason, Verdict};
use layers::CacheFigures;
use machine::memory::{peak, show_bytes};
use model::{Model, Signature};

use crate::sentence::counted;

/// What a user can do about a reason, in the words of whoever shows the report.
pub type Hint = fn(&StopReason) -> Option<&'static str>;

/// What was found out about a model.
#[derive(Clone)]
pub struct Outcome {
    /// The plain model, of which names, types and places are shown.
    pub model: Arc<dyn Model>,
    /// The file that the model is in, without its folders.
    pub file_name: String,
    /// The language of the file.
    pub language: &'static str,
    /// The engine that searched.
    pub engine: &'static str,
    /// The order in which it did.
    pub strategy: &'static str,
    /// How many threads searched.
    pub threads: usize,
    /// Why it was this engine, where nobody asked for one.
    pub why: Option<&'static str>,
    /// The searches that answered something, where properties were answered one by one.
    pub searches: Vec<SearchFigures>,
    /// The properties with their answers.
    pub answers: Vec<Answer>,
    /// Why the search ended before all states were expanded, if it did.
    pub stopped: Option<StopReason>,
    /// The numbers of the search; none where properties were answered one by one, each in its own way.
    pub statistics: Option<Statistics>,
    /// How long it took to make the model.
    pub load_time: Duration,
    /// How long it took to find this out, beside that.
    pub time: Duration,
    /// The limits that were kept.
    pub limits: Limits,
    /// Whether the search went on after a violation.
    pub find_all: bool,
    /// The first run to a failure of a model that is only counted.
    pub failure: Option<Run>,
    /// What the cache of local transitions did, if it is known whether there was one.
    pub cache: Option<CacheFigures>,
    /// What a user can do about a reason.
    pub hint: Hint,
}

/// What there is to say of one search among several.
#[derive(Clone)]
pub struct SearchFigures {
    /// The engine that searched.
    pub engine: Profile,
    /// Whether the model was made smaller before, as far as the question allowed.
    pub is_reduced: bool,
    /// The slots of the model that the engine was given.
    pub slots: usize,
    /// Its groups.
    pub groups: usize,
    /// The numbers of the search.
    pub statistics: Statistics,
    /// Whether all states of that model were seen.
    pub is_complete: bool,
    /// What the cache of local transitions did.
    pub cache: CacheFigures,
}

impl Outcome {
    /// The strategy of formulas about a net: each is answered in its own way, not all by a search.
    pub const FORMULAS: &'static str = "formulas";

    /// The names, types and places of the model.
    pub fn signature(&self) -> &Signature {
        self.model.signature()
    }

    /// Violated if one property is, else unknown if one is, else holds; without properties, whether all was
    /// seen.
    pub fn verdict(&self) -> Verdict {
        Verdict::over(self.answers.iter().map(|answer| &answer.verdict), self.stopped.as_ref())
    }

    /// Whether every reachable state was seen.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none()
    }

    /// Most memory that the process took.
    pub fn memory(&self) -> u64 {
        peak().or_else(|| self.statistics.as_ref().map(|statistics| statistics.memory)).unwrap_or(0)
    }

    /// A reason in words, and what to do about it.
    pub fn explain(&self, reason: &StopReason) -> String {
        let text = explain(reason, &self.limits);
        match (self.hint)(reason) {
            Some(hint) => format!("{text}; {hint}"),
            None => text,
        }
    }
}

/// A reason in words, of a search with these limits.
pub fn explain(reason: &StopReason, limits: &Limits) -> String {
    let limit = |limit: Option<String>| limit.map_or(String::new(), |limit| format!(" of {limit}"));
    match reason {
        StopReason::Memory => {
            format!("the memory limit{} was reached", limit(limits.memory.map(show_bytes)))
        }
        StopReason::Time => {
            let seconds = limits.time.map(|time| format!("{} s", time.as_secs_f64()));
            format!("the time limit{} was reached", limit(seconds))
        }
        StopReason::States => {
            format!("the limit{} was reached", limit(limits.states.map(|n| counted(n, "state"))))
        }
        StopReason::Depth => {
            let steps = limit(limits.depth.map(|n| counted(n, "step")));
            format!("states beyond the depth limit{steps} were not looked at")
        }
        StopReason::Interrupted => "the search was interrupted".into(),
        StopReason::EvaluationError => {
            "the model fails in a reachable state; what would follow is not known".into()
        }
        StopReason::Processes(what) => what.clone(),
        StopReason::Limit(what) => {
            format!(
                "a limit of pinscher was met in a reachable state, and what would follow is not known: {what}"
            )
        }
        StopReason::Unbounded(what) => what.clone(),
        StopReason::PredicateError(what) => format!("it cannot be evaluated in a reachable state: {what}"),
        StopReason::OtherViolation => "the search stopped at a violation of another property".into(),
        StopReason::Approximate(chance) => format!(
            "no violation was found, but states were not kept whole: one that comes now is left out with a probability of \
             about {:.1e}",
            chance.0
        ),
        StopReason::Unsupported(what) => what.clone(),
        StopReason::Internal(what) => format!("a defect of pinscher, please report it: {what}"),
    }
}

/// What a run of this ending shows, in a word for programs.
pub(crate) fn ending_name(ending: &Ending) -> &'static str {
    match ending {
        Ending::Deadlock => "deadlock",
        Ending::Label => "label",
        Ending::Loop => "loop",
        Ending::Action => "action",
        Ending::Error { .. } => "error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_told_with_right_plurals() {
        for (count, states, depth) in [(1, "1 state", "1 step"), (7, "7 states", "7 steps")] {
            let limits = Limits { states: Some(count), depth: Some(count), ..Limits::default() };
            assert_eq!(explain(&StopReason::States, &limits), format!("the limit of {states} was reached"));
            let beyond = format!("states beyond the depth limit of {depth} were not looked at");
            assert_eq!(explain(&StopReason::Depth, &limits), beyond);
        }
    }
}
