//! The state equation against breadth-first search: no bound is below what is reached, nothing is refuted
//! that is reached. And it must be of use.

mod support;

use base::SlotIx;
use model::{Linear, Predicate};
use petri::TransitionIx;
use petri::state_equation::StateEquation;
use petri::structure;
use support::{ORDINARY, SMALL, TESTING, explore, fire, random_linear, random_net, random_predicate};

const STATES: usize = 300;
const GO_ON: &dyn Fn() -> bool = &|| false;

#[test]
fn bounds_are_never_below_what_is_reached() {
    let mut random = toys::seeded();
    let (mut tight, mut all) = (0, 0);
    for round in 0..400 {
        let net = random_net(&mut random, [TESTING, SMALL, ORDINARY][round % 3]);
        let reached = explore(&net, STATES);
        let mut equation = StateEquation::new(&net);
        for _ in 0..3 {
            let sum = random_linear(&mut random, &net);
            let most = reached.markings.iter().map(|marking| sum.value(marking)).max().unwrap();
            let start = sum.value(&reached.markings[0]);
            let bound = equation.most(&sum, start, GO_ON);
            assert!(bound.is_none_or(|bound| bound >= most), "{sum:?} ≤ {bound:?}, but {most} in {net:?}");
            if reached.complete && round % 3 > 0 {
                all += 1;
                tight += usize::from(bound == Some(most));
            }
        }
        for (place, bound) in equation.place_bounds(GO_ON).into_iter().enumerate() {
            let most = reached.markings.iter().map(|marking| marking[place]).max().unwrap();
            assert!(
                bound.is_none_or(|bound| bound >= most.into()),
                "place {place} ≤ {bound:?}, but {most} in {net:?}"
            );
        }
    }
    assert!(all > 50 && tight * 10 > all * 6, "{tight} of {all}");
}

#[test]
fn nothing_is_refuted_that_is_reached() {
    let mut random = toys::seeded();
    let (mut refuted, mut false_ones) = (0, 0);
    for round in 0..400 {
        let net = random_net(&mut random, [TESTING, SMALL, ORDINARY][round % 3]);
        let reached = explore(&net, STATES);
        let mut equation = StateEquation::new(&net);
        for _ in 0..5 {
            let predicate = random_predicate(&mut random, &net, 2);
            let holds = reached.markings.iter().find(|marking| predicate.holds(marking));
            let is_refuted = equation.refutes(&predicate, GO_ON);
            assert!(!is_refuted || holds.is_none(), "{predicate:?} holds in {holds:?} of {net:?}");
            if reached.complete && holds.is_none() && round % 3 > 0 {
                false_ones += 1;
                refuted += usize::from(is_refuted);
            }
        }
    }
    assert!(false_ones > 50 && refuted * 10 > false_ones * 7, "{refuted} of {false_ones}");
}

#[test]
fn no_transition_that_fires_is_called_dead() {
    let mut random = toys::seeded();
    let (mut found, mut dead) = (0, 0);
    for round in 0..300 {
        let net = random_net(&mut random, [TESTING, SMALL, ORDINARY][round % 3]);
        let reached = explore(&net, STATES);
        let mut equation = StateEquation::new(&net);
        let fireable = structure::fireable(&net);
        for (at, &fired) in reached.fired.iter().enumerate() {
            let is_dead = equation.is_dead(TransitionIx::new(at), GO_ON);
            assert!(!(fired && is_dead), "t{at} of {net:?}");
            assert!(fireable[at] || !fired, "t{at} of {net:?}");
            dead += usize::from(reached.complete && !fired && round % 3 > 0);
            found += usize::from(reached.complete && is_dead && round % 3 > 0);
        }
    }
    assert!(dead > 20 && found * 10 > dead * 8, "{found} of {dead}");
}

/// Esparza and Melzer's point: mutual exclusion by a shared variable, which the equation alone does not
/// prove.
#[test]
fn traps_prove_what_the_equation_alone_does_not() {
    // Peterson's algorithm in small: two flags and a turn would be many places, so a net whose trap {a, b} is
    // needed: t takes from a and reads nothing, gives b; u takes a and b both and gives both back to a. {a,
    // b} stays marked.
    let arc = |place, weight| petri::Arc { place: SlotIx::new(place), weight };
    let transition = |name: &str, takes: Vec<petri::Arc>, gives: Vec<petri::Arc>| petri::Transition {
        name: name.to_owned(),
        takes,
        gives,
        ..petri::Transition::default()
    };
    let place = |name: &str, initial| petri::Place { name: name.to_owned(), initial, span: None };
    let net = petri::Net {
        places: vec![place("a", 1), place("b", 1)],
        transitions: vec![
            transition("t", vec![arc(0, 1), arc(1, 1)], vec![arc(0, 1)]),
            transition("u", vec![arc(0, 1), arc(1, 1)], vec![arc(1, 1)]),
        ],
        ..petri::Net::default()
    };
    let empty = Predicate::All(
        (0..2).map(|p| Predicate::AtMost(Linear { terms: vec![(SlotIx::new(p), 1)] }, 0)).collect(),
    );
    assert!(StateEquation::new(&net).refutes(&empty, GO_ON));
    assert!(explore(&net, 10).markings.iter().all(|marking| !empty.holds(marking)));
}

#[test]
fn dead_markings_are_those_where_nothing_is_enabled() {
    let mut random = toys::seeded();
    let (mut dead_ones, mut proved) = (0, 0);
    for round in 0..300 {
        let net = random_net(&mut random, [TESTING, SMALL, ORDINARY][round % 3]);
        let reached = explore(&net, 100);
        let dead = structure::dead(&net).unwrap();
        let enabled: Vec<Predicate> =
            net.transitions.iter().map(|t| structure::enabled(t).unwrap()).collect();
        for marking in &reached.markings {
            let fires =
                (0..net.transitions.len()).map(|transition| fire(&net, transition, marking).is_some());
            let holds = enabled.iter().map(|enabled| enabled.holds(marking));
            assert!(fires.clone().eq(holds), "{marking:?} of {net:?}");
            assert_eq!(dead.holds(marking), !fires.clone().any(|fires| fires), "{marking:?} of {net:?}");
            dead_ones += usize::from(dead.holds(marking));
        }
        if StateEquation::new(&net).refutes(&dead, GO_ON) {
            assert!(!reached.deadlock, "{net:?}");
            proved += 1;
        }
    }
    assert!(dead_ones > 50 && proved > 20, "{dead_ones} {proved}");
}
