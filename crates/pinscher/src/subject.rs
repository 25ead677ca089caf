//! What is asked about: a model that is loaded, or a file that is loaded when the answer is wanted.

use std::path::PathBuf;

use crate::{Error, LoadOptions, Loaded, load};

/// What is asked about.
#[derive(Clone)]
pub(crate) enum Subject {
    /// A model.
    Loaded(Loaded),
    /// A model in a file, and how to read it.
    File(PathBuf, LoadOptions),
}

impl Subject {
    /// The model, where it is loaded already.
    pub(crate) fn loaded(&self) -> Option<&Loaded> {
        match self {
            Self::Loaded(loaded) => Some(loaded),
            Self::File(..) => None,
        }
    }

    /// The model, loaded now if it is not yet.
    pub(crate) fn load(&self) -> Result<Loaded, Error> {
        match self {
            Self::Loaded(loaded) => Ok(loaded.clone()),
            Self::File(path, options) => load(path, options),
        }
    }
}
