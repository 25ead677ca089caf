//! How much an examination may take: time, memory, and which means are tried.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{CancelToken, Limits, Technique};
use model::Model;
use petri::{Net, Reductions};
use planner::{Plan, Searched, Setup};

/// How much an examination as a whole may take, and what is wanted of it.
#[derive(Clone)]
pub struct Effort {
    /// When it must be over.
    pub until: Option<Instant>,
    /// Ends it before that.
    pub cancel: CancelToken,
    /// How engines search, and the memory of the whole process. Their time is a part of this effort's.
    pub setup: Setup,
    /// Threads that may search.
    pub threads: usize,
    /// The model of the net, where firing sequences are wanted: each is replayed on it.
    pub witnessed_on: Option<Arc<dyn Model>>,
    /// Which means are tried.
    pub means: Means,
    /// Is called after each search of engines that found something out.
    pub on_search: Option<OnSearch>,
}

/// Is called with what was searched, what came of it, and how answers were found by it.
pub type OnSearch = Arc<dyn Fn(&Plan, &Searched, Technique) + Send + Sync>;

/// The means that an examination tries. All of them find the same out, so tests try each by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Means {
    /// Walks at random.
    pub walks: bool,
    /// The state equation, siphons and traps.
    pub structure: bool,
    /// Nets are reduced before they are searched.
    pub reductions: bool,
    /// The engines.
    pub search: bool,
}

impl Means {
    /// All of them.
    pub const ALL: Self = Self { walks: true, structure: true, reductions: true, search: true };
}

/// A net of no more transitions is searched in passing: many are so small that this answers at once what
/// walks would look for in vain.
const SMALL: usize = 3_000;

impl Effort {
    /// The time that is left; very long without a limit.
    pub fn left(&self) -> Duration {
        const FOREVER: Duration = Duration::from_secs(10 * 365 * 86400);
        self.until.map_or(FOREVER, |until| until.saturating_duration_since(Instant::now()))
    }

    /// Whether the time is over, or someone has cancelled.
    pub fn is_over(&self) -> bool {
        self.left().is_zero() || self.cancel.is_cancelled()
    }

    /// A question whether to stop: yes after this part of the time, and when the whole effort is over.
    pub fn slice(&self, part: Duration) -> impl Fn() -> bool + use<> {
        let until = Instant::now() + part.min(self.left());
        let cancel = self.cancel.clone();
        move || Instant::now() >= until || cancel.is_cancelled()
    }

    /// The rounds in which a net is looked at, for a small one with a glance before the first.
    pub fn rounds<R: Copy>(&self, net: &Net, glance: R, rounds: &[R]) -> Vec<R> {
        let first = (net.transitions.len() <= SMALL).then_some(glance);
        first.into_iter().chain(rounds.iter().copied()).collect()
    }

    /// The reductions that are wanted.
    pub fn rules(&self) -> Reductions {
        let mut rules = if self.means.reductions { Reductions::default() } else { Reductions::none() };
        rules.keep_witnesses = self.witnessed_on.is_some();
        rules
    }

    /// The limits of a search that may take so long.
    pub fn limits(&self, part: Duration) -> Limits {
        let time = (self.until.is_some() || part < self.left()).then(|| part.min(self.left()));
        Limits { time, ..self.setup.limits.clone() }
    }
}
