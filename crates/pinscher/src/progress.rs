//! Progress on stderr: on a terminal one line that is rewritten, elsewhere a line every ten seconds.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use engine::Progress;

use crate::memory::show_bytes;

/// Runs shorter than this need no progress.
const PATIENCE: Duration = Duration::from_secs(1);
const BETWEEN_REWRITES: Duration = Duration::from_millis(200);
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Someone who tells of progress.
#[derive(Clone)]
pub(crate) struct Teller {
    terminal: bool,
    next: Arc<Mutex<Duration>>,
    wrote: Arc<AtomicBool>,
}

impl Teller {
    /// A teller who writes to stderr in the way that suits it.
    pub(crate) fn new() -> Self {
        let terminal = std::io::stderr().is_terminal();
        let first = if terminal { PATIENCE } else { BETWEEN_LINES };
        Self { terminal, next: Arc::new(Mutex::new(first)), wrote: Arc::default() }
    }

    /// Hears of progress; writes when it is time to.
    pub(crate) fn hear(&self, progress: &Progress) {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        if progress.elapsed < *next {
            return;
        }
        *next = progress.elapsed + if self.terminal { BETWEEN_REWRITES } else { BETWEEN_LINES };
        let line = line(progress);
        let mut stderr = std::io::stderr().lock();
        self.wrote.store(true, Ordering::Relaxed);
        // Progress that cannot be written is not worth a word.
        let _ = if self.terminal { write!(stderr, "\r\x1b[2K{line}") } else { writeln!(stderr, "{line}") };
        let _ = stderr.flush();
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
    let rate = progress.states as f64 / seconds.max(0.001);
    format!(
        "{seconds:.0} s: {} states, {rate:.0} states/s, {} waiting, level {}, {}",
        progress.states,
        progress.frontier,
        progress.level,
        show_bytes(progress.memory)
    )
}
