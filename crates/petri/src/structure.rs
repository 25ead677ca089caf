//! What the arcs alone tell at once: which transitions can ever fire, and of what kind a net is.

use model::{Linear, Predicate};

use crate::{Arc, Net, Transition};

/// Which transitions could fire if tokens were never used up: the others are dead. (The places that this
/// leaves empty are the greatest siphon that is empty in the beginning.)
pub fn fireable(net: &Net) -> Vec<bool> {
    let mut markable: Vec<bool> = net.places.iter().map(|place| place.initial > 0).collect();
    let mut fireable = vec![false; net.transitions.len()];
    // For each place who waits for it, for each transition how many places it waits for.
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); net.places.len()];
    let mut missing = vec![0usize; net.transitions.len()];
    for (at, transition) in net.transitions.iter().enumerate() {
        for arc in transition.takes.iter().chain(&transition.needs).filter(|arc| !markable[arc.place.ix()]) {
            waiting[arc.place.ix()].push(at);
            missing[at] += 1;
        }
    }
    let mut ready: Vec<usize> = (0..net.transitions.len()).filter(|&at| missing[at] == 0).collect();
    while let Some(at) = ready.pop() {
        fireable[at] = true;
        for arc in &net.transitions[at].gives {
            let place = arc.place.ix();
            if !std::mem::replace(&mut markable[place], true) {
                for waiter in std::mem::take(&mut waiting[place]) {
                    missing[waiter] -= 1;
                    if missing[waiter] == 0 {
                        ready.push(waiter);
                    }
                }
            }
        }
    }
    fireable
}

/// Whether some transition has an inhibitor arc.
pub fn has_inhibitors(net: &Net) -> bool {
    net.transitions.iter().any(|transition| !transition.forbids.is_empty())
}

/// Whether all weights are one and there are no read or inhibitor arcs.
pub fn is_ordinary(net: &Net) -> bool {
    net.transitions.iter().all(|transition| {
        transition.needs.is_empty()
            && transition.forbids.is_empty()
            && transition.takes.iter().chain(&transition.gives).all(|arc| arc.weight == 1)
    })
}

/// Whether the net is ordinary and transitions that share an input place have the same input places (extended
/// free choice).
pub fn is_free_choice(net: &Net) -> bool {
    let mut taker: Vec<Option<usize>> = vec![None; net.places.len()];
    is_ordinary(net)
        && net.transitions.iter().enumerate().all(|(at, transition)| {
            transition.takes.iter().all(|arc| {
                let first = *taker[arc.place.ix()].get_or_insert(at);
                net.transitions[first].takes == transition.takes
            })
        })
}

/// Where a transition is enabled. `None` where a weight does not fit.
pub fn enabled(transition: &Transition) -> Option<Predicate> {
    let least = |arc: &Arc| {
        let weight = i64::try_from(arc.weight).ok()?;
        Some(Predicate::AtMost(Linear { terms: vec![(arc.place, -1)] }, -weight))
    };
    let below = |arc: &Arc| {
        let weight = i64::try_from(arc.weight).ok()?;
        Some(Predicate::AtMost(Linear { terms: vec![(arc.place, 1)] }, weight - 1))
    };
    let needs = transition.takes.iter().chain(&transition.needs).map(least);
    Some(Predicate::All(needs.chain(transition.forbids.iter().map(below)).collect::<Option<_>>()?))
}

/// Where nothing is enabled. `None` where a weight does not fit.
pub fn dead(net: &Net) -> Option<Predicate> {
    let disabled = net.transitions.iter().map(|transition| enabled(transition)?.negated());
    Some(Predicate::All(disabled.collect::<Option<_>>()?))
}
