//! The numbers that users look at.

use engine::Diagrams;
use ldd::Ldd;

use crate::search::Search;

/// The numbers of a search that is over, without times for its phases. Nodes are not counted where `go_on`
/// says no: there may be very many.
pub(crate) fn figures(search: &Search<'_>, states: Option<&Ldd>, go_on: impl Fn() -> bool) -> Diagrams {
    let store = &search.store;
    let statistics = store.statistics();
    let (oracle, relations) = (&search.relations.oracle, search.relations.all());
    let per_slot = states.and_then(|states| store.nodes_per_level_while(states, &go_on)).unwrap_or_default();
    let of_relation =
        |known: &ldd::Learned| Some(store.node_count_while(known.relation().diagram(), &go_on)? as u64);
    let relation_nodes = relations.iter().map(of_relation).sum::<Option<u64>>().unwrap_or(0);
    let nodes = per_slot.iter().sum::<usize>() as u64;
    // Now there may be more than there were at any collection.
    let peak_nodes = (statistics.peak_nodes as u64).max(nodes);
    Diagrams {
        nodes,
        peak_nodes,
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
