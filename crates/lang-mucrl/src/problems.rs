//! What is wrong with a text, gathered until all of it was looked at.

use base::{Diagnostic, Span};

/// Messages.
#[derive(Debug, Default)]
pub(crate) struct Problems(base::Problems);

pub(crate) use base::Reported;

impl Problems {
    /// Adds an error. The answer is for who cannot go on.
    pub(crate) fn error(
        &mut self,
        message: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) -> Reported {
        self.add(Diagnostic::error(message, span).label(label))
    }

    /// Adds a message.
    pub(crate) fn add(&mut self, problem: Diagnostic) -> Reported {
        self.0.push(problem);
        Reported
    }

    /// The warnings, or everything where there are errors.
    pub(crate) fn into_result(self) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let any_error = self.0.any_error();
        let all = self.0.into_all();
        if any_error { Err(all) } else { Ok(all) }
    }
}
