//! ETF, LTSmin's enumerated table format: a model written out as tables. One `trans` section is one
//! transition group, one row `* 0/1 2/2 3` one (partial) step: slot 0 does not matter, slot 1 goes from 0
//! to 1, slot 2 must be 2 and stays, the edge label is 3. The format is described in etf(5) of LTSmin
//! (`doc/etf.txt`); where its lexer and its manual page differ, both ways of writing are read.
//!
//! Differs from LTSmin: the rows of one section may test different slots; a section is a *set* of
//! transitions, so overlapping rows that make the same step make it once; guards are found in the tables.
//!
//! [`load`] reads: `scan` finds words, `parse` the sections (`sections`, `file`) and their `sorts`. `lower`
//! makes tables of them (`table`, `relation`, `index`, `guards`), in which `run` looks steps up (`dispatch`).
//! [`Writer`] writes what any search saw of any model.
//!
//! ```
//! use std::sync::Arc;
//! use model::Successors;
//!
//! let text = "begin state\nlight:light\nend state\nbegin edge\naction:action\nend edge\n\
//!             begin init\n0\nend init\nbegin trans\n0/1 \"on\"\n1/0 \"off\"\nend trans\n\
//!             begin sort light\n\"dark\"\n\"bright\"\nend sort\n";
//! let loaded = lang_etf::load(Arc::new(base::Source::new("light.etf", text))).unwrap();
//! let mut successors = Successors::new(1);
//! loaded.model.stepper().all(loaded.model.initial(), &mut successors).unwrap();
//! let step = successors.get(0);
//! let signature = loaded.model.signature();
//! assert_eq!(signature.show_action(step.action), "on");
//! assert_eq!(signature.show(base::SlotIx::new(0), step.state[0]), "bright");
//! ```

mod dispatch;
mod file;
mod guards;
mod index;
mod lower;
mod names;
mod parse;
mod relation;
mod run;
mod scan;
mod sections;
mod sorts;
mod table;
mod writer;

use std::sync::Arc;

use base::{Diagnostic, Problems, Source};
use language::Loaded;

pub use writer::Writer;

/// The model in a text, or all that is wrong with the text.
pub fn load(source: Arc<Source>) -> Result<Loaded, Vec<Diagnostic>> {
    let mut problems = Problems::default();
    let file = parse::parse(&source, &mut problems);
    let Some(file) = file else { return Err(problems.into_errors()) };
    let lowered = lower::lower(file, &source, &mut problems);
    if problems.any_error() {
        return Err(problems.into_errors());
    }
    Ok(Loaded::new(lowered, problems.into_all()))
}
