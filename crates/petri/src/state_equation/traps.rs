//! Marked traps among given places.
//!
//! A trap is a set of places where each transition that takes from it gives to it, or needs a token of it
//! that it does not take: once marked, always marked (Commoner, 1972).

use crate::{Arc, Net};

/// Traps larger than this are not made smaller.
const SHRUNK: usize = 300;

/// A trap within the places that is marked in the beginning, if there is one; small, if that is easily had.
pub(crate) fn marked_trap(net: &Net, within: &[bool]) -> Option<Vec<usize>> {
    let mut trap = greatest_trap(net, within);
    let is_marked =
        |trap: &[bool]| trap.iter().zip(&net.places).any(|(inside, place)| *inside && place.initial > 0);
    if !is_marked(&trap) {
        return None;
    }
    let members = |trap: &[bool]| (0..trap.len()).filter(|&place| trap[place]).collect::<Vec<_>>();
    let all = members(&trap);
    if all.len() <= SHRUNK {
        for place in all {
            if trap[place] {
                let mut less = trap.clone();
                less[place] = false;
                let less = greatest_trap(net, &less);
                if is_marked(&less) {
                    trap = less;
                }
            }
        }
    }
    Some(members(&trap))
}

/// The greatest trap within the places: what cannot be in any is taken away, and so on.
fn greatest_trap(net: &Net, within: &[bool]) -> Vec<bool> {
    let mut trap = within.to_vec();
    let mut changed = true;
    while changed {
        changed = false;
        for transition in &net.transitions {
            let stays = |need: &&Arc| {
                let taken = transition.takes.iter().find(|arc| arc.place == need.place);
                taken.is_none_or(|taken| taken.weight < need.weight)
            };
            let mut leaves = transition.gives.iter().chain(transition.needs.iter().filter(stays));
            if leaves.any(|arc| trap[arc.place.ix()]) {
                continue;
            }
            for arc in &transition.takes {
                changed |= std::mem::replace(&mut trap[arc.place.ix()], false);
            }
        }
    }
    trap
}
