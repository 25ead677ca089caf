//! mCRL2 (Groote & Mousavi, "Modeling and Analysis of Communicating Systems", 2014): from text to a typed
//! process specification.
//!
//! # The plan
//!
//! ```text
//! text ─► words ─► tree ─► ProcessSpec ─► model
//! ```
//!
//! | room | what it holds |
//! |---|---|
//! | `lexer` | the words of a text |
//! | `parser` | words become a tree (`ast`): names are not looked up, sorts not known |
//! | `check` | the tree becomes a [`ProcessSpec`]: names looked up, every expression with its sort |
//!
//! The grammar is that of the language reference of mCRL2 202x. So are the sorts that expressions get, for
//! all that its own type checker accepts.

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
