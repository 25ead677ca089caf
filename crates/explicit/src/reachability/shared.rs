//! What all workers of a search share.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, PoisonError};

use engine::{Progress, StopReason};

use super::Job;
use super::barrier::Barrier;
use crate::Order;
use crate::budget::{Account, Budget};
use crate::expander::Space;
use crate::frontier::{Levels, WorkPool};
use crate::packing::Layout;
use crate::store::Store;

/// Early is up to so many times what is the earliest: later it takes longer to come so far again than is
/// gained.
const STILL_EARLY: u64 = 16;

/// States stored, those expanded and transitions seen, as far as workers have told. They change all the time,
/// and nothing else is to lie near.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Counters {
    pub(super) states: AtomicU64,
    pub(super) expanded: AtomicU64,
    pub(super) transitions: AtomicU64,
}

/// A search that is under way, as all its workers see it.
pub(crate) struct Shared<'t, S> {
    pub(crate) job: &'t Job<'t>,
    pub(crate) space: Space<'t, S>,
    pub(super) barrier: Barrier,
    pub(crate) levels: Levels,
    pub(super) pool: WorkPool,
    pub(super) counters: Counters,
    /// What the model takes beside its states.
    model: Mutex<Account>,
    /// The search may begin anew to have a better layout.
    may_restart: bool,
    /// It is time to begin anew with a better layout.
    wants_restart: AtomicBool,
    /// A successor lies beyond the depth limit.
    pub(super) is_beyond_depth: AtomicBool,
    over: AtomicBool,
    reason: Mutex<Option<StopReason>>,
}

impl<'t, S: Store> Shared<'t, S> {
    pub(crate) fn new(
        job: &'t Job<'t>,
        layout: Arc<Layout>,
        store: S,
        budget: Arc<Budget>,
        may_restart: bool,
    ) -> Self {
        Self {
            barrier: Barrier::new(job.threads),
            levels: Levels::new(job.threads, store.handle_words(), job.keep, &budget),
            pool: WorkPool::default(),
            counters: Counters::default(),
            model: Mutex::new(Account::new(&budget)),
            may_restart,
            wants_restart: AtomicBool::new(false),
            is_beyond_depth: AtomicBool::new(false),
            over: AtomicBool::new(false),
            reason: Mutex::new(None),
            space: Space::new(job.model, job.initial, layout, store, budget),
            job,
        }
    }

    /// States that are stored, as far as workers have told.
    #[inline]
    pub(crate) fn states(&self) -> u64 {
        self.counters.states.load(Relaxed)
    }

    /// Transitions that were seen, as far as workers have told.
    pub(crate) fn transitions(&self) -> u64 {
        self.counters.transitions.load(Relaxed)
    }

    /// Whether everyone is to stop.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// Everyone is to stop: there is nothing more to do, or enough is known.
    pub(super) fn finish(&self) {
        self.over.store(true, Relaxed);
    }

    /// Everyone is to stop for a reason; of several reasons the first one counts.
    pub(super) fn stop(&self, reason: StopReason) {
        self.reason.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
        self.finish();
    }

    /// Why everyone stopped, if it was not by itself.
    pub(super) fn reason(&self) -> Option<StopReason> {
        self.reason.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Early in a search that goes on for long it is worth to begin anew once, with all that is known of the
    /// leaves by then.
    fn consider_restart(&self, states: u64) {
        let early = self.job.early_states;
        let is_early = states > early && states <= early.saturating_mul(STILL_EARLY);
        if self.may_restart && is_early && self.space.layout().is_ragged() && !self.is_over() {
            self.wants_restart.store(true, Relaxed);
            self.finish();
        }
    }

    /// Whether the search is to begin anew with a better layout.
    pub(crate) fn wants_restart(&self) -> bool {
        self.wants_restart.load(Relaxed)
    }

    /// What is done at a barrier: leaves get more bits if they need them, the space grows if it should, and
    /// if nobody has anything to do the next level begins, or the search is over.
    pub(super) fn at_barrier(&self, all_idle: bool) {
        let states = self.states();
        match self.space.widen(states) {
            Ok(true) => {}
            Ok(false) => self.finish(),
            Err(exhausted) => return self.stop(exhausted.into()),
        }
        self.consider_restart(states);
        if self.space.has_to_grow(states) {
            let mut grown = self.space.grow(states);
            if grown.is_err() && self.levels.stop_keeping() {
                grown = self.space.grow(states);
            }
            if let Err(exhausted) = grown {
                return self.stop(exhausted.into());
            }
        }
        if !all_idle || self.is_over() {
            return;
        }
        let goes_on = match self.job.order {
            Order::BreadthFirst => self.levels.advance(),
            Order::DepthFirst => Ok(!self.pool.is_empty()),
        };
        match goes_on {
            Ok(true) => {}
            Ok(false) => self.finish(),
            Err(exhausted) => self.stop(exhausted.into()),
        }
    }

    /// Tells how far the search is and hears whether to stop.
    #[cold]
    pub(super) fn report_progress(&self, depth: u64) -> Result<(), StopReason> {
        let states = self.states();
        self.model.lock().unwrap_or_else(PoisonError::into_inner).reach(self.job.model.bytes())?;
        let progress = Progress {
            states,
            transitions: self.transitions(),
            frontier: states.saturating_sub(self.counters.expanded.load(Relaxed)),
            level: depth + 1,
            memory: self.space.budget.used(),
            elapsed: self.job.started.elapsed(),
            ..Progress::default()
        };
        self.job.control.check(progress).map_or(Ok(()), Err)
    }
}
