//! The cone of influence. Of some places it matters that they hold many tokens, of some that they hold few:
//! of those the question looks at both; the tests of a transition that matters decide for others. A
//! transition matters if it gives to a place of the first kind or takes from one of the second. A run stays
//! one without those that do not matter: what is left finds at least as many tokens where it asks for some,
//! and at most as many where it must not find too many; and it ends with the same tokens where the question
//! looks. (Without the two kinds: rule I of Bønneland et al. 2019; Rakow, *Slicing Petri nets*, 2008.)
//!
//! Where the question is how many tokens there can be at most, few of them do not matter.

use crate::reduce::Preserves;
use crate::reduce::rules::Reduction;
use crate::reduce::work::Work;
use crate::reduce::work::touch::FREE;

pub(in crate::reduce) fn apply(work: &mut Work) {
    let mut matters = vec![[false; 2]; work.records.len()];
    let mut queue: Vec<(u32, bool)> = Vec::new();
    let few_too = !matches!(work.question, Preserves::Bound { .. });
    let seen: Vec<u32> = work.places().filter(|&place| work.record(place).seen).collect();
    for place in seen {
        matters[place as usize] = [few_too, true];
        queue.push((place, true));
        queue.extend(few_too.then_some((place, false)));
    }
    let (giving, taking) = (work.index(|touch| touch.effect > 0), work.index(|touch| touch.effect < 0));
    let mut kept = vec![false; work.steps.len()];
    while let Some((place, many)) = queue.pop() {
        let bearing = if many { &giving } else { &taking };
        for &transition in bearing.of(place) {
            if std::mem::replace(&mut kept[transition as usize], true) {
                continue;
            }
            for touch in &work.step(transition).touches {
                for (many, asked) in [(true, touch.demand > 0), (false, touch.below != FREE)] {
                    if asked
                        && !std::mem::replace(&mut matters[touch.place as usize][usize::from(many)], true)
                    {
                        queue.push((touch.place, many));
                    }
                }
            }
        }
    }
    for transition in 0..work.steps.len() as u32 {
        if work.step(transition).alive && !kept[transition as usize] {
            work.kill(transition);
            work.applied.count(Reduction::Cone);
        }
    }
}
