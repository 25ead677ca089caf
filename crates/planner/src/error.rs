//! Why nothing can be planned. Said before any search begins, in words that know no command line.

use base::{Diagnostic, Source, render_all};
use machine::memory::show_bytes;

use crate::{WrongAction, WrongMethod};

/// More messages than this about one text help nobody.
const MOST_MESSAGES: usize = 20;

/// Why nothing can be planned.
#[derive(Clone, Debug)]
pub enum Error {
    /// Questions that cannot be put to the model: all of them.
    Questions(Vec<WrongQuestion>),
    /// No engine searches like that.
    Method(WrongMethod),
    /// The stack of layers is refused, for what is asked or at all.
    Layers(layers::Error),
    /// The model is to be compiled and cannot be: why.
    NotCompiled(String),
    /// With this much memory no search can begin.
    TooLittleMemory {
        /// The limit, in bytes.
        limit: u64,
        /// The least limit that would do.
        least: u64,
    },
    /// The engine does not see every transition, and is to be observed.
    SeesNoTransitions {
        /// What the engine is called.
        engine: &'static str,
    },
    /// A defect of the tool, or of a language, that was noticed.
    Defect(String),
}

/// A question that cannot be put to the model.
#[derive(Clone, Debug)]
pub enum WrongQuestion {
    /// A predicate with something wrong in it.
    Predicate {
        /// The text of the predicate.
        source: Source,
        /// What is wrong with it.
        problems: Vec<Diagnostic>,
    },
    /// A pattern that no action can match.
    Action(WrongAction),
}

impl std::fmt::Display for WrongQuestion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Predicate { source, problems } => {
                write!(f, "{}", render_all(problems, source, MOST_MESSAGES).trim_end_matches('\n'))
            }
            Self::Action(wrong) => write!(f, "{wrong}"),
        }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Questions(wrong) => {
                let texts: Vec<String> = wrong.iter().map(WrongQuestion::to_string).collect();
                write!(f, "{}", texts.join("\n"))
            }
            Self::Method(error) => write!(f, "{error}"),
            Self::Layers(error) => write!(f, "{error}"),
            Self::NotCompiled(why) => write!(f, "the model cannot be compiled: {why}"),
            Self::TooLittleMemory { limit, least } => {
                let (limit, least) = (show_bytes(*limit), least >> 20);
                write!(f, "no search can begin with {limit} of memory: it takes at least {least} MiB")
            }
            Self::SeesNoTransitions { engine } => {
                write!(f, "the {engine} engine sees no transition by itself, and every transition is wanted")
            }
            Self::Defect(what) => write!(f, "a defect of pinscher: {what}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<WrongMethod> for Error {
    fn from(error: WrongMethod) -> Self {
        Self::Method(error)
    }
}

impl From<layers::Error> for Error {
    fn from(error: layers::Error) -> Self {
        Self::Layers(error)
    }
}
