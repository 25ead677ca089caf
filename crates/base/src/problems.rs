//! The messages about one text, collected while reading goes on.

use crate::{Diagnostic, Severity};

/// More than these tell a person nothing new.
const MOST: usize = 50;

/// Collected messages.
///
/// ```
/// use base::{Diagnostic, Problems, Span};
///
/// let mut problems = Problems::default();
/// problems.push(Diagnostic::error("the second", Span::new(7, 9)));
/// problems.push(Diagnostic::warning("the first", Span::new(2, 3)));
/// assert!(problems.any_error());
/// assert_eq!(problems.into_all()[0].message, "the first");
/// ```
#[derive(Default, Debug)]
pub struct Problems {
    list: Vec<Diagnostic>,
    errors: usize,
}

impl Problems {
    /// Keeps a message, unless there are too many already.
    pub fn push(&mut self, problem: Diagnostic) {
        let error = problem.severity == Severity::Error;
        // An error is never lost to a flood of warnings: it alone decides whether the text is a model.
        if self.list.len() < MOST || (error && self.errors == 0) {
            self.list.push(problem);
            self.errors += usize::from(error);
        }
    }

    /// Whether reading on is of no use.
    pub fn are_too_many(&self) -> bool {
        self.errors >= MOST
    }

    /// Whether one of them is an error.
    pub fn any_error(&self) -> bool {
        self.errors > 0
    }

    /// All of them, in the order of the text.
    pub fn into_all(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|problem| problem.span.map_or(0, |span| span.start));
        self.list
    }

    /// The errors, in the order of the text.
    pub fn into_errors(self) -> Vec<Diagnostic> {
        let mut all = self.into_all();
        all.retain(|problem| problem.severity == Severity::Error);
        all
    }
}
