//! Layers: a model over a model.
//!
//! **What comes in**: the model of a language, and what is going to be asked of it ([`Need`]). **Which way it
//! takes**: each [`Layer`] says what it requires of the model below, what it preserves ([`Aspect`]) and what
//! it changes ([`Contract`]). [`Over`] makes a model of a layer, and passes on in one place what the layer
//! leaves alone. A [`Stack`] takes layers one over the other, and refuses an unsound one before any work
//! starts. **What goes out**: the model at the top for an engine; and, for the answers of the engine,
//! [`Stack::path_below`], so that a run speaks in the slots of the source.
//!
//! The idea is LTSmin's PINS2PINS wrapper (Blom, van de Pol & Weber 2009, section V).
//!
//! The layers, a room each:
//!
//! - [`Labelled`] adds state labels: the invariants that a user asks for.
//! - [`Regrouped`] permutes slots and groups and merges groups: symbolic search lives by that. What is a good
//!   order is computed in [`orders`], what to merge by [`merged`], what to leave out by [`constants`] and
//!   [`is_loop`].
//! - [`Cached`] remembers the local transitions of each group, for languages that are slow to run.
//! - [`Checked`] tests the matrices and guards of a model while it runs.
//!
//! Invariant: through every layer here, each state stands for exactly one state of the plain model, and
//! what is reachable on one side is reachable on the other.

mod cached;
mod checked;
mod contract;
mod error;
mod labelled;
mod layer;
pub mod orders;
mod over;
mod regrouped;
mod stack;

pub use cached::{CacheFigures, CacheStatistics, CacheTrial, Cached, try_cache};
pub use checked::{Checked, Complaint, ComplaintKind, Subject};
pub use contract::{Aspect, Need, Requirement};
pub use error::Error;
pub use labelled::Labelled;
pub use layer::{Changes, Contract, Layer, MoreLabels, Translation};
pub use over::{Over, Stacked};
pub use regrouped::{
    Eliminate, Merge, Regrouped, Regrouping, constants, is_below, is_loop, merged, remaining_groups,
    remaining_slots,
};
pub use stack::Stack;
