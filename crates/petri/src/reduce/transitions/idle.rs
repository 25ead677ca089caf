//! Transitions without effect. For what can be reached they are nothing. For deadlocks they count where they
//! alone are enabled: one goes if there is another, of whatever effect, that asks for no more. (Murata 1989,
//! "self-loop transitions".)

use super::dominated::asks_no_more;
use crate::reduce::Preserves;
use crate::reduce::rules::Reduction;
use crate::reduce::work::Work;

/// So many others of a place are tried.
const RIVALS: usize = 64;

pub(in crate::reduce) fn apply(work: &mut Work) {
    let idle = |touches: &[crate::reduce::work::touch::Touch]| touches.iter().all(|touch| touch.effect == 0);
    let all: Vec<u32> = work.living().filter(|(_, step)| idle(&step.touches)).map(|(t, _)| t).collect();
    for transition in all {
        if !matches!(work.question, Preserves::Deadlock) || is_covered(work, transition) {
            work.kill(transition);
            work.applied.count(Reduction::Idle);
        }
    }
}

fn is_covered(work: &mut Work, transition: u32) -> bool {
    let touches = work.step(transition).touches.clone();
    // A place with few others first: what is covered is mostly so by a neighbour there.
    let mut places: Vec<u32> = touches.iter().map(|touch| touch.place).collect();
    places.sort_by_key(|&place| work.record(place).demanders + work.record(place).inhibited);
    places.into_iter().take(4).any(|place| {
        if work.record(place).demanders + work.record(place).inhibited > 16 * RIVALS {
            return false;
        }
        let others = work.touching(place);
        let others =
            others.iter().filter(|(other, touch)| *other != transition && touch.tests()).take(RIVALS);
        others.into_iter().any(|(other, _)| asks_no_more(&work.step(*other).touches, &touches))
    })
}
