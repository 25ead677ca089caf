//! What is said of a specification that has no linear form.

use base::{Diagnostic, Severity, Span};

/// An error, at a place if one is known.
pub(crate) fn problem(message: impl Into<String>, span: Option<Span>) -> Diagnostic {
    Diagnostic { severity: Severity::Error, message: message.into(), span, label: String::new(), help: None }
}

/// A cycle as a person reads it: the first name is the last as well. A long one is cut in its middle.
pub(crate) fn cycle_text(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    match names.len() {
        ..=SHOWN => names.join(" → "),
        length => {
            let (first, last) = (&names[..SHOWN - 2], &names[length - 2..]);
            format!("{} → … {} more … → {}", first.join(" → "), length - SHOWN, last.join(" → "))
        }
    }
}
