//! The graphs of a dependency matrix, for orders that come from sparse matrices: bipartite (slots and groups,
//! an edge where a group touches a slot) and total (slots alone, an edge between slots that share a group).

use std::collections::VecDeque;

use super::Incidence;

/// Which graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphKind {
    /// Slots and groups.
    Bipartite,
    /// Slots alone.
    Total,
}

/// A graph without direction: sorted lists of neighbours, without loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    neighbours: Vec<Vec<usize>>,
}

/// Entries that the cliques of a total graph may have in all. A row of 10,000 slots alone would have 10⁸.
const MOST_CLIQUE_ENTRIES: usize = 20_000_000;

impl Graph {
    /// The graph of a matrix. Vertices below the number of slots are slots, in both kinds; groups follow.
    pub fn new(incidence: &Incidence, kind: GraphKind) -> Self {
        match kind {
            GraphKind::Bipartite => {
                let slots = incidence.slots();
                let columns =
                    (0..slots).map(|slot| incidence.column(slot).iter().map(|group| slots + group).collect());
                Self { neighbours: columns.chain(incidence.rows().iter().cloned()).collect() }
            }
            GraphKind::Total => Self::total(incidence, MOST_CLIQUE_ENTRIES),
        }
    }

    /// Each row is a clique; once `most` entries are used up, the rest, the longest rows, are paths: a group
    /// that touches nearly all slots says little about their order, and its slots stay connected.
    fn total(incidence: &Incidence, most: usize) -> Self {
        let mut neighbours = vec![Vec::new(); incidence.slots()];
        let mut rows: Vec<&Vec<usize>> = incidence.rows().iter().collect();
        rows.sort();
        rows.dedup();
        rows.sort_by_key(|row| row.len());
        let mut left = most;
        for row in rows {
            let entries = row.len() * row.len();
            if entries <= left {
                left -= entries;
                for &slot in row {
                    neighbours[slot].extend(row.iter().copied().filter(|&other| other != slot));
                }
            } else {
                for pair in row.windows(2) {
                    neighbours[pair[0]].push(pair[1]);
                    neighbours[pair[1]].push(pair[0]);
                }
            }
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        Self { neighbours }
    }

    /// How many vertices there are.
    pub fn len(&self) -> usize {
        self.neighbours.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.neighbours.is_empty()
    }

    /// The neighbours of a vertex, ascending.
    pub fn neighbours(&self, vertex: usize) -> &[usize] {
        &self.neighbours[vertex]
    }

    /// How many neighbours a vertex has.
    pub fn degree(&self, vertex: usize) -> usize {
        self.neighbours[vertex].len()
    }

    /// The components, each with its vertices ascending, by their least vertex.
    pub(super) fn components(&self) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.len()];
        let mut components = Vec::new();
        for root in 0..self.len() {
            if seen[root] {
                continue;
            }
            seen[root] = true;
            let mut component = vec![root];
            let mut next = 0;
            while next < component.len() {
                for &other in &self.neighbours[component[next]] {
                    if !std::mem::replace(&mut seen[other], true) {
                        component.push(other);
                    }
                }
                next += 1;
            }
            component.sort_unstable();
            components.push(component);
        }
        components
    }

    /// Distances from a vertex, into a list where all vertices of its component are `usize::MAX`; the
    /// greatest distance.
    pub(super) fn distances(&self, from: usize, distance: &mut [usize]) -> usize {
        distance[from] = 0;
        let mut queue = VecDeque::from([from]);
        let mut last = from;
        while let Some(vertex) = queue.pop_front() {
            last = vertex;
            for &other in &self.neighbours[vertex] {
                if distance[other] == usize::MAX {
                    distance[other] = distance[vertex] + 1;
                    queue.push_back(other);
                }
            }
        }
        distance[last]
    }

    /// Two vertices of a component that are far from each other, by the search of George & Liu 1979: from a
    /// vertex of least degree to a farthest one of least degree, and on from there while it gets farther.
    pub(super) fn far_apart(&self, component: &[usize], distance: &mut [usize]) -> (usize, usize) {
        let least = |vertices: &mut dyn Iterator<Item = usize>| {
            vertices
                .min_by_key(|&vertex| (self.degree(vertex), vertex))
                .expect("BUG: a component has a vertex")
        };
        let mut forget_and_measure = |from: usize| {
            component.iter().for_each(|&vertex| distance[vertex] = usize::MAX);
            let greatest = self.distances(from, distance);
            let end = least(&mut component.iter().copied().filter(|&vertex| distance[vertex] == greatest));
            (greatest, end)
        };
        let mut start = least(&mut component.iter().copied());
        let (mut greatest, mut end) = forget_and_measure(start);
        loop {
            let (back, farther) = forget_and_measure(end);
            if back <= greatest {
                return (start, end);
            }
            (start, end, greatest) = (end, farther, back);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_rows_are_paths_once_the_room_is_used_up() {
        let incidence = Incidence::from_rows(5, vec![vec![0, 1, 2, 3], vec![3, 4], vec![4, 3]]);
        let all = Graph::total(&incidence, 100);
        assert_eq!(all.neighbours(0), [1, 2, 3]);
        assert_eq!(all.neighbours(3), [0, 1, 2, 4]);
        let some = Graph::total(&incidence, 10);
        assert_eq!(some.neighbours(0), [1]);
        assert_eq!(some.neighbours(3), [2, 4]);
        assert_eq!(some.components().len(), 1);
    }

    #[test]
    fn the_ends_of_a_path_are_far_apart() {
        // 2 – 0 – 3 – 1, and 4 alone.
        let incidence = Incidence::from_rows(5, vec![vec![0, 2], vec![0, 3], vec![1, 3]]);
        let graph = Graph::new(&incidence, GraphKind::Total);
        let mut distance = vec![usize::MAX; 5];
        let components = graph.components();
        assert_eq!(components, [vec![0, 1, 2, 3], vec![4]]);
        let (start, end) = graph.far_apart(&components[0], &mut distance);
        assert_eq!((start.min(end), start.max(end)), (1, 2));
        assert_eq!(graph.far_apart(&components[1], &mut distance), (4, 4));
    }
}
