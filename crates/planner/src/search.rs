//! Runs a plan: under limits, cancelled from outside, heard while it goes on.

use std::sync::Arc;

use std::time::Instant;

use engine::CancelToken;
use model::{Model, Observer};

use crate::engines::Choice;
use crate::error::Error;
use crate::hooks::Hooks;
use crate::plan::Plan;
use crate::questions::Questions;
use crate::race::{self, Won};
use crate::searched::Searched;
use crate::settings::Settings;
use crate::setup::{Purpose, Setup};

/// Answers questions about a model: plans and searches. The time limit is for both.
pub fn answer(
    model: &Arc<dyn Model>,
    questions: &Questions,
    settings: &Settings,
    purpose: Purpose,
) -> Result<Searched, Error> {
    let started = Instant::now();
    let mut setup = settings.setup(purpose)?;
    let plan = Plan::new(questions.ask(Arc::clone(model))?, &setup)?;
    setup.limits.time = setup.limits.time.map(|time| time.saturating_sub(started.elapsed()));
    search(&plan, &setup, &settings.hooks(), None)
}

/// Runs a plan. The setup is the one that the plan was made with, perhaps with other limits. An observer sees
/// every transition; only a setup that was [`Setup::observed`] takes one.
pub fn search(
    plan: &Plan,
    setup: &Setup,
    hooks: &Hooks,
    observer: Option<&mut dyn Observer>,
) -> Result<Searched, Error> {
    let caches = plan.cache_bytes();
    setup.check_memory(caches)?;
    let limits = setup.engine_limits(caches);
    let profile = |engine: usize| plan.engine(engine).profile();
    let Won { report, engine, why } = match setup.choice {
        Choice::One(_) => {
            let report = plan.run(0, &hooks.control(limits, profile(0)), observer)?;
            Won { report, engine: 0, why: None }
        }
        Choice::Race(_) => {
            let racer = |engine: usize, limits, stop: &CancelToken| {
                plan.run(engine, &hooks.control(limits, profile(engine)).abandoned_by(stop), None)
            };
            race::race(&limits, &racer)?
        }
    };
    let cache = plan.cache_figures(engine)?;
    Ok(Searched { report, engine, profile: profile(engine), why, cache })
}
