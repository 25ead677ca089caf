//! What a command found out, in one shape for the printers: text and JSON tell the same story.

use std::time::Duration;

use engine::{Answer, BigUint, Limits, Question, Report, Statistics, StopReason, Verdict, Witness};
use model::{Signature, Unchecked};

use crate::caching::Figures;
use crate::memory::{peak, show_bytes};

/// What was found out about a model.
pub(crate) struct Outcome<'a> {
    /// Names, types and places of the plain model: what witnesses speak of.
    pub(crate) signature: &'a Signature,
    pub(crate) file_name: &'a str,
    pub(crate) language: &'static str,
    pub(crate) engine: &'static str,
    pub(crate) strategy: &'static str,
    /// Why it was this engine, where nobody asked for one.
    pub(crate) why: Option<&'static str>,
    /// The properties with their answers.
    pub(crate) answers: Vec<Answered>,
    /// Why the search ended before all states were expanded, if it did.
    pub(crate) stopped: Option<StopReason>,
    pub(crate) statistics: Statistics,
    pub(crate) load_time: Duration,
    pub(crate) limits: Limits,
    /// Whether the search went on after a violation.
    pub(crate) find_all: bool,
    /// The first run to a failure of a model that is only counted.
    pub(crate) failure: Option<Witness>,
    /// What the cache of local transitions did, if it is known whether there was one.
    pub(crate) cache: Option<Figures>,
}

/// A property and its answer.
pub(crate) struct Answered {
    /// What programs call it.
    pub(crate) name: String,
    /// What people call it.
    pub(crate) title: String,
    pub(crate) verdict: Verdict<Witness>,
    pub(crate) violations: Option<BigUint>,
}

impl<'a> Outcome<'a> {
    /// The same with the answers of a search, and with the properties that no engine can check yet.
    pub(crate) fn with_answers(mut self, report: Report<Witness>, unchecked: &[Unchecked]) -> Self {
        let answers = report.answers.into_iter().map(answered);
        let unchecked = unchecked.iter().map(|property| Answered {
            name: property.name.clone(),
            title: property.name.clone(),
            verdict: Verdict::Unknown(StopReason::Unsupported(property.reason.clone())),
            violations: None,
        });
        self.answers = answers.chain(unchecked).collect();
        self.stopped = report.stopped;
        self.statistics = report.statistics;
        self
    }

    /// The same with what the cache did.
    pub(crate) fn with_cache(self, figures: Option<Figures>) -> Self {
        Self { cache: figures, ..self }
    }

    /// The same with the numbers of a search for failures that went on to its end. Who counts asks for no
    /// property: a failure is why the numbers are not all.
    pub(crate) fn with_numbers(mut self, report: Report<Witness>) -> Self {
        self.failure = report.answers.into_iter().find_map(|answer| match answer.verdict {
            Verdict::Violated(witness) => Some(witness),
            _ => None,
        });
        self.stopped = report.stopped;
        self.statistics = report.statistics;
        self
    }

    /// Violated if one property is, else unknown if one is, else holds; without properties, whether all was
    /// seen.
    pub(crate) fn verdict(&self) -> Verdict<()> {
        Verdict::over(self.answers.iter().map(|answer| &answer.verdict), self.stopped.as_ref())
    }

    /// 0 holds, 1 violated, 3 unknown.
    pub(crate) fn exit_code(&self) -> u8 {
        match self.verdict() {
            Verdict::Holds => 0,
            Verdict::Violated(()) => 1,
            Verdict::Unknown(_) => 3,
        }
    }

    /// Whether every reachable state was seen.
    pub(crate) fn is_complete(&self) -> bool {
        self.stopped.is_none()
    }

    /// Most memory that the process took.
    pub(crate) fn memory(&self) -> u64 {
        peak().unwrap_or(self.statistics.memory)
    }

    /// A reason in words.
    pub(crate) fn explain(&self, reason: &StopReason) -> String {
        explain(reason, &self.limits)
    }
}

/// A reason in words, of a search with these limits.
pub(crate) fn explain(reason: &StopReason, limits: &Limits) -> String {
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
        StopReason::Processes(what) => format!("{what}; a larger --max-processes may help"),
        StopReason::Unbounded(what) => what.clone(),
        StopReason::PredicateError(what) => format!("it cannot be evaluated in a reachable state: {what}"),
        StopReason::OtherViolation => {
            "the search stopped at a violation of another property; --all goes on".into()
        }
        StopReason::Approximate(chance) => format!(
            "no violation was found, but states were not kept whole: one that comes now is left out with a probability of \
             about {:.1e}",
            chance.0
        ),
        StopReason::Unsupported(what) => what.clone(),
        StopReason::Internal(what) => format!("a defect of pinscher, please report it: {what}"),
    }
}

fn answered(answer: Answer<Witness>) -> Answered {
    let Answer { property, verdict, violations, .. } = answer;
    let title = match property.question {
        Question::NoDeadlock => "no deadlock".to_owned(),
        Question::NoError => "no run-time errors".to_owned(),
        // An alarm is called by what happened.
        Question::Never(_) => format!("no {}", property.name),
        Question::Always(_) | Question::NoAction(_) => property.name.clone(),
    };
    Answered { name: property.name, title, verdict, violations }
}
