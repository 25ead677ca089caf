//! A small solver for propositional clauses: conflict-driven learning with watched literals (Marques-Silva &
//! Sakallah 1996; Moskewicz et al., "Chaff", 2001), in the shape of Eén & Sörensson, "An extensible
//! SAT-solver", 2003. No preprocessing, no deletion of clauses: problems here are small, and work has a
//! limit. Variables are tried false first, so that models are small sets. Clauses may be as long as a net has
//! places: the search for a literal to watch goes on where it ended (Gent, "Optimal implementation of watched
//! literals and more general techniques", 2013), not from the first one again.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A variable with a sign: even where it is meant true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Literal(u32);

impl Literal {
    pub(crate) fn new(variable: usize, positive: bool) -> Self {
        Self((variable as u32) << 1 | u32::from(!positive))
    }

    fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }
}

impl std::ops::Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

const NONE: u32 = u32::MAX;

/// So many decisions are made before it is asked whether to stop.
const BETWEEN_LOOKS: u32 = 1 << 10;

/// A variable that may be free, and its activity.
#[derive(Clone, Copy, PartialEq)]
struct Candidate {
    activity: f64,
    variable: usize,
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.activity.total_cmp(&other.activity).then(self.variable.cmp(&other.variable))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A clause, and where the next literal to watch is looked for first.
struct Clause {
    literals: Vec<Literal>,
    next: usize,
}

/// Clauses and what is assigned.
pub(crate) struct Solver {
    clauses: Vec<Clause>,
    /// For each literal the clauses that watch it: it stands first or second there.
    watches: Vec<Vec<u32>>,
    value: Vec<Option<bool>>,
    level: Vec<u32>,
    reason: Vec<u32>,
    trail: Vec<Literal>,
    /// Where the levels begin on the trail.
    levels: Vec<usize>,
    head: usize,
    activity: Vec<f64>,
    /// All free variables, and some that are assigned. Nobody's activity changes while he is free, but when
    /// all are scaled.
    candidates: BinaryHeap<Candidate>,
    step: f64,
    seen: Vec<bool>,
    contradiction: bool,
}

impl Solver {
    pub(crate) fn new(variables: usize) -> Self {
        Self {
            clauses: Vec::new(),
            watches: vec![Vec::new(); 2 * variables],
            value: vec![None; variables],
            level: vec![0; variables],
            reason: vec![NONE; variables],
            trail: Vec::new(),
            levels: Vec::new(),
            head: 0,
            activity: vec![0.0; variables],
            candidates: (0..variables).map(|variable| Candidate { activity: 0.0, variable }).collect(),
            step: 1.0,
            seen: vec![false; variables],
            contradiction: false,
        }
    }

    fn holds(&self, literal: Literal) -> Option<bool> {
        self.value[literal.variable()].map(|value| value == literal.is_positive())
    }

    /// One of these must hold.
    pub(crate) fn add(&mut self, literals: impl IntoIterator<Item = Literal>) {
        self.back_to(0);
        let mut clause: Vec<Literal> = literals.into_iter().collect();
        clause.sort_by_key(|literal| literal.0);
        clause.dedup();
        if clause.windows(2).any(|pair| pair[0] == !pair[1])
            || clause.iter().any(|&l| self.holds(l) == Some(true))
        {
            return;
        }
        clause.retain(|&literal| self.holds(literal).is_none());
        match clause[..] {
            [] => self.contradiction = true,
            [literal] => {
                self.assign(literal, NONE);
                self.contradiction |= self.propagate().is_some();
            }
            _ => {
                self.attach(clause);
            }
        }
    }

    fn attach(&mut self, clause: Vec<Literal>) -> u32 {
        let number = self.clauses.len() as u32;
        self.watches[clause[0].0 as usize].push(number);
        self.watches[clause[1].0 as usize].push(number);
        self.clauses.push(Clause { literals: clause, next: 2 });
        number
    }

    fn assign(&mut self, literal: Literal, reason: u32) {
        let variable = literal.variable();
        self.value[variable] = Some(literal.is_positive());
        self.level[variable] = self.levels.len() as u32;
        self.reason[variable] = reason;
        self.trail.push(literal);
    }

