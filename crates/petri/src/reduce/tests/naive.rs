//! All markings of a small net, by the definition.

use std::collections::HashMap;

use crate::{Arc, Net, Tokens, Transition, TransitionIx};

/// The graph of markings.
pub struct Graph {
    pub markings: Vec<Vec<Tokens>>,
    /// By marking: transition and marking.
    pub steps: Vec<Vec<(usize, usize)>>,
    /// How each was found first.
    found: Vec<Option<(usize, usize)>>,
}

pub fn initial(net: &Net) -> Vec<Tokens> {
    net.places.iter().map(|place| place.initial).collect()
}

pub fn fire(transition: &Transition, marking: &[Tokens]) -> Option<Vec<Tokens>> {
    let Transition { takes, gives, needs, forbids, .. } = transition;
    let at_least = |arc: &Arc| marking[arc.place.ix()] >= arc.weight;
    if !takes.iter().all(at_least) || !needs.iter().all(at_least) || forbids.iter().any(at_least) {
        return None;
    }
    let mut after = marking.to_vec();
    takes.iter().for_each(|arc| after[arc.place.ix()] -= arc.weight);
    gives.iter().for_each(|arc| after[arc.place.ix()] += arc.weight);
    Some(after)
}

impl Graph {
    /// `None` if there are more markings than that.
    pub fn of(net: &Net, most: usize) -> Option<Self> {
        let mut graph = Self { markings: vec![initial(net)], steps: Vec::new(), found: vec![None] };
        let mut numbers: HashMap<Vec<Tokens>, usize> = HashMap::from([(initial(net), 0)]);
        while graph.steps.len() < graph.markings.len() {
            let here = graph.steps.len();
            let mut steps = Vec::new();
            for (number, transition) in net.transitions.iter().enumerate() {
                let Some(after) = fire(transition, &graph.markings[here]) else { continue };
                let next = graph.markings.len();
                let there = *numbers.entry(after.clone()).or_insert(next);
                if there == next {
                    if next == most {
                        return None;
                    }
                    graph.markings.push(after);
                    graph.found.push(Some((here, number)));
                }
                steps.push((number, there));
            }
            graph.steps.push(steps);
        }
        Some(graph)
    }

    pub fn is_dead(&self, marking: usize) -> bool {
        self.steps[marking].is_empty()
    }

    /// A run to a marking.
    pub fn run_to(&self, marking: usize) -> Vec<TransitionIx> {
        let mut run = Vec::new();
        let mut here = marking;
        while let Some((before, transition)) = self.found[here] {
            run.push(TransitionIx::new(transition));
            here = before;
        }
        run.reverse();
        run
    }

    /// Whether each transition can fire some time, and whether it can from everywhere; of all.
    pub fn liveness(&self, transitions: usize) -> (bool, bool) {
        let mut quasi_live = vec![false; transitions];
        self.steps.iter().flatten().for_each(|&(transition, _)| quasi_live[transition] = true);
        let live = (0..transitions).all(|transition| {
            // Backwards from where it is enabled.
            let mut can: Vec<bool> =
                self.steps.iter().map(|steps| steps.iter().any(|step| step.0 == transition)).collect();
            loop {
                let more: Vec<usize> = (0..can.len())
                    .filter(|&m| !can[m] && self.steps[m].iter().any(|&(_, to)| can[to]))
                    .collect();
                if more.is_empty() {
                    return can.iter().all(|can| *can);
                }
                more.into_iter().for_each(|marking| can[marking] = true);
            }
        });
        (quasi_live.iter().all(|fires| *fires), live)
    }
}

/// Where a run ends; `None` if it cannot be fired.
pub fn replay(net: &Net, run: &[TransitionIx]) -> Option<Vec<Tokens>> {
    run.iter().try_fold(initial(net), |marking, transition| fire(&net.transitions[transition.ix()], &marking))
}
