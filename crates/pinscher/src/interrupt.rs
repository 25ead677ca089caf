//! Ctrl-C: the first asks the search to stop and report what it has, the second ends the process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// What a shell reports for a process that SIGINT ended.
const INTERRUPTED: i32 = 130;

/// Signals closer together than this are one: `timeout` sends its signal to the process and again to its
/// group.
const ONE_WISH: Duration = Duration::from_millis(500);

/// The flag that the first Ctrl-C raises. The handler is one for the whole process and is set up at the first
/// call.
pub(crate) fn flag() -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let flag = FLAG.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let raised = Arc::clone(&flag);
        let mut first: Option<Instant> = None;
        // Where no handler can be set, Ctrl-C simply ends the process, as without us.
        let _ = ctrlc::set_handler(move || {
            raised.store(true, Ordering::Relaxed);
            if first.get_or_insert_with(Instant::now).elapsed() > ONE_WISH {
                std::process::exit(INTERRUPTED);
            }
        });
        flag
    });
    Arc::clone(flag)
}
