//! How a model is searched: engine, limits, layers, and who hears of it.

use engine::{CancelToken, Limits, Progress};

use crate::arrangement::Wishes;
use crate::caching::Cache;
use crate::engines::Choice;
use crate::error::Error;
use crate::hooks::{Hooks, OnProgress};
use crate::method::Method;

use crate::setup::{Eval, Purpose, Setup};

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

    /// The same with engines that were chosen, for this purpose.
    pub fn setup(&self, purpose: Purpose) -> Result<Setup, Error> {
        let (find_all, check_matrices, arrangement) = (self.find_all, self.check_matrices, self.arrangement);
        let (choice, cache, eval, limits) = (self.choice()?, self.cache, self.eval, self.limits.clone());
        Ok(Setup { choice, find_all, cache, check_matrices, arrangement, purpose, eval, limits })
    }

    /// Who may end the search, and who hears of it.
    pub fn hooks(&self) -> Hooks {
        let (cancel, on_progress) = (self.cancel.clone(), self.on_progress.clone());
        Hooks { cancel, on_progress, ..Hooks::default() }
    }
}
