//! Progress on stderr: on a terminal one line that is rewritten, elsewhere a line every ten seconds.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use engine::Progress;
use machine::memory::show_bytes;
use pinscher::Settings;
use planner::OnProgress;

/// Runs shorter than this need no progress.
const PATIENCE: Duration = Duration::from_secs(1);
const BETWEEN_REWRITES: Duration = Duration::from_millis(200);
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Someone who tells of progress.
#[derive(Clone)]
pub(crate) struct Teller {
    /// Nothing is to be told.
    quiet: bool,
    terminal: bool,
    next: Arc<Mutex<Duration>>,
    wrote: Arc<AtomicBool>,
}

impl Teller {
    /// A teller who writes to stderr in the way that suits it, unless all is to be quiet.
    pub(crate) fn unless(quiet: bool) -> Self {
        Self { quiet, ..Self::on(std::io::stderr().is_terminal()) }
    }

    fn on(terminal: bool) -> Self {
        let first = if terminal { PATIENCE } else { BETWEEN_LINES };
        Self { quiet: false, terminal, next: Arc::new(Mutex::new(first)), wrote: Arc::default() }
    }

    /// The settings of a search whose progress is told.
    pub(crate) fn hearing(&self, settings: Settings) -> Settings {
        Settings { on_progress: self.hook(), ..settings }
    }

    /// Who hears of progress, unless all is to be quiet.
    pub(crate) fn hook(&self) -> Option<OnProgress> {
        let teller = self.clone();
        (!self.quiet).then(|| Arc::new(move |progress: &Progress| teller.hear(progress)) as OnProgress)
    }

    /// Hears of progress; writes when it is time to.
    fn hear(&self, progress: &Progress) {
        if !self.is_due(progress.elapsed) {
            return;
        }
        let line = line(progress);
        let mut stderr = std::io::stderr().lock();
        self.wrote.store(true, Ordering::Relaxed);
        // Progress that cannot be written is not worth a word.
        let _ = if self.terminal { write!(stderr, "\r\x1b[2K{line}") } else { writeln!(stderr, "{line}") };
        let _ = stderr.flush();
    }

    /// Whether it is time to write again; if so, sets the next time.
    fn is_due(&self, elapsed: Duration) -> bool {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        if elapsed < *next {
            return false;
        }
        *next = elapsed + if self.terminal { BETWEEN_REWRITES } else { BETWEEN_LINES };
        true
    }

    /// Clears the line that was rewritten, so that the report begins on an empty one.
    pub(crate) fn done(&self) {
        if self.terminal && self.wrote.load(Ordering::Relaxed) {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
        }
    }
}

fn line(progress: &Progress) -> String {
    let seconds = progress.elapsed.as_secs_f64();
    let memory = show_bytes(progress.memory);
    if let Some(nodes) = progress.nodes {
        // How many states a set has is counted when the search is over.
        let Progress { level, short_vectors, .. } = progress;
        return format!(
            "{seconds:.0} s: round {level}, {nodes} nodes of decision diagrams, model asked {short_vectors} times, {memory}"
        );
    }
    let rate = progress.states as f64 / seconds.max(0.001);
    format!(
        "{seconds:.0} s: {} states, {rate:.0} states/s, {} waiting, level {}, {memory}",
        progress.states, progress.frontier, progress.level
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often a teller writes in some seconds, hearing of progress a hundred times a second.
    fn times_in(seconds: u64, terminal: bool) -> usize {
        let teller = Teller::on(terminal);
        (0..seconds * 100).filter(|&tick| teller.is_due(Duration::from_millis(tick * 10))).count()
    }

    #[test]
    fn a_terminal_hears_often_and_a_file_every_ten_seconds() {
        assert_eq!(times_in(1, true), 0);
        assert_eq!(times_in(11, true), 50);
        assert_eq!(times_in(10, false), 0);
        assert_eq!(times_in(31, false), 3);
    }

    #[test]
    fn a_line_tells_how_far_the_search_is() {
        let elapsed = Duration::from_secs(2);
        let progress =
            Progress { states: 3000, frontier: 7, level: 4, memory: 1 << 20, elapsed, ..Progress::default() };
        assert_eq!(line(&progress), "2 s: 3000 states, 1500 states/s, 7 waiting, level 4, 1.0 MiB");
        let symbolic = Progress { nodes: Some(50), short_vectors: 8, ..progress };
        assert_eq!(
            line(&symbolic),
            "2 s: round 4, 50 nodes of decision diagrams, model asked 8 times, 1.0 MiB"
        );
    }
}
