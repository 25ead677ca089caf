//! Orders of slots and groups, computed from the dependency matrices alone: the size of a decision diagram,
//! and the work of an image, depend on how far apart the slots of a group are and on how far up they begin.
//!
//! An order is a list that names what stands at each position: `order[i]` is the slot that comes i-th. All
//! orders here are deterministic, and each takes time nearly linear in the number of ones of the matrix.
//!
//! - [`force`]: centres of gravity; Aloul, Markov & Sakallah, GLSVLSI'03.
//! - [`sloan`]: profile and wavefront; Sloan 1986. On orders for model checkers: Meijer & van de Pol, NFM'16.
//! - [`cuthill_mckee`]: bandwidth; Cuthill & McKee 1969.
//! - [`sort_slots`], [`sort_groups`]: LTSmin's `cs` and `rs`.
//! - [`sift`]: local search by moving one slot at a time, in place of LTSmin's `cw`.
//! - [`Spans`]: the metrics they are judged by; Siminiceanu & Ciardo, TACAS'06.

mod cuthill_mckee;
mod force;
mod graph;
mod incidence;
mod sifting;
mod sloan;
mod sorting;
mod span;

use base::{GroupIx, SlotIx};

pub use cuthill_mckee::cuthill_mckee;
pub use force::force;
pub use graph::{Graph, GraphKind};
pub use incidence::{CountedAccess, Incidence};
pub use sifting::sift;
pub use sloan::{SloanWeights, sloan};
pub use sorting::{sort_groups, sort_slots};
pub use span::{Metric, Spans};

/// So many groups are enough to put slots in order.
const MOST_GROUPS: usize = 20_000;

/// A way to put slots in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SlotOrder {
    /// As they are.
    Keep,
    /// [`force`], from the order they have.
    Force,
    /// [`sloan`] on one of two graphs.
    Sloan(GraphKind),
    /// [`cuthill_mckee`] on one of two graphs.
    CuthillMckee(GraphKind),
    /// [`sort_slots`].
    Sort,
    /// The best of all of them by [`Metric::Weighted`], sifted.
    Auto,
}

impl SlotOrder {
    /// What is good for a symbolic search that is told nothing, by the measurements in
    /// `docs/adr/0005-orders.md`.
    pub const SYMBOLIC: Self = Self::Auto;

    /// The slots in this order. Graphs know no up and down: of an order and its reverse the better one is
    /// taken. Of very many groups a part is looked at.
    pub fn slots(self, incidence: &Incidence) -> Vec<SlotIx> {
        let thinned = incidence.thinned(MOST_GROUPS);
        let incidence = thinned.as_ref().unwrap_or(incidence);
        let order = match self {
            Self::Keep => (0..incidence.slots()).collect(),
            Self::Force => upright(incidence, force(incidence)),
            Self::Sloan(kind) => {
                upright(incidence, on_graph(incidence, kind, |g| sloan(g, SloanWeights::default())))
            }
            Self::CuthillMckee(kind) => upright(incidence, on_graph(incidence, kind, cuthill_mckee)),
            Self::Sort => sort_slots(incidence),
            Self::Auto => auto(incidence),
        };
        order.into_iter().map(SlotIx::new).collect()
    }
}

/// The groups in the order that sorts their rows, where slots stand in the given order.
pub fn groups_for(incidence: &Incidence, slots: &[SlotIx]) -> Vec<GroupIx> {
    let order: Vec<usize> = slots.iter().map(|slot| slot.ix()).collect();
    sort_groups(incidence, &order).into_iter().map(GroupIx::new).collect()
}

/// The order of slots that an order of a graph's vertices gives.
fn on_graph(incidence: &Incidence, kind: GraphKind, order: impl Fn(&Graph) -> Vec<usize>) -> Vec<usize> {
    let graph = Graph::new(incidence, kind);
    let mut slots = order(&graph);
    slots.retain(|&vertex| vertex < incidence.slots());
    slots
}

/// The order or its reverse: a group that begins low concerns fewer levels, and the weighted span says so.
fn upright(incidence: &Incidence, order: Vec<usize>) -> Vec<usize> {
    let reverse: Vec<usize> = order.iter().rev().copied().collect();
    let cost = |order: &[usize]| Spans::of(incidence, order).cost(Metric::Weighted);
    if cost(&reverse) < cost(&order) { reverse } else { order }
}

fn auto(incidence: &Incidence) -> Vec<usize> {
    let cost = |order: &[usize]| Spans::of(incidence, order).cost(Metric::Weighted);
    let kept: Vec<usize> = (0..incidence.slots()).collect();
    let candidates = [GraphKind::Bipartite, GraphKind::Total].into_iter().flat_map(|kind| {
        let graph =
            |order: &dyn Fn(&Graph) -> Vec<usize>| upright(incidence, on_graph(incidence, kind, order));
        [graph(&|g| sloan(g, SloanWeights::default())), graph(&cuthill_mckee)]
    });
    let candidates = candidates.chain([upright(incidence, force(incidence)), kept]);
    let best = candidates.min_by_key(|order| cost(order)).unwrap_or_default();
    sift(incidence, best, Metric::Weighted)
}
