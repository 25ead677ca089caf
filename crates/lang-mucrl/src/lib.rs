//! µCRL, the micro common representation language: algebraic data and processes. Groote & Ponse, "The syntax
//! and semantics of µCRL", 1995; Wouters, "Manual for the µCRL tool set", 2001.
//!
//! A text is read to a tree ([`parse`]), every name is resolved, and what comes out is a [`ProcessSpec`], as
//! for mCRL2. What µCRL has of its own: data is all the user's (`func` makes the values, `map` is defined by
//! `rew`), but for `Bool`, whose values `T` and `F` a condition must be of: these are the built-in ones.
//! Communication is declared once for all, and `||` is a handshake of two by it.
//!
//! Functions that are conjunction, negation, equality and so on by their equations are replaced by the
//! built-in ones (`recognise`), so that conditions are split and solved like those of mCRL2.

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
