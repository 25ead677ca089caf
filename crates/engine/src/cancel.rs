//! Cancellation: one who wants a search to end tells it by a token, from any thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells searches to end. Its clones are the same token.
///
/// ```
/// use engine::{CancelToken, Control, Progress, StopReason};
///
/// let token = CancelToken::default();
/// let control = Control::default().cancelled_by(&token);
/// assert_eq!(control.check(Progress::default()), None);
/// token.cancel();
/// assert_eq!(control.check(Progress::default()), Some(StopReason::Interrupted));
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

/// A flag that others know already, as a token.
impl From<Arc<AtomicBool>> for CancelToken {
    fn from(flag: Arc<AtomicBool>) -> Self {
        Self(flag)
    }
}

impl CancelToken {
    /// A token that is not cancelled yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells all searches that obey this token to end.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether someone has cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
