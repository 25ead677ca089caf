//! An order of leaves in which those stand near each other that the same groups write. A tree is cut in the
//! middle of it: the less both halves have to do with each other, the fewer values each of them has. (With
//! all processes in the one half and all channels in the other, either has nearly as many values as there are
//! states.)

use base::GroupIx;

use super::leaves::Leaves;

/// With more leaves than this they stay as they are: the time would grow with the square.
const MOST_LEAVES: usize = 512;
/// A group that writes more leaves than this says little about which of them belong together.
const MOST_OF_A_GROUP: usize = 32;

/// The leaves in such an order: the first one first, then always the one that has the largest part of its
/// ties to those before it.
pub(super) fn order(leaves: &Leaves) -> Vec<usize> {
    let count = leaves.count();
    if count > MOST_LEAVES {
        return (0..count).collect();
    }
    let ties = ties(leaves);
    let all: Vec<u64> = ties.iter().map(|row| row.iter().sum()).collect();
    let mut to_placed = vec![0; count];
    let mut rest: Vec<usize> = (0..count).collect();
    let mut order = Vec::with_capacity(count);
    while !rest.is_empty() {
        let part = |leaf: usize| to_placed[leaf] as f64 / all[leaf].max(1) as f64;
        // Of equals the first.
        let best =
            (1..rest.len()).fold(0, |best, at| if part(rest[at]) > part(rest[best]) { at } else { best });
        let leaf = rest.remove(best);
        to_placed.iter_mut().zip(&ties[leaf]).for_each(|(sum, tie)| *sum += tie);
        order.push(leaf);
    }
    order
}

/// How many groups write both of two leaves.
fn ties(leaves: &Leaves) -> Vec<Vec<u64>> {
    let mut ties = vec![vec![0; leaves.count()]; leaves.count()];
    for group in GroupIx::all(leaves.groups()) {
        let written = leaves.written(group);
        if written.len() > MOST_OF_A_GROUP {
            continue;
        }
        for (at, one) in written.iter().enumerate() {
            for other in &written[at + 1..] {
                ties[one.leaf as usize][other.leaf as usize] += 1;
                ties[other.leaf as usize][one.leaf as usize] += 1;
            }
        }
    }
    ties
}
