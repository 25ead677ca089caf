//! Why a model cannot be loaded or searched. Typed, so that whoever talks to users can say what to do in the
//! words of his own interface.

use std::path::PathBuf;
use std::sync::Arc;

use base::{Diagnostic, Source, render_all};

/// More messages than this about one text help nobody.
const MOST_MESSAGES: usize = 20;

/// Why a model cannot be loaded or searched.
#[derive(Debug)]
pub enum Error {
    /// Nobody knows which language a file is in.
    Language(UnknownLanguage),
    /// The language does not take an option.
    Option {
        /// The language.
        language: &'static str,
        /// What it does not take.
        option: OptionNotTaken,
        /// The languages that do.
        takers: Vec<&'static str>,
    },
    /// A file cannot be read.
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        problem: FileProblem,
    },
    /// Something is wrong with a text: all of it.
    Text {
        /// The text.
        source: Arc<Source>,
        /// What is wrong with it.
        problems: Vec<Diagnostic>,
    },
    /// What was asked for cannot be planned.
    Plan(planner::Error),
    /// Formulas about nets are asked of a model that is none.
    NoNet {
        /// What reports call the model.
        model: String,
    },
    /// Two formulas have the same name.
    TwoFormulas {
        /// The name.
        name: String,
    },
    /// A limit that only a search can keep, where answers come from more than a search.
    NoSearch {
        /// What is limited: `states` or `depth`.
        limit: &'static str,
    },
}

/// Why it is not known which language a file is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownLanguage {
    /// There is no language with this name.
    Name {
        /// The name.
        name: String,
        /// A language with a name like that.
        nearest: Option<&'static str>,
    },
    /// No language has files with such an ending.
    Extension {
        /// The file.
        path: PathBuf,
        /// How its name ends, if it has an ending.
        extension: Option<String>,
    },
}

/// An option of loading that not every language takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionNotTaken {
    /// A definition for the preprocessor: its name.
    Define(String),
    /// The most processes.
    MaxProcesses,
    /// The loss of messages to full channels.
    MessageLoss,
    /// A process that states a property and moves along with the system.
    WithProperty,
}

/// Why a file cannot be read.
#[derive(Debug)]
pub enum FileProblem {
    /// It is a directory.
    Directory,
    /// It is not there.
    Missing {
        /// A file beside it with a name like that.
        nearest: Option<PathBuf>,
        /// Whether its folder is there.
        has_folder: bool,
    },
    /// It may not be read.
    Forbidden,
    /// It has more bytes than there is memory for.
    TooLarge {
        /// The most that there may be.
        most: u64,
    },
    /// What it describes takes more memory than there is for it.
    NoRoom {
        /// The most that there may be.
        most: u64,
    },
    /// Something else, as the operating system puts it.
    Other(std::io::Error),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Language(unknown) => write!(f, "{unknown}"),
            Self::Option { language, option, .. } => write!(f, "the language {language} takes no {option}"),
            Self::File { path, problem } => {
                let path = path.display();
                match problem {
                    FileProblem::Directory => write!(f, "{path} is a directory"),
                    FileProblem::Missing { .. } => write!(f, "there is no file {path}"),
                    FileProblem::Forbidden => write!(f, "{path} may not be read"),
                    FileProblem::TooLarge { most } => {
                        write!(f, "{path} has more than {}", machine::memory::show_bytes(*most))
                    }
                    FileProblem::NoRoom { most } => {
                        write!(f, "{path} takes more than {}", machine::memory::show_bytes(*most))
                    }
                    FileProblem::Other(error) => write!(f, "{path}: {error}"),
                }
            }
            Self::Text { source, problems } => {
                write!(f, "{}", render_all(problems, source, MOST_MESSAGES).trim_end_matches('\n'))
            }
            Self::Plan(error) => write!(f, "{error}"),
            Self::NoNet { model } => write!(f, "{model} is no net, and the formulas are about nets"),
            Self::TwoFormulas { name } => write!(f, "two formulas are called {name}"),
            Self::NoSearch { limit } => write!(
                f,
                "formulas about nets are answered without a limit of {limit}: most answers come from no search"
            ),
        }
    }
}

impl std::fmt::Display for UnknownLanguage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Name { name, .. } => write!(f, "there is no language `{name}`"),
            Self::Extension { path, extension: Some(extension) } => {
                write!(f, "{}: no language has files that end in .{extension}", path.display())
            }
            Self::Extension { path, extension: None } => {
                write!(f, "{}: the name does not tell the language", path.display())
            }
        }
    }
}

impl std::fmt::Display for OptionNotTaken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Define(name) => write!(f, "definition of {name}"),
            Self::MaxProcesses => write!(f, "number of processes"),
            Self::MessageLoss => write!(f, "loss of messages"),
            Self::WithProperty => write!(f, "property process that moves along"),
        }
    }
}

impl std::error::Error for Error {}

impl From<planner::Error> for Error {
    fn from(error: planner::Error) -> Self {
        Self::Plan(error)
    }
}
