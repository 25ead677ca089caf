//! Control of a running search: limits, interruption, progress.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use model::StopSignal;

use crate::{CancelToken, StopReason};

/// Limits of a search; `None` is no limit.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall time.
    pub time: Option<Duration>,
    /// Bytes of memory that the whole process may take.
    pub memory: Option<u64>,
    /// Stored states.
    pub states: Option<u64>,
    /// Steps from the initial state: states so far away are looked at and expanded, what lies beyond is not
    /// stored.
    pub depth: Option<u64>,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// States stored so far.
    pub states: u64,
    /// Transitions seen so far.
    pub transitions: u64,
    /// States stored but not yet expanded.
    pub frontier: u64,
    /// The level that is being expanded, from 1 on, or the depth of the stack.
    pub level: u64,
    /// Nodes of decision diagrams in use; such a search knows its states only when it is over.
    pub nodes: Option<u64>,
    /// Short vectors learned so far, in a search with decision diagrams.
    pub short_vectors: u64,
    /// Bytes the search takes.
    pub memory: u64,
    /// Time since the search began.
    pub elapsed: Duration,
}

type Listener = Arc<dyn Fn(&Progress) + Send + Sync>;

/// The answer to a property, as soon as it is known: maybe long before the search is over, and before the run
/// that shows it is found and replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decided {
    /// The property's place in the task.
    pub property: usize,
    /// What its question looks for is there; or else it is not.
    pub is_found: bool,
}

/// Who hears of answers, and of which properties it has heard.
struct Hearer {
    hears: Box<dyn Fn(Decided) + Send + Sync>,
    told: Mutex<Vec<usize>>,
}

/// Tells a search when to stop and hears how far it is.
pub struct Control {
    /// The limits.
    pub limits: Limits,
    cancelled: Vec<CancelToken>,
    abandoned: Vec<CancelToken>,
    started: Instant,
    /// A search that is told to stop may go on for so long.
    grace: Duration,
    /// When it was first told to, on the clock.
    told: Arc<OnceLock<Duration>>,
    listener: Option<Listener>,
    hearer: Option<Hearer>,
    /// When the listener is to be told next, in milliseconds of the clock.
    due: AtomicU64,
}

/// The listener is told no more often than this, in milliseconds.
const HEARING: u64 = 100;

impl Control {
    /// Control with these limits. The clock starts now.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            cancelled: Vec::new(),
            abandoned: Vec::new(),
            started: Instant::now(),
            grace: Duration::ZERO,
            told: Arc::default(),
            listener: None,
            hearer: None,
            due: AtomicU64::new(0),
        }
    }

    /// For what is left to do when a search is over: the same limits, clock and listener, but where the time
    /// is over, or someone interrupts it, there is a moment left. There is none where nobody wants to hear
    /// what comes of it.
    #[must_use]
    pub fn with_grace(&self, grace: Duration) -> Self {
        Self {
            cancelled: self.cancelled.clone(),
            abandoned: self.abandoned.clone(),
            started: self.started,
            grace,
            listener: self.listener.clone(),
            ..Self::new(self.limits.clone())
        }
    }

    /// The same, stopped by this token; there may be several.
    #[must_use]
    pub fn cancelled_by(mut self, token: &CancelToken) -> Self {
        self.cancelled.push(token.clone());
        self
    }

    /// The same, stopped by this token because nobody wants to hear any longer what comes of the search;
    /// there may be several.
    #[must_use]
    pub fn abandoned_by(mut self, token: &CancelToken) -> Self {
        self.abandoned.push(token.clone());
        self
    }

    /// Whether nobody wants to hear any longer what comes of the search.
    pub fn is_abandoned(&self) -> bool {
        is_any(&self.abandoned)
    }

    /// The same, with someone who hears of progress, at most ten times a second.
    #[must_use]
    pub fn heard_by(mut self, listener: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.listener = Some(Arc::new(listener));
        self
    }

    /// The same, with someone who hears each answer as soon as it is known, from the thread that found it.
    /// Each property is told once at most, and not at all where it stays unknown.
    #[must_use]
    pub fn decided_to(mut self, hears: impl Fn(Decided) + Send + Sync + 'static) -> Self {
        self.hearer = Some(Hearer { hears: Box::new(hears), told: Mutex::default() });
        self
    }

    /// Whether someone wants to hear answers before the search is over.
    pub fn has_hearer(&self) -> bool {
        self.hearer.is_some()
    }

    /// Tells an answer to who wants to hear it.
    pub fn decide(&self, decided: Decided) {
        if let Some(hearer) = &self.hearer {
            let mut told = hearer.told.lock().unwrap_or_else(PoisonError::into_inner);
            if !told.contains(&decided.property) {
                told.push(decided.property);
                drop(told);
                (hearer.hears)(decided);
            }
        }
    }

    /// Time since the clock started.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn orders(&self) -> Orders<'_> {
        let Self { cancelled, abandoned, limits, grace, told, .. } = self;
        Orders { cancelled, abandoned, time: limits.time, grace: *grace, told }
    }

    /// Says whether to stop, for those who do not know how far the search is: a stepper, say, in the middle
    /// of a call that takes long. It is given the bytes that the model holds.
    pub fn stop_signal(&self) -> StopSignal {
        let (cancelled, abandoned) = (self.cancelled.clone(), self.abandoned.clone());
        let (time, grace, told, started) =
            (self.limits.time, self.grace, Arc::clone(&self.told), self.started);
        let memory = self.limits.memory;
        Arc::new(move |bytes| {
            let orders = Orders { cancelled: &cancelled, abandoned: &abandoned, time, grace, told: &told };
            orders.told_to_stop(started.elapsed()).is_some() || memory.is_some_and(|limit| bytes >= limit)
        })
    }

    /// To be called many times a second: passes progress on, and answers why to stop, if so.
    ///
    /// The limits of states and depth are the engine's own business: only it knows whether there are more.
    pub fn check(&self, progress: Progress) -> Option<StopReason> {
        let elapsed = self.elapsed();
        if let Some(listener) = &self.listener {
            let now = elapsed.as_millis() as u64;
            let due = self.due.load(Ordering::Relaxed);
            let next = now + HEARING;
            // Of several threads that are due, one tells.
            if now >= due
                && self.due.compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed).is_ok()
            {
                listener(&Progress { elapsed, ..progress });
            }
        }
        let told = self.orders().told_to_stop(elapsed);
        told.or_else(|| {
            self.limits.memory.is_some_and(|limit| progress.memory >= limit).then_some(StopReason::Memory)
        })
    }
}

