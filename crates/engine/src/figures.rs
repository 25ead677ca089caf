//! Numbers of a search with decision diagrams: what tells a good order of slots from a bad one, and where the
//! time went.

use std::time::Duration;

/// Numbers of a search with decision diagrams.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagrams {
    /// Nodes of the set of states at the end.
    pub nodes: u64,
    /// Most nodes in use at a time, garbage that was not collected yet included.
    pub peak_nodes: u64,
    /// Nodes of the relations of all groups, shared ones counted for each.
    pub relation_nodes: u64,
    /// Short vectors for which the relation of a group was learned.
    pub short_vectors: u64,
    /// Calls of the model for successors.
    pub next_state_calls: u64,
    /// Calls of the model for guards.
    pub guard_calls: u64,
    /// Calls of the model for labels.
    pub label_calls: u64,
    /// How often garbage was collected.
    pub collections: u64,
    /// Nodes of the set of states at each slot, in the order of the engine's model.
    pub nodes_per_slot: Vec<u64>,
    /// Time in which the model was asked and relations grew; a part of `reaching`.
    pub learning: Duration,
    /// Time until no state was new, or until the search was stopped.
    pub reaching: Duration,
    /// Time for looking the answers up in the states, and for counting.
    pub answering: Duration,
    /// Time for the runs that show violations.
    pub witnesses: Duration,
}
