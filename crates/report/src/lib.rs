//! What was found out, as people and programs read it: text, JSON, charts and pictures. Nothing here prints.
//!
//! In comes an [`Outcome`]: the answers of a command with all that a report needs beside them. [`text()`] and
//! [`json()`] tell the same story. The runs in it are shown by [`witness`] (steps, states, trails of Spin; a
//! run that was written down is read back by `witness/file.rs`) and by [`chart`] (message sequence charts).
//! Why a run ends in a deadlock is told by [`waiting()`].
//! [`picture`] draws models: matrices, nets, nodes of decision diagrams, and the scatter plots of
//! measurements. [`words`] shows names and values, with what could upset a terminal escaped.

pub mod chart;
mod error;
mod json;
mod outcome;
pub mod picture;
mod sentence;
mod text;
mod waiting;
pub mod witness;
pub mod words;

pub use error::Error;
pub use json::{evidence_json, json, state_json};
pub use layers::CacheFigures;
pub use outcome::{Hint, Outcome, SearchFigures, explain};
pub use sentence::title;
pub use text::text;
pub use waiting::waiting;
