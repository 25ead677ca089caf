//! Where the places and transitions of a net stand in a picture: in columns by their distance from the marked
//! places, each column in an order with few crossings (Sugiyama, Tagawa & Toda 1981: each node near the
//! middle of its neighbours).

use petri::Net;

/// How often the columns are put in order, to and fro.
const SWEEPS: usize = 12;

/// A place or transition, and its neighbours. Places come first, then transitions.
pub struct Placement {
    /// Column and row of each node, counted from zero; rows of a short column are in its middle, so they may
    /// be halves: these are twice the row.
    pub at: Vec<(usize, usize)>,
    /// How many columns.
    pub columns: usize,
    /// Twice the rows of the longest column.
    pub height: usize,
}

/// Where everything stands.
pub fn layout(net: &Net) -> Placement {
    let (forward, both) = neighbours(net);
    let columns = columns(net, &forward, &both);
    let count = columns.iter().max().map_or(0, |last| last + 1);
    let mut lists = vec![Vec::new(); count];
    for (node, &column) in columns.iter().enumerate() {
        lists[column].push(node);
    }
    order(&mut lists, &columns, &both);
    let height = lists.iter().map(Vec::len).max().unwrap_or(0) * 2;
    let mut at = vec![(0, 0); columns.len()];
    for (column, list) in lists.iter().enumerate() {
        for (row, &node) in list.iter().enumerate() {
            at[node] = (column, 2 * row + (height - 2 * list.len()) / 2);
        }
    }
    Placement { at, columns: count, height }
}

type Neighbours = Vec<Vec<usize>>;

/// Who follows whom, and who is beside whom.
fn neighbours(net: &Net) -> (Neighbours, Neighbours) {
    let nodes = net.places.len() + net.transitions.len();
    let (mut forward, mut both) = (vec![Vec::new(); nodes], vec![Vec::new(); nodes]);
    for (number, transition) in net.transitions.iter().enumerate() {
        let node = net.places.len() + number;
        let before = transition.takes.iter().chain(&transition.needs).chain(&transition.forbids);
        for arc in before {
            forward[arc.place.ix()].push(node);
            both[arc.place.ix()].push(node);
            both[node].push(arc.place.ix());
        }
        for arc in &transition.gives {
            forward[node].push(arc.place.ix());
            both[arc.place.ix()].push(node);
            both[node].push(arc.place.ix());
        }
    }
    (forward, both)
}

/// The distance of each node from what is marked, or from what nothing comes before; what is not reached
/// stands one column beside the first neighbour that has one.
fn columns(net: &Net, forward: &Neighbours, both: &Neighbours) -> Vec<usize> {
    let mut column: Vec<Option<usize>> = vec![None; forward.len()];
    let marked =
        net.places.iter().enumerate().filter(|(_, place)| place.initial > 0).map(|(number, _)| number);
    spread(&mut column, marked.collect(), forward);
    for start in 0..forward.len() {
        if column[start].is_none() {
            let near = both[start].iter().find_map(|&node| column[node]);
            let odd = usize::from(start >= net.places.len());
            // Places stand in even columns, transitions in odd ones.
            column[start] =
                Some(near.map_or(odd, |near| if near > 0 && odd == 0 { near - 1 } else { near + 1 }));
            spread(&mut column, vec![start], forward);
        }
    }
    column.into_iter().map(|column| column.expect("BUG: a node without a column")).collect()
}

/// Gives columns to all that can be reached from these nodes; those without one start at the first.
fn spread(column: &mut [Option<usize>], mut wave: Vec<usize>, forward: &Neighbours) {
    for &node in &wave {
        column[node].get_or_insert(0);
    }
    while !wave.is_empty() {
        let mut next = Vec::new();
        for node in wave {
            let beside = column[node].expect("BUG: a wave without a column") + 1;
            for &other in &forward[node] {
                if column[other].is_none() {
                    column[other] = Some(beside);
                    next.push(other);
                }
            }
        }
        wave = next;
    }
}

/// Puts each column in the order of the middles of the neighbours that stand in other columns.
fn order(lists: &mut [Vec<usize>], columns: &[usize], both: &Neighbours) {
    let mut row = vec![0.0f64; columns.len()];
    let settle = |list: &[usize], row: &mut Vec<f64>| {
        for (number, &node) in list.iter().enumerate() {
            row[node] = number as f64 - (list.len() as f64 - 1.0) / 2.0;
        }
    };
    for list in lists.iter() {
        settle(list, &mut row);
    }
    for sweep in 0..SWEEPS {
        let numbers: Vec<usize> =
            if sweep % 2 == 0 { (0..lists.len()).collect() } else { (0..lists.len()).rev().collect() };
        for number in numbers {
            let middle = |node: usize| {
                let beside = both[node].iter().filter(|&&other| columns[other] != number);
                let (sum, count) =
                    beside.fold((0.0, 0usize), |(sum, count), &other| (sum + row[other], count + 1));
                if count == 0 { row[node] } else { sum / count as f64 }
            };
            let mut keyed: Vec<(f64, usize)> =
                lists[number].iter().map(|&node| (middle(node), node)).collect();
            keyed.sort_by(|left, right| left.0.total_cmp(&right.0));
            lists[number] = keyed.into_iter().map(|(_, node)| node).collect();
            settle(&lists[number], &mut row);
        }
    }
}

#[cfg(test)]
mod tests {
    use base::SlotIx;
    use petri::{Arc, Place, Transition};

    use super::*;

    fn net(places: usize, arcs: &[(&[usize], &[usize])], marked: &[usize]) -> Net {
        let arc = |&place: &usize| Arc { place: SlotIx::new(place), weight: 1 };
        let place = |number: usize| Place {
            name: format!("p{number}"),
            initial: u64::from(marked.contains(&number)),
            span: None,
        };
        let transition = |(takes, gives): &(&[usize], &[usize])| Transition {
            takes: takes.iter().map(arc).collect(),
            gives: gives.iter().map(arc).collect(),
            ..Transition::default()
        };
        Net {
            places: (0..places).map(place).collect(),
            transitions: arcs.iter().map(transition).collect(),
            ..Net::default()
        }
    }

    #[test]
    fn a_chain_stands_in_a_row() {
        let layout = layout(&net(3, &[(&[0], &[1]), (&[1], &[2])], &[0]));
        let columns: Vec<usize> = layout.at.iter().map(|&(column, _)| column).collect();
        assert_eq!(columns, [0, 2, 4, 1, 3]);
        assert!(layout.at.iter().all(|&(_, row)| row == 0));
        assert_eq!((layout.columns, layout.height), (5, 2));
    }

    #[test]
    fn two_chains_do_not_cross() {
        // 0 → 3 and 1 → 2: the second column is turned.
        let layout = layout(&net(4, &[(&[0], &[3]), (&[1], &[2])], &[0, 1]));
        assert!(layout.at[0].1 < layout.at[1].1 && layout.at[3].1 < layout.at[2].1, "{:?}", layout.at);
    }

    #[test]
    fn no_two_nodes_stand_on_each_other() {
        // A loop, something that is never reached, and something alone.
        let net = net(6, &[(&[0], &[1]), (&[1], &[0]), (&[2], &[3]), (&[], &[4]), (&[3, 1], &[])], &[0]);
        let layout = layout(&net);
        let mut seen = layout.at.clone();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 11, "{:?}", layout.at);
        for (node, &(column, row)) in layout.at.iter().enumerate() {
            assert!(row < layout.height, "{node}");
            assert_eq!(column % 2, usize::from(node >= 6), "{node} in {:?}", layout.at);
        }
    }
}
