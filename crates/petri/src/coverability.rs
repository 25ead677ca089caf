//! Coverability: which places get any number of tokens, and what the others get at most, also where the
//! markings are without end.
//!
//! The tree of Karp & Miller, "Parallel program schemata", 1969: a marking that is above one on the way to it
//! means that the way between can be repeated, and the places that grew hold ω, any number. A marking below
//! one that is in the tree already is left out, and so is one that waits and got below a newer one; what was
//! expanded stays. (Taking whole subtrees away needs more care than its first inventors took: Reynier &
//! Servais, "Minimal coverability set for Petri nets: Karp and Miller algorithm with pruning", 2011.)
//!
//! With inhibitor arcs more tokens can do less, and nothing of this is true: then there is no answer.

mod pump;

use model::Value;

use crate::firing::{Firing, MOST_TOKENS};
use crate::{Net, PlaceIx, TransitionIx, structure, walk};
pub use pump::find_pump;

/// Any number of tokens.
const OMEGA: Value = Value::MAX;

/// What can be covered.
#[derive(Clone, Debug)]
pub struct Cover {
    /// For each place its most tokens; `None` where there is no most.
    pub most: Vec<Option<Value>>,
    /// Which transitions can be enabled.
    pub enabled: Vec<bool>,
    /// The first repetition that was found, if there is one.
    pub pump: Option<Pump>,
}

impl Cover {
    /// Whether no place gets any number of tokens.
    pub fn is_bounded(&self) -> bool {
        self.most.iter().all(Option::is_some)
    }
}

/// A proof that a net is unbounded: after the first sequence the second can be fired again and again, and
/// each time the place has more tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pump {
    /// From the initial marking.
    pub first: Vec<TransitionIx>,
    /// Again and again.
    pub again: Vec<TransitionIx>,
    /// A place that grows.
    pub place: PlaceIx,
}

impl Pump {
    /// Whether it is what it says, by replay.
    pub fn is_right(&self, net: &Net) -> bool {
        let whole: Vec<TransitionIx> = self.first.iter().chain(&self.again).copied().collect();
        let ends = walk::replay(net, &self.first).zip(walk::replay(net, &whole));
        !structure::has_inhibitors(net)
            && ends.is_some_and(|(before, after)| {
                before.iter().zip(&after).all(|(before, after)| before <= after)
                    && before[self.place.ix()] < after[self.place.ix()]
            })
    }
}

/// A node of the tree.
struct Node {
    marking: Vec<Value>,
    /// The node before and the transition between; the root is its own.
    parent: usize,
    by: u32,
    /// A node that waits and got below another need not be expanded.
    covered: bool,
}

/// Who may end a search. It hears of the work that was done since it was asked last, as numbers of tokens
/// that were looked at: the same for the same net on every machine.
pub type Hook<'a> = dyn FnMut(u64) -> bool + 'a;

/// A proof that the net is unbounded, if one is found without much ado. `None` means nothing.
pub fn unbounded(net: &Net, stop: &mut Hook<'_>) -> Option<Pump> {
    const STEPS: u64 = 200_000;
    const NODES: usize = 20_000;
    find_pump(net, 1, STEPS, stop).or_else(|| cover(net, NODES, stop)?.pump)
}

