//! Refutation of predicates: a search over what a marking would have to choose.
//!
//! The limits that must all be kept are put to the state equation. Where it allows a marking that leaves some
//! disjunction false, each of its parts is tried in turn; where it allows parts of tokens, a place holds
//! either at most the whole number below or at least the one above. All ways must be refuted. A marking that
//! satisfies everything ends the search: nothing is refuted then.

use model::Predicate;

use super::{Limit, Solved, StateEquation};

/// Linear problems in one search.
const MOST_PROBLEMS: usize = 2000;
/// Cuts by whole numbers on one way.
const MOST_CUTS: usize = 8;
/// Traps that are added for one problem.
const MOST_TRAPS: usize = 30;

/// A search.
pub(super) struct Search<'s, 'n> {
    equation: &'s mut StateEquation<'n>,
    stop: &'s dyn Fn() -> bool,
    problems: usize,
    /// How often columns fire to the last marking that was found.
    counts: Vec<f64>,
}

impl<'s, 'n> Search<'s, 'n> {
    pub(super) fn new(equation: &'s mut StateEquation<'n>, stop: &'s dyn Fn() -> bool) -> Self {
        Self { equation, stop, problems: 0, counts: Vec::new() }
    }

    /// Whether no reachable marking keeps all of these.
    pub(super) fn refutes(&mut self, limits: Vec<Limit>) -> bool {
        self.way(limits, Vec::new(), 0)
    }

    pub(super) fn refutes_predicate(&mut self, predicate: &Predicate) -> bool {
        let (mut limits, mut choices) = (Vec::new(), Vec::new());
        !flatten(predicate, &mut limits, &mut choices) || self.way(limits, choices, 0)
    }

    /// How often columns fire on a way to where the predicate holds, as far as the equation knows. `None`
    /// where it is refuted, or nothing was found.
    pub(super) fn way_to(mut self, predicate: &Predicate) -> Option<Vec<f64>> {
        let refuted = self.refutes_predicate(predicate);
        (!refuted && !self.counts.is_empty()).then_some(self.counts)
    }

    fn way(&mut self, limits: Vec<Limit>, choices: Vec<&[Predicate]>, cuts: usize) -> bool {
        let Some(marking) = (match self.marking(&limits) {
            Kept::Never => return true,
            Kept::By(marking) => marking,
            Kept::Unknown => None,
        }) else {
            return self.choose(limits, choices, None, cuts);
        };
        let open = choices.iter().any(|parts| !parts.iter().any(|part| holds(part, &marking)));
        if open {
            return self.choose(limits, choices, Some(&marking), cuts);
        }
        // The place with the most of half a token.
        let part = |tokens: f64| (tokens - tokens.floor()).min(tokens.ceil() - tokens);
        let broken =
            (0..marking.len()).max_by(|&left, &right| part(marking[left]).total_cmp(&part(marking[right])));
        let Some(place) = broken.filter(|&place| part(marking[place]) > 1e-3 && cuts < MOST_CUTS) else {
            return false;
        };
        let whole = marking[place].floor() as i128;
        let below = Limit { terms: vec![(place, 1)], most: whole };
        let above = Limit { terms: vec![(place, -1)], most: -whole - 1 };
        [below, above].into_iter().all(|cut| {
            let mut limits = limits.clone();
            limits.push(cut);
            self.way(limits, choices.clone(), cuts + 1)
        })
    }

    /// Tries all parts of the disjunction that has the fewest, among those that the marking leaves false.
    fn choose(
        &mut self,
        limits: Vec<Limit>,
        mut choices: Vec<&[Predicate]>,
        marking: Option<&[f64]>,
        cuts: usize,
    ) -> bool {
        let is_open = |parts: &[Predicate]| {
            marking.is_none_or(|marking| !parts.iter().any(|part| holds(part, marking)))
        };
        let open = (0..choices.len()).filter(|&at| is_open(choices[at]));
        let Some(at) = open.min_by_key(|&at| choices[at].len()) else { return false };
        let parts = choices.swap_remove(at);
        parts.iter().all(|part| {
            let (mut limits, mut choices) = (limits.clone(), choices.clone());
            if self.problems >= MOST_PROBLEMS || (self.stop)() {
                return false;
            }
            !flatten(part, &mut limits, &mut choices) || self.way(limits, choices, cuts)
        })
    }

    /// A marking that keeps the limits, traps included.
    fn marking(&mut self, limits: &[Limit]) -> Kept {
        self.counts.clear();
        if limits.is_empty() {
            return Kept::By(Some(self.equation.marking(&[])));
        }
        for _ in 0..MOST_TRAPS {
            if self.problems >= MOST_PROBLEMS || (self.stop)() {
                return Kept::Unknown;
            }
            self.problems += 1;
            match self.equation.solve(&[], &self.equation.facts, limits, self.stop) {
                Solved::Proof(_) => return Kept::Never,
                Solved::Unknown => return Kept::Unknown,
                Solved::Counts(counts) => {
                    let marking = self.equation.marking(&counts);
                    if !self.equation.learn_trap(&marking) {
                        self.counts = counts;
                        return Kept::By(Some(marking));
                    }
                }
            }
        }
        Kept::Unknown
    }
}

enum Kept {
    Never,
    By(Option<Vec<f64>>),
    Unknown,
}

/// Splits what must all hold into limits and disjunctions. Answers `false` where it cannot hold.
fn flatten<'p>(
    predicate: &'p Predicate,
    limits: &mut Vec<Limit>,
    choices: &mut Vec<&'p [Predicate]>,
) -> bool {
    match predicate {
        Predicate::Constant(value) => *value,
        Predicate::AtMost(sum, most) => {
            limits.push(Limit::new(&(sum.clone(), *most)));
            true
        }
        Predicate::All(parts) => parts.iter().all(|part| flatten(part, limits, choices)),
        Predicate::Any(parts) => match &parts[..] {
            [] => false,
            [part] => flatten(part, limits, choices),
            parts => {
                choices.push(parts);
                true
            }
        },
    }
}

/// Whether a predicate holds in a marking with parts of tokens, more or less.
fn holds(predicate: &Predicate, marking: &[f64]) -> bool {
    match predicate {
        Predicate::Constant(value) => *value,
        Predicate::AtMost(sum, most) => {
            let value: f64 = sum.terms.iter().map(|&(slot, factor)| factor as f64 * marking[slot.ix()]).sum();
            value <= *most as f64 + 1e-3
        }
        Predicate::All(parts) => parts.iter().all(|part| holds(part, marking)),
        Predicate::Any(parts) => parts.iter().any(|part| holds(part, marking)),
    }
}
