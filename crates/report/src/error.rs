//! Why something cannot be shown or read back, in words that know no command line.

use std::path::PathBuf;

/// Why something cannot be shown or read back.
#[derive(Debug)]
pub enum Error {
    /// A chart of a run whose steps do not tell who moves.
    NoMovers,
    /// A trail of Spin of a run that is not one of a model in Promela.
    NoPromela,
    /// A trail of Spin with a statement whose number is not known.
    NoStatementNumber {
        /// The statement.
        statement: String,
        /// The process that it is of.
        process: String,
    },
    /// A file that cannot be read.
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A file without a run that can be followed.
    NoRun {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A run of another model.
    OtherModel {
        /// The file that it is in.
        path: PathBuf,
        /// The model that it is of.
        of: String,
        /// The model that it is to be followed on.
        on: String,
    },
    /// A run that begins in another state than the model.
    OtherStart {
        /// The file that it is in.
        path: PathBuf,
        /// The model that it is to be followed on.
        on: String,
    },
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoMovers => write!(f, "a chart needs a language whose steps tell which process does what"),
            Self::NoPromela => write!(f, "a trail of Spin can only be written for a model in Promela"),
            Self::NoStatementNumber { statement, process } => {
                write!(f, "it is not known which number Spin gives to `{statement}` of {process}")
            }
            Self::File { path, error } => write!(f, "{}: {error}", path.display()),
            Self::NoRun { path, what } => write!(f, "{}: {what}", path.display()),
            Self::OtherModel { path, of, on } => {
                write!(f, "{} is about {of}, not about {on}", path.display())
            }
            Self::OtherStart { path, on } => {
                write!(f, "the run in {} begins in another initial state than {on}", path.display())
            }
        }
    }
}

impl std::error::Error for Error {}
