//! The state equation: every reachable marking is m₀ + C·x for some x ≥ 0, where C is the incidence matrix
//! (Murata, "Petri nets: properties, analysis and applications", 1989). What no such marking satisfies is not
//! reachable, and what none exceeds is a bound. Linear programming finds that out; traps that are marked in
//! the beginning stay marked, and are added when a solution empties one (Esparza & Melzer, "Verification of
//! safety properties using integer programming: beyond the state equation", 2000).
//!
//! Floating point proposes and integers decide: an answer is believed when its proof, a weighting of places,
//! was checked exactly (`certificate`). Read and inhibitor arcs only take steps away, so all of it is true of
//! nets with them, too.

mod certificate;
mod refute;
mod traps;

use model::Linear;

use crate::simplex::{Outcome, Problem, solve};
use crate::{Net, Tokens, firing, span, structure};
use certificate::Multipliers;
pub use certificate::Weighting;
pub(crate) use traps::marked_trap;

/// So many facts about traps are kept.
const MOST_FACTS: usize = 200;
/// So often a bound is tried to be made smaller by one.
const TIGHTENED: usize = 3;

/// What holds in every reachable marking: the sum is at most this.
#[derive(Clone, Debug)]
struct Limit {
    terms: Vec<(usize, i128)>,
    most: i128,
}

impl Limit {
    fn new((sum, most): &(Linear, i64)) -> Self {
        let terms = sum.terms.iter().map(|&(slot, factor)| (slot.ix(), factor.into())).collect();
        Self { terms, most: (*most).into() }
    }
}

/// The state equation of a net, and what was learned about its traps.
pub struct StateEquation<'n> {
    net: &'n Net,
    initial: Vec<i128>,
    /// The columns of C that are not zero, each once, without transitions that can never fire; where there
    /// are very many, a few that span them, forwards and backwards.
    columns: Vec<Vec<(usize, i128)>>,
    /// For each transition its column, if it has one.
    column_of: Vec<Option<u32>>,
    facts: Vec<Limit>,
}

/// How often transitions would have to fire on a way that the equation allows. In which order it does not
/// know, nor whether they can.
#[derive(Clone, Debug)]
pub struct Way {
    /// For each transition its kind: those of one kind change the same. None for those that change nothing,
    /// or are dead, or where there are too many.
    pub column_of: Vec<Option<u32>>,
    /// For each kind how often it fires.
    pub counts: Vec<u64>,
}

/// What became of a question.
enum Solved {
    /// The proof of it.
    Proof(Weighting),
    /// How often columns fire, not always whole times, to where the goals are kept.
    Counts(Vec<f64>),
    Unknown,
}

impl<'n> StateEquation<'n> {
    /// The equation of a net.
    pub fn new(net: &'n Net) -> Self {
        let live = structure::fireable(net);
        let alive = (0..net.transitions.len()).filter(|&transition| live[transition]);
        let changes = alive.map(|transition| (firing::changes(&net.transitions[transition]), transition));
        let mut columns: Vec<(Vec<(usize, i128)>, usize)> =
            changes.filter(|(changes, _)| !changes.is_empty()).collect();
        columns.sort_unstable();
        let mut column_of = vec![None; net.transitions.len()];
        let mut distinct: Vec<Vec<(usize, i128)>> = Vec::new();
        for (changes, transition) in columns {
            if distinct.last() != Some(&changes) {
                distinct.push(changes);
            }
            column_of[transition] = Some(distinct.len() as u32 - 1);
        }
        if let Some(few) = span::spanning(&distinct, net.places.len(), &|| false) {
            // What fires backwards as well reaches no less: so all that is said stays true, and is found
            // sooner.
            let back = |column: &Vec<(usize, i128)>| {
                column.iter().map(|&(place, change)| (place, -change)).collect()
            };
            distinct = few.iter().map(back).chain(few.iter().cloned()).collect();
            column_of.fill(None);
        }
        let initial = net.places.iter().map(|place| place.initial.into()).collect();
        Self { net, initial, columns: distinct, column_of, facts: Vec::new() }
    }

    /// The greatest value that the sum can have, or something above that. `seen` is a value that it has
    /// somewhere: below it nobody needs to look.
    pub fn most(&mut self, sum: &Linear, seen: i128, stop: &dyn Fn() -> bool) -> Option<i128> {
        let mut bound = self.bound(sum, stop)?.most();
        let Some(turned) = sum.negated() else { return Some(bound) };
        let mut is_below = |value: i128| {
            let least = i64::try_from(-value);
            least.is_ok_and(|least| self.refutes_all(&[(turned.clone(), least)], stop))
        };
        // Whole tokens and traps may not allow what parts of tokens do.
        if bound > seen && is_below(seen + 1) {
            return Some(seen);
        }
        for _ in 0..TIGHTENED {
            if bound <= seen + 1 || !is_below(bound) {
                break;
            }
            bound -= 1;
        }
        Some(bound)
    }

