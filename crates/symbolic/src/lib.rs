//! Symbolic reachability for any model through PINS: sets of states and relations of groups are list decision
//! diagrams, and a group's relation is learned on the fly, by one short next-state call for each new short
//! vector (Blom & van de Pol, ICTAC 2008; Blom, van de Pol & Weber 2009, section V; Meijer 2014, chapters 3
//! and 4).
//!
//! # The plan of this crate
//!
//! A task comes to [`search`] (`run`), which starts a thread with room to recurse and watches limits
//! meanwhile.
//!
//! | room | what it does |
//! |---|---|
//! | `options` | which strategy, how many threads, how guards are asked |
//! | `relations` | learns the relations of groups, by calls of the model (`oracle`) for short vectors |
//! | `caller`, `labels` | call the model for short vectors, and put labels to sets of states |
//! | `questions`, `monitor` | what is asked, and what is kept while a search runs |
//! | `search` | the state of a search, of which all below are parts |
//! | `strategies` | find the reachable states |
//! | `moves`, `answers` | make the sets of deadlocks, of failing and of violating states |
//! | `backward`, `witness` | steps against their direction, and shortest runs to violations |
//! | `census`, `liveness`, `figures` | what all states tell together, and numbers for the user |
//! | `run`, `contract` | put all of it together, for the user and for planners |

mod answers;
mod backward;
mod caller;
mod census;
mod contract;
mod figures;
mod labels;
mod liveness;
mod monitor;
mod moves;
mod options;
mod questions;
mod relations;
mod run;
mod search;
mod strategies;
#[cfg(test)]
#[path = "../tests/table/mod.rs"]
mod table;
mod witness;

pub use options::{Options, Split, Strategy};
pub use run::search;
pub use strategies::{Reached, reach};
