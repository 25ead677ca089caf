//! Ctrl-C: the first asks the search to stop and report what it has, the second ends the process.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use engine::CancelToken;

/// What a shell reports for a process that SIGINT ended.
const INTERRUPTED: i32 = 130;

/// Signals closer together than this are one: `timeout` sends its signal to the process and again to its
/// group.
const ONE_WISH: Duration = Duration::from_millis(500);

/// The token that the first Ctrl-C cancels. The handler is one for the whole process and is set up at the
/// first call.
pub fn token() -> CancelToken {
    static TOKEN: OnceLock<CancelToken> = OnceLock::new();
    let token = TOKEN.get_or_init(|| {
        let token = CancelToken::new();
        let cancelled = token.clone();
        let mut first: Option<Instant> = None;
        // Where no handler can be set, Ctrl-C simply ends the process, as without us.
        let _ = ctrlc::set_handler(move || {
            cancelled.cancel();
            if first.get_or_insert_with(Instant::now).elapsed() > ONE_WISH {
                std::process::exit(INTERRUPTED);
            }
        });
        token
    });
    token.clone()
}
