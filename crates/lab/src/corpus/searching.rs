//! How the models of a folder are searched: what is the same for all of them.

use std::sync::Arc;
use std::time::Duration;

use cli::Failure;
use engine::Engine;
use planner::{Choice, Purpose, Setup};

use crate::options::Corpus;
use crate::search;

/// How the models of a folder are searched.
pub(crate) struct Searching<'a> {
    pub(crate) options: &'a Corpus,
    /// Who searches.
    pub(crate) engine: Arc<dyn Engine>,
}

impl<'a> Searching<'a> {
    /// As the options say.
    pub(crate) fn new(options: &'a Corpus) -> Result<Self, Failure> {
        Ok(Self { options, engine: search::engine(&options.way)? })
    }

    /// A search for all numbers by this engine, within these limits of states.
    pub(crate) fn setup(&self, engine: &Arc<dyn Engine>, check_matrices: bool, most: Option<u64>) -> Setup {
        let choice = Choice::One(Arc::clone(engine));
        let (arrangement, eval) = (self.options.arrange.wanted(), self.options.eval.into());
        let purpose = Purpose::Numbers;
        let mut setup =
            Setup { choice, find_all: true, purpose, check_matrices, arrangement, eval, ..Setup::default() };
        setup.limits.time = self.options.time.map(Duration::from_secs_f64);
        // Sets of states grow by many at once, and their engine keeps no such limit.
        setup.limits.states = most.filter(|_| is_explicit(&**engine));
        setup
    }
}

/// Whether an engine looks at state by state.
pub(crate) fn is_explicit(engine: &dyn Engine) -> bool {
    engine.profile().sees_transitions
}
