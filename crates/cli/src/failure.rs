//! Why a command could not be carried out: wrong usage or a wrong model, exit code 2; or limits that were
//! reached before there was a model, exit code 3.

use base::{Diagnostic, Source, render_all};

/// More messages than this help nobody.
const MOST_MESSAGES: usize = 20;

/// Why a command could not be carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The command line or a file's name is wrong; what to do about it.
    Usage {
        /// What is wrong.
        message: String,
        /// What to do.
        help: String,
    },
    /// A text is wrong: all messages about it, ready to be read.
    Text(String),
    /// Something asked for is planned and not there yet.
    NotYet {
        /// What.
        what: String,
        /// What to use instead.
        instead: String,
    },
    /// A file could not be read or written.
    File {
        /// Which.
        path: String,
        /// Why.
        reason: String,
    },
    /// A limit was reached, or a person interrupted, before there was anything to report on.
    Unknown {
        /// One word for the limit, as in a report.
        reason: &'static str,
        /// What was not done in time.
        what: String,
    },
    /// A defect of the tool that it noticed itself.
    Defect(String),
}

impl Failure {
    /// Wrong usage and what to do about it.
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), help: help.into() }
    }

    /// The exit code that tells of it.
    pub fn exit_code(&self) -> u8 {
        if matches!(self, Self::Unknown { .. }) { 3 } else { 2 }
    }

    /// Something that is not there yet and what to use instead.
    pub fn not_yet(what: impl Into<String>, instead: impl Into<String>) -> Self {
        Self::NotYet { what: what.into(), instead: instead.into() }
    }

    /// The messages about a text.
    pub fn text(diagnostics: &[Diagnostic], source: &Source) -> Self {
        Self::Text(render_all(diagnostics, source, MOST_MESSAGES))
    }

    /// A file that could not be read or written.
    pub fn file(path: impl std::fmt::Display, error: &std::io::Error) -> Self {
        Self::File { path: path.to_string(), reason: error.to_string() }
    }

    /// The object that `--json` prints of it.
    pub(crate) fn json(&self) -> String {
        let object = serde_json::json!({
            "schema": "pinscher/1",
            "verdict": "unknown",
            "reason": if let Self::Unknown { reason, .. } = self { reason } else { "wrong-input" },
            "error": self.to_string(),
            "version": env!("CARGO_PKG_VERSION"),
        });
        format!("{object:#}\n")
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Usage { message, help } => write!(f, "error: {message}\n  help: {help}\n"),
            Self::Text(messages) => writeln!(f, "{}", messages.trim_end_matches('\n')),
            Self::NotYet { what, instead } => {
                write!(f, "error: {what} is not there yet\n  help: {instead}\n")
            }
            Self::File { path, reason } => writeln!(f, "error: {path}: {reason}"),
            Self::Unknown { reason, what } => writeln!(f, "unknown: {reason}: {what}"),
            Self::Defect(what) => {
                write!(f, "error: a defect of pinscher: {what}\n  help: please report it with the model\n")
            }
        }
    }
}

impl std::error::Error for Failure {}
