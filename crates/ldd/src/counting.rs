//! What is counted without making a node: nodes of diagrams, vectors of sets, steps of relations.
//!
//! Nothing here passes the gate. The nodes of a diagram that someone holds stay where they are and as they
//! are, whatever is collected meanwhile.

pub(crate) mod allowance;
mod count;
mod numbers;
mod rows;
pub(crate) mod sizes;
mod steps;
