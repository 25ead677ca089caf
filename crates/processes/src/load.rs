//! From a specification to what an engine takes, for every language that gives one.

use std::sync::Arc;

use base::{Diagnostic, Source};
use model::Loaded;

use crate::{LinearModel, ProcessSpec, linearise};

/// What a language answers to who wants a model: its specification, made linear.
pub fn load(
    spec: ProcessSpec,
    warnings: Vec<Diagnostic>,
    source: Arc<Source>,
) -> Result<Loaded, Vec<Diagnostic>> {
    let linear = linearise(spec)?;
    let name = source.name().to_owned();
    let model = LinearModel::new(linear, name, Some(source))?;
    Ok(Loaded { model: Arc::new(model), warnings, unchecked: Vec::new(), endless: None })
}
