//! mCRL2 (Groote & Mousavi, "Modeling and Analysis of Communicating Systems", 2014): from text to a typed
//! process specification.
//!
//! `parser` makes a tree of the text; `check` and what is below it look up names and find out sorts. The
//! grammar is that of the language reference of mCRL2 202x; so are the sorts that expressions get, for all
//! that its own type checker accepts.

mod ast;
mod check;
mod lexer;
mod parser;

use std::sync::Arc;

use ::processes::ProcessSpec;
use base::{Diagnostic, Source};
use language::Loaded;

/// The specification in a text and what is probably not meant in it, or all that is wrong with it.
pub fn read(source: &Source) -> Result<(ProcessSpec, Vec<Diagnostic>), Vec<Diagnostic>> {
    let text = parser::parse(source)?;
    check::check(&text)
}

/// The model in a text, or all that is wrong with it.
pub fn load(source: Arc<Source>) -> Result<Loaded, Vec<Diagnostic>> {
    let (spec, warnings) = read(&source)?;
    Ok(Loaded::new(::processes::load(spec, source)?, warnings))
}
