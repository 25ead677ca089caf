//! The engines there are. To add one, implement [`engine::Engine`] for its options and offer it here.

use std::sync::Arc;

use engine::Engine;

/// The strategy of a symbolic search, unless one is named.
pub(crate) const BEST_SYMBOLIC: symbolic::Strategy = symbolic::Strategy::Sat;

/// Which engine searches.
#[derive(Clone)]
pub enum Choice {
    /// This one.
    One(Arc<dyn Engine>),
    /// Two race until one has the answer; the first begins.
    Race([Arc<dyn Engine>; 2]),
}

/// The explicit engine as it searches best, on so many threads.
pub fn explicit(threads: usize) -> Arc<dyn Engine> {
    Arc::new(explicit::Options { threads, ..explicit::Options::default() })
}

/// The symbolic engine as it searches best, on so many threads.
pub fn symbolic(threads: usize) -> Arc<dyn Engine> {
    Arc::new(symbolic::Options { threads, ..symbolic::Options::new(BEST_SYMBOLIC) })
}

impl Choice {
    /// Both engines, with so many threads in all, but one each at least.
    pub fn race(threads: usize) -> Self {
        let half = (threads / 2).max(1);
        Self::Race([explicit(threads.saturating_sub(half).max(1)), symbolic(half)])
    }

    /// The engines that search, the one that begins first.
    pub fn engines(&self) -> &[Arc<dyn Engine>] {
        match self {
            Self::One(engine) => std::slice::from_ref(engine),
            Self::Race(engines) => engines,
        }
    }

    /// The engine that begins.
    pub fn first(&self) -> &Arc<dyn Engine> {
        &self.engines()[0]
    }
}

/// Engines by what they are called.
impl std::fmt::Debug for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.engines().iter().map(|engine| engine.profile())).finish()
    }
}
