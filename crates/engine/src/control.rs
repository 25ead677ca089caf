//! Control of a running search: limits, interruption, progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
    /// Steps from the initial state.
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
    /// Bytes the search takes.
    pub memory: u64,
    /// Time since the search began.
    pub elapsed: Duration,
}

type Listener = Box<dyn Fn(&Progress) + Send + Sync>;

/// Tells a search when to stop and hears how far it is.
pub struct Control {
    /// The limits.
    pub limits: Limits,
    interrupted: Arc<AtomicBool>,
    started: Instant,
    listener: Option<Listener>,
}

impl Control {
    /// Control with these limits. The clock starts now.
    pub fn new(limits: Limits) -> Self {
        Self { limits, interrupted: Arc::default(), started: Instant::now(), listener: None }
    }

    /// The same, stopped when the flag becomes true.
    #[must_use]
    pub fn interrupted_by(mut self, flag: Arc<AtomicBool>) -> Self {
        self.interrupted = flag;
        self
    }

    /// The same, with someone who hears of progress several times a second.
    #[must_use]
    pub fn heard_by(mut self, listener: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.listener = Some(Box::new(listener));
        self
    }

    /// Time since the clock started.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// To be called every few thousand states: passes progress on, and answers why to stop, if so.
    pub fn check(&self, progress: Progress) -> Option<StopReason> {
        let elapsed = self.elapsed();
        if let Some(listener) = &self.listener {
            listener(&Progress { elapsed, ..progress });
        }
        let passed = |limit: Option<u64>, value: u64| limit.is_some_and(|limit| value >= limit);
        if self.interrupted.load(Ordering::Relaxed) {
            Some(StopReason::Interrupted)
        } else if self.limits.time.is_some_and(|limit| elapsed >= limit) {
            Some(StopReason::Time)
        } else if passed(self.limits.memory, progress.memory) {
            Some(StopReason::Memory)
        } else if passed(self.limits.states, progress.states) {
            Some(StopReason::States)
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
