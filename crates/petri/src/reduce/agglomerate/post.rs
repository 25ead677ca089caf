//! Post-agglomeration: consumers of a place fire at once. They ask for nothing but w tokens of it, w the same
//! for all, and producers give multiples of w; so once tokens are there nothing keeps them. What they give
//! elsewhere is there earlier than it might be, which does no harm without inhibitor arcs at those places;
//! and the question does not look at them, so a marking with tokens still in the place looks like one after
//! they have gone on. From a run of the old net take the consumers, and put each right behind the producer
//! whose tokens it took; fire those that are missing in the end: a run of the new net that ends with the same
//! in sight. A deadlock has no tokens left in the place, so it is reached itself, and nothing looks at it
//! otherwise; producers are enabled as before.
//!
//! Tokens that are there in the beginning go on in the beginning, where there is but one consumer: those
//! firings come first in every run.

use super::{First, Growth, Handover, combined, commit, has_room, limit, only_elsewhere};
use crate::reduce::rules::Reduction;
use crate::reduce::work::Work;
use crate::reduce::work::touch::Touch;

pub(super) fn apply(work: &mut Work, handover: &Handover, growth: Growth) -> bool {
    let Handover { place, producers, consumers } = handover;
    let taken = consumers[0].1;
    let initial = work.record(*place).initial;
    let fits = work.may(Reduction::PostAgglomeration)
        && consumers.iter().all(|(_, each)| *each == taken)
        && producers.iter().all(|(_, given)| given % taken == 0)
        && (initial < taken || consumers.len() == 1)
        && only_elsewhere(work, consumers, *place, Touch::only_gives);
    if !fits {
        return false;
    }
    let most = limit(work, producers.len() + consumers.len(), growth);
    let Some(all) = combined(work, producers, consumers, taken, First::One, most) else { return false };
    let (consumer, times) = (consumers[0].0, initial / taken);
    let step = work.step(consumer);
    let (stands_for, touches) = (step.stands_for, step.touches.clone());
    if !has_room(work, handover, &all) || (times > 0 && !work.start_with(&touches, times)) {
        return false;
    }
    commit(work, handover, all);
    if times > 0 {
        let first = work.log.times(stands_for, times);
        work.log.first(first);
    }
    work.applied.count(Reduction::PostAgglomeration);
    true
}
