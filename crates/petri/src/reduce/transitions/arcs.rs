//! Arcs that ask for what is always there: a place from which every transition leaves at least w tokens, and
//! which has w in the beginning, holds w in every marking; one that gets tokens only below a limit never
//! holds more than what that leaves. A test that such a bound decides is left out, or its transition is. The
//! graph of markings stays as it is.

use crate::reduce::rules::Reduction;
use crate::reduce::work::Work;
use crate::reduce::work::touch::FREE;

pub(in crate::reduce) fn apply(work: &mut Work) {
    let limits = work.limits();
    for transition in 0..work.steps.len() as u32 {
        let step = work.step(transition);
        let limit = |place: u32| limits[place as usize];
        let decided = |touch: &crate::reduce::work::touch::Touch| {
            let (least, most) = limit(touch.place);
            (touch.demand > 0 && touch.demand <= least) || (touch.below != FREE && touch.below > most)
        };
        let never = step.touches.iter().any(|touch| {
            let (least, most) = limit(touch.place);
            touch.demand > most || touch.below <= least
        });
        if never && work.may_kill() {
            work.kill(transition);
            work.applied.count(Reduction::Arcs);
        } else if !never && step.touches.iter().any(decided) {
            let mut touches = step.touches.clone();
            for touch in &mut touches {
                let (least, most) = limit(touch.place);
                if touch.demand <= least {
                    touch.demand = 0;
                }
                if touch.below > most {
                    touch.below = FREE;
                }
            }
            work.replace(transition, touches);
            work.applied.count(Reduction::Arcs);
        }
    }
}
