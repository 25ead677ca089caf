//! Answers the formulas of a file about a net.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use base::Source;
use engine::{Answer, Limits, StopReason, Technique};
use examine::{Effort, Means, formulas, properties};
use lang_pnml::{PnmlNet, Query};
use planner::{Eval, Plan, Purpose, Questions, Searched, Settings};
use report::{Outcome, SearchFigures};

use crate::error::FileProblem;
use crate::searching::{for_language, outcome};
use crate::{Check, Error, Loaded};

/// Formulas that are asked of a net, and how. Not all are searched for: the structure of the net, walks at
/// random and its state equation are tried first, and what they leave open the engines of the settings search
/// in a net that was made smaller.
///
/// ```
/// let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
/// let loaded = pinscher::load(format!("{models}/readers.pnml"), &pinscher::LoadOptions::default())?;
/// let asked = pinscher::Formulas::new(&loaded)?.file(format!("{models}/readers.xml"))?;
/// let report = asked.run(&mut |answer| println!("{}", answer.property.name))?;
/// assert_eq!(report.answers.len(), 3);
/// # Ok::<(), pinscher::Error>(())
/// ```
#[derive(Clone)]
pub struct Formulas {
    loaded: Loaded,
    net: Arc<PnmlNet>,
    queries: Arc<Vec<Query>>,
    settings: Settings,
}

impl Formulas {
    /// Nothing is asked of a net yet.
    pub fn new(loaded: &Loaded) -> Result<Self, Error> {
        let Some(net) = loaded.net.clone() else { return Err(Error::NoNet { model: loaded.name.clone() }) };
        Ok(Self { loaded: loaded.clone(), net, queries: Arc::default(), settings: Settings::default() })
    }

    /// The net that the formulas speak of.
    pub fn net(&self) -> &Arc<PnmlNet> {
        &self.net
    }

    /// Asks the formulas in a file of the Model Checking Contest, beside those that are asked already.
    pub fn file(self, path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let wrong = |problem| Error::File { path: path.to_owned(), problem: FileProblem::Other(problem) };
        let bytes = std::fs::read(path).map_err(wrong)?;
        let in_text = |source, problems| Error::Text { source: Arc::new(source), problems };
        let source = Source::from_bytes(path.display().to_string(), bytes).map_err(|refused| {
            let (source, problem) = *refused;
            in_text(source, vec![problem])
        })?;
        let read = lang_pnml::queries(&source, &self.net).map_err(|problems| in_text(source, problems))?;
        let queries = self.queries.iter().cloned().chain(read).collect();
        self.queries(queries)
    }

    /// Asks these formulas, each of which has a name of its own.
    pub fn queries(self, queries: Vec<Query>) -> Result<Self, Error> {
        let mut names = HashSet::new();
        if let Some(query) = queries.iter().find(|query| !names.insert(&query.id)) {
            return Err(Error::TwoFormulas { name: query.id.clone() });
        }
        Ok(Self { queries: Arc::new(queries), ..self })
    }

    /// All settings at once. A limit of states or of depth is refused: most answers come from no search.
    pub fn settings(self, settings: Settings) -> Result<Self, Error> {
        match settings.limits {
            Limits { states: Some(_), .. } => Err(Error::NoSearch { limit: "states" }),
            Limits { depth: Some(_), .. } => Err(Error::NoSearch { limit: "depth" }),
            _ => Ok(Self { settings, ..self }),
        }
    }

    /// Answers as many as time and memory allow, each as soon as it is known. All threads have ended when
    /// this returns.
    pub fn run(&self, on_answer: &mut dyn FnMut(&Answer)) -> Result<Outcome, Error> {
        let started = Instant::now();
        let setup = self.settings_for().setup(Purpose::Verdicts)?;
        setup.check_memory(0)?;
        if setup.eval == Eval::Compile {
            // Refused before a walk has an answer that needs no machine code.
            Plan::new(Questions::failures().ask(Arc::clone(&self.loaded.model))?, &setup)?;
        }
        let searches: Arc<Mutex<Vec<SearchFigures>>> = Arc::default();
        let effort = Effort {
            until: setup.limits.time.and_then(|time| started.checked_add(time)),
            cancel: self.settings.cancel.clone(),
            threads: self.settings.method.threads,
            witnessed_on: Some(Arc::clone(&self.loaded.model)),
            means: Means::ALL,
            on_search: Some({
                let searches = Arc::clone(&searches);
                Arc::new(move |plan, searched, technique| {
                    let figures = search_figures(plan, searched, technique);
                    searches.lock().unwrap_or_else(PoisonError::into_inner).extend(figures);
                })
            }),
            setup,
        };
        let mut answers = Vec::new();
        let mut keep = |answer: Answer| {
            on_answer(&answer);
            answers.push(answer);
        };
        let why = formulas(&self.net, &self.queries, &effort, &mut keep)?;
        let why = why.or_else(|| effort.left().is_zero().then_some(StopReason::Time));
        let why = why.unwrap_or_else(|| StopReason::Internal("a formula was not looked at".to_owned()));
        let searches = std::mem::take(&mut *searches.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(Outcome { time: started.elapsed(), searches, ..self.with(answers, &why)? })
    }

    /// The outcome with these answers, where all others are missing for this reason.
    pub fn with(&self, answers: Vec<Answer>, missing: &StopReason) -> Result<Outcome, Error> {
        let settings = Settings { find_all: true, ..self.settings_for() };
        let profile = settings.choice()?.first().profile();
        let mut outcome =
            Outcome { strategy: Outcome::FORMULAS, ..outcome(&self.loaded, &settings, profile) };
        let mut answers: Vec<Option<Answer>> = answers.into_iter().map(Some).collect();
        for property in properties(&self.queries) {
            let is_its = |answer: &&mut Option<Answer>| {
                answer.as_ref().is_some_and(|answer| answer.property.name == property.name)
            };
            let answer = answers.iter_mut().find(is_its).and_then(Option::take);
            if answer.is_none() {
                outcome.stopped = Some(missing.clone());
            }
            outcome.answers.push(answer.unwrap_or_else(|| Answer::unknown(property, missing.clone())));
        }
        Ok(outcome)
    }

    /// The settings, with what the net makes of them where nothing is set.
    fn settings_for(&self) -> Settings {
        let mut settings = for_language(&self.settings, &self.loaded);
        settings.limits.time = settings.limits.time.or_else(|| Check::default_time(&self.loaded));
        settings
    }
}

/// What a report tells of a search; nothing where the engine was given no model.
fn search_figures(plan: &Plan, searched: &Searched, technique: Technique) -> Option<SearchFigures> {
    let top = plan.top(searched.engine).ok()?;
    Some(SearchFigures {
        engine: searched.profile,
        is_reduced: matches!(technique, Technique::Search { is_reduced: true, .. }),
        slots: top.signature().slots.len(),
        groups: top.signature().groups.len(),
        statistics: searched.report.statistics.clone(),
        is_complete: searched.report.stopped.is_none(),
        cache: searched.cache.clone(),
    })
}
