//! Counts the states of a model.

use std::path::PathBuf;
use std::time::Instant;

use engine::StopReason;
use planner::{Purpose, Questions, Settings};
use report::Outcome;

use crate::searching::{counted, for_language, outcome, searched};
use crate::settings::takes_settings;
use crate::subject::Subject;
use crate::{Error, LoadOptions, Loaded};

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
    subject: Subject,
    settings: Settings,
}

impl Count {
    /// A count of all that can be reached in a loaded model.
    pub fn new(loaded: &Loaded) -> Self {
        Self { subject: Subject::Loaded(loaded.clone()), settings: Settings::default() }
    }

    /// The same of the model in a file. [`Count::run`] loads it first; the time limit is for that, too.
    pub fn of_file(path: impl Into<PathBuf>, options: &LoadOptions) -> Self {
        Self { subject: Subject::File(path.into(), options.clone()), settings: Settings::default() }
    }

    takes_settings!();

    /// Searches and counts. A model with infinitely many states is not searched.
    pub fn run(&self) -> Result<Outcome, Error> {
        self.run_hearing(&mut |_| ())
    }

    /// The same where someone hears of the model as soon as it is loaded: of its warnings, say.
    pub fn run_hearing(&self, hear: &mut dyn FnMut(&Loaded)) -> Result<Outcome, Error> {
        let started = Instant::now();
        let loaded = self.subject.load()?;
        hear(&loaded);
        if let Some(why) = &loaded.endless {
            return self.uncounted(&loaded, &StopReason::Unbounded(why.clone()));
        }
        let settings = Settings { find_all: true, ..for_language(&self.settings, &loaded) };
        let mut left = settings.clone();
        left.limits.time = left.limits.time.map(|time| time.saturating_sub(started.elapsed()));
        let found = planner::answer(&loaded.model, &Questions::failures(), &left, Purpose::Numbers)?;
        Ok(counted(searched(&loaded, &settings, found)))
    }

    /// The outcome about a loaded model where nothing was counted, for this reason.
    pub fn uncounted(&self, loaded: &Loaded, reason: &StopReason) -> Result<Outcome, Error> {
        let settings = for_language(&self.settings, loaded);
        let mut outcome = outcome(loaded, &settings, settings.choice()?.first().profile());
        outcome.stopped = Some(reason.clone());
        outcome.statistics = Some(engine::Statistics::default());
        Ok(outcome)
    }
}
