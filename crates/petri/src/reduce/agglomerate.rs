//! Agglomerations: a place through which tokens are handed from producers to consumers goes, and each
//! producer becomes one transition with each consumer (Berthelot 1985, *Checking properties of nets using
//! transformations*; Haddad & Pradat-Peyre 2006; Thierry-Mieg 2020).
//!
//! What they have in common is here: only producers that ask nothing of the place and consumers that only
//! take from it touch it, and the question does not look at it. `post.rs` lets consumers fire at once,
//! `pre.rs` lets producers wait.

mod post;
mod pre;

use std::collections::VecDeque;

use super::rules::Reduction;
use super::work::log::NodeIx;
use super::work::touch::{Sequence, Touch, repeated, sequence};
use super::work::{Reconstruction, Work};

/// The transitions of a place, if tokens are only handed through it.
struct Handover {
    place: u32,
    /// Who gives how many tokens.
    producers: Vec<(u32, u64)>,
    /// Who takes how many.
    consumers: Vec<(u32, u64)>,
}

/// A transition that is to be.
struct Made {
    touches: Vec<Touch>,
    stands_for: NodeIx,
    named_as: u32,
}

/// How many transitions may come of one place: no more than there were, or as many as the rules allow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Growth {
    None,
    Some,
}

/// After so many places the caller is asked whether to stop.
const PLACES_PER_CHECK: usize = 256;

pub(super) fn apply(work: &mut Work, growth: Growth, stop: &dyn Fn() -> bool) {
    if ![Reduction::PostAgglomeration, Reduction::PreAgglomeration, Reduction::FreeAgglomeration]
        .into_iter()
        .any(|rule| work.may(rule))
    {
        return;
    }
    let mut queue: VecDeque<u32> = work.places().collect();
    let mut waiting = vec![false; work.records.len()];
    queue.iter().for_each(|&place| waiting[place as usize] = true);
    work.changed.clear();
    let mut looked_at = 0;
    while let Some(place) = queue.pop_front() {
        waiting[place as usize] = false;
        looked_at += 1;
        if looked_at % PLACES_PER_CHECK == 0 && stop() {
            return;
        }
        let Some(handover) = handover(work, place, growth) else { continue };
        let written = work.log.stage().nodes.len();
        if post::apply(work, &handover, growth) || pre::apply(work, &handover, growth) {
            for place in std::mem::take(&mut work.changed) {
                if work.record(place).reconstruction == Reconstruction::Here
                    && !std::mem::replace(&mut waiting[place as usize], true)
                {
                    queue.push_back(place);
                }
            }
        } else {
            // Sequences of transitions that did not come to be.
            work.log.stage().nodes.truncate(written);
        }
    }
}

fn handover(work: &mut Work, place: u32, growth: Growth) -> Option<Handover> {
    let record = work.record(place);
    let quick = record.reconstruction == Reconstruction::Here
        && !record.seen
        && record.inhibited == 0
        && record.demanders == record.consumers;
    let most = limit(work, record.producers + record.consumers, growth);
    // Before the transitions are gathered: many places are out by their numbers.
    if !quick || record.consumers == 0 || record.producers.saturating_mul(record.consumers) > most {
        return None;
    }
    let mut handover = Handover { place, producers: Vec::new(), consumers: Vec::new() };
    for (transition, touch) in work.touching(place) {
        match (touch.only_gives(), touch.only_takes()) {
            (Some(given), _) => handover.producers.push((transition, given)),
            (_, Some(taken)) => handover.consumers.push((transition, taken)),
            _ => return None,
        }
    }
    Some(handover)
}

/// So many transitions may be made of these many.
fn limit(work: &Work, of: usize, growth: Growth) -> usize {
    let room = (work.were + work.were / 2 + 64).saturating_sub(work.alive);
    match growth {
        Growth::None => of,
        Growth::Some => of + work.rules.growth.saturating_sub(of).min(room),
    }
}

