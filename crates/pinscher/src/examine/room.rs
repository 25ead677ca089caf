//! The time and memory that an examination has.

use std::time::{Duration, Instant};

use engine::Limits;

/// Limits of an examination as a whole, and what is wanted of it.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    /// When it must be over.
    pub(crate) until: Option<Instant>,
    /// Bytes for the whole process.
    pub(crate) memory: Option<u64>,
    /// Threads that may search.
    pub(crate) threads: usize,
    /// Firing sequences are wanted for what they can show.
    pub(crate) runs: bool,
}

impl Room {
    /// The time that is left; very long without a limit.
    pub(crate) fn left(&self) -> Duration {
        const FOREVER: Duration = Duration::from_secs(10 * 365 * 86400);
        self.until.map_or(FOREVER, |until| until.saturating_duration_since(Instant::now()))
    }

    /// Whether the time is over, or a person has interrupted.
    pub(crate) fn is_over(&self) -> bool {
        self.left().is_zero() || crate::interrupt::flag().load(std::sync::atomic::Ordering::Relaxed)
    }

    /// A question whether to stop: yes after this part of the time, and when the room is over.
    pub(crate) fn slice(&self, part: Duration) -> impl Fn() -> bool + use<> {
        let until = Instant::now() + part.min(self.left());
        let interrupted = crate::interrupt::flag();
        move || Instant::now() >= until || interrupted.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// The limits of a search that may take so long.
    pub(crate) fn limits(&self, part: Duration) -> Limits {
        let time = (self.until.is_some() || part < self.left()).then(|| part.min(self.left()));
        Limits { time, memory: self.memory, ..Limits::default() }
    }
}
