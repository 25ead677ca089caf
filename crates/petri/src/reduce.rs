//! Reductions of a net that preserve the answer to a question, by its structure alone: Berthelot 1985 and
//! 1987; Murata 1989; Bønneland, Dyhr, Jensen, Johannsen & Srba, *Stubborn versus structural reductions for
//! Petri nets*, JLAMP 2019 (the rules of TAPAAL); Thierry-Mieg, *Structural Reductions Revisited*, PETRI NETS
//! 2020 (those of ITS-Tools). A rule is a file, with why it is right.
//!
//! The net goes into [`work::Work`], where arcs of all kinds have one form (`work/touch.rs`): a sequence of
//! transitions has that form again, so rules say exactly what reads and inhibitor arcs may be there.
//! Reductions take places away (`places/`), or transitions (`transitions/`), or a place with the transitions
//! around it (`agglomerate/`); `rules.rs` says which of them a question allows. Out comes a [`Reduced`] net.
//! It knows where each place went, and turns a run of its own into one of the net as it was, by what the
//! rules wrote down (`work/log.rs`, `reduced/rebuild.rs`).
//!
//! Reductions are applied until none fits, the cheap first; each pass takes time near to the size of the net.

mod agglomerate;
mod places;
mod reduced;
mod rules;
#[cfg(test)]
mod tests;
mod transitions;
mod work;

pub use reduced::{Image, Reduced};
pub use rules::{Applied, Reduction, Reductions};

use crate::{Net, PlaceIx};
use agglomerate::Growth;
use places::{constants, implied, same_places, scaled, silent_cycles, untested};
use transitions::{always, arcs, composed, cone, dead, dominated, idle, repeated, same_transitions};
use work::Work;

/// What a reduced net must have in common with the net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Preserves {
    /// What these places can hold together: the answers to EF φ and AG φ for every φ over them.
    Reachability {
        /// The places that φ looks at.
        support: Vec<PlaceIx>,
    },
    /// The most that sums of these places, with factors not below zero, can come to.
    Bound {
        /// The places of the sum.
        support: Vec<PlaceIx>,
    },
    /// Whether a marking can be reached in which no transition is enabled.
    Deadlock,
    /// Whether all transitions can fire some time (quasi-liveness), and whether they can from every marking
    /// (liveness).
    Liveness,
    /// How many markings there are, how many steps between them, and the most tokens of a place or of a
    /// marking, if [`Reduced::constants`] are added.
    StateCount,
}

/// After so many rounds each must gain something worth it.
const ROUNDS: usize = 20;

/// The net reduced by the rules that are wanted and that the question allows, until none applies or `stop`
/// says so; it is right whenever it stops.
///
/// ```
/// use petri::{Arc, Net, Place, PlaceIx, Preserves, Reductions, Transition, reduce};
///
/// // start → middle → end: whether a token can get to the end takes one step.
/// let place = |name: &str, initial| Place { name: name.into(), initial, span: None };
/// let arc = |place| vec![Arc { place: PlaceIx::new(place), weight: 1 }];
/// let step = |from, to| Transition { takes: arc(from), gives: arc(to), ..Transition::default() };
/// let net = Net {
///     places: vec![place("start", 1), place("middle", 0), place("end", 0)],
///     transitions: vec![step(0, 1), step(1, 2)],
///     ..Net::default()
/// };
/// let question = Preserves::Reachability { support: vec![PlaceIx::new(2)] };
/// let reduced = reduce(&net, &question, Reductions::default(), &|| false);
/// assert_eq!(reduced.net.transitions.len(), 1);
/// let run = reduced.original_run(&[petri::TransitionIx::new(0)]).unwrap();
/// assert_eq!(run.len(), 2);
/// ```
pub fn reduce(net: &Net, preserves: &Preserves, rules: Reductions, stop: &dyn Fn() -> bool) -> Reduced {
    let Some(mut work) = Work::new(net, preserves, rules) else { return Reduced::unreduced(net) };
    let units = units(net);
    let mut growth = Growth::None;
    for round in 0.. {
        let before = work.applied.total();
        let gained = |work: &Work| work.applied.total() - before;
        if !simple(&mut work, stop) {
            break;
        }
        // Once, where it is worth the while: what is left is far less work for all others.
        if round == 0 && work.may(Reduction::Composed) && !stop() {
            composed::apply(&mut work, stop);
        }
        if work.may(Reduction::SilentCycles) && !stop() {
            silent_cycles::apply(&mut work, &units);
        }
        if !stop() {
            agglomerate::apply(&mut work, growth, stop);
        }
        if gained(&work) == 0 && work.may(Reduction::Implied) && !stop() {
            implied::apply(&mut work, stop);
        }
        if gained(&work) == 0 && work.may(Reduction::Repeated) && !stop() {
            repeated::apply(&mut work);
        }
        if gained(&work) == 0 && growth == Growth::None && !stop() {
            growth = Growth::Some;
            agglomerate::apply(&mut work, growth, stop);
        }
        if gained(&work) == 0 || stop() || (round > ROUNDS && gained(&work) < work.alive / 1000) {
            break;
        }
    }
    if work.applied.total() == 0 { Reduced::unreduced(net) } else { Reduced::new(net, work) }
}

/// The rules that need one look at the net each. False if they were stopped.
fn simple(work: &mut Work, stop: &dyn Fn() -> bool) -> bool {
    type Apply = fn(&mut Work);
    let passes: [(Reduction, Apply); 11] = [
        // First, as there are nets of which most goes then.
        (Reduction::SameTransitions, same_transitions::apply),
        (Reduction::Constants, constants::apply),
        (Reduction::Dead, dead::apply),
        (Reduction::Arcs, arcs::apply),
        (Reduction::Always, always::apply),
        (Reduction::Dominated, dominated::apply),
        (Reduction::Idle, idle::apply),
        (Reduction::Cone, cone::apply),
        (Reduction::Untested, untested::apply),
        (Reduction::Scaled, scaled::apply),
        (Reduction::SamePlaces, same_places::apply),
    ];
    for (rule, apply) in passes {
        if stop() {
            return false;
        }
        if work.may(rule) {
            apply(work);
        }
    }
    true
}

/// For each place a number of its unit: the same for all where there are no units, its own where it is of
/// none of them.
fn units(net: &Net) -> Vec<usize> {
    let alone = |place: usize| if net.units.is_empty() { 0 } else { net.units.len() + place };
    let mut units: Vec<usize> = (0..net.places.len()).map(alone).collect();
    for (number, unit) in net.units.iter().enumerate() {
        unit.places.iter().for_each(|place| units[place.ix()] = number);
    }
    units
}
