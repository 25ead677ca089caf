//! Who may end a search, and who hears of it while it goes on.

use std::sync::Arc;

use engine::{CancelToken, Control, Decided, Limits, Profile, Progress};

/// Who hears of progress.
pub type OnProgress = Arc<dyn Fn(&Progress) + Send + Sync>;

/// Who hears of an answer at once, and whose it is.
pub type OnDecided = Arc<dyn Fn(Decided, Profile) + Send + Sync>;

/// Who may end a search, and who hears of it while it goes on.
#[derive(Clone, Default)]
pub struct Hooks {
    /// Ends the search; it reports what it has.
    pub cancel: CancelToken,
    /// Ends the search because enough is known: nobody waits for what it has.
    pub enough: CancelToken,
    /// Who hears of progress.
    pub on_progress: Option<OnProgress>,
    /// Who hears of each answer at once.
    pub on_decided: Option<OnDecided>,
}

impl Hooks {
    /// The control of an engine's search within these limits.
    pub(crate) fn control(&self, limits: Limits, profile: Profile) -> Control {
        let mut control = Control::new(limits).cancelled_by(&self.cancel).abandoned_by(&self.enough);
        if let Some(hear) = self.on_progress.clone() {
            control = control.heard_by(move |progress| hear(progress));
        }
        if let Some(hear) = self.on_decided.clone() {
            control = control.decided_to(move |decided| hear(decided, profile));
        }
        control
    }
}
