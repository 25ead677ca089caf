//! A search by one engine, within limits, which Ctrl-C ends.

use std::sync::Arc;

use cli::options::Way;
use cli::{Failure, interrupt};
use engine::{Engine, Report};
use model::Observer;
use planner::{Hooks, Plan, Setup};

/// The engine that is asked for. Where it would be a race it is the one that begins: the models here are of
/// known sizes, and all of them small enough.
pub(crate) fn engine(way: &Way) -> Result<Arc<dyn Engine>, Failure> {
    Ok(Arc::clone(way.method().choose(None, None)?.first()))
}

/// Carries out a plan. The setup is the one that it was made with, perhaps with other limits.
pub(crate) fn run(
    plan: &Plan,
    setup: &Setup,
    observer: Option<&mut dyn Observer>,
) -> Result<Report, Failure> {
    let hooks = Hooks { cancel: interrupt::token(), ..Hooks::default() };
    Ok(planner::search(plan, setup, &hooks, observer)?.report)
}
