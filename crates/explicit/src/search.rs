//! One search: workers explore, and the runs that show violations are found. All of it is told in a report.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{Control, Decided, Omission, Path, Progress, Report, Statistics, StopReason, Task};
use model::{Observer, Value};

use crate::budget::Budget;
use crate::frontier::Keep;
use crate::packing::Layout;
use crate::reachability::{Findings, Job, Outcome, Shared, explore};
use crate::retrace::Retrace;
use crate::store::{Store, StorePlan};
use crate::{Options, Order};

/// A search that has to begin anew.
pub(crate) enum Restart {
    /// The words of states have no room for the bits that they turned out to need: with this layout.
    Roomier(Layout),
    /// With a layout that fits these states, which the search has come to.
    Resampled(Vec<Value>),
}

/// A search that was told to stop may take so long for the runs to what it has found.
const TO_RETRACE: Duration = Duration::from_millis(300);

/// States that show what the others are like.
const SOME: usize = 4096;

/// How a search begins.
pub(crate) struct Start {
    /// How states are packed, if there are addresses for it.
    pub(crate) layout: Option<Layout>,
    /// The search may begin anew with a better layout.
    pub(crate) may_restart: bool,
    /// When the first of all searches for this task began.
    pub(crate) started: Instant,
}

/// Searches and reports, with a store of this kind.
pub(crate) fn search<S: Store>(
    task: &Task<'_>,
    options: Options,
    control: &Control,
    observer: Option<&mut dyn Observer>,
    start: Start,
    store: impl Fn(&StorePlan<'_>) -> Option<S>,
) -> Result<Report<Path>, Restart> {
    let Start { layout, may_restart, started } = start;
    let model = task.model;
    // An observer sees one transition after the other.
    let threads = if observer.is_some() { 1 } else { options.threads.max(1) };
    let limits = &control.limits;
    let budget = Arc::new(Budget::new(limits.memory));
    let job = Job {
        model,
        control,
        initial: model.initial(),
        // Only a search by levels knows how far away a state is.
        order: if limits.depth.is_some() { Order::BreadthFirst } else { options.order },
        threads,
        states: limits.states,
        depth: limits.depth,
        keep: Keep::Rows(options.kept_ways),
        early_states: options.early_states,
        started,
    };
    let nothing = || Findings::new(task, model.signature());
    let made = layout.and_then(|layout| {
        budget.take(layout.bytes()).ok()?;
        let made = store(&StorePlan { layout: &layout, budget: &budget, threads })?;
        Some((made, Arc::new(layout)))
    });
    let Some((store_made, layout)) = made else {
        let statistics = Statistics { memory: budget.peak(), time: started.elapsed(), ..nothing_counted() };
        let answers = nothing().answers(Some(&StopReason::Memory), HashMap::new());
        return Ok(Report { answers, ..Report::nothing(task, StopReason::Memory, statistics) });
    };
    let shared = Shared::new(&job, layout, store_made, Arc::clone(&budget), may_restart);
    let outcome = explore(&shared, nothing, None, observer);
    if let Some(layout) = shared.space.roomier() {
        return Err(Restart::Roomier(layout));
    }
    if shared.wants_restart() {
        return Err(Restart::Resampled(shared.space.states(&shared.levels.some(SOME))));
    }
    report(task, &job, shared, outcome, &store)
}

/// What is told of an exploration that is over, with the runs to what it found.
fn report<S: Store>(
    task: &Task<'_>,
    job: &Job<'_>,
    shared: Shared<'_, S>,
    Outcome { findings, tally, stopped }: Outcome<'_>,
    store: &impl Fn(&StorePlan<'_>) -> Option<S>,
) -> Result<Report<Path>, Restart> {
    let (control, budget) = (job.control, Arc::clone(&shared.space.budget));
    let states = shared.states();
    let sizes = shared.levels.sizes();
    let by_levels = job.order == Order::BreadthFirst;
    let approximate =
        shared.space.store.omission(states).map(|chance| StopReason::Approximate(Omission(chance)));
    // A call that was interrupted may have been the last: then nobody has asked why since.
    let stopped = stopped.or_else(|| {
        let is_interrupted = findings.limit() == Some(StopReason::Interrupted);
        is_interrupted
            .then(|| control.check(Progress { memory: task.model.bytes(), ..Progress::default() }))
            .flatten()
    });
    let incomplete = if findings.decided() { Some(StopReason::OtherViolation) } else { stopped };
    let statistics = Statistics {
        states: states.into(),
        transitions: task.census.weights.is_none().then(|| shared.transitions().into()),
        levels: by_levels.then_some(sizes.len() as u64),
        depth: Some(if by_levels { (sizes.len() as u64).saturating_sub(1) } else { tally.deepest }),
        deadlocks: Some(tally.deadlocks.into()),
        errors: Some(findings.errors().into()),
        stored: Some(shared.space.store.bytes() + shared.space.layout().table_bytes()),
        memory: budget.peak(),
        time: job.started.elapsed(),
        diagrams: None,
    };
    // What was seen was seen: though the search is told to stop, there is a moment left to find the runs.
    let last = control.with_grace(TO_RETRACE);
    let retracing = Job { control: &last, ..*job };
    let retrace = Retrace::new(&retracing, shared.space.layout(), Arc::clone(&budget), sizes, store);
    let runs = retrace.runs(&findings, shared).map_err(Restart::Roomier)?;
    let statistics = Statistics { memory: budget.peak(), time: job.started.elapsed(), ..statistics };
    // A violation without a run is none that anybody could see: then it is not what ended the search.
    let lost =
        runs.values().all(Result::is_err).then(|| runs.values().find_map(|run| run.as_ref().err().cloned()));
    let incomplete = lost.flatten().filter(|_| incomplete == Some(StopReason::OtherViolation)).or(incomplete);
    let unsure = incomplete.or(approximate);
    let census = findings.counted().clone();
    let limit = findings.limit();
    let answers = findings.answers(unsure.as_ref(), runs);
    let stopped = unsure.or(limit).or(tally.group_failed.then_some(StopReason::EvaluationError));
    for (property, answer) in answers.iter().enumerate() {
        if answer.verdict.reason().is_none() {
            control.decide(Decided { property, is_found: answer.is_found() });
        }
    }
    Ok(Report { answers, stopped, statistics, census })
}

/// The numbers of a search that could not begin.
fn nothing_counted() -> Statistics {
    let zero = || Some(0u32.into());
    Statistics {
        transitions: zero(),
        levels: Some(0),
        depth: Some(0),
        deadlocks: zero(),
        errors: zero(),
        ..Statistics::default()
    }
}
