//! The planner: from what is asked of a model to an engine that answers it, and back.
//!
//! In comes a model with the questions that a user has ([`Questions`]) and how they are to be answered
//! ([`Setup`]). [`Plan`] stacks layers on the model for each engine that may be needed (`layered.rs`, with
//! what goes into a stack in `arrangement.rs` and `caching.rs`); it refuses a stack on which an answer would
//! not be an answer about the model. [`search()`] runs the engine that was chosen, or lets two of them race
//! (`race.rs`). Out comes a report in the slots of the plain model: each path that an engine found was mapped
//! back through the layers and replayed, and what did not replay is `unknown`.
//!
//! An engine is known by the trait [`engine::Engine`] alone. [`engines`] is the one place that names those
//! there are.

#![forbid(unsafe_code)]

mod actions;
mod arrangement;
mod caching;
pub mod engines;
mod error;
mod hooks;
mod layered;
mod method;
mod plan;
mod questions;
mod race;
mod search;
mod searched;
mod settings;
mod setup;

pub use actions::WrongAction;
pub use arrangement::{Arrangement, ORDERS, Reorder, Wishes};
pub use caching::{Cache, Chosen, Mode};
pub use engines::Choice;
pub use error::{Error, WrongQuestion};
pub use explicit::Storage;
pub use hooks::{Hooks, OnProgress};
pub use method::{EngineKind, Method, Strategy, WrongMethod};
pub use plan::Plan;
pub use questions::{Asked, Invariant, Questions, Survey};
pub use search::{answer, search};
pub use searched::Searched;
pub use settings::Settings;
pub use setup::{Eval, Purpose, Setup};
pub use symbolic::Strategy as SymbolicStrategy;
