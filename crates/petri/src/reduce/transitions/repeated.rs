//! Transitions that do at once what another does in several firings, and ask for as much as those together:
//! left out, since the other does it as well. Whoever wants a deadlock finds the same ones: where the first
//! is enabled the second is. (Rule K of Bønneland et al. 2019 for nets without inhibitor arcs; with these the
//! firings as one sequence must be enabled.)

use std::collections::HashMap;

use super::dominated::{asks_no_more, effect};
use crate::reduce::rules::Reduction;
use crate::reduce::work::Work;
use crate::reduce::work::touch::{Sequence, divisor, repeated};

/// So many others are tried.
const RIVALS: usize = 16;

/// The changes of places, divided by what divides them all.
type Effect = Vec<(u32, i64)>;

pub(in crate::reduce) fn apply(work: &mut Work) {
    let mut groups: HashMap<Effect, Vec<(u64, u32)>> = HashMap::new();
    for (transition, step) in work.living() {
        let mut effect: Effect = effect(&step.touches).collect();
        let common = effect.iter().fold(0, |common, (_, change)| divisor(common, change.unsigned_abs()));
        if let Ok(by @ 1..) = i64::try_from(common) {
            effect.iter_mut().for_each(|(_, change)| *change /= by);
            groups.entry(effect).or_default().push((common, transition));
        }
    }
    let mut groups: Vec<_> = groups.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_unstable();
    for mut group in groups {
        group.sort_unstable();
        for at in (1..group.len()).rev() {
            let (size, transition) = group[at];
            let rules = |&(less, rival): &(u64, u32)| {
                let times = size / less;
                less < size
                    && size % less == 0
                    && match repeated(&work.step(rival).touches, times) {
                        Sequence::Fires(touches) => asks_no_more(&touches, &work.step(transition).touches),
                        Sequence::Never | Sequence::TooLarge => false,
                    }
            };
            if group[..at].iter().take(RIVALS).any(rules) {
                work.kill(transition);
                work.applied.count(Reduction::Repeated);
            }
        }
    }
}
