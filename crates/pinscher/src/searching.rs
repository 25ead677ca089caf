//! What checking, counting and exploring have in common: a plan is made and run, and an [`Outcome`] tells of
//! it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::Profile;
use planner::{Asked, Hooks, Plan, Searched, Setup, search};
use report::{CacheFigures, Outcome};

use crate::{Error, Loaded};

/// Plans and searches; the time limit is for both.
pub(crate) fn plan_and_search(
    asked: Asked,
    setup: &Setup,
    hooks: &Hooks,
) -> Result<(Searched, CacheFigures), Error> {
    let started = Instant::now();
    let plan = Plan::new(asked, setup)?;
    let mut setup = setup.clone();
    setup.limits.time = setup.limits.time.map(|time| time.saturating_sub(started.elapsed()));
    let searched = search(&plan, &setup, hooks, None)?;
    let figures = cache_figures(&plan, searched.engine)?;
    Ok((searched, figures))
}

/// What the cache below an engine did.
pub(crate) fn cache_figures(plan: &Plan, engine: usize) -> Result<CacheFigures, Error> {
    let planner::CacheFigures { chosen, asked, hits, bytes } = plan.cache_figures(engine)?;
    let planner::Chosen { mode, why, is_measured } = chosen;
    Ok(CacheFigures { mode: mode.name(), why, is_measured, asked, hits, bytes })
}

/// The outcome of a search by this engine, before it is told what was found.
pub(crate) fn outcome(
    loaded: &Loaded,
    setup: &Setup,
    profile: Profile,
    why: Option<&'static str>,
) -> Outcome {
    Outcome {
        model: Arc::clone(&loaded.model),
        file_name: loaded.name.clone(),
        language: loaded.language_name(),
        engine: profile.name,
        strategy: profile.strategy,
        why,
        answers: Vec::new(),
        stopped: None,
        statistics: None,
        load_time: loaded.time,
        time: Duration::ZERO,
        limits: setup.limits.clone(),
        find_all: setup.find_all,
        failure: None,
        cache: None,
        hint: |_| None,
    }
}
