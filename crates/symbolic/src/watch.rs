//! Who looks on while a search runs: keeps what a report needs if the search is cut short, and stops the
//! search when a property is violated and one violation is enough.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use engine::{Decided, StopReason};
use ldd::Ldd;

use crate::answers::{Asked, Look};
use crate::reach::{Search, Stop};

/// What is kept of a search while it runs.
#[derive(Default)]
pub(crate) struct Watch {
    /// The states that were reached when the last round began.
    pub reached: Option<Ldd>,
    /// The levels of a breadth-first search so far, if they are to be kept.
    pub levels: Option<Vec<Ldd>>,
    /// The questions, if their violations end the search or somebody wants to hear of them at once.
    pub asked: Option<Asked>,
    /// A violation ends the search.
    pub ends_at_violation: bool,
    /// The violations that ended it.
    pub found: Option<Look>,
    /// It was told to stop, and looks once more at what it has reached: the clock is not its own any longer.
    pub is_last_look: bool,
    pub gauge: Arc<Gauge>,
}

/// How far the search is, for other threads to see.
#[derive(Default)]
pub(crate) struct Gauge {
    pub level: AtomicU64,
    pub calls: Arc<AtomicU64>,
    /// Bytes of sightings that are not sets yet.
    pub sightings: Arc<AtomicU64>,
}

impl Search<'_> {
    /// Tells other threads how far the search is.
    pub fn tell(&self) {
        self.watch.gauge.level.store(self.level, Ordering::Relaxed);
    }

    /// All groups were asked for all states of this level, or round; these states were reached before.
    pub fn expanded(&mut self, level: &Ldd, reached: &Ldd) -> Result<(), Stop> {
        self.watch.reached = Some(reached.clone());
        if let Some(levels) = &mut self.watch.levels {
            levels.push(level.clone());
        }
        let Some(mut asked) = self.watch.asked.take() else { return Ok(()) };
        let look = self.look(level, &mut asked);
        self.watch.asked = Some(asked);
        let look = look?;
        self.tell_violations(&look);
        if self.watch.ends_at_violation && look.violating.iter().any(|states| !states.is_empty()) {
            self.watch.found = Some(look);
            return Err(Stop(StopReason::OtherViolation));
        }
        Ok(())
    }

    /// Tells who wants to hear it which properties are violated.
    pub fn tell_violations(&self, look: &Look) {
        let violated = look.violating.iter().enumerate().filter(|(_, states)| !states.is_empty());
        violated.for_each(|(property, _)| self.control.decide(Decided { property, is_found: true }));
    }

    /// Whether states a step further away may be reached. There are some.
    pub fn may_go_deeper(&self) -> Result<(), Stop> {
        // The first level is no step away.
        if self.control.limits.depth.is_some_and(|depth| self.level > depth) {
            return Err(Stop(StopReason::Depth));
        }
        Ok(())
    }
}
