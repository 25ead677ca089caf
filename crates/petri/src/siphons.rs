//! Siphons and traps. A siphon is a set of places where each transition that gives to it takes from it: once
//! empty, always empty. A trap is the reverse.
//!
//! Commoner's condition: every siphon contains a trap that is marked in the beginning. Where arcs to
//! transitions weigh one, the empty places of a dead marking are a siphon, so no marking is dead if it holds.
//! In free-choice nets it holds if and only if the net is live (Commoner 1972; Hack 1972; Desel & Esparza,
//! "Free choice Petri nets", 1995).
//!
//! The search asks a solver for a siphon, and for each that contains a marked trap it learns that no siphon
//! it wants contains that trap. (Oanea, Wimmel & Wolf, "New algorithms for deciding the siphon-trap
//! property", 2010, put all into one formula instead.)

use crate::sat::{Literal, Solver};
use crate::state_equation::marked_trap;
use crate::{Net, PlaceIx, structure};

/// Conflicts that the solver may have for one siphon.
const CONFLICTS: u64 = 20_000;

/// What was found out about Commoner's condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Commoner {
    /// Every siphon contains a marked trap.
    Holds,
    /// This siphon does not.
    Fails(Vec<PlaceIx>),
    /// It took too long.
    Unknown,
}

/// Looks for a siphon without a marked trap; no more than so many siphons are looked at.
pub fn commoner(net: &Net, most_siphons: usize, stop: &dyn Fn() -> bool) -> Commoner {
    let mut solver = Solver::new(net.places.len());
    let is_in = |place: PlaceIx| Literal::new(place.ix(), true);
    solver.add(PlaceIx::all(net.places.len()).map(is_in));
    for transition in &net.transitions {
        // What is needed and stays is taken and given back; so it never fills an empty place.
        let taken: Vec<Literal> =
            transition.takes.iter().chain(&transition.needs).map(|arc| is_in(arc.place)).collect();
        for arc in transition.gives.iter().filter(|arc| !taken.contains(&is_in(arc.place))) {
            solver.add(taken.iter().copied().chain([!is_in(arc.place)]));
        }
    }
    for _ in 0..most_siphons {
        match solver.solve(CONFLICTS, stop) {
            Some(false) => return Commoner::Holds,
            Some(true) if !stop() => {}
            _ => return Commoner::Unknown,
        }
        let siphon = solver.model();
        match marked_trap(net, &siphon) {
            None => {
                return Commoner::Fails(
                    PlaceIx::all(siphon.len()).filter(|place| siphon[place.ix()]).collect(),
                );
            }
            Some(trap) => solver.add(trap.into_iter().map(|place| Literal::new(place, false))),
        }
    }
    Commoner::Unknown
}

/// Whether it is proved that no reachable marking is dead. *No* means nothing.
pub fn never_dead(net: &Net, most_siphons: usize, stop: &dyn Fn() -> bool) -> bool {
    if net.transitions.iter().any(|transition| {
        transition.takes.is_empty() && transition.needs.is_empty() && transition.forbids.is_empty()
    }) {
        return true;
    }
    let light = net.transitions.iter().all(|transition| {
        transition.forbids.is_empty()
            && transition.takes.iter().chain(&transition.needs).all(|arc| arc.weight == 1)
    });
    light && !net.transitions.is_empty() && commoner(net, most_siphons, stop) == Commoner::Holds
}

/// Whether a free-choice net is live: from every reachable marking each transition can be enabled again.
/// `None` where it is no free-choice net, or it took too long.
pub fn is_live(net: &Net, most_siphons: usize, stop: &dyn Fn() -> bool) -> Option<bool> {
    if !structure::is_free_choice(net) {
        return None;
    }
    match commoner(net, most_siphons, stop) {
        Commoner::Holds => Some(true),
        // A siphon that no transition touches is of no harm, and neither is one that nobody takes from: such
        // a siphon is a trap.
        Commoner::Fails(siphon) => {
            let matters = net.transitions.iter().any(|transition| {
                transition.takes.iter().any(|arc| siphon.binary_search(&arc.place).is_ok())
            });
            matters.then_some(false)
        }
        Commoner::Unknown => None,
    }
}
