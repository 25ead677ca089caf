//! Counts the states of a model.

use std::sync::Arc;

use engine::StopReason;
use planner::{Purpose, Questions};
use report::Outcome;

use crate::searching::{outcome, plan_and_search};
use crate::settings::takes_settings;
use crate::{Error, Loaded, Settings};

/// A count of states, transitions, levels and deadlocks.
///
/// ```
/// # let text = "byte x; process P { state s; init s; trans s -> s { guard x < 3; effect x = x + 1; }; } \
/// #             system async;";
/// # let loaded = pinscher::load_text("count.dve", text, "dve", &pinscher::LoadOptions::default())?;
/// let report = pinscher::Count::new(&loaded).run()?;
/// assert_eq!(report.statistics.unwrap().states.to_string(), "4");
/// # Ok::<(), pinscher::Error>(())
/// ```
#[derive(Clone)]
pub struct Count {
    loaded: Loaded,
    settings: Settings,
}

impl Count {
    /// A count of all that can be reached.
    pub fn new(loaded: &Loaded) -> Self {
        Self { loaded: loaded.clone(), settings: Settings::default() }
    }

    takes_settings!();

    /// Searches and counts. A model with infinitely many states is not searched.
    pub fn run(&self) -> Result<Outcome, Error> {
        if let Some(why) = &self.loaded.endless {
            return self.uncounted(&StopReason::Unbounded(why.clone()));
        }
        let settings = Settings { find_all: true, ..self.settings.clone() };
        let setup = settings.setup(&self.loaded, Purpose::Numbers)?;
        let asked = Questions::failures().ask(Arc::clone(&self.loaded.model))?;
        let (searched, cache) = plan_and_search(asked, &setup, &settings.hooks())?;
        let outcome = outcome(&self.loaded, &setup, searched.profile, searched.why);
        Ok(Outcome { cache: Some(cache), ..outcome }.with_numbers(searched.report))
    }

    /// The outcome where nothing was counted, for this reason.
    pub fn uncounted(&self, reason: &StopReason) -> Result<Outcome, Error> {
        let setup = self.settings.setup(&self.loaded, Purpose::Numbers)?;
        let mut outcome = outcome(&self.loaded, &setup, setup.choice.first().profile(), None);
        outcome.stopped = Some(reason.clone());
        outcome.statistics = Some(engine::Statistics::default());
        Ok(outcome)
    }
}
