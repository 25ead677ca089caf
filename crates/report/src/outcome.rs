//! What a command found out, in one shape for the printers: text and JSON tell the same story.

use std::sync::Arc;
use std::time::Duration;

use engine::{
    Answer, Ending, Evidence, Limits, Property, Question, Report, Run, Runs, Statistics, StopReason, Verdict,
};
use machine::memory::{peak, show_bytes};
use model::{Model, Signature};

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
    /// Why it was this engine, where nobody asked for one.
    pub why: Option<&'static str>,
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

/// What a cache of local transitions did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CacheFigures {
    /// The word for its kind: `off`, `thread` or `shared`.
    pub mode: &'static str,
    /// Why it is this kind, where nobody asked for one.
    pub why: Option<String>,
    /// Whether a trial showed it.
    pub is_measured: bool,
    /// Calls for a group that were looked up.
    pub asked: u64,
    /// Those that the cache answered.
    pub hits: u64,
    /// Most bytes that its tables held at a time.
    pub bytes: u64,
}

impl CacheFigures {
    /// The mode in which there is no cache.
    pub const OFF: &'static str = "off";
}

impl Outcome {
    /// The names, types and places of the model.
    pub fn signature(&self) -> &Signature {
        self.model.signature()
    }

    /// The same with the answers and the numbers of a search.
    #[must_use]
    pub fn with_answers(mut self, report: Report) -> Self {
        self.answers.extend(report.answers);
        self.stopped = report.stopped;
        self.time = report.statistics.time;
        self.statistics = Some(report.statistics);
        self
    }

    /// The same with the numbers of a search for failures that went on to its end. Who counts asks for no
    /// property: a failure is why the numbers are not all.
    #[must_use]
    pub fn with_numbers(mut self, report: Report) -> Self {
        let shown = report.answers.into_iter().find_map(|answer| answer.evidence);
        self.failure = shown.map(|evidence| match evidence {
            Evidence::Run(run) | Evidence::Lasso { run, .. } => run,
        });
        self.stopped = report.stopped;
        self.time = report.statistics.time;
        self.statistics = Some(report.statistics);
        self
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
            format!("the limit{} was reached", limit(limits.states.map(|n| format!("{n} states"))))
        }
        StopReason::Depth => {
            let steps = limit(limits.depth.map(|n| format!("{n} steps")));
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

/// What people call a property.
pub fn title(property: &Property) -> String {
    match property.question {
        Question::NoDeadlock if property.runs == Runs::All => "no deadlock".to_owned(),
        Question::NoError => "no run-time errors".to_owned(),
        // An alarm is called by what happened.
        Question::Never(_) => format!("no {}", property.name),
        _ => property.name.clone(),
    }
}

/// What is said of a formula about a net beside its name: what was found.
pub(crate) fn finding(answer: &Answer) -> String {
    let is_found = answer.is_found();
    match (&answer.property.question, answer.property.runs) {
        (Question::Maximum(_), _) => {
            let value = answer.value.as_ref().map_or_else(|| "?".to_owned(), ToString::to_string);
            format!("at most {value}")
        }
        (Question::NoDeadlock, _) if is_found => "a deadlock can be reached".to_owned(),
        (Question::NoDeadlock, _) => "no deadlock can be reached".to_owned(),
        (Question::Initially(_), _) if is_found => "the initial marking is not so".to_owned(),
        (Question::Initially(_), _) => "the initial marking is so".to_owned(),
        (_, Runs::Some) if is_found => "such a marking can be reached".to_owned(),
        (_, Runs::Some) => "no such marking can be reached".to_owned(),
        (_, Runs::All) if is_found => "not all reachable markings are so".to_owned(),
        (_, Runs::All) => "all reachable markings are so".to_owned(),
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
