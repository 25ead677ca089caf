//! Reachability: every state that can be reached is expanded once. Workers take states from the frontier,
//! expand them, and show what they see to the findings.
//!
//! A [`Worker`] is an expander, a frontier, and findings. What all workers have in common is [`Shared`]. They
//! wait for each other at the `barrier` when the space has to grow and when a level ends.

mod barrier;
mod findings;
mod pace;
mod shared;
mod targets;
mod visitor;
mod worker;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use engine::{Control, StopReason};
use model::{Model, Observer, Value};

use crate::Order;
use crate::frontier::Keep;
use crate::store::Store;

use visitor::Visitor;
use worker::Worker;

pub(crate) use findings::{Findings, Sighting, Trail};
pub(crate) use shared::Shared;
pub(crate) use targets::Targets;

/// What is to be explored, and how.
pub(crate) struct Job<'t> {
    pub(crate) model: &'t dyn Model,
    pub(crate) control: &'t Control,
    /// Where to begin.
    pub(crate) initial: &'t [Value],
    pub(crate) order: Order,
    pub(crate) threads: usize,
    /// No more states than this are stored.
    pub(crate) states: Option<u64>,
    /// States so many steps away are looked at, and what is beyond is not stored.
    pub(crate) depth: Option<u64>,
    /// Levels to keep, in a search by levels.
    pub(crate) keep: Keep,
    /// With so many states enough is known of a model to search it better.
    pub(crate) early_states: u64,
    pub(crate) started: Instant,
}

/// What a worker counted.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Tally {
    pub(crate) deadlocks: u64,
    /// The greatest distance from the initial state.
    pub(crate) deepest: u64,
    pub(crate) group_failed: bool,
    /// What the others have not been told of yet.
    states: u64,
    expanded: u64,
    transitions: u64,
}

impl Tally {
    /// Adds what another counted.
    fn add(&mut self, other: Self) {
        self.deadlocks += other.deadlocks;
        self.deepest = self.deepest.max(other.deepest);
        self.group_failed |= other.group_failed;
    }
}

/// What an exploration came to.
pub(crate) struct Outcome<'t> {
    pub(crate) findings: Findings<'t>,
    pub(crate) tally: Tally,
    /// Why it ended before all states were expanded, unless it was decided.
    pub(crate) stopped: Option<StopReason>,
}

/// Explores what a job says.
pub(crate) fn explore<'t, S: Store>(
    shared: &Shared<'t, S>,
    findings: impl Fn() -> Findings<'t> + Sync,
    targets: Option<&Targets>,
    observer: Option<&mut dyn Observer>,
) -> Outcome<'t> {
    let mut first = Worker::new(Visitor::new(shared, 0, findings(), targets, observer));
    let mut outcomes = Vec::new();
    if let Err(reason) = first.begin() {
        shared.stop(reason);
    }
    let others = if shared.is_over() { 0 } else { shared.job.threads - 1 };
    std::thread::scope(|scope| {
        let findings = &findings;
        let run =
            move |number| work(shared, Worker::new(Visitor::new(shared, number, findings(), targets, None)));
        let spawn = |number| scope.spawn(move || run(number));
        let handles: Vec<_> = (1..=others).map(spawn).collect();
        outcomes.push(work(shared, first));
        outcomes.extend(handles.into_iter().map(|handle| handle.join().unwrap_or(None)));
    });
    let mut findings = findings();
    let mut tally = Tally::default();
    for (found, counted) in outcomes.into_iter().flatten() {
        findings.merge(found);
        tally.add(counted);
    }
    findings.conclude();
    let beyond = shared.is_beyond_depth.load(Relaxed).then_some(StopReason::Depth);
    Outcome { findings, tally, stopped: shared.reason().or(beyond) }
}

/// Lets a worker work to the end. A panic in it ends the search, not the process.
fn work<'t, S: Store>(
    shared: &Shared<'t, S>,
    mut worker: Worker<'_, 't, '_, S>,
) -> Option<(Findings<'t>, Tally)> {
    let end = catch_unwind(AssertUnwindSafe(|| {
        if let Err(reason) = worker.run() {
            shared.stop(reason);
        }
        worker.conclude()
    }));
    if let Err(panic) = &end {
        let message = panic.downcast_ref::<&str>().map(|message| (*message).to_owned());
        let message = message.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        shared.stop(StopReason::Internal(format!("a worker failed: {message}")));
    }
    shared.barrier.leave(|all_idle| shared.at_barrier(all_idle));
    end.ok()
}
