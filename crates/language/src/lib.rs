//! The contract of modelling languages: a text and [`LoadOptions`] go in; a [`Loaded`] model or readable
//! diagnostics come out.
//!
//! A language is a crate `lang-…` with a function `load` that answers a [`Loaded`]: the model, what is
//! probably not meant, and the properties that the text states. It does not know who checks them, so it
//! states all of them, also those that no engine can check.

use std::sync::Arc;

use base::{Diagnostic, Span};
use logic::Formula;
use model::Model;

/// What a user says of how a text is to be read. Few languages take any of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoadOptions {
    /// Names that stand for texts, as if each were defined in the first lines of the file: what a
    /// preprocessor is given.
    pub defines: Vec<(String, String)>,
    /// Most processes at a time, where a language makes them as it runs.
    pub max_processes: Option<usize>,
    /// A message that is sent to a full channel is lost; if not, who sends it waits.
    pub message_loss: bool,
}

/// What a language makes of a text.
pub struct Loaded {
    /// The model.
    pub model: Arc<dyn Model>,
    /// What is probably not meant.
    pub warnings: Vec<Diagnostic>,
    /// The properties that the text states, apart from the assertions, labels and alarms of the model.
    pub stated: Vec<Stated>,
    /// Why there are infinitely many states, where that is known: no search of all of them can come to an
    /// end.
    pub endless: Option<String>,
}

impl Loaded {
    /// A model of a text that states no properties of its own.
    pub fn new(model: impl Model + 'static, warnings: Vec<Diagnostic>) -> Self {
        Self { model: Arc::new(model), warnings, stated: Vec::new(), endless: None }
    }

    /// The same with properties.
    #[must_use]
    pub fn stating(self, stated: Vec<Stated>) -> Self {
        Self { stated, ..self }
    }
}

/// A property that a text states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stated {
    /// How reports call it.
    pub name: String,
    /// Where it stands in the text of the model.
    pub span: Span,
    /// What it states.
    pub form: Form,
}

/// In which form a property is stated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// A formula that holds of the model.
    Formula(Formula),
    /// An automaton that runs along with the model.
    Monitor(Monitor),
}

/// An automaton that runs along with a model and says which runs are wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Monitor {
    /// Promela's `never`: it moves with every step, and the runs that it accepts are wrong.
    NeverClaim,
    /// Promela's `trace`: it moves with every message on its channels, and must always be able to.
    Trace,
    /// Promela's `notrace`: a run on which it comes to its end is wrong.
    NoTrace,
    /// A process of DVE behind the word `property`: it moves with every step, and the runs that it accepts
    /// are wrong.
    PropertyProcess,
}
