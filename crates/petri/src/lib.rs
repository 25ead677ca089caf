//! Place/transition nets: the net, the model that it is to engines, and what its structure alone tells.

mod net;

pub use net::{Arc, Net, Place, PlaceIx, Tokens, Transition, TransitionIx, Unit};
