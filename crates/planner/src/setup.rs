//! How to search: what layers and engines have to know beside the questions.

use std::sync::Arc;

use engine::{Engine, Limits};
use machine::memory;

use crate::arrangement::Wishes;
use crate::caching::Cache;
use crate::engines::{self, Choice};
use crate::error::Error;

/// The cache may take one part in this many of the memory: with more, searches near the limit end before
/// those without a cache.
const CACHE_PARTS: u64 = 4;

/// How to search.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Who searches.
    pub choice: Choice,
    /// Whether the search goes on after a violation.
    pub find_all: bool,
    /// Whether local transitions are remembered.
    pub cache: Cache,
    /// Whether the dependency matrices are tested.
    pub check_matrices: bool,
    /// How slots and groups are arranged.
    pub arrangement: Wishes,
    /// What the search is for, beside verdicts.
    pub purpose: Purpose,
    /// How the model is run.
    pub eval: Eval,
    /// Limits of the search; the memory is that of the whole process.
    pub limits: Limits,
}

/// What a search is for, beside the verdicts on properties.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Purpose {
    /// Nothing else; numbers are told as far as they happen to be known.
    #[default]
    Verdicts,
    /// How many transitions and deadlocks there are, unless what is left out was asked for.
    Numbers,
    /// Every transition.
    Transitions,
}

/// How a model is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Eval {
    /// The fastest way there is.
    #[default]
    Auto,
    /// By the interpreter.
    Interpret,
    /// As machine code.
    Compile,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            choice: Choice::One(engines::explicit(1)),
            find_all: false,
            cache: Cache::Auto,
            check_matrices: false,
            arrangement: Wishes::default(),
            purpose: Purpose::default(),
            eval: Eval::Auto,
            limits: Limits { memory: memory::default_limit(), ..Limits::default() },
        }
    }
}

impl Setup {
    /// Bytes that a cache may take for each engine that searches, of the limit for the whole process.
    pub(crate) fn cache_bytes(&self) -> u64 {
        const MOST: u64 = 1 << 30;
        let engines = self.choice.engines().len() as u64;
        self.limits.memory.map_or(MOST, |limit| (limit / CACHE_PARTS).min(MOST)) / engines
    }

    /// Refuses a limit of memory with which no search can begin, once the model is loaded and caches take so
    /// many bytes.
    pub fn check_memory(&self, caches: u64) -> Result<(), Error> {
        let Some(limit) = self.limits.memory else { return Ok(()) };
        if self.engine_limits(caches).memory.is_none_or(|left| left >= memory::LEAST_FOR_ENGINE) {
            return Ok(());
        }
        Err(Error::TooLittleMemory { limit, least: memory::least_limit((caches > 0).then_some(CACHE_PARTS)) })
    }

    /// The limits that the engine is given, once the model is loaded and caches take so many bytes.
    pub fn engine_limits(&self, caches: u64) -> Limits {
        let memory = self.limits.memory.map(|limit| memory::left_for_engine(limit, caches));
        Limits { memory, ..self.limits.clone() }
    }

    /// The same for a search whose every transition is seen by an observer.
    pub fn observed(mut self) -> Result<Self, Error> {
        let seeing = self.choice.engines().iter().find(|engine| engine.profile().sees_transitions);
        let Some(engine) = seeing.map(Arc::<dyn Engine>::clone) else {
            return Err(Error::SeesNoTransitions { engine: self.choice.first().profile().name });
        };
        self.choice = Choice::One(engine);
        self.purpose = Purpose::Transitions;
        Ok(self)
    }
}
