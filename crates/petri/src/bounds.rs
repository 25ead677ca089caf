//! Bounds of places that are proved without a search.

use std::cell::Cell;

use crate::invariants::{self, Effort, Incidence};
use crate::state_equation::StateEquation;
use crate::{Net, Tokens};

/// Work that may be done for quick bounds: looks at entries of a matrix, more or less.
const QUICK: u64 = 100_000_000;

/// For each place how many tokens it holds at most, where that is quick to see: because no transition makes
/// tokens; by semi-flows; by the state equation. What takes a second or more is given up. What the file
/// promises of units is no proof.
pub fn quick(net: &Net) -> Vec<Option<Tokens>> {
    let total = total(net);
    let mut bounds = vec![total; net.places.len()];
    if bounds.iter().all(|bound| *bound <= Some(1) && bound.is_some()) {
        return bounds;
    }
    let arcs: usize =
        net.transitions.iter().map(|transition| transition.takes.len() + transition.gives.len()).sum();
    // Both ask often whether to stop, each time after work that is about the size of the net.
    let size = (arcs + net.places.len() + net.transitions.len()).max(1) as u64;
    let left = Cell::new(QUICK / size);
    let stop = || {
        left.set(left.get().saturating_sub(1));
        left.get() == 0
    };
    if size < QUICK / 10 {
        let flows =
            invariants::place_semiflows(&Incidence::new(net), Effort { rows: 1000, pairs: 300_000 }, &stop);
        lower(&mut bounds, invariants::bounds(net, &flows.flows));
        left.set(QUICK / size / 16);
        lower(&mut bounds, StateEquation::new(net).place_bounds(&stop));
    }
    bounds
}

fn lower(bounds: &mut [Option<Tokens>], others: Vec<Option<Tokens>>) {
    for (bound, other) in bounds.iter_mut().zip(others) {
        *bound = match (*bound, other) {
            (Some(bound), Some(other)) => Some(bound.min(other)),
            (bound, other) => bound.or(other),
        };
    }
}

/// The tokens in the beginning, if no transition gives more than it takes.
fn total(net: &Net) -> Option<Tokens> {
    let sum = |arcs: &[crate::Arc]| arcs.iter().map(|arc| u128::from(arc.weight)).sum::<u128>();
    let conserves = net.transitions.iter().all(|transition| sum(&transition.gives) <= sum(&transition.takes));
    let total = net.places.iter().map(|place| u128::from(place.initial)).sum::<u128>();
    conserves.then(|| Tokens::try_from(total).ok()).flatten()
}
