//! The numbers that users look at.

use engine::Diagrams;
use ldd::Ldd;

use crate::reach::Search;

/// The numbers of a search that is over, without times for its phases.
pub(crate) fn figures(search: &Search<'_>, states: Option<&Ldd>) -> Diagrams {
    let store = &search.store;
    let statistics = store.statistics();
    let (oracle, relations) = (&search.relations.oracle, search.relations.all());
    let per_slot = states.map_or(Vec::new(), |states| store.nodes_per_level(states));
    let relation_nodes = relations.iter().map(|known| store.node_count(known.relation().diagram()) as u64).sum();
    Diagrams {
        nodes: per_slot.iter().sum::<usize>() as u64,
        peak_nodes: statistics.peak_nodes as u64,
        relation_nodes,
        short_vectors: relations.iter().map(ldd::Learned::count).sum(),
        next_state_calls: oracle.group_calls(),
        guard_calls: oracle.guard_calls(),
        label_calls: search.caller.label_calls,
        collections: statistics.collections as u64,
        nodes_per_slot: per_slot.into_iter().map(|nodes| nodes as u64).collect(),
        learning: oracle.time(),
        ..Diagrams::default()
    }
}
