//! µCRL, the micro common representation language: algebraic data and processes. Groote & Ponse, "The syntax
//! and semantics of µCRL", 1995; Wouters, "Manual for the µCRL tool set", 2001.
//!
//! # The plan
//!
//! ```text
//! text ─► words ─► tree ─► ProcessSpec ─► the same with built-in functions ─► model
//! ```
//!
//! | room | what it holds |
//! |---|---|
//! | `lexer`, `parser` | a text becomes a tree ([`ast`]): no name is resolved |
//! | `declarations` | what a text declares: sorts, functions, actions, processes |
//! | `data`, `process` | terms, equations and processes: every name gets its meaning |
//! | `recognise` | functions that are built-in ones by their equations (conjunction, equality, …) |
//! | `problems` | what is wrong with a text |
//!
//! What µCRL has of its own: data is all the user's (`func` makes the values, `map` is defined by `rew`), but
//! for `Bool`. Its values `T` and `F` are the built-in ones, and a condition must be one of them.
//! Communication is declared once for all, and `||` is a handshake of two by it.

pub mod ast;
mod data;
mod declarations;
mod lexer;
mod parser;
mod problems;
mod process;
mod recognise;

use std::sync::Arc;

use base::{Diagnostic, Source};
use language::Loaded;
use processes::ProcessSpec;

pub use parser::parse;

/// The specification in a text and what in it is probably not meant, or all that is wrong with it.
pub fn read(source: &Source) -> Result<(ProcessSpec, Vec<Diagnostic>), Vec<Diagnostic>> {
    let tree = parse(source)?;
    let (mut spec, warnings) = process::resolve(&tree)?;
    recognise::recognise(&mut spec);
    Ok((spec, warnings))
}

/// The model in a text, or all that is wrong with it.
pub fn load(source: Arc<Source>) -> Result<Loaded, Vec<Diagnostic>> {
    let (spec, warnings) = read(&source)?;
    Ok(Loaded::new(processes::load(spec, source)?, warnings))
}
