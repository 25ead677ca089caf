//! Control of a running search: limits, interruption, progress.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::StopReason;

/// Limits of a search; `None` is no limit.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall time.
    pub time: Option<Duration>,
    /// Bytes of memory that the whole process may take.
    pub memory: Option<u64>,
    /// Stored states.
    pub states: Option<u64>,
    /// Steps from the initial state: states so far away are looked at and expanded, what lies beyond is not stored.
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

type Listener = Box<dyn Fn(&Progress) + Send + Sync>;

/// The answer to a property, as soon as it is known: long before the search is over, maybe, and before the run that shows a violation is found
/// and replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decided {
    /// The property's place in the task.
    pub property: usize,
    /// It is violated; or else it holds.
    pub is_violated: bool,
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
    interrupted: Vec<Arc<AtomicBool>>,
    started: Instant,
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
        let due = AtomicU64::new(0);
        Self { limits, interrupted: Vec::new(), started: Instant::now(), listener: None, hearer: None, due }
    }

    /// The same, stopped when the flag becomes true; there may be several.
    #[must_use]
    pub fn interrupted_by(mut self, flag: Arc<AtomicBool>) -> Self {
        self.interrupted.push(flag);
        self
    }

    /// The same, with someone who hears of progress, at most ten times a second.
    #[must_use]
    pub fn heard_by(mut self, listener: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.listener = Some(Box::new(listener));
        self
    }

    /// The same, with someone who hears each answer as soon as it is known, from the thread that found it. Each property is told
    /// once at most, and not at all where it stays unknown.
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
            if now >= due && self.due.compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                listener(&Progress { elapsed, ..progress });
            }
        }
        if self.interrupted.iter().any(|flag| flag.load(Ordering::Relaxed)) {
            Some(StopReason::Interrupted)
        } else if self.limits.time.is_some_and(|limit| elapsed >= limit) {
            Some(StopReason::Time)
        } else if self.limits.memory.is_some_and(|limit| progress.memory >= limit) {
            Some(StopReason::Memory)
        } else {
            None
        }
    }
}

impl Default for Control {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}
