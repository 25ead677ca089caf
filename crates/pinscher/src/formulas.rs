//! Answers the formulas of a file about a net.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use engine::{Answer, Limits, StopReason};
use examine::{Effort, Means, formulas, properties};
use lang_pnml::{PnmlNet, Query};
use planner::{Eval, Plan, Purpose, Questions, Setup};
use report::Outcome;

use crate::searching::outcome;
use crate::{Check, Error, Loaded, Settings};

/// Formulas that are asked of a net, and how. Not all are searched for: the structure of the net, walks at
/// random and its state equation are tried first, and what they leave open the engines of the settings search
/// in a net that was made smaller.
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
    pub fn run(&self, hear: &mut dyn FnMut(&Answer)) -> Result<Outcome, Error> {
        let started = Instant::now();
        let setup = self.setup()?;
        setup.check_memory(0)?;
        if setup.eval == Eval::Compile {
            // Refused before a walk has an answer that needs no machine code.
            Plan::new(Questions::failures().ask(Arc::clone(&self.loaded.model))?, &setup)?;
        }
        let effort = Effort {
            until: setup.limits.time.and_then(|time| started.checked_add(time)),
            cancel: self.settings.cancel.clone(),
            threads: self.settings.method.threads,
            witnessed_on: Some(Arc::clone(&self.loaded.model)),
            means: Means::ALL,
            setup,
        };
        let mut answers = Vec::new();
        let mut tell = |answer: Answer| {
            hear(&answer);
            answers.push(answer);
        };
        let why = formulas(&self.net, &self.queries, &effort, &mut tell)?;
        let why = why.or_else(|| effort.left().is_zero().then_some(StopReason::Time));
        let why = why.unwrap_or_else(|| StopReason::Internal("a formula was not looked at".to_owned()));
        Ok(Outcome { time: started.elapsed(), ..self.with(answers, &why)? })
    }

    /// The outcome with these answers, where all others are missing for this reason.
    pub fn with(&self, answers: Vec<Answer>, missing: &StopReason) -> Result<Outcome, Error> {
        let setup = self.setup()?;
        let profile = setup.choice.first().profile();
        let engine = if setup.choice.engines().len() > 1 { "auto" } else { profile.name };
        let mut outcome = Outcome {
            engine,
            strategy: "formulas",
            find_all: true,
            ..outcome(&self.loaded, &setup, profile, None)
        };
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

    fn setup(&self) -> Result<Setup, Error> {
        let mut setup = self.settings.setup(&self.loaded, Purpose::Verdicts)?;
        setup.limits.time = setup.limits.time.or_else(|| Check::default_time(&self.loaded));
        Ok(setup)
    }
}
