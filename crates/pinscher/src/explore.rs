//! A search of all states in which someone sees every transition: to write a transition system down, say.

use std::sync::Arc;

use engine::StopReason;
use model::{Model, Observer};
use planner::{Plan, Questions, Settings, Setup, search};
use report::Outcome;

use crate::searching::{counted, for_language, searched};
use crate::{Error, Loaded};

/// A search that is about to begin, whose transitions an observer sees.
pub struct Exploration {
    loaded: Loaded,
    plan: Plan,
    setup: Setup,
    settings: Settings,
    top: Arc<dyn Model>,
}

impl Exploration {
    /// A search of a model. The observer and the states share the memory there may be.
    pub fn new(loaded: &Loaded, settings: &Settings) -> Result<Self, Error> {
        let mut settings = Settings { find_all: true, ..for_language(settings, loaded) };
        let mut setup = settings.setup(planner::Purpose::Transitions)?.observed()?;
        let asked = Questions::failures().ask(Arc::clone(&loaded.model))?;
        let plan = Plan::new(asked, &setup)?;
        let top = plan.top(0)?;
        setup.limits.memory = setup.limits.memory.map(|limit| limit / 2);
        settings.limits = setup.limits.clone();
        Ok(Self { loaded: loaded.clone(), plan, setup, settings, top })
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
        let found = search(&self.plan, &self.setup, &self.settings.hooks(), Some(observer))?;
        Ok(counted(searched(&self.loaded, &self.settings, found)))
    }
}

/// The same outcome where the observer had no room for all that it saw.
pub fn without_room(outcome: Outcome) -> Outcome {
    Outcome { stopped: Some(StopReason::Memory), ..outcome }
}
