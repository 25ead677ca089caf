//! Layers: a model over a model. Each wraps a model as a model, says what it requires of the one below
//! and what it preserves, and maps its states back, so that a witness speaks in the slots of the source.
//!
//! The idea is LTSmin's PINS2PINS wrapper (Blom, van de Pol & Weber 2009, section V). Differs: a layer
//! states its requirements, and a [`Stack`] refuses an unsound pile before any work starts.
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
mod elimination;
mod error;
mod labelled;
mod merging;
pub mod orders;
mod regrouped;
mod stack;

pub use cached::{CacheStatistics, CacheTrial, Cached, try_cache};
pub use checked::{Checked, Complaint, ComplaintKind, Subject};
pub use elimination::{Eliminate, constants, is_loop, remaining_groups, remaining_slots};
pub use error::Error;
pub use labelled::Labelled;
pub use merging::{Merge, is_below, merged};
pub use regrouped::{Arrangement, Regrouped};
pub use stack::{Aspect, Layer, Requirement, Stack};
