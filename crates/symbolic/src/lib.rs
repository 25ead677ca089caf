//! Symbolic reachability for any model through PINS: sets of states and relations of groups are list decision
//! diagrams, and a group's relation is learned on the fly, by one short next-state call for each new short
//! vector (Blom & van de Pol, ICTAC 2008; Blom, van de Pol & Weber 2009, section V; Meijer 2014, chapters 3
//! and 4).
//!
//! The way of a question: `reach` finds the states, `relations` learn for it and `oracle` asks the model;
//! `sightings` keeps where groups fail and act; `moves`, `labels`, `predicates` and `answers` make sets of
//! violating states of that; `witness` finds the shortest runs to them; `census` and `liveness` tell of all
//! states together; `watch` looks on and `search` puts all of it together.

mod answers;
mod caller;
mod census;
mod contract;
mod figures;
mod labels;
mod liveness;
mod memo;
mod moves;
mod oracle;
mod predicates;
mod reach;
mod relations;
mod search;
mod sightings;
#[cfg(test)]
#[path = "../tests/table/mod.rs"]
mod table;
mod watch;
mod witness;

pub use reach::{Options, Reached, Split, Strategy, reach};
pub use search::search;
