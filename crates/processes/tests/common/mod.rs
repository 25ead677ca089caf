//! What tests of processes share: labelled transition systems compared up to strong bisimulation, by the
//! plainest means.
#![allow(dead_code)]

pub mod random;
pub mod semantics;

use std::collections::{BTreeSet, HashMap};

/// A labelled transition system; state 0 is the first.
#[derive(Debug, Default)]
pub struct Lts {
    pub steps: Vec<Vec<(String, usize)>>,
}

impl Lts {
    /// All that can be reached. `None` where there are more than `most` states, or twenty times as many
    /// steps.
    pub fn explore<S: Clone + Eq + std::hash::Hash>(
        initial: S,
        most: usize,
        mut steps: impl FnMut(&S) -> Vec<(String, S)>,
    ) -> Option<Self> {
        let mut numbers: HashMap<S, usize> = HashMap::from([(initial.clone(), 0)]);
        let (mut states, mut lts, mut count) = (vec![initial], Self::default(), 0);
        while lts.steps.len() < states.len() {
            let from = states[lts.steps.len()].clone();
            let mut row = Vec::new();
            for (label, to) in steps(&from) {
                let number = *numbers.entry(to.clone()).or_insert_with(|| {
                    states.push(to);
                    states.len() - 1
                });
                row.push((label, number));
            }
            count += row.len();
            if states.len() > most || count > 20 * most {
                return None;
            }
            lts.steps.push(row);
        }
        Some(lts)
    }

    pub fn states(&self) -> usize {
        self.steps.len()
    }

    pub fn transitions(&self) -> usize {
        self.steps.iter().map(|row| row.iter().collect::<BTreeSet<_>>().len()).sum()
    }

    /// The classes of strong bisimulation, by splitting until nothing changes.
    pub fn classes(&self) -> Vec<usize> {
        let mut class = vec![0; self.states()];
        let mut count = 1;
        loop {
            let mut numbers = HashMap::new();
            let signature = |state: usize| -> (usize, BTreeSet<(&str, usize)>) {
                (
                    class[state],
                    self.steps[state].iter().map(|(label, to)| (label.as_str(), class[*to])).collect(),
                )
            };
            let next: Vec<usize> = (0..self.states())
                .map(|state| {
                    let fresh = numbers.len();
                    *numbers.entry(signature(state)).or_insert(fresh)
                })
                .collect();
            let split = numbers.len();
            class = next;
            if split == count {
                return class;
            }
            count = split;
        }
    }

    /// How many states and transitions are left modulo strong bisimulation.
    pub fn reduced(&self) -> (usize, usize) {
        let class = self.classes();
        let transitions: BTreeSet<(usize, &str, usize)> = (0..self.states())
            .flat_map(|from| self.steps[from].iter().map(move |(label, to)| (from, label, to)))
            .map(|(from, label, to)| (class[from], label.as_str(), class[*to]))
            .collect();
        (class.iter().collect::<BTreeSet<_>>().len(), transitions.len())
    }

    /// Whether both do the same.
    pub fn is_bisimilar(&self, other: &Self) -> bool {
        let shift = self.states();
        let moved =
            other.steps.iter().map(|row| row.iter().map(|(label, to)| (label.clone(), to + shift)).collect());
        let both = Self { steps: self.steps.iter().cloned().chain(moved).collect() };
        let class = both.classes();
        class[0] == class[shift]
    }
}
