//! Cuthill & McKee, "Reducing the bandwidth of sparse symmetric matrices", ACM'69: breadth first from an end
//! of the graph, neighbours by ascending degree. The reverse of it (George 1971) has the same bandwidth;
//! which of the two stands upright is for the caller to say.

use super::Graph;

/// The vertices of a graph in the order of Cuthill and McKee, component by component.
pub fn cuthill_mckee(graph: &Graph) -> Vec<usize> {
    let mut order = Vec::with_capacity(graph.len());
    let mut distance = vec![usize::MAX; graph.len()];
    let mut seen = vec![false; graph.len()];
    for component in graph.components() {
        let (start, _) = graph.far_apart(&component, &mut distance);
        let mut next = order.len();
        order.push(start);
        seen[start] = true;
        while next < order.len() {
            let first = order.len();
            for &other in graph.neighbours(order[next]) {
                if !std::mem::replace(&mut seen[other], true) {
                    order.push(other);
                }
            }
            order[first..].sort_by_key(|&vertex| graph.degree(vertex));
            next += 1;
        }
    }
    order
}
