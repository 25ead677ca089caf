//! How a model is searched: engine, limits, layers, and who hears of it.

use engine::{CancelToken, Limits, Progress};
use planner::{Cache, Choice, Eval, Hooks, Method, OnProgress, Purpose, Setup, Wishes};

use crate::{Error, Loaded};

/// How a model is searched. The default is what suits most: both engines in a race on one thread each, within
/// four fifths of the machine's memory.
#[derive(Clone)]
pub struct Settings {
    /// Which engine searches, in which order.
    pub method: Method,
    /// How far it goes. The memory is that of the whole process.
    pub limits: Limits,
    /// Whether the search goes on after a violation.
    pub find_all: bool,
    /// Whether local transitions are remembered.
    pub cache: Cache,
    /// Whether the dependency matrices are tested.
    pub check_matrices: bool,
    /// How slots and groups are arranged.
    pub arrangement: Wishes,
    /// How the model is run.
    pub eval: Eval,
    /// Ends the search when it is cancelled; the report says what was seen.
    pub cancel: CancelToken,
    /// Who hears of progress.
    pub on_progress: Option<OnProgress>,
}

impl Default for Settings {
    fn default() -> Self {
        let Setup { find_all, cache, check_matrices, arrangement, eval, limits, .. } = Setup::default();
        Self {
            method: Method::default(),
            limits,
            find_all,
            cache,
            check_matrices,
            arrangement,
            eval,
            cancel: CancelToken::new(),
            on_progress: None,
        }
    }
}

impl Settings {
    /// The same with someone who hears of progress, from any thread.
    #[must_use]
    pub fn heard_by(mut self, hear: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.on_progress = Some(std::sync::Arc::new(hear));
        self
    }

    /// The engines that are meant, or why there are none.
    pub fn choice(&self) -> Result<Choice, Error> {
        Ok(self.method.choose(self.limits.states, self.limits.depth)?)
    }

    /// What the planner is told for this model and purpose.
    pub(crate) fn setup(&self, loaded: &Loaded, purpose: Purpose) -> Result<Setup, Error> {
        let favourite = loaded.language.and_then(|language| language.favourite_order);
        let arrangement = Wishes { favourite: self.arrangement.favourite.or(favourite), ..self.arrangement };
        let (find_all, check_matrices) = (self.find_all, self.check_matrices);
        let (choice, cache, eval, limits) = (self.choice()?, self.cache, self.eval, self.limits.clone());
        Ok(Setup { choice, find_all, cache, check_matrices, arrangement, purpose, eval, limits })
    }

    /// Who may end the search, and who hears of it.
    pub(crate) fn hooks(&self) -> Hooks {
        let (cancel, on_progress) = (self.cancel.clone(), self.on_progress.clone());
        Hooks { cancel, on_progress, ..Hooks::default() }
    }
}

/// The settings that each question of the library takes, for a type with a field `settings`.
macro_rules! takes_settings {
    () => {
        /// Sets the engine that searches.
        #[must_use]
        pub fn engine(mut self, engine: planner::EngineKind) -> Self {
            self.settings.method.engine = engine;
            self
        }

        /// Sets how many threads search.
        #[must_use]
        pub fn threads(mut self, threads: usize) -> Self {
            self.settings.method.threads = threads;
            self
        }

        /// Sets how far the search goes.
        #[must_use]
        pub fn limits(mut self, limits: engine::Limits) -> Self {
            self.settings.limits = limits;
            self
        }

        /// Lets a token end the search, from any thread.
        #[must_use]
        pub fn cancel(mut self, token: &engine::CancelToken) -> Self {
            self.settings.cancel = token.clone();
            self
        }

        /// Sets a function that is told of progress, several times a second and from any thread.
        #[must_use]
        pub fn on_progress(mut self, listen: impl Fn(&engine::Progress) + Send + Sync + 'static) -> Self {
            self.settings = self.settings.heard_by(listen);
            self
        }

        /// Sets everything at once.
        #[must_use]
        pub fn settings(self, settings: $crate::Settings) -> Self {
            Self { settings, ..self }
        }
    };
}

pub(crate) use takes_settings;