/// Who may tell a search to stop, and when.
struct Orders<'c> {
    cancelled: &'c [CancelToken],
    abandoned: &'c [CancelToken],
    time: Option<Duration>,
    grace: Duration,
    told: &'c OnceLock<Duration>,
}

impl Orders<'_> {
    /// Why to stop at this time of the clock, if so.
    fn told_to_stop(&self, elapsed: Duration) -> Option<StopReason> {
        let is_abandoned = is_any(self.abandoned);
        let told = if is_abandoned || is_any(self.cancelled) {
            Some(StopReason::Interrupted)
        } else {
            self.time.is_some_and(|limit| elapsed >= limit).then_some(StopReason::Time)
        };
        let is_over = |first: Duration| is_abandoned || elapsed.saturating_sub(first) >= self.grace;
        told.filter(|_| is_over(*self.told.get_or_init(|| elapsed)))
    }
}

fn is_any(tokens: &[CancelToken]) -> bool {
    tokens.iter().any(CancelToken::is_cancelled)
}

impl Default for Control {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_left_unless_nobody_waits() {
        const LONG: Duration = Duration::from_secs(1000);
        let [cancelled, abandoned] = [(); 2].map(|()| CancelToken::new());
        let limits = Limits { memory: Some(100), ..Limits::default() };
        let control = Control::new(limits).cancelled_by(&cancelled).abandoned_by(&abandoned);
        let (little, much) = (Progress::default(), Progress { memory: 100, ..Progress::default() });
        let (patient, strict) = (control.with_grace(LONG), control.with_grace(Duration::ZERO));
        assert_eq!([&control, &patient, &strict].map(|control| control.check(little)), [None, None, None]);
        assert_eq!([0, 99, 100].map(|bytes| control.stop_signal()(bytes)), [false, false, true], "memory");
        cancelled.cancel();
        assert_eq!(control.check(little), Some(StopReason::Interrupted));
        assert_eq!((patient.check(little), strict.check(little)), (None, Some(StopReason::Interrupted)));
        assert_eq!(patient.check(much), Some(StopReason::Memory), "memory is memory");
        assert_eq!(
            [&control, &patient, &strict].map(|control| control.stop_signal()(0)),
            [true, false, true]
        );
        abandoned.cancel();
        assert!(patient.stop_signal()(0));
        assert_eq!(patient.check(little), Some(StopReason::Interrupted));
        let late = Control::new(Limits { time: Some(Duration::ZERO), ..Limits::default() });
        assert_eq!((late.check(little), late.with_grace(LONG).check(little)), (Some(StopReason::Time), None));
    }
}
