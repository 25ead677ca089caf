//! What is wrong with a text, gathered until all of it was looked at.

use base::{Diagnostic, Severity, Span};

/// More than this many messages are not kept: a text with so many is none in µCRL.
const MOST: usize = 200;

/// Messages.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    all: Vec<Diagnostic>,
    errors: usize,
}

/// Something was wrong, and a message tells what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Told;

impl Problems {
    /// Adds an error. The answer is for who cannot go on.
    pub(crate) fn error(&mut self, message: impl Into<String>, span: Span, label: impl Into<String>) -> Told {
        self.add(Diagnostic::error(message, span).label(label))
    }

    /// Adds a message.
    pub(crate) fn add(&mut self, problem: Diagnostic) -> Told {
        self.errors += usize::from(problem.severity == Severity::Error);
        if self.all.len() < MOST {
            self.all.push(problem);
        }
        Told
    }

    /// The warnings, or everything where there are errors.
    pub(crate) fn into_result(self) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        if self.errors == 0 { Ok(self.all) } else { Err(self.all) }
    }
}
