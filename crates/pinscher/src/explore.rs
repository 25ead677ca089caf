//! A search of all states in which someone sees every transition: to write a transition system down, say.

use std::sync::Arc;

use engine::StopReason;
use model::{Model, Observer};
use planner::{Hooks, Plan, Questions, Setup, search};
use report::Outcome;

use crate::searching::{cache_figures, outcome};
use crate::{Error, Loaded, Settings};

/// A search that is about to begin, whose transitions an observer sees.
pub struct Exploration {
    loaded: Loaded,
    plan: Plan,
    setup: Setup,
    hooks: Hooks,
    top: Arc<dyn Model>,
}

impl Exploration {
    /// A search of a model. The observer and the states share the memory there may be.
    pub fn new(loaded: &Loaded, settings: &Settings) -> Result<Self, Error> {
        let settings = Settings { find_all: true, ..settings.clone() };
        let mut setup = settings.setup(loaded, planner::Purpose::Transitions)?.observed()?;
        let asked = Questions::failures().ask(Arc::clone(&loaded.model))?;
        let plan = Plan::new(asked, &setup)?;
        let top = plan.top(0)?;
        setup.limits.memory = setup.limits.memory.map(|limit| limit / 2);
        Ok(Self { loaded: loaded.clone(), plan, setup, hooks: settings.hooks(), top })
    }

    /// The model whose transitions are seen.
    pub fn model(&self) -> &dyn Model {
        &*self.top
    }

    /// Bytes that the observer may take.
    pub fn share(&self) -> u64 {
        self.setup.limits.memory.unwrap_or(u64::MAX)
    }

    /// Searches.
    pub fn run(&self, observer: &mut dyn Observer) -> Result<Outcome, Error> {
        let searched = search(&self.plan, &self.setup, &self.hooks, Some(observer))?;
        let cache = cache_figures(&self.plan, searched.engine)?;
        let outcome = outcome(&self.loaded, &self.setup, searched.profile, searched.why);
        Ok(Outcome { cache: Some(cache), ..outcome }.with_numbers(searched.report))
    }
}

/// The same outcome where the observer had no room for all that it saw.
pub fn without_room(outcome: Outcome) -> Outcome {
    Outcome { stopped: Some(StopReason::Memory), ..outcome }
}
