//! A smaller model that still fails: parts are taken out one by one, as long as any can be.

use super::generator::{RandomModel, Transition};

/// The smallest model that can be found for which `fails` is true, as it is for this one.
pub fn shrunk(mut model: RandomModel, fails: impl Fn(&RandomModel) -> bool) -> RandomModel {
    while let Some(smaller) = smaller(&model).into_iter().find(&fails) {
        model = smaller;
    }
    model
}

/// All models with one part less, the large parts first.
fn smaller(model: &RandomModel) -> Vec<RandomModel> {
    let mut all = Vec::new();
    let mut add = |change: &dyn Fn(&mut RandomModel)| {
        let mut copy = model.clone();
        change(&mut copy);
        all.push(copy);
    };
    for at in 0..model.processes.len() {
        add(&|model| drop(model.processes.remove(at)));
    }
    for at in 0..model.declarations.len() {
        add(&|model| drop(model.declarations.remove(at)));
    }
    for (at, process) in model.processes.iter().enumerate() {
        for number in 0..process.transitions.len() {
            add(&|model| drop(model.processes[at].transitions.remove(number)));
        }
        for number in 0..process.assertions.len() {
            add(&|model| drop(model.processes[at].assertions.remove(number)));
        }
        for number in 0..process.declarations.len() {
            add(&|model| drop(model.processes[at].declarations.remove(number)));
        }
        if !process.committed.is_empty() {
            add(&|model| model.processes[at].committed.clear());
        }
        for (number, transition) in process.transitions.iter().enumerate() {
            let mut change = |change: &dyn Fn(&mut Transition)| {
                add(&|model| change(&mut model.processes[at].transitions[number]));
            };
            if transition.sync.is_some() {
                change(&|transition| transition.sync = None);
            }
            for part in 0..transition.guards.len() {
                change(&|transition| drop(transition.guards.remove(part)));
            }
            for part in 0..transition.effects.len() {
                change(&|transition| drop(transition.effects.remove(part)));
            }
        }
    }
    if model.invariant != "1 == 1" {
        add(&|model| model.invariant = "1 == 1".into());
    }
    if model.action != "*" {
        add(&|model| model.action = "*".into());
    }
    all
}
