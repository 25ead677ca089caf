//! Pre-agglomeration and free agglomeration: producers of a place wait until a consumer wants their tokens. A
//! producer gives w tokens to the place and nothing elsewhere; it only takes, from places that the question
//! does not look at and that no inhibitor arc looks at; a consumer takes a multiple of w. In a run of the old
//! net put each producer right before the consumer that takes its tokens, and leave out those whose tokens
//! stay: in between there is more in the places that it takes from, which nobody minds, and what is in sight
//! is the same. So what can be reached is (free agglomeration: Thierry-Mieg 2020).
//!
//! A deadlock may need producers that fire and take from others what these could have used. Where only
//! producers ask for tokens of the places that they take from, and each takes some, there are no others
//! (pre-agglomeration, Berthelot 1985): undo the producers whose tokens are still there. What is enabled then
//! is none of the others, and if a producer with a consumer were, the consumer was enabled before. In the
//! other direction, from a deadlock of the new net let producers fire as long as they can, which ends:
//! consumers are still not enabled, or they were with a producer. Those firings end the run. With more than
//! one producer, a consumer must not want several of them: some could have taken what others need more of.

use super::{First, Growth, Handover, combined, commit, has_room, limit, only_elsewhere};
use crate::reduce::Preserves;
use crate::reduce::rules::Reduction;
use crate::reduce::work::Work;
use crate::reduce::work::touch::Touch;

pub(super) fn apply(work: &mut Work, handover: &Handover, growth: Growth) -> bool {
    let Handover { place, producers, consumers } = handover;
    let Some(&(_, given)) = producers.first() else { return false };
    let fits = producers.iter().all(|(_, each)| *each == given)
        && consumers.iter().all(|(_, taken)| taken % given == 0)
        && work.record(*place).initial < given
        && only_elsewhere(work, producers, *place, Touch::only_takes);
    if !fits {
        return false;
    }
    let rule = if is_alone(work, handover, given) {
        Reduction::PreAgglomeration
    } else {
        Reduction::FreeAgglomeration
    };
    if !work.may(rule) {
        return false;
    }
    let most = limit(work, producers.len() + consumers.len(), growth);
    let Some(all) = combined(work, consumers, producers, given, First::Others, most) else { return false };
    let waiting = producers.iter().map(|(producer, _)| work.step(*producer).stands_for).collect();
    if !has_room(work, handover, &all) {
        return false;
    }
    commit(work, handover, all);
    if matches!(work.question, Preserves::Deadlock) {
        work.log.ending(waiting);
    }
    work.applied.count(rule);
    true
}

/// Whether nobody but the producers asks for the tokens that they take, and none of them could fire for ever.
fn is_alone(work: &mut Work, handover: &Handover, given: u64) -> bool {
    let Handover { place, producers, consumers } = handover;
    let single = producers.len() == 1 || consumers.iter().all(|(_, taken)| *taken == given);
    single
        && producers.iter().all(|(producer, _)| {
            let mut from = work
                .step(*producer)
                .touches
                .iter()
                .map(|touch| touch.place)
                .filter(|from| from != place)
                .peekable();
            from.peek().is_some()
                && from.all(|from| {
                    let asking = producers
                        .iter()
                        .filter(|(other, _)| work.touch(*other, from).is_some_and(|touch| touch.demand > 0));
                    asking.count() == work.record(from).demanders
                })
        })
}