    /// Assigns what follows; answers a clause that is violated, if there is one.
    fn propagate(&mut self) -> Option<u32> {
        while self.head < self.trail.len() {
            let lost = !self.trail[self.head];
            self.head += 1;
            let mut watching = std::mem::take(&mut self.watches[lost.0 as usize]);
            let mut at = 0;
            let mut conflict = None;
            while at < watching.len() {
                let number = watching[at];
                let Clause { literals: clause, next } = &mut self.clauses[number as usize];
                if clause[0] == lost {
                    clause.swap(0, 1);
                }
                let first = clause[0];
                let value = &self.value;
                let is_false =
                    |literal: Literal| value[literal.variable()].is_some_and(|v| v != literal.is_positive());
                let is_true =
                    |literal: Literal| value[literal.variable()].is_some_and(|v| v == literal.is_positive());
                if is_true(first) {
                    at += 1;
                    continue;
                }
                if let Some(other) =
                    (*next..clause.len()).chain(2..*next).find(|&other| !is_false(clause[other]))
                {
                    *next = other;
                    clause.swap(1, other);
                    let watched = clause[1];
                    self.watches[watched.0 as usize].push(number);
                    watching.swap_remove(at);
                    continue;
                }
                at += 1;
                if is_false(first) {
                    conflict = Some(number);
                    break;
                }
                self.assign(first, number);
            }
            self.watches[lost.0 as usize] = watching;
            if conflict.is_some() {
                self.head = self.trail.len();
                return conflict;
            }
        }
        None
    }

    fn back_to(&mut self, level: usize) {
        if self.levels.len() > level {
            let start = self.levels[level];
            for literal in self.trail.drain(start..) {
                let variable = literal.variable();
                self.value[variable] = None;
                self.candidates.push(Candidate { activity: self.activity[variable], variable });
            }
            self.levels.truncate(level);
            self.head = start;
            // Who was a candidate already is one twice now.
            if self.candidates.len() > 4 * self.value.len() {
                self.candidates = self.free().collect();
            }
        }
    }

    /// What the conflict teaches: a clause with just one literal of this level, which stands first; and the
    /// level to go back to.
    fn analyse(&mut self, conflict: u32) -> (Vec<Literal>, usize) {
        let mut learned = vec![Literal(0)];
        let (mut open, mut at, mut reason) = (0, self.trail.len(), conflict);
        let mut pivot: Option<Literal> = None;
        loop {
            for place in 0..self.clauses[reason as usize].literals.len() {
                let literal = self.clauses[reason as usize].literals[place];
                let variable = literal.variable();
                if Some(literal) == pivot || self.seen[variable] || self.level[variable] == 0 {
                    continue;
                }
                self.seen[variable] = true;
                self.activity[variable] += self.step;
                if self.level[variable] as usize == self.levels.len() {
                    open += 1;
                } else {
                    learned.push(literal);
                }
            }
            loop {
                at -= 1;
                if self.seen[self.trail[at].variable()] {
                    break;
                }
            }
            let literal = self.trail[at];
            self.seen[literal.variable()] = false;
            open -= 1;
            if open == 0 {
                learned[0] = !literal;
                break;
            }
            pivot = Some(literal);
            reason = self.reason[literal.variable()];
        }
        learned[1..].iter().for_each(|literal| self.seen[literal.variable()] = false);
        // The second watch is on the latest of the others.
        let latest = (1..learned.len()).max_by_key(|&place| self.level[learned[place].variable()]);
        let level = latest.map_or(0, |place| {
            learned.swap(1, place);
            self.level[learned[1].variable()] as usize
        });
        self.step *= 1.05;
        if self.step > 1e100 {
            self.step *= 1e-100;
            self.activity.iter_mut().for_each(|activity| *activity *= 1e-100);
            self.candidates = self.free().collect();
        }
        (learned, level)
    }

    fn free(&self) -> impl Iterator<Item = Candidate> + '_ {
        let is_free = |&variable: &usize| self.value[variable].is_none();
        (0..self.value.len())
            .filter(is_free)
            .map(|variable| Candidate { activity: self.activity[variable], variable })
    }

    /// The most active variable that is free.
    fn next_free(&mut self) -> Option<usize> {
        loop {
            let Candidate { variable, .. } = self.candidates.pop()?;
            if self.value[variable].is_none() {
                return Some(variable);
            }
        }
    }

