//! Place/transition nets: the net, the model that it is to engines, and what its structure alone says.
//!
//! A [`Net`] comes in, from a language or made by hand. It takes one of three ways.
//!
//! - A search: [`NetModel`] is the model of a net. A place is a slot and a transition is a group.
//! - A proof without a search: invariants ([`invariants`]) and what they bound ([`bounds`]), siphons and
//!   traps ([`siphons`]), the state equation ([`state_equation`]), coverability ([`coverability`]). Below
//!   them are `simplex` for linear programs, `sat` for clauses and `span` for columns that suffice.
//! - A smaller problem: [`reduce`](fn@reduce) makes a smaller net with the same answer, and a run of that net
//!   becomes one of the net as it was. [`walk`] looks for a run at random before anything else is tried.
//!
//! `firing` is the firing rule that walks and proofs share. `waiting` tells what is missing in a dead marking.

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
mod waiting;
pub mod walk;

pub use firing::MOST_TOKENS;
pub use net::{Arc, Net, Place, PlaceIx, Tokens, Transition, TransitionIx, Unit};
pub use net_model::NetModel;
pub use reduce::{Applied, Image, Preserves, Reduced, Reduction, Reductions, reduce};
