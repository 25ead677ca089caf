//! DVE, the language of DiVinE and of the BEEM benchmark (Pelánek, SPIN 2007).
//!
//! # The way of a text
//!
//! 1. `lexer`: text → words.
//! 2. `parser`: words → tree (`ast`).
//! 3. `lower`: tree → guarded commands. Templates are written out (`lower::instances`), names are entered
//!    (`lower::declarations`, `lower::names`) and looked up (`lower::resolve`). The transitions of processes
//!    become commands in `lower::asynchronous` or `lower::synchronous`, and `lower::product` joins a
//!    property process to them. All of it goes into one `lower::lowering`, which also says when a model is
//!    too large.
//!
//! # Semantics
//!
//! They are DiVinE's: `byte` holds 0 to 255 and `int` -32768 to 32767. An assignment of anything else, a
//! division by zero and an index outside an array are errors of the model; values in typed channels wrap
//! around. Differs: one false conjunct disables a transition even if a conjunct before it fails.

pub mod ast;
mod lexer;
mod lower;
mod parser;

use std::sync::Arc;

use base::{Diagnostic, Source};
use commands::CommandModel;
use language::Loaded;

pub use parser::parse;

/// What of a text becomes the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scoping {
    /// The system alone.
    System,
    /// The system and its property process, moving together. DiVinE counts the states of this.
    Product,
}

/// The model in a text, or all that is wrong with it.
pub fn load(source: Arc<Source>) -> Result<Loaded, Vec<Diagnostic>> {
    load_scope(source, Scoping::System)
}

/// The model in a text, with or without its property process.
pub fn load_scope(source: Arc<Source>, scope: Scoping) -> Result<Loaded, Vec<Diagnostic>> {
    // The tree is gone when the model is made: large texts would be in memory twice.
    let lowered = parse(&source).and_then(|system| lower::lower(&source, &system, scope))?;
    let model = CommandModel::new(lowered.program).map_err(|error| vec![error.diagnostic()])?;
    Ok(Loaded::new(model, lowered.warnings).stating(lowered.stated))
}