    /// Whether all clauses can hold; then [`Solver::model`] says how. `None` after so many conflicts, or
    /// where it is told to stop.
    pub(crate) fn solve(&mut self, mut conflicts: u64, stop: &dyn Fn() -> bool) -> Option<bool> {
        let (mut until_restart, mut decisions) = (100, 0u32);
        loop {
            if self.contradiction {
                return Some(false);
            }
            if let Some(conflict) = self.propagate() {
                if self.levels.is_empty() {
                    self.contradiction = true;
                    return Some(false);
                }
                let (learned, level) = self.analyse(conflict);
                self.back_to(level);
                let first = learned[0];
                let reason = if learned.len() == 1 { NONE } else { self.attach(learned) };
                self.assign(first, reason);
                conflicts = conflicts.saturating_sub(1);
                until_restart -= 1;
                if conflicts == 0 || stop() {
                    self.back_to(0);
                    return None;
                }
                continue;
            }
            if until_restart <= 0 {
                until_restart = 100 + self.clauses.len() as i64 / 50;
                self.back_to(0);
                continue;
            }
            let Some(variable) = self.next_free() else { return Some(true) };
            decisions += 1;
            if decisions % BETWEEN_LOOKS == 0 && stop() {
                self.candidates.push(Candidate { activity: self.activity[variable], variable });
                self.back_to(0);
                return None;
            }
            self.levels.push(self.trail.len());
            self.assign(Literal::new(variable, false), NONE);
        }
    }

    /// The variables that are true, after [`Solver::solve`] said that all clauses can hold.
    pub(crate) fn model(&self) -> Vec<bool> {
        self.value.iter().map(|value| *value == Some(true)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::SplitMix64;

    #[test]
    fn answers_are_those_of_trying_all() {
        let mut random =
            SplitMix64::new(std::env::var("PINSCHER_SEED").map_or(1, |seed| seed.parse().unwrap()));
        let mut counts = [0, 0];
        for _ in 0..1500 {
            let variables = 1 + random.below(13);
            let mut solver = Solver::new(variables);
            let mut clauses: Vec<Vec<(usize, bool)>> = Vec::new();
            // Clauses are added in parts, with an answer after each.
            for _ in 0..1 + random.below(4) {
                for _ in 0..random.below(3 * variables) {
                    // Mostly three literals: about four such clauses a variable are the hardest.
                    let count = if random.below(8) == 0 { 1 + random.below(4) } else { 3 };
                    let clause: Vec<_> =
                        (0..count).map(|_| (random.below(variables), random.below(2) == 0)).collect();
                    solver.add(clause.iter().map(|&(variable, positive)| Literal::new(variable, positive)));
                    clauses.push(clause);
                }
                let holds = |model: &dyn Fn(usize) -> bool| {
                    clauses
                        .iter()
                        .all(|clause| clause.iter().any(|&(variable, positive)| model(variable) == positive))
                };
                let wanted = (0..1u32 << variables).any(|code| holds(&|variable| code >> variable & 1 == 1));
                assert_eq!(solver.solve(1 << 20, &|| false), Some(wanted), "{clauses:?}");
                counts[usize::from(wanted)] += 1;
                if wanted {
                    let model = solver.model();
                    assert!(holds(&|variable| model[variable]), "{clauses:?}");
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
    }

    /// A ring of implications and one clause over all of it: what is assigned makes each step of it look at
    /// the long clause.
    #[test]
    fn long_clauses_are_not_looked_through_again_and_again() {
        const COUNT: usize = 200_000;
        let mut solver = Solver::new(COUNT);
        solver.add((0..COUNT).map(|variable| Literal::new(variable, true)));
        for variable in 0..COUNT {
            solver.add([Literal::new(variable, false), Literal::new((variable + 1) % COUNT, true)]);
        }
        let started = std::time::Instant::now();
        assert_eq!(solver.solve(1 << 20, &|| false), Some(true));
        assert!(solver.model().into_iter().all(|is_true| is_true));
        // One clause over all, and nothing follows from anything: as many decisions as variables.
        let mut solver = Solver::new(COUNT);
        solver.add((0..COUNT).map(|variable| Literal::new(variable, true)));
        assert_eq!(solver.solve(1 << 20, &|| false), Some(true));
        assert_eq!(solver.model().into_iter().filter(|is_true| *is_true).count(), 1);
        // Linear it takes a part of a second; with a look at all for each it would be hours.
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
        assert_eq!(
            Solver::new(1 << 20).solve(1, &|| true),
            None,
            "who is told to stop does so without a conflict"
        );
    }

    /// More pigeons than holes: no model, and not without learning.
    #[test]
    fn pigeons_do_not_fit() {
        for (pigeons, holes) in [(6, 5), (5, 5)] {
            let mut solver = Solver::new(pigeons * holes);
            for pigeon in 0..pigeons {
                solver.add((0..holes).map(|hole| Literal::new(pigeon * holes + hole, true)));
                for other in 0..pigeon {
                    (0..holes).for_each(|hole| {
                        solver.add([pigeon, other].map(|bird| Literal::new(bird * holes + hole, false)));
                    });
                }
            }
            assert_eq!(solver.solve(1 << 20, &|| false), Some(pigeons <= holes));
        }
    }
}