    /// A weighting of places that bounds the sum. `None` where there is none, or where it was not found.
    pub fn bound(&self, sum: &Linear, stop: &dyn Fn() -> bool) -> Option<Weighting> {
        let objective: Vec<(usize, i128)> =
            sum.terms.iter().map(|&(slot, factor)| (slot.ix(), i128::from(factor))).collect();
        self.bound_with(&objective, &self.facts, stop)
    }

    fn bound_with(
        &self,
        objective: &[(usize, i128)],
        facts: &[Limit],
        stop: &dyn Fn() -> bool,
    ) -> Option<Weighting> {
        match self.solve(objective, facts, &[], stop) {
            Solved::Proof(weighting) => Some(weighting),
            Solved::Counts(_) | Solved::Unknown => None,
        }
    }

    /// Whether no reachable marking keeps all these limits (sums with what they are at most). *No* means
    /// nothing.
    pub fn refutes_all(&mut self, limits: &[(Linear, i64)], stop: &dyn Fn() -> bool) -> bool {
        let limits: Vec<Limit> = limits.iter().map(Limit::new).collect();
        refute::Search::new(self, stop).refutes(limits)
    }

    /// Whether no reachable marking satisfies the predicate. *No* means nothing.
    pub fn refutes(&mut self, predicate: &model::Predicate, stop: &dyn Fn() -> bool) -> bool {
        refute::Search::new(self, stop).refutes_predicate(predicate)
    }

    /// How often each transition would have to fire on a way to a marking where the sum is as large as the
    /// equation allows: something to lead a walk by. `None` where there is no limit.
    pub fn way_up(&self, sum: &Linear, stop: &dyn Fn() -> bool) -> Option<Way> {
        let bound = self.bound(sum, stop)?;
        let least = i64::try_from(-bound.most()).ok()?;
        self.way_to(&[(sum.negated()?, least)], stop)
    }

    /// How often each transition would have to fire on a way to where all these limits are kept, as in
    /// [`StateEquation::way_up`].
    pub fn way_to(&self, limits: &[(Linear, i64)], stop: &dyn Fn() -> bool) -> Option<Way> {
        let goals: Vec<Limit> = limits.iter().map(Limit::new).collect();
        match self.solve(&[], &self.facts, &goals, stop) {
            Solved::Counts(counts) => Some(self.way(&counts)),
            Solved::Proof(_) | Solved::Unknown => None,
        }
    }

    /// As [`StateEquation::way_to`], to where a predicate holds.
    pub fn way_to_predicate(&mut self, predicate: &model::Predicate, stop: &dyn Fn() -> bool) -> Option<Way> {
        let counts = refute::Search::new(self, stop).way_to(predicate)?;
        Some(self.way(&counts))
    }

    fn way(&self, counts: &[f64]) -> Way {
        // Limits were perturbed, so that whole numbers are not quite whole.
        let whole = |count: &f64| (count - 1e-2).ceil().max(0.0) as u64;
        Way {
            column_of: self.column_of.clone(),
            counts: counts[..self.columns.len()].iter().map(whole).collect(),
        }
    }

    /// Whether a transition is never enabled. *No* means nothing.
    pub fn is_dead(&mut self, transition: crate::TransitionIx, stop: &dyn Fn() -> bool) -> bool {
        let transition = &self.net.transitions[transition.ix()];
        let needs = transition.takes.iter().chain(&transition.needs);
        let least =
            needs.map(|arc| Limit { terms: vec![(arc.place.ix(), -1)], most: -i128::from(arc.weight) });
        let forbids = transition.forbids.iter();
        let most =
            forbids.map(|arc| Limit { terms: vec![(arc.place.ix(), 1)], most: i128::from(arc.weight) - 1 });
        let limits = least.chain(most).collect();
        refute::Search::new(self, stop).refutes(limits)
    }

    /// For each place a bound that was proved, as far as the time goes. A proof for one place is one for
    /// others as well.
    pub fn place_bounds(&self, stop: &dyn Fn() -> bool) -> Vec<Option<Tokens>> {
        let count = self.initial.len();
        let mut bounds: Vec<Option<Tokens>> = vec![None; count];
        // Without facts about traps: only then does a weighting bound each of its places.
        let bound = |places: std::ops::Range<usize>| {
            let objective: Vec<(usize, i128)> = places.map(|place| (place, 1)).collect();
            self.bound_with(&objective, &[], stop)
        };
        let learn = |bounds: &mut Vec<Option<Tokens>>, weighting: Option<Weighting>| {
            for (place, bound) in weighting.iter().flat_map(Weighting::place_bounds) {
                bounds[place] = Some(bounds[place].map_or(bound, |known| known.min(bound)));
            }
        };
        learn(&mut bounds, bound(0..count));
        // Places that are not bounded at all would each be tried in vain: after some failures nobody tries.
        let mut failures = 0;
        for place in 0..count {
            if stop() || failures > 20 {
                break;
            }
            // No bound is less than what is there in the beginning, and one token is as good as it gets for
            // the others.
            if bounds[place].is_some_and(|bound| i128::from(bound) <= self.initial[place].max(1)) {
                continue;
            }
            let weighting = bound(place..place + 1);
            failures += usize::from(weighting.is_none());
            learn(&mut bounds, weighting);
        }
        bounds
    }

