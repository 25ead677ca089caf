//! FORCE: Aloul, Markov & Sakallah, "FORCE: a fast and easy-to-implement variable-ordering heuristic",
//! GLSVLSI'03.
//!
//! Each group pulls its slots to its centre of gravity, each slot goes to the mean of the centres of its
//! groups, and the places are the order of these means. Again, until the event span is no better. Differs: a
//! step that makes it worse is allowed a few times, as the next one often makes good for it; the best order
//! is kept.

use super::{Incidence, Metric, Spans};

/// How many steps in a row may bring nothing.
const PATIENCE: usize = 5;

/// The order that FORCE ends in, beginning with the one that slots have.
pub fn force(incidence: &Incidence) -> Vec<usize> {
    let slots = incidence.slots();
    let cost = |order: &[usize]| Spans::of(incidence, order).cost(Metric::Event);
    let mut order: Vec<usize> = (0..slots).collect();
    let mut best = (cost(&order), order.clone());
    let mut position: Vec<f64> = (0..slots).map(|slot| slot as f64).collect();
    let mut wasted = 0;
    while wasted < PATIENCE {
        let centre =
            |row: &Vec<usize>| row.iter().map(|&slot| position[slot]).sum::<f64>() / row.len() as f64;
        let centres: Vec<f64> = incidence.rows().iter().map(centre).collect();
        let pulled = |slot: usize| {
            let groups = incidence.column(slot);
            let sum: f64 = groups.iter().map(|&group| centres[group]).sum();
            // What nobody touches stays where it is.
            if groups.is_empty() { position[slot] } else { sum / groups.len() as f64 }
        };
        let places: Vec<f64> = (0..slots).map(pulled).collect();
        // Stable, so that slots in one place keep their order.
        order.sort_by(|&a, &b| places[a].total_cmp(&places[b]));
        for (at, &slot) in order.iter().enumerate() {
            position[slot] = at as f64;
        }
        let cost = cost(&order);
        if cost < best.0 {
            best = (cost, order.clone());
            wasted = 0;
        } else {
            wasted += 1;
        }
    }
    best.1
}
