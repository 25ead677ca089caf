//! What a language is told and what it gives back.

use std::sync::Arc;

use base::{Diagnostic, Span};

use crate::Model;

/// What a user says of how a text is to be read. Few languages take any of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoadOptions {
    /// Names that stand for texts, as if each were defined in the first lines of the file: what a
    /// preprocessor is given.
    pub defines: Vec<(String, String)>,
    /// Most processes at a time, where a language makes them as it runs.
    pub max_processes: Option<usize>,
    /// A message that is sent to a full channel is lost; if not, its sender waits.
    pub message_loss: bool,
}

/// What a language makes of a text.
pub struct Loaded {
    /// The model.
    pub model: Arc<dyn Model>,
    /// What is probably not meant.
    pub warnings: Vec<Diagnostic>,
    /// Properties that the text states and that no engine can check yet.
    pub unchecked: Vec<Unchecked>,
    /// Why there are infinitely many states, where that is known: no search of all of them can come to an
    /// end.
    pub endless: Option<String>,
}

/// A property that the text states and that no engine can check yet.
#[derive(Clone, Debug)]
pub struct Unchecked {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// Why it is not checked: "checking LTL properties is not there yet".
    pub reason: String,
}
