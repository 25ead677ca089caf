//! Place/transition nets: the net, the model that it is to engines, and what its structure alone tells.

pub mod bounds;
pub mod coverability;
mod firing;
pub mod invariants;
mod net;
mod net_model;
mod reduce;
mod sat;
mod simplex;
pub mod siphons;
mod span;
pub mod state_equation;
pub mod structure;
pub mod walk;

pub use firing::MOST_TOKENS;
pub use net::{Arc, Net, Place, PlaceIx, Tokens, Transition, TransitionIx, Unit};
pub use net_model::NetModel;
pub use reduce::{Applied, Image, Preserves, Reduced, Rule, Rules, reduce};
