//! Transitions with the same tests and the same effect: one of them is enough. They are enabled together and
//! lead to the same marking. (Murata 1989, "parallel transitions"; rule B of Bønneland et al. 2019.)

use crate::reduce::rules::Reduction;
use crate::reduce::work::Work;
use crate::reduce::work::touch::mark;

pub(in crate::reduce) fn apply(work: &mut Work) {
    let marked = work.living().map(|(transition, step)| {
        let numbers = step
            .touches
            .iter()
            .flat_map(|touch| [u64::from(touch.place), touch.demand, touch.below, touch.effect as u64]);
        (mark(numbers), transition)
    });
    let mut marked: Vec<(u64, u32)> = marked.collect();
    marked.sort_unstable();
    for group in marked.chunk_by(|one, other| one.0 == other.0) {
        // Different ones with the same mark are as good as never: only the first of a mark is compared with.
        let first = group[0].1;
        for &(_, transition) in &group[1..] {
            if work.step(transition).touches == work.step(first).touches {
                work.kill(transition);
                work.applied.count(Reduction::SameTransitions);
            }
        }
    }
}
