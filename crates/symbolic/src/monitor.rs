//! What is kept while a search runs: what a report needs if the search is cut short, and how far the search
//! is.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use ldd::Ldd;

use crate::questions::{Inspection, Questions};

/// What is kept of a search while it runs.
#[derive(Default)]
pub(crate) struct Monitor {
    /// The states that were reached when the last round began.
    pub reached: Option<Ldd>,
    /// The levels of a breadth-first search so far, if they are to be kept.
    pub levels: Option<Vec<Ldd>>,
    /// The questions, if their violations end the search or somebody wants to hear of them at once.
    pub questions: Option<Questions>,
    /// A violation ends the search.
    pub ends_at_violation: bool,
    /// The violations that ended it.
    pub found: Option<Inspection>,
    /// It was told to stop, and looks once more at what it has reached: the clock is not its own any longer.
    pub is_last_look: bool,
    pub progress: Arc<SharedProgress>,
}

/// How far the search is, for other threads to see.
#[derive(Default)]
pub(crate) struct SharedProgress {
    pub level: AtomicU64,
    pub calls: Arc<AtomicU64>,
    /// Bytes of observations that are not sets yet.
    pub observations: Arc<AtomicU64>,
}
