//! Cycles of a small graph: one for each strongly connected component that has any.

use std::collections::VecDeque;

/// One of the shortest cycles through the first vertex of each component, without vertices that a cycle
/// before has in its component.
pub(super) fn cycles(edges: &[&[usize]]) -> Vec<Vec<usize>> {
    let mut done = vec![false; edges.len()];
    let mut found = Vec::new();
    for start in 0..edges.len() {
        if done[start] {
            continue;
        }
        let Some(cycle) = shortest(edges, start) else { continue };
        // Who can reach this cycle and be reached from it is in its component.
        let (forward, backward) = (reached(edges, start), reached(&turned_round(edges), start));
        for vertex in 0..edges.len() {
            done[vertex] |= forward[vertex] && backward[vertex];
        }
        found.push(cycle);
    }
    found
}

/// A shortest cycle through a vertex.
fn shortest(edges: &[&[usize]], start: usize) -> Option<Vec<usize>> {
    let mut before: Vec<Option<usize>> = vec![None; edges.len()];
    let mut queue = VecDeque::from([start]);
    while let Some(vertex) = queue.pop_front() {
        for &next in edges[vertex] {
            if next == start {
                let mut cycle = vec![vertex];
                while let Some(earlier) = before[cycle[cycle.len() - 1]] {
                    cycle.push(earlier);
                }
                cycle.reverse();
                return Some(cycle);
            }
            if before[next].is_none() {
                before[next] = Some(vertex);
                queue.push_back(next);
            }
        }
    }
    None
}

fn turned_round(edges: &[&[usize]]) -> Vec<Vec<usize>> {
    let mut turned = vec![Vec::new(); edges.len()];
    for (from, targets) in edges.iter().enumerate() {
        targets.iter().for_each(|&to| turned[to].push(from));
    }
    turned
}

fn reached(edges: &[impl AsRef<[usize]>], start: usize) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut waiting = vec![start];
    while let Some(vertex) = waiting.pop() {
        if !std::mem::replace(&mut seen[vertex], true) {
            waiting.extend(edges[vertex].as_ref());
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_component_has_one_cycle() {
        let edges: [&[usize]; 7] = [&[1], &[2, 3], &[1], &[1], &[5], &[4], &[]];
        assert_eq!(cycles(&edges), [vec![1, 2], vec![4, 5]]);
        assert_eq!(cycles(&[&[1], &[2], &[0, 1]]), [vec![0, 1, 2]]);
        assert_eq!(cycles(&[&[0][..]]), [vec![0]]);
        assert!(cycles(&[&[1], &[2], &[]]).is_empty());
    }
}
