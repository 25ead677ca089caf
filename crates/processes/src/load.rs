//! From a specification to what an engine takes, for every language that gives one.

use std::sync::Arc;

use base::{Diagnostic, Source};

use crate::{LinearModel, ProcessSpec, linearise};

/// The model of a specification: that is made linear, and each summand is a group.
pub fn load(spec: ProcessSpec, source: Arc<Source>) -> Result<LinearModel, Vec<Diagnostic>> {
    let linear = linearise(spec)?;
    let name = source.name().to_owned();
    LinearModel::new(linear, name, Some(source))
}