/// All multisets of that size, as how often each of `kinds` is in it; `None` if there are more than `most`.
fn multisets(kinds: usize, size: u64, most: usize) -> Option<Vec<Vec<u64>>> {
    let mut all: Vec<Vec<u64>> = vec![Vec::new()];
    for kind in 0..kinds {
        let mut longer = Vec::new();
        for counts in &all {
            let left = size - counts.iter().sum::<u64>();
            let choices = if kind + 1 == kinds { left..=left } else { 0..=left };
            for count in choices {
                if longer.len() == most.max(1) {
                    return None;
                }
                longer.push(counts.iter().copied().chain([count]).collect());
            }
        }
        all = longer;
    }
    Some(if kinds == 0 && size > 0 { Vec::new() } else { all })
}

/// What one does, then each of the others so often. `Ok(None)` if they can never follow each other, an error
/// if a number is too large.
fn made(work: &mut Work, parts: &[(u32, u64)]) -> Result<Option<Made>, ()> {
    let mut made: Option<Made> = None;
    for &(transition, times) in parts.iter().filter(|(_, times)| *times > 0) {
        let step = work.step(transition);
        let (stands_for, named_as) = (step.stands_for, step.named_as);
        let touches = match repeated(&step.touches, times) {
            Sequence::Fires(touches) => touches,
            Sequence::Never => return Ok(None),
            Sequence::TooLarge => return Err(()),
        };
        let stands_for = work.log.times(stands_for, times);
        made = Some(match made {
            None => Made { touches, stands_for, named_as },
            Some(so_far) => match sequence(&so_far.touches, &touches) {
                Sequence::Fires(touches) => {
                    let stands_for = work.log.then(so_far.stands_for, stands_for);
                    Made { touches, stands_for, named_as: so_far.named_as }
                }
                Sequence::Never => return Ok(None),
                Sequence::TooLarge => return Err(()),
            },
        });
    }
    Ok(made)
}

/// Who comes first in a sequence that takes the place of producers and consumers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    /// The one, then the others.
    One,
    /// The others, then the one.
    Others,
}

/// The sequences of each of `ones` with as many of the others as hand on the same tokens, `each` apiece: in
/// all combinations. `None` if they are more than `most`, or a number is too large.
fn combined(
    work: &mut Work,
    ones: &[(u32, u64)],
    others: &[(u32, u64)],
    each: u64,
    first: First,
    most: usize,
) -> Option<Vec<Made>> {
    let mut all = Vec::new();
    for &(one, tokens) in ones {
        for counts in multisets(others.len(), tokens / each, most)? {
            let others = others.iter().zip(counts).map(|((other, _), count)| (*other, count));
            let parts: Vec<(u32, u64)> = match first {
                First::One => [(one, 1)].into_iter().chain(others).collect(),
                First::Others => others.chain([(one, 1)]).collect(),
            };
            // One that can never follow the others is no transition.
            all.extend(made(work, &parts).ok()?);
            if all.len() > most {
                return None;
            }
        }
    }
    Some(all)
}

/// Whether all that transitions do elsewhere is of one kind, at places that neither the question nor an
/// inhibitor arc looks at.
fn only_elsewhere(
    work: &Work,
    transitions: &[(u32, u64)],
    place: u32,
    is_fine: fn(&Touch) -> Option<u64>,
) -> bool {
    transitions.iter().all(|(transition, _)| {
        work.step(*transition).touches.iter().filter(|touch| touch.place != place).all(|touch| {
            let record = work.record(touch.place);
            is_fine(touch).is_some() && record.inhibited == 0 && !record.seen
        })
    })
}

fn transitions(handover: &Handover) -> impl Iterator<Item = u32> {
    handover.producers.iter().chain(&handover.consumers).map(|(transition, _)| *transition)
}

/// Whether the new transitions do not have far more arcs than the old.
fn has_room(work: &Work, handover: &Handover, all: &[Made]) -> bool {
    let arcs: usize = transitions(handover).map(|transition| work.step(transition).touches.len()).sum();
    all.iter().map(|made| made.touches.len()).sum::<usize>() <= 2 * arcs + 32
}

/// The new transitions take the place of the old, and the place goes.
fn commit(work: &mut Work, handover: &Handover, all: Vec<Made>) {
    transitions(handover).for_each(|transition| work.kill(transition));
    for Made { touches, stands_for, named_as } in all {
        if touches.iter().any(|touch| touch.place == handover.place) {
            panic!("BUG: an agglomeration leaves tokens behind");
        }
        work.add(touches, stands_for, named_as);
    }
    work.forget(handover.place, Reconstruction::Lost);
}
