//! Why a layer or a stack of layers is refused.

use crate::{Need, Requirement};

/// Why a layer or a stack of layers is refused. Said before any work starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// An order names something that the model does not have.
    OrderUnknown {
        /// What is put in order.
        of: &'static str,
        /// Its number.
        number: usize,
        /// How many the model has.
        present: usize,
    },
    /// An order names something twice.
    OrderTwice {
        /// What is put in order.
        of: &'static str,
        /// Its number.
        number: usize,
    },
    /// An order leaves out a slot that is written, or a group that changes something or may fail.
    LeftOut {
        /// What is put in order.
        of: &'static str,
        /// Its number.
        number: usize,
    },
    /// The layer wraps some other model than the top of the stack.
    NotOnTop {
        /// The layer.
        layer: String,
    },
    /// The model below does not have what the layer requires.
    Unmet {
        /// The layer.
        layer: String,
        /// What it requires.
        requirement: Requirement,
        /// The model below.
        model: String,
    },
    /// Something is asked for that the layer does not preserve.
    Lost {
        /// The layer.
        layer: String,
        /// What is asked for, and by whom.
        need: Need,
    },
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::OrderUnknown { of, number, present } => {
                write!(
                    f,
                    "the order names number {number} of the {of}, and the model has 0 to {}",
                    present.max(&1) - 1
                )
            }
            Self::OrderTwice { of, number } => {
                write!(f, "the order names number {number} of the {of} twice; name each of them once")
            }
            Self::LeftOut { of, number } => {
                write!(
                    f,
                    "the order leaves out number {number} of the {of}, which matters; name each of them once"
                )
            }
            Self::NotOnTop { layer } => {
                write!(f, "the layer `{layer}` wraps some other model than the top of the stack")
            }
            Self::Unmet { layer, requirement, model } => {
                write!(
                    f,
                    "the layer `{layer}` needs {requirement}, and the model `{model}` has none; \
                     leave the layer out"
                )
            }
            Self::Lost { layer, need: Need { aspect, of } } => {
                write!(
                    f,
                    "the layer `{layer}` does not preserve {aspect}, and {of} needs that; \
                     leave one of them out"
                )
            }
        }
    }
}

impl std::error::Error for Error {}
