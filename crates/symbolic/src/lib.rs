//! Symbolic reachability for any model through PINS: sets of states and relations of groups are list decision
//! diagrams, and a group's relation is learned on the fly, by one short next-state call for each new short vector
//! (Blom & van de Pol, ICTAC 2008; Blom, van de Pol & Weber 2009, section V; Meijer 2014, chapters 3 and 4).

mod group;
mod guards;
mod reach;

pub use reach::{Options, Reached, Strategy, reach};
