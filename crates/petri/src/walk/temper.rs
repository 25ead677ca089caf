//! How a walk chooses its next step.

use super::Walker;

/// Candidates that are looked at where looking costs something.
const LOOKED_AT: usize = 5;

/// How a walk chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Temper {
    /// Any enabled transition, all the same.
    Any,
    /// One that fired seldom.
    Rare,
    /// One that was enabled late, as a depth-first search would.
    Newest,
    /// The same few transitions again and again, as long as they can: what takes many of one kind.
    Few,
    /// Towards a goal.
    Towards(usize),
    /// Up with a sum.
    Up(usize),
    /// To where little is enabled.
    Starve,
}

impl Temper {
    /// The next transition; some is enabled.
    #[inline(always)]
    pub(super) fn choose(self, walker: &mut Walker<'_>) -> usize {
        let enabled = walker.position.enabled();
        let any = |walker: &mut Walker<'_>| {
            let enabled = walker.position.enabled();
            enabled[walker.random.below(enabled.len())] as usize
        };
        match self {
            _ if enabled.len() == 1 => enabled[0] as usize,
            Self::Any => any(walker),
            Self::Rare => {
                let candidates = [any(walker), any(walker), any(walker)];
                candidates
                    .into_iter()
                    .min_by_key(|&transition| walker.fired[transition])
                    .unwrap_or(candidates[0])
            }
            Self::Newest => match walker.random.below(4) {
                0 => any(walker),
                _ => enabled[enabled.len() - 1] as usize,
            },
            Self::Few => match (walker.random.below(16), walker.trail.last()) {
                (1.., Some(&last)) if walker.position.is_enabled(last) => last as usize,
                (1.., _) => enabled[0] as usize,
                _ => any(walker),
            },
            // Now and then any step, so as not to stand before a wall for ever.
            _ if walker.random.below(8) == 0 => any(walker),
            Self::Towards(goal) => best(walker, |walker, transition| {
                walker.sums_after(transition, |walker, sums| walker.circuit.distance(sums, goal))
            }),
            Self::Up(sum) => {
                best(walker, |walker, transition| walker.sums_after(transition, |_, sums| -sums[sum]))
            }
            Self::Starve => best(walker, |walker, transition| {
                // Gains enable and losses disable: a guess that costs no firing.
                let shifts = walker.watchers.firing().shifts(transition);
                shifts.iter().map(|shift| i128::from(shift.add.cast_signed())).sum()
            }),
        }
    }
}

/// The candidate with the least number; the first of equals, and candidates are in random order.
fn best(walker: &mut Walker<'_>, mut number: impl FnMut(&mut Walker<'_>, usize) -> i128) -> usize {
    let count = walker.position.enabled().len();
    let first = walker.random.below(count);
    let stride = 1 + walker.random.below(count - 1);
    let mut best: Option<(i128, usize)> = None;
    for look in 0..LOOKED_AT.min(count) {
        let transition = walker.position.enabled()[(first + look * stride) % count] as usize;
        let number = number(walker, transition);
        if best.is_none_or(|(least, _)| number < least) {
            best = Some((number, transition));
        }
    }
    best.map_or_else(|| panic!("BUG: nothing to choose from"), |(_, transition)| transition)
}

impl Walker<'_> {
    /// A number that is made of the sums as they would be after a transition.
    fn sums_after(&mut self, transition: usize, number: impl FnOnce(&Self, &[i128]) -> i128) -> i128 {
        self.learn_amounts(transition);
        let mut sums = std::mem::take(&mut self.levels.sums);
        let shift = |sums: &mut [i128], sign: i128| {
            let amounts = self.amounts[transition].iter().flatten();
            amounts.for_each(|&(sum, amount)| sums[sum as usize] += sign * amount);
        };
        shift(&mut sums, 1);
        let answer = number(self, &sums);
        shift(&mut sums, -1);
        self.levels.sums = sums;
        answer
    }
}
