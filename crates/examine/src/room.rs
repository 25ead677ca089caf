//! The time and memory that an examination has.

use std::time::{Duration, Instant};

use engine::Limits;
use petri::{Net, Rules};

/// Limits of an examination as a whole, and what is wanted of it.
#[derive(Clone, Debug)]
pub struct Room {
    /// When it must be over.
    pub until: Option<Instant>,
    /// Bytes for the whole process.
    pub memory: Option<u64>,
    /// Threads that may search.
    pub threads: usize,
    /// Firing sequences are wanted for what they can show.
    pub runs: bool,
    /// Who is asked.
    pub means: Means,
}

/// Who may be asked in an examination. All of them find the same out, so tests ask each by itself.
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
    /// Everybody.
    pub const ALL: Self = Self { walks: true, structure: true, reductions: true, search: true };
}

/// A net of no more transitions is searched in passing: many are so small that this answers at once what
/// walks would look for in vain.
const SMALL: usize = 3_000;

impl Room {
    /// The time that is left; very long without a limit.
    pub fn left(&self) -> Duration {
        const FOREVER: Duration = Duration::from_secs(10 * 365 * 86400);
        self.until.map_or(FOREVER, |until| until.saturating_duration_since(Instant::now()))
    }

    /// Whether the time is over, or a person has interrupted.
    pub fn is_over(&self) -> bool {
        self.left().is_zero() || cli::interrupt::flag().load(std::sync::atomic::Ordering::Relaxed)
    }

    /// A question whether to stop: yes after this part of the time, and when the room is over.
    pub fn slice(&self, part: Duration) -> impl Fn() -> bool + use<> {
        let until = Instant::now() + part.min(self.left());
        let interrupted = cli::interrupt::flag();
        move || Instant::now() >= until || interrupted.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// The rounds in which a net is looked at, for a small one with a glance before the first.
    pub fn rounds<R: Copy>(&self, net: &Net, glance: R, rounds: &[R]) -> Vec<R> {
        let first = (net.transitions.len() <= SMALL).then_some(glance);
        first.into_iter().chain(rounds.iter().copied()).collect()
    }

    /// The reductions that are wanted.
    pub fn rules(&self) -> Rules {
        let mut rules = if self.means.reductions { Rules::default() } else { Rules::none() };
        rules.keep_witnesses = self.runs;
        rules
    }

    /// The limits of a search that may take so long.
    pub fn limits(&self, part: Duration) -> Limits {
        let time = (self.until.is_some() || part < self.left()).then(|| part.min(self.left()));
        Limits { time, memory: self.memory, ..Limits::default() }
    }
}
