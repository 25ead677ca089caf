//! A partition as a system: its blocks are the states.

use crate::builder::Builder;
use crate::index::{ActionIx, Edge, StateIx};
use crate::partition::{BlockIx, Partition};
use crate::system::Lts;

/// The system whose states are the blocks that can be reached from the one of the initial state; a transition
/// between blocks is there once, wherever a state of the first has it to a state of the second. It is the
/// quotient for every equivalence whose states do the same up to the blocks they go to.
///
/// The initial block is state 0, the others are numbered breadth first, along the transitions of each in the
/// order of their labels as texts, and of the first states of the blocks where these are equal. The
/// transitions of a state are in the order of their labels and targets. So the answer depends on the system
/// alone, and a system that was reduced stays as it is. Labels that no transition has are left out.
pub fn quotient(lts: &Lts, partition: &Partition) -> Lts {
    let ranks = ranks(lts);
    let mut first_state: Vec<u32> = vec![u32::MAX; partition.len()];
    for state in lts.all_states() {
        let first = &mut first_state[partition.block(state).ix()];
        *first = (*first).min(state.0);
    }
    const UNSEEN: u32 = u32::MAX;
    let mut number_of: Vec<u32> = vec![UNSEEN; partition.len()];
    let initial = partition.block(lts.initial());
    number_of[initial.ix()] = 0;
    let mut reached: Vec<BlockIx> = vec![initial];
    let mut builder = Builder::new(u64::MAX);
    let mut edges: Vec<(u32, u32, Edge)> = Vec::new();
    let mut actions: Vec<Option<ActionIx>> = vec![None; lts.labels().len()];
    let mut next = 0;
    while let Some(&block) = reached.get(next) {
        edges.clear();
        // Any state of the block does: they all lead to the same blocks.
        let state = StateIx(first_state[block.ix()]);
        edges.extend(lts.edges(state).iter().map(|&edge| {
            let first = first_state[partition.block(edge.target).ix()];
            (ranks[edge.action.ix()], first, edge)
        }));
        edges.sort_unstable_by_key(|&(rank, first, _)| (rank, first));
        edges.dedup_by_key(|&mut (rank, first, _)| (rank, first));
        for (_, number, edge) in &mut edges {
            let target = partition.block(edge.target);
            let known = &mut number_of[target.ix()];
            if *known == UNSEEN {
                *known = reached.len() as u32;
                reached.push(target);
            }
            *number = *known;
        }
        edges.sort_unstable_by_key(|&(rank, number, _)| (rank, number));
        for &(_, number, edge) in &edges {
            let action = *actions[edge.action.ix()].get_or_insert_with(|| {
                builder.action(lts.label(edge.action)).expect("BUG: there is no limit")
            });
            let added = builder.transition(StateIx(next as u32), action, StateIx(number));
            added.expect("BUG: there is no limit");
        }
        next += 1;
    }
    builder.finish(reached.len() as u32, StateIx(0)).expect("BUG: there is no limit")
}

/// The place of each label among all of them, sorted.
fn ranks(lts: &Lts) -> Vec<u32> {
    let mut sorted: Vec<u32> = (0..lts.labels().len() as u32).collect();
    sorted.sort_unstable_by_key(|&action| lts.label(ActionIx(action)));
    let mut ranks = vec![0; sorted.len()];
    for (rank, action) in sorted.into_iter().enumerate() {
        ranks[action as usize] = rank as u32;
    }
    ranks
}
