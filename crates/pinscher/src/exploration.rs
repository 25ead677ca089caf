//! A search of all states while someone looks at every transition, to write them down.

use std::sync::Arc;

use engine::StopReason;
use model::{Model, Observer};

use crate::languages::Opened;
use crate::outcome::Outcome;
use crate::plan::{Plan, Setup};
use crate::questions::Questions;
use crate::search::Searched;
use crate::{Failure, search};

/// A search that is about to begin.
pub(crate) struct Exploration<'a> {
    opened: &'a Opened,
    plan: Plan,
    setup: Setup,
    top: Arc<dyn Model>,
}

impl<'a> Exploration<'a> {
    /// A search of a model. What is written down and the states share the memory there may be.
    pub(crate) fn new(opened: &'a Opened, mut setup: Setup) -> Result<Self, Failure> {
        setup.find_all = true;
        let asked = Questions::failures().ask(Arc::clone(&opened.loaded.model))?;
        let plan = Plan::new(asked, &setup)?;
        let top = plan.top(setup.choice.first())?;
        setup.limits.memory = setup.limits.memory.map(|limit| limit / 2);
        Ok(Self { opened, plan, setup, top })
    }

    /// The model whose transitions are seen.
    pub(crate) fn model(&self) -> &dyn Model {
        &*self.top
    }

    /// Bytes that who writes down may take.
    pub(crate) fn share(&self) -> u64 {
        self.setup.limits.memory.unwrap_or(u64::MAX)
    }

    /// Searches.
    pub(crate) fn run(&self, quiet: bool, observer: &mut dyn Observer) -> Result<Searched, Failure> {
        search::run(&self.plan, &self.setup, quiet, Some(observer))
    }

    /// What came of it, where who wrote down had room for all of it, or not.
    pub(crate) fn outcome(&self, searched: Searched, is_full: bool) -> Result<Outcome<'a>, Failure> {
        let Searched { mut report, method, why } = searched;
        if is_full {
            report.stopped = Some(StopReason::Memory);
        }
        let figures = Some(self.plan.cache_figures(method)?);
        Ok(search::outcome(self.opened, &self.setup, method, why).with_cache(figures).with_numbers(report))
    }
}
