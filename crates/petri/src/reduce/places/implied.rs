//! Implied (implicit) places: p never keeps a transition from firing, because other places would. Wanted are
//! places Q with effect(p) ≥ Σ effect(Q) for each transition; then m(p) ≥ c + Σ m(Q) in every marking, with c
//! the difference in the beginning. If each transition asks for no more of p than c and what it asks for of Q
//! together, its tests of Q imply that of p, and p goes. The graph of markings stays as it is. (Berthelot
//! 1987, redundant places; Silva, Teruel & Colom 1998, where Q is found by linear programming.)
//!
//! Q is looked for greedily: a test that is not implied wants another place of its transition; a transition
//! that gives too much to Q wants one that it takes from. That finds the common cases, such as the processes
//! between the ends of which p counts.

use std::collections::BTreeMap;

use crate::reduce::rules::Reduction;
use crate::reduce::work::{Reconstruction, Work};

/// Q is at most so large.
const PLACES: usize = 24;

/// Places with more transitions are not looked at.
const NEIGHBOURS: usize = 128;

pub(in crate::reduce) fn apply(work: &mut Work, stop: &dyn Fn() -> bool) {
    for (number, place) in work.places().enumerate() {
        if number % 256 == 255 && stop() {
            return;
        }
        let record = work.record(place);
        let asked = record.demanders > 0 && record.demanders <= NEIGHBOURS && record.producers <= NEIGHBOURS;
        if asked && record.inhibited == 0 && !record.seen && is_implied(work, place) {
            work.forget(place, Reconstruction::Lost);
            work.applied.count(Reduction::Implied);
        }
    }
}

fn is_implied(work: &mut Work, place: u32) -> bool {
    let mut slack = i128::from(work.record(place).initial);
    // What Q gets more than p, and what p is asked for more than Q; both by transition.
    let mut excess: BTreeMap<u32, i128> = BTreeMap::new();
    let mut lack: BTreeMap<u32, i128> = BTreeMap::new();
    for (transition, touch) in work.touching(place) {
        excess.insert(transition, -i128::from(touch.effect));
        if touch.demand > 0 {
            lack.insert(transition, i128::from(touch.demand));
        }
    }
    let mut chosen: Vec<u32> = Vec::new();
    loop {
        let lacking = lack.iter().find(|(_, lack)| **lack > slack).map(|(&t, _)| t);
        let wanting = lacking.or_else(|| excess.iter().find(|(_, excess)| **excess > 0).map(|(&t, _)| t));
        let Some(wanting) = wanting else { return true };
        if chosen.len() == PLACES {
            return false;
        }
        let touches = work.step(wanting).touches.iter();
        let fits =
            touches.filter(|touch| if lacking.is_some() { touch.demand > 0 } else { touch.effect < 0 });
        let others = fits.map(|touch| touch.place).filter(|&other| other != place);
        let small = others.filter(|&other| {
            let record = work.record(other);
            record.demanders <= NEIGHBOURS && record.producers <= NEIGHBOURS
        });
        let best = small.min_by_key(|&other| {
            let record = work.record(other);
            let dear = i128::from(record.initial) > slack;
            (chosen.contains(&other), dear, record.producers + record.demanders, other)
        });
        let Some(best) = best else { return false };
        chosen.push(best);
        slack -= i128::from(work.record(best).initial);
        for (transition, touch) in work.touching(best) {
            *excess.entry(transition).or_default() += i128::from(touch.effect);
            if let Some(lack) = lack.get_mut(&transition) {
                *lack -= i128::from(touch.demand);
            }
        }
    }
}
