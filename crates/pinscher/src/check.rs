//! Asks properties of a model.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::Source;
use engine::{Answer, Property, Question, StopReason};
use language::{Form, Monitor, Stated};
use logic::{Formula, Fragment};
use planner::{Invariant, Purpose, Questions, Settings};
use report::Outcome;

use crate::searching::{for_language, outcome, searched};
use crate::settings::takes_settings;
use crate::subject::Subject;
use crate::{Error, LoadOptions, Loaded};

/// A violation of a model with infinitely many states is looked for so long, unless a limit is set.
const ENDLESS: Duration = Duration::from_secs(60);

/// The properties that are asked of a model, and how.
///
/// ```
/// # let text = "byte x; process P { state s; init s; trans s -> s { guard x < 3; effect x = x + 1; }; } \
/// #             system async;";
/// # let loaded = pinscher::load_text("count.dve", text, "dve", &pinscher::LoadOptions::default())?;
/// let report = pinscher::Check::new(&loaded).invariant("x <= 2")?.run()?;
/// assert!(report.answers[0].verdict.is_violated());
/// let evidence = report.answers[0].evidence.as_ref().unwrap();
/// assert_eq!(evidence.run().steps.len(), 3);
/// # Ok::<(), pinscher::Error>(())
/// ```
#[derive(Clone)]
pub struct Check {
    subject: Subject,
    questions: Questions,
    /// Whether all that the text states is asked, too.
    everything: bool,
    unchecked: Vec<Unchecked>,
    settings: Settings,
}

impl Check {
    /// Nothing is asked of a loaded model yet.
    pub fn new(loaded: &Loaded) -> Self {
        Self::of(Subject::Loaded(loaded.clone()))
    }

    /// Nothing is asked yet of the model in a file. [`Check::run`] loads it first; the time limit is for
    /// that, too.
    pub fn of_file(path: impl Into<PathBuf>, options: &LoadOptions) -> Self {
        Self::of(Subject::File(path.into(), options.clone()))
    }

    fn of(subject: Subject) -> Self {
        let questions = Questions { errors: true, ..Questions::default() };
        Self { subject, questions, everything: false, unchecked: Vec::new(), settings: Settings::default() }
    }

    /// Asks all that the text states: no deadlock, its assertions, no run-time errors. What it states in a
    /// logic that no engine can check yet is answered *unknown*.
    #[must_use]
    pub fn everything(mut self) -> Self {
        let Questions { invariants, actions, .. } = self.questions;
        self.questions = Questions { invariants, actions, ..Questions::everything() };
        self.everything = true;
        self
    }

    /// Asks that no state is without successors, but where the model says that it is fine to stop.
    #[must_use]
    pub fn deadlock(mut self) -> Self {
        self.questions.deadlock = true;
        self
    }

    /// Asks that a predicate is true in every state, or the state label with this name never zero.
    pub fn invariant(self, predicate: &str) -> Result<Self, Error> {
        self.predicate(Invariant {
            name: format!("invariant {predicate}"),
            source: Source::new("invariant", predicate),
        })
    }

    /// The same for a predicate with a name and a place of its own. What is wrong with one about a file is
    /// said by [`Check::run`].
    pub fn predicate(mut self, invariant: Invariant) -> Result<Self, Error> {
        self.try_asking(Questions { invariants: vec![invariant.clone()], ..Questions::default() })?;
        self.questions.invariants.push(invariant);
        Ok(self)
    }

    /// Asks that no action happens whose name matches this pattern, in which `*` stands for anything.
    pub fn action(mut self, pattern: &str) -> Result<Self, Error> {
        self.try_asking(Questions { actions: vec![pattern.to_owned()], ..Questions::default() })?;
        self.questions.actions.push(pattern.to_owned());
        Ok(self)
    }

    /// Says what is wrong with questions about a model that is loaded.
    fn try_asking(&self, questions: Questions) -> Result<(), Error> {
        match self.subject.loaded() {
            Some(loaded) => Ok(questions.ask(Arc::clone(&loaded.model)).map(drop)?),
            None => Ok(()),
        }
    }

    /// Asks these questions and no others.
    #[must_use]
    pub fn questions(self, questions: Questions) -> Self {
        Self { questions, everything: false, ..self }
    }

    /// Searches on after a violation, so that all properties have an answer.
    #[must_use]
    pub fn all(mut self) -> Self {
        self.settings.find_all = true;
        self
    }

    /// Answers *unknown* for a property with this name that no engine can check yet, for this reason.
    #[must_use]
    pub fn unchecked(mut self, name: &str, reason: impl Into<String>) -> Self {
        self.unchecked.push(Unchecked::new(name, reason));
        self
    }

    takes_settings!();

    /// How long a model is searched where no limit is set: with infinitely many states no search ends.
    pub fn default_time(loaded: &Loaded) -> Option<Duration> {
        loaded.endless.is_some().then_some(ENDLESS)
    }

    /// Searches and answers. All threads have ended when this returns.
    pub fn run(&self) -> Result<Outcome, Error> {
        self.run_hearing(&mut |_| ())
    }

    /// The same where someone hears of the model as soon as it is loaded: of its warnings, say.
    pub fn run_hearing(&self, hear: &mut dyn FnMut(&Loaded)) -> Result<Outcome, Error> {
        let started = Instant::now();
        let loaded = self.subject.load()?;
        hear(&loaded);
        let settings = self.settings_for(&loaded);
        let mut outcome = if self.is_all_unchecked(&loaded) {
            outcome(&loaded, &settings, settings.choice()?.first().profile())
        } else {
            let mut left = settings.clone();
            left.limits.time = left.limits.time.map(|time| time.saturating_sub(started.elapsed()));
            let found = planner::answer(&loaded.model, &self.questions, &left, Purpose::Verdicts)?;
            searched(&loaded, &settings, found)
        };
        outcome.answers.extend(self.unknown_of(&loaded));
        Ok(outcome)
    }

