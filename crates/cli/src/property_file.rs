//! The files that `check --property` names. Each is read by its own kind, which its ending tells.

use std::path::Path;

use base::{Source, Span};
use logic::ltl::{self, Dialect};

use crate::Failure;
use crate::options::Input;

/// What is in a file of properties.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A predicate that is true in every state.
    Predicate,
    /// Formulas of the Model Checking Contest about a net.
    Contest,
    /// A formula of LTL.
    Ltl,
    /// A formula of a logic that cannot even be read yet.
    Other,
}

/// What is in the file of this name.
pub(crate) fn kind(file: &Path) -> Kind {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("inv") => Kind::Predicate,
        Some("xml") => Kind::Contest,
        Some("ltl") => Kind::Ltl,
        _ => Kind::Other,
    }
}

/// Refuses a formula that is none. No engine can check it yet, but who wrote it wrong is to hear of that.
pub(crate) fn check(file: &Path, source: &Source, model: &Input) -> Result<(), Failure> {
    if kind(file) != Kind::Ltl {
        return Ok(());
    }
    let text = source.text();
    let words = ltl::words(text, 0);
    let formula = ltl::parse(&words, Span::new(0, text.trim_end().len()), dialect(model));
    formula.map(|_| ()).map_err(|problem| Failure::text(&[problem], source))
}

/// How LTL is written beside a model: in Promela `F`, `G` and `R` are names.
fn dialect(model: &Input) -> Dialect {
    let extension = || model.file.extension().and_then(|extension| extension.to_str());
    let language = match &model.lang {
        Some(name) => pinscher::by_name(name),
        None => extension().and_then(pinscher::by_extension),
    };
    match language {
        Some(language) if language.name == "promela" => Dialect::Spin,
        _ => Dialect::Letters,
    }
}