/// The tree, with no more than so many nodes. `None` where that is not enough, numbers get too large, there
/// are inhibitor arcs or it is told to stop.
pub fn cover(net: &Net, most_nodes: usize, stop: &mut Hook<'_>) -> Option<Cover> {
    // A weight past what is counted could still be paid from any number.
    let too_heavy = |transition: &crate::Transition| {
        transition.takes.iter().chain(&transition.needs).any(|arc| arc.weight > MOST_TOKENS.into())
    };
    if structure::has_inhibitors(net) || net.transitions.iter().any(too_heavy) {
        return None;
    }
    let firing = Firing::new(net);
    let marking = walk::replay(net, &[])?;
    let mut tree =
        Tree { net, nodes: vec![Node { marking, parent: 0, by: 0, covered: false }], pump: None, work: 0 };
    let mut enabled = vec![false; net.transitions.len()];
    let mut waiting = vec![0];
    let mut active = vec![0];
    let mut transitions = Vec::new();
    while let Some(node) = waiting.pop() {
        if tree.nodes[node].covered {
            continue;
        }
        tree.work += net.places.len() as u64;
        if stop(std::mem::take(&mut tree.work)) || tree.nodes.len() > most_nodes {
            return None;
        }
        transitions.clear();
        firing.enabled(&tree.nodes[node].marking, |transition| transitions.push(transition));
        for &transition in &transitions {
            enabled[transition] = true;
            let mut marking = tree.nodes[node].marking.clone();
            for shift in firing.shifts(transition) {
                let tokens = &mut marking[shift.place as usize];
                if *tokens != OMEGA {
                    *tokens = (*tokens < shift.limit).then(|| tokens.wrapping_add(shift.add))?;
                }
            }
            tree.accelerate(node, transition, &mut marking);
            let Tree { nodes, work, .. } = &mut tree;
            *work += net.places.len() as u64;
            if active.iter().any(|&other| is_below(&marking, &nodes[other].marking, work)) {
                continue;
            }
            active.retain(|&other| {
                let below = is_below(&nodes[other].marking, &marking, work);
                nodes[other].covered |= below;
                !below
            });
            active.push(tree.nodes.len());
            waiting.push(tree.nodes.len());
            tree.nodes.push(Node { marking, parent: node, by: transition as u32, covered: false });
        }
    }
    // What is below another counts as well: it was expanded, or is below one that was.
    let most = |place: usize| {
        let most = active.iter().map(|&node| tree.nodes[node].marking[place]).max().unwrap_or(0);
        (most != OMEGA).then_some(most)
    };
    Some(Cover { most: (0..net.places.len()).map(most).collect(), enabled, pump: tree.pump })
}

/// Whether no place has more tokens in the first; the places that were looked at are added to the work.
fn is_below(lower: &[Value], upper: &[Value], work: &mut u64) -> bool {
    let above = lower.iter().zip(upper).position(|(lower, upper)| lower > upper);
    *work += above.map_or(lower.len(), |place| place + 1) as u64;
    above.is_none()
}

struct Tree<'n> {
    net: &'n Net,
    nodes: Vec<Node>,
    pump: Option<Pump>,
    work: u64,
}

impl Tree<'_> {
    /// Gives ω to the places that grew since an ancestor below the marking, until there is no more of them.
    fn accelerate(&mut self, parent: usize, by: usize, marking: &mut [Value]) {
        let mut again = true;
        while again {
            again = false;
            let mut ancestor = parent;
            loop {
                let older = &self.nodes[ancestor].marking;
                if is_below(older, marking, &mut self.work) {
                    let grown = |place: &usize| older[*place] < marking[*place] && marking[*place] != OMEGA;
                    let grown: Vec<usize> = (0..marking.len()).filter(grown).collect();
                    if !grown.is_empty() {
                        self.note_pump(ancestor, parent, by, grown[0]);
                        grown.into_iter().for_each(|place| marking[place] = OMEGA);
                        again = true;
                    }
                }
                if ancestor == 0 {
                    break;
                }
                ancestor = self.nodes[ancestor].parent;
            }
        }
    }

    /// Remembers the first repetition: before it there is no ω on the way, so that the way can be fired as it
    /// stands.
    fn note_pump(&mut self, ancestor: usize, parent: usize, by: usize, place: usize) {
        if self.pump.is_some() {
            return;
        }
        let path = |from: usize| {
            let mut path = Vec::new();
            let mut node = from;
            while node != 0 {
                path.push(TransitionIx::new(self.nodes[node].by as usize));
                node = self.nodes[node].parent;
            }
            path.reverse();
            path
        };
        let first = path(ancestor);
        let mut again = path(parent).split_off(first.len());
        again.push(TransitionIx::new(by));
        let pump = Pump { first, again, place: PlaceIx::new(place) };
        assert!(pump.is_right(self.net), "BUG: a repetition that cannot be repeated");
        self.pump = Some(pump);
    }
}

/// The most that can be counted is less than ω.
const _: () = assert!(MOST_TOKENS < OMEGA);