    /// With no goals: the most that the objective can be. With goals: whether they can all be kept.
    fn solve(
        &self,
        objective: &[(usize, i128)],
        facts: &[Limit],
        goals: &[Limit],
        stop: &dyn Fn() -> bool,
    ) -> Solved {
        let places = self.initial.len();
        let problem = self.problem(objective, facts, goals);
        match solve(&problem, stop) {
            Outcome::Optimal { dual, primal } => {
                let (of_places, of_limits) = dual.split_at(places);
                let multipliers = Multipliers { places: of_places, limits: of_limits };
                let limits: Vec<&Limit> = facts.iter().chain(goals).collect();
                let missed = !goals.is_empty() && primal.last().is_some_and(|&missed| missed > 1e-3);
                if goals.is_empty() || missed {
                    let proof = certificate::check(self, objective, &limits, &multipliers, !goals.is_empty());
                    if let Some(weighting) = proof {
                        return Solved::Proof(weighting);
                    }
                    if missed {
                        return Solved::Unknown;
                    }
                }
                Solved::Counts(primal)
            }
            Outcome::Unbounded | Outcome::Stopped => Solved::Unknown,
        }
    }

    fn marking(&self, counts: &[f64]) -> Vec<f64> {
        let mut marking: Vec<f64> = self.initial.iter().map(|&tokens| tokens as f64).collect();
        for (column, count) in self.columns.iter().zip(counts) {
            column.iter().for_each(|&(place, change)| marking[place] += change as f64 * count);
        }
        marking
    }

    /// Rows: places, which stay at least zero; facts; goals. Columns: transitions, and with goals by how much
    /// they are missed.
    fn problem(&self, objective: &[(usize, i128)], facts: &[Limit], goals: &[Limit]) -> Problem {
        let places = self.initial.len();
        let mut weights = vec![0i128; places];
        objective.iter().for_each(|&(place, factor)| weights[place] += factor);
        let mut rows_of: Vec<Vec<(usize, i128)>> = vec![Vec::new(); places];
        let limits = || facts.iter().chain(goals);
        for (row, limit) in limits().enumerate() {
            limit.terms.iter().for_each(|&(place, factor)| rows_of[place].push((places + row, factor)));
        }
        let mut problem = Problem::new();
        let mut entries: Vec<(usize, i128)> = Vec::new();
        for column in &self.columns {
            entries.clear();
            entries.extend(column.iter().map(|&(place, change)| (place, -change)));
            for &(place, change) in column {
                entries
                    .extend(rows_of[place].iter().map(|&(row, factor)| (row, factor.saturating_mul(change))));
            }
            entries[column.len()..].sort_unstable_by_key(|(row, _)| *row);
            entries.dedup_by(|next, first| {
                let same = next.0 == first.0;
                first.1 += if same { next.1 } else { 0 };
                same
            });
            let gain: i128 =
                column.iter().map(|&(place, change)| weights[place].saturating_mul(change)).sum();
            problem.push(gain as f64, entries.iter().map(|&(row, value)| (row, value as f64)));
        }
        problem.limits = self.initial.iter().map(|&tokens| tokens as f64).collect();
        let slack = |limit: &Limit| {
            let value: i128 =
                limit.terms.iter().map(|&(place, factor)| factor.saturating_mul(self.initial[place])).sum();
            limit.most.saturating_sub(value) as f64
        };
        problem.limits.extend(limits().map(slack));
        if !goals.is_empty() {
            let first = places + facts.len();
            problem.push(-1.0, (first..first + goals.len()).map(|row| (row, -1.0)));
        }
        problem
    }

    /// Learns that a trap stays marked which this marking empties. Answers whether there is one.
    fn learn_trap(&mut self, marking: &[f64]) -> bool {
        if self.facts.len() >= MOST_FACTS {
            return false;
        }
        // Limits were perturbed, so zero is not quite zero.
        let empty: Vec<bool> = marking.iter().map(|&tokens| tokens < 1e-3).collect();
        let Some(trap) = marked_trap(self.net, &empty) else { return false };
        self.facts.push(Limit { terms: trap.into_iter().map(|place| (place, -1)).collect(), most: -1 });
        true
    }
}
