//! Diagrams outside of a store: as bytes ([`save`] and [`load`]), as dumps of Sylvan's checker ([`dump`]), as
//! drawings ([`dot`]).

mod dot;
mod dump;
mod load;
mod save;

pub use dump::{Dump, DumpError};
