//! Dominated transitions: one with the effect of another that asks for no more. Wherever the first is enabled
//! so is the second, and it leads to the same marking. (Rule L of Bønneland et al. 2019 is the case of the
//! same effect with other reads; Thierry-Mieg 2020.)

use crate::reduce::rules::Reduction;
use crate::reduce::work::Work;
use crate::reduce::work::touch::{Touch, mark};

/// Each is compared with so many others at most: there can be very many of the same effect.
const RIVALS: usize = 32;

pub(in crate::reduce) fn apply(work: &mut Work) {
    // Grouped by a number made of the effects; whether they are the same is seen below.
    let effects = |(transition, step): (u32, &crate::reduce::work::Step)| {
        (
            mark(effect(&step.touches).flat_map(|(place, change)| [u64::from(place), change as u64])),
            transition,
        )
    };
    let mut marked: Vec<(u64, u32)> = work.living().map(effects).collect();
    marked.sort_unstable();
    for group in marked.chunk_by(|one, other| one.0 == other.0).filter(|group| group.len() > 1) {
        let mut group: Vec<u32> = group.iter().map(|(_, transition)| *transition).collect();
        // Who asks for less has no more tests, and is met first.
        group.sort_by_key(|&transition| {
            let touches = &work.step(transition).touches;
            (
                touches.iter().filter(|touch| touch.tests()).count(),
                touches.iter().map(|touch| touch.demand).max(),
            )
        });
        let mut kept: Vec<u32> = Vec::new();
        for transition in group {
            let asks = &work.step(transition).touches;
            // Equal ones are for the rule of that name.
            let rules = |&rival: &u32| {
                let rival = &work.step(rival).touches;
                rival != asks && asks_no_more(rival, asks) && effect(rival).eq(effect(asks))
            };
            if kept.iter().take(RIVALS).any(rules) {
                work.kill(transition);
                work.applied.count(Reduction::Dominated);
            } else {
                kept.push(transition);
            }
        }
    }
}

/// What it changes.
pub(in crate::reduce) fn effect(touches: &[Touch]) -> impl Iterator<Item = (u32, i64)> {
    touches.iter().filter(|touch| touch.effect != 0).map(|touch| (touch.place, touch.effect))
}

/// Whether the tests of the one hold wherever those of the other do.
pub(in crate::reduce) fn asks_no_more(one: &[Touch], other: &[Touch]) -> bool {
    let mut others = other.iter();
    one.iter().filter(|touch| touch.tests()).all(|touch| {
        let same = others.by_ref().find(|other| other.place >= touch.place);
        same.is_some_and(|other| other.place == touch.place && touch.is_weaker(other))
    })
}