    /// The settings, with what the model makes of them where nothing is set.
    fn settings_for(&self, loaded: &Loaded) -> Settings {
        let mut settings = for_language(&self.settings, loaded);
        settings.limits.time = settings.limits.time.or_else(|| Self::default_time(loaded));
        settings
    }

    /// Nothing is asked that an engine can answer: there is no need to search.
    fn is_all_unchecked(&self, loaded: &Loaded) -> bool {
        let Questions { deadlock, assertions, invariants, actions, .. } = &self.questions;
        let is_nothing_else = !deadlock && !assertions && invariants.is_empty() && actions.is_empty();
        is_nothing_else && self.unknown_of(loaded).next().is_some()
    }

    /// The answers to what no engine can check yet.
    fn unknown_of<'a>(&'a self, loaded: &'a Loaded) -> impl Iterator<Item = Answer> + 'a {
        let stated = loaded.stated.iter().filter(|_| self.everything);
        let stated = stated.map(|stated| Unchecked::new(&stated.name, unsupported(stated)));
        stated.chain(self.unchecked.iter().cloned()).map(|property| unknown(&property))
    }

    /// The answers about a loaded model where there was no search, for this reason.
    pub fn unanswered(&self, loaded: &Loaded, reason: &StopReason) -> Result<Outcome, Error> {
        let settings = self.settings_for(loaded);
        let asked = self.questions.ask(Arc::clone(&loaded.model))?;
        let mut outcome = outcome(loaded, &settings, settings.choice()?.first().profile());
        let unanswered = |property: Property| Answer::unknown(property, reason.clone());
        outcome.answers.extend(asked.properties.into_iter().map(unanswered));
        outcome.answers.extend(self.unknown_of(loaded));
        outcome.stopped = Some(reason.clone());
        outcome.statistics = Some(engine::Statistics::default());
        Ok(outcome)
    }
}

/// A property that is asked and that no engine can check yet.
#[derive(Clone)]
struct Unchecked {
    name: String,
    reason: String,
}

impl Unchecked {
    fn new(name: &str, reason: impl Into<String>) -> Self {
        Self { name: name.to_owned(), reason: reason.into() }
    }
}

fn unknown(property: &Unchecked) -> Answer {
    let question = Question::Other(property.name.clone());
    Answer::unknown(
        Property::new(&*property.name, question),
        StopReason::Unsupported(property.reason.clone()),
    )
}

/// Why no engine can check a property that a text states: known before any search, from its form alone.
pub fn unsupported(stated: &Stated) -> String {
    let what = match &stated.form {
        Form::Formula(formula) => format!("{} properties", logic(formula)),
        Form::Monitor(Monitor::NeverClaim) => "never claims".to_owned(),
        Form::Monitor(Monitor::Trace | Monitor::NoTrace) => "traces of channels".to_owned(),
        Form::Monitor(Monitor::PropertyProcess) => "property processes".to_owned(),
    };
    format!("checking {what} is not there yet")
}

/// The logic that a formula was written in, as far as its form tells.
fn logic(formula: &Formula) -> &'static str {
    match formula.fragment() {
        _ if formula.is_ltl() => "LTL",
        Some(Fragment::State | Fragment::Reachability | Fragment::Ctl) => "CTL",
        Some(Fragment::Ltl) => "LTL",
        Some(Fragment::CtlStar) => "CTL*",
        Some(Fragment::Mu) | None => "µ-calculus",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoadOptions, load_text};

    /// More states than any search of this test could visit.
    const LARGE: &str = "int a, b, c, d; process P { state s; init s; trans s -> s { effect a = a + 1; }, \
        s -> s { effect b = b + 1; }, s -> s { effect c = c + 1; }, s -> s { effect d = d + 1; }; } ";

    fn answers(text: &str, ask: impl Fn(Check) -> Check) -> (Vec<Answer>, bool) {
        let loaded = load_text("m.dve", text, "dve", &LoadOptions::default()).unwrap();
        let outcome = ask(Check::new(&loaded)).run().unwrap();
        (outcome.answers, outcome.statistics.is_some())
    }

    #[test]
    fn what_no_engine_can_check_is_answered_without_a_search() {
        let text = LARGE.to_owned() + "system async;";
        let (answers, was_searched) = answers(&text, |check| check.unchecked("f.ltl", "not there yet"));
        let [answer] = &answers[..] else { panic!("{answers:?}") };
        assert_eq!(answer.property.name, "f.ltl");
        assert!(matches!(&answer.verdict, engine::Verdict::Unknown(StopReason::Unsupported(_))));
        assert!(!was_searched);
    }

    #[test]
    fn every_property_that_a_text_states_is_answered() {
        let text = "byte x; process P { state s; init s; trans s -> s { guard x < 3; effect x = x + 1; }; } \
            property process L { state q; init q; accept q; trans q -> q { guard x == 3; }; } \
            property ltl f \"G(F (x == 3))\" property ltl g \"G (x < 3)\" system async;";
        let (answers, was_searched) = answers(text, Check::everything);
        let unsupported: Vec<(&str, &str)> = answers
            .iter()
            .filter_map(|answer| match &answer.verdict {
                engine::Verdict::Unknown(StopReason::Unsupported(why)) => {
                    Some((&*answer.property.name, &**why))
                }
                _ => None,
            })
            .collect();
        let ltl = "checking LTL properties is not there yet";
        let expected = [("L", "checking property processes is not there yet"), ("f", ltl), ("g", ltl)];
        assert_eq!(unsupported, expected);
        assert!(was_searched, "deadlocks and errors are searched for");
    }
}
