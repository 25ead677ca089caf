//! Sloan, "An algorithm for profile and wavefront reduction of sparse matrices", 1986: vertices are numbered
//! from one end of the graph to the other, next the one that is far from the end and adds few vertices to the
//! front.

use std::collections::BinaryHeap;

use super::Graph;

/// What counts how much in the choice of the next vertex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SloanWeights {
    /// The distance to the end.
    pub distance: i64,
    /// The number of vertices that would join the front.
    pub front: i64,
}

impl Default for SloanWeights {
    /// Small fronts before all.
    fn default() -> Self {
        Self { distance: 1, front: 8 }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    /// Not near the front.
    Inactive,
    /// Next to the front.
    Preactive,
    /// Part of the front: next to a vertex that has its number.
    Active,
    /// Has its number.
    Numbered,
}

/// The vertices of a graph in Sloan's order, component by component.
pub fn sloan(graph: &Graph, weights: SloanWeights) -> Vec<usize> {
    let mut distance = vec![usize::MAX; graph.len()];
    let mut numbering = Numbering {
        graph,
        weights,
        status: vec![Status::Inactive; graph.len()],
        priority: vec![0; graph.len()],
        queue: BinaryHeap::new(),
        order: Vec::with_capacity(graph.len()),
    };
    for component in graph.components() {
        let (start, end) = graph.far_apart(&component, &mut distance);
        component.iter().for_each(|&vertex| distance[vertex] = usize::MAX);
        graph.distances(end, &mut distance);
        for &vertex in &component {
            let joins = graph.degree(vertex) as i64 + 1;
            numbering.priority[vertex] = weights.distance * distance[vertex] as i64 - weights.front * joins;
        }
        numbering.run(start);
    }
    numbering.order
}

struct Numbering<'g> {
    graph: &'g Graph,
    weights: SloanWeights,
    status: Vec<Status>,
    priority: Vec<i64>,
    /// Priorities only grow: a vertex is put in again when its priority does, and entries that are out of
    /// date are passed over. Least vertex first among equals.
    queue: BinaryHeap<(i64, std::cmp::Reverse<usize>)>,
    order: Vec<usize>,
}

impl Numbering<'_> {
    fn run(&mut self, start: usize) {
        self.status[start] = Status::Preactive;
        self.queue.push((self.priority[start], std::cmp::Reverse(start)));
        while let Some((priority, std::cmp::Reverse(vertex))) = self.queue.pop() {
            if self.status[vertex] == Status::Numbered || priority != self.priority[vertex] {
                continue;
            }
            if self.status[vertex] == Status::Preactive {
                self.raise_neighbours(vertex);
            }
            self.status[vertex] = Status::Numbered;
            self.order.push(vertex);
            let graph = self.graph;
            for &other in graph.neighbours(vertex) {
                if self.status[other] == Status::Preactive {
                    self.status[other] = Status::Active;
                    self.raise(other);
                    self.raise_neighbours(other);
                }
            }
        }
    }

    fn raise_neighbours(&mut self, vertex: usize) {
        let graph = self.graph;
        for &other in graph.neighbours(vertex) {
            self.raise(other);
        }
    }

    /// One vertex less would join the front with this one.
    fn raise(&mut self, vertex: usize) {
        if self.status[vertex] == Status::Numbered {
            return;
        }
        if self.status[vertex] == Status::Inactive {
            self.status[vertex] = Status::Preactive;
        }
        self.priority[vertex] += self.weights.front;
        self.queue.push((self.priority[vertex], std::cmp::Reverse(vertex)));
    }
}

#[cfg(test)]
mod tests {
    use base::SplitMix64;

    use super::*;
    use crate::orders::{GraphKind, Incidence};

    /// The same with everything computed anew for each choice: the front is what is next to a numbered
    /// vertex, and a vertex costs what it would bring to the front.
    fn naive(graph: &Graph, weights: SloanWeights) -> Vec<usize> {
        let mut order: Vec<usize> = Vec::new();
        let mut distance = vec![usize::MAX; graph.len()];
        for component in graph.components() {
            let (start, end) = graph.far_apart(&component, &mut distance);
            component.iter().for_each(|&vertex| distance[vertex] = usize::MAX);
            graph.distances(end, &mut distance);
            for _ in &component {
                let is_front =
                    |v: usize| order.contains(&v) || graph.neighbours(v).iter().any(|u| order.contains(u));
                let is_near = |v: usize| is_front(v) || graph.neighbours(v).iter().any(|&u| is_front(u));
                let priority = |v: usize| {
                    let joins = graph.neighbours(v).iter().chain([&v]).filter(|&&u| !is_front(u)).count();
                    weights.distance * distance[v] as i64 - weights.front * joins as i64
                };
                let open = component.iter().copied().filter(|v| !order.contains(v));
                let near = open.filter(|&v| v == start || is_near(v));
                let next = near.max_by_key(|&v| (priority(v), std::cmp::Reverse(v)));
                order.push(next.expect("BUG: a component is connected"));
            }
        }
        order
    }

    #[test]
    fn queues_choose_what_the_definition_chooses() {
        let mut random = SplitMix64::new(12_345);
        let mut below = |bound: usize| random.below(bound);
        for _ in 0..200 {
            let slots = 1 + below(14);
            let rows = (0..below(14)).map(|_| (0..1 + below(3)).map(|_| below(slots)).collect()).collect();
            let incidence = Incidence::from_rows(slots, rows);
            for kind in [GraphKind::Bipartite, GraphKind::Total] {
                let graph = Graph::new(&incidence, kind);
                for weights in [SloanWeights::default(), SloanWeights { distance: 2, front: 1 }] {
                    assert_eq!(sloan(&graph, weights), naive(&graph, weights), "{incidence:?} {kind:?}");
                }
            }
        }
    }
}
