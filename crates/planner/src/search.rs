//! Runs a plan: under limits, cancelled from outside, heard while it goes on.

use std::sync::Arc;

use engine::{CancelToken, Control, Decided, Limits, Profile, Progress};
use model::Observer;

use crate::engines::Choice;
use crate::error::Error;
use crate::plan::Plan;
use crate::race;
use crate::searched::Searched;
use crate::setup::Setup;

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
    fn control(&self, limits: Limits, profile: Profile) -> Control {
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

/// Runs a plan. The setup is the one that the plan was made with, perhaps with other limits. An observer sees
/// every transition; only a setup that was [`Setup::observed`] takes one.
pub fn search(
    plan: &Plan,
    setup: &Setup,
    hooks: &Hooks,
    observer: Option<&mut dyn Observer>,
) -> Result<Searched, Error> {
    let caches = plan.cache_bytes();
    setup.check_memory(caches)?;
    let limits = setup.engine_limits(caches);
    let profile = |engine: usize| plan.engine(engine).profile();
    match setup.choice {
        Choice::One(_) => {
            let report = plan.run(0, &hooks.control(limits, profile(0)), observer)?;
            Ok(Searched { report, engine: 0, profile: profile(0), why: None })
        }
        Choice::Race(_) => {
            let racer = |engine: usize, limits, stop: &CancelToken| {
                plan.run(engine, &hooks.control(limits, profile(engine)).abandoned_by(stop), None)
            };
            race::race([profile(0), profile(1)], &limits, &racer)
        }
    }
}
