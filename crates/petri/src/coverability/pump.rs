//! Repetitions found by walking: most unbounded nets grow wherever one goes, and it takes no tree to see it.
//!
//! A walk remembers one marking of its way, and a later one each time the way has become twice as long (as
//! Brent's search for cycles does). A marking above the remembered one ends it.

use model::Value;

use super::{Hook, Pump};
use crate::firing::Firing;
use crate::{Net, PlaceIx, TransitionIx, structure, walk};
use base::SplitMix64;

/// Steps of a walk, and how many walks go by before they get longer.
const SHORTEST: usize = 64;
const LONGEST: usize = 1 << 14;

/// A proof that the net is unbounded, found by walks of so many steps together. `None` means nothing, and is
/// the answer where there are inhibitor arcs.
pub fn find_pump(net: &Net, seed: u64, steps: u64, stop: &mut Hook<'_>) -> Option<Pump> {
    if structure::has_inhibitors(net) || net.places.is_empty() {
        return None;
    }
    let firing = Firing::new(net);
    let start = walk::replay(net, &[])?;
    let mut random = SplitMix64::new(seed);
    let (mut done, mut length) = (0, SHORTEST);
    let mut enabled = Vec::new();
    while done < steps {
        let mut marking = start.clone();
        let mut remembered = (marking.clone(), 0);
        let mut way: Vec<TransitionIx> = Vec::new();
        for _ in 0..length {
            // The marking is looked at for what is enabled, and to see whether it grew.
            if stop(2 * marking.len() as u64) {
                return None;
            }
            enabled.clear();
            firing.enabled(&marking, |transition| enabled.push(transition));
            if enabled.is_empty() {
                break;
            }
            let transition = enabled[random.below(enabled.len())];
            if firing.fire(transition, &mut marking).is_err() {
                break;
            }
            way.push(TransitionIx::new(transition));
            if let Some(place) = grown(&remembered.0, &marking) {
                let again = way.split_off(remembered.1);
                let pump = Pump { first: way, again, place: PlaceIx::new(place) };
                assert!(pump.is_right(net), "BUG: a repetition that cannot be repeated");
                return Some(pump);
            }
            if way.len() >= 2 * remembered.1.max(1) {
                remembered.0.copy_from_slice(&marking);
                remembered.1 = way.len();
            }
        }
        done += 1 + way.len() as u64;
        length = (length + length / 4).min(LONGEST);
    }
    None
}

/// A place that grew, if none shrank.
fn grown(before: &[Value], after: &[Value]) -> Option<usize> {
    let mut grown = None;
    for (place, (before, after)) in before.iter().zip(after).enumerate() {
        if before > after {
            return None;
        }
        if before < after {
            grown = Some(place);
        }
    }
    grown
}
