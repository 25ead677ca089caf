//! Small nets made by hand, each for what went wrong once or is easy to get wrong.

use super::super::*;
use super::naive::{Graph, replay};
use super::*;

fn place(name: &str, initial: Tokens) -> crate::Place {
    crate::Place { name: name.into(), initial, span: None }
}

fn transition(takes: &[(usize, Tokens)], gives: &[(usize, Tokens)]) -> crate::Transition {
    let arcs = |arcs: &[(usize, Tokens)]| -> Vec<crate::Arc> {
        arcs.iter().map(|&(place, weight)| crate::Arc { place: PlaceIx::new(place), weight }).collect()
    };
    crate::Transition { takes: arcs(takes), gives: arcs(gives), ..crate::Transition::default() }
}

#[test]
fn a_producer_that_takes_nothing_is_no_deadlock() {
    // The net is not bounded, so the random ones leave it out: t0 is always enabled, t1 never, and both
    // together never.
    let net = Net {
        places: vec![place("full", 0), place("never", 0)],
        transitions: vec![transition(&[], &[(0, 1)]), transition(&[(0, 1), (1, 1)], &[])],
        ..Net::default()
    };
    let rules = Reductions::none().with(Reduction::PreAgglomeration);
    let reduced = reduce(&net, &Preserves::Deadlock, rules, &|| false);
    assert_eq!(reduced.applied.total(), 0);
    let reduced = reduce(&net, &Preserves::Deadlock, Reductions::default(), &|| false);
    assert!(!Graph::of(&reduced.net, 10).unwrap().is_dead(0));
}

#[test]
fn producers_that_compete_do_not_wait_for_a_deadlock() {
    // One token by t0 takes all there is, and t2 wants two: a deadlock. By t1 twice there are two, and t2
    // gives all back.
    let net = Net {
        places: vec![place("stock", 2), place("full", 0)],
        transitions: vec![
            transition(&[(0, 2)], &[(1, 1)]),
            transition(&[(0, 1)], &[(1, 1)]),
            transition(&[(1, 2)], &[(0, 2)]),
        ],
        ..Net::default()
    };
    let rules = Reductions::none().with(Reduction::PreAgglomeration);
    let reduced = reduce(&net, &Preserves::Deadlock, rules, &|| false);
    assert_eq!(deadlock(&net, &Graph::of(&net, 10).unwrap(), &reduced), Ok(()));
    assert!(Graph::of(&net, 10).unwrap().steps.iter().any(Vec::is_empty));
}

#[test]
fn a_multiple_of_a_multiple_is_one() {
    // p = 2·q + 3 at once; q = r + 1 when r and s have become one.
    let net = Net {
        places: vec![place("p", 5), place("q", 1), place("r", 0), place("s", 0), place("pool", 2)],
        transitions: vec![
            transition(&[(4, 1)], &[(0, 2), (1, 1), (2, 1)]),
            transition(&[(0, 2), (1, 1), (2, 1)], &[(4, 1)]),
            transition(&[(2, 1)], &[(3, 1)]),
            transition(&[(3, 1)], &[(2, 1)]),
        ],
        ..Net::default()
    };
    let support = [PlaceIx::new(0)];
    let rules = Reductions::none().with(Reduction::SamePlaces).with(Reduction::SilentCycles);
    let reduced = reduce(&net, &Preserves::Reachability { support: support.to_vec() }, rules, &|| false);
    assert!(
        matches!(reduced.places[0], Image::Multiple { factor: 2, offset: 5, .. }),
        "{:?}",
        reduced.places
    );
    let graph = Graph::of(&net, 100).unwrap();
    assert_eq!(reachability(&net, &graph, &reduced, &support, &mut SplitMix64::new(1)), Ok(()));
}

#[test]
fn tokens_are_not_carried_away_from_where_they_are_wanted() {
    // A ring of three with tokens in a and c; the last transition wants a and b, and the next token for b
    // lies in a.
    let net = Net {
        places: vec![place("a", 1), place("b", 0), place("c", 1), place("goal", 0)],
        transitions: vec![
            transition(&[(0, 1)], &[(1, 1)]),
            transition(&[(1, 1)], &[(2, 1)]),
            transition(&[(2, 1)], &[(0, 1)]),
            transition(&[(0, 1), (1, 1)], &[(3, 1)]),
        ],
        ..Net::default()
    };
    let support = [PlaceIx::new(3)];
    let rules = Reductions::none().with(Reduction::SilentCycles);
    let reduced = reduce(&net, &Preserves::Reachability { support: support.to_vec() }, rules, &|| false);
    assert_eq!(reduced.net.places.len(), 2);
    let graph = Graph::of(&net, 100).unwrap();
    assert_eq!(reachability(&net, &graph, &reduced, &support, &mut SplitMix64::new(1)), Ok(()));
}

#[test]
fn units_stay_where_they_are_still_true() {
    let unit = |places: &[usize], units: &[usize]| crate::Unit {
        name: String::new(),
        places: places.iter().map(|&place| PlaceIx::new(place)).collect(),
        units: units.to_vec(),
    };
    let cycle = |second: usize| Net {
        places: vec![place("a", 1), place("b", 0), place("c", 1), place("d", 0)],
        transitions: vec![
            transition(&[(0, 1)], &[(second, 1)]),
            transition(&[(second, 1)], &[(0, 1)]),
            transition(&[(2, 1)], &[(3, 1)]),
        ],
        units: vec![unit(&[], &[1, 2]), unit(&[0, 1], &[]), unit(&[2, 3], &[])],
        unit_safe: true,
        ..Net::default()
    };
    let rules = Reductions::none().with(Reduction::SilentCycles);
    let within = reduce(&cycle(1), &Preserves::Deadlock, rules, &|| false).net;
    assert!(
        within.unit_safe
            && within.units[1].places.len() == 1
            && within.units[2].places == [1, 2].map(PlaceIx::new)
    );
    let across = reduce(&cycle(2), &Preserves::Deadlock, rules, &|| false).net;
    assert_eq!(across.places[0].initial, 2);
    assert!(!across.unit_safe && across.units.is_empty());
}

#[test]
fn numbers_that_are_too_large_stay() {
    let large = 1 << 62;
    let chain = |initial, weight| Net {
        places: vec![place("a", initial), place("b", 0), place("c", 0)],
        transitions: vec![transition(&[(0, 1)], &[(1, weight)]), transition(&[(1, 1)], &[(2, weight)])],
        ..Net::default()
    };
    let support = vec![PlaceIx::new(2)];
    for net in [chain(large, 1), chain(1, large), chain(u64::MAX, u64::MAX)] {
        let reduced = reduce(
            &net,
            &Preserves::Reachability { support: support.clone() },
            Reductions::default(),
            &|| false,
        );
        assert_eq!(reduced.applied.total(), 0);
        assert_eq!(
            reduced.original_run(&[crate::TransitionIx::new(1)]),
            Some(vec![crate::TransitionIx::new(1)])
        );
    }
    // Each is small enough, what they make is not: 2^40 times 2^40.
    let question = Preserves::Reachability { support: vec![PlaceIx::new(0)] };
    let post =
        |net: &Net| reduce(net, &question, Reductions::none().with(Reduction::PostAgglomeration), &|| false);
    assert_eq!(post(&chain(1, 1 << 40)).applied.total(), 0);
    // A run of 2^40 steps is not written down.
    let transitions = vec![transition(&[(0, 1)], &[(1, 1 << 40)]), transition(&[(1, 1)], &[])];
    let reduced = post(&Net { transitions, ..chain(1, 1) });
    assert_eq!((reduced.applied.total(), reduced.net.transitions.len()), (1, 1));
    assert_eq!(reduced.original_run(&[crate::TransitionIx::new(0)]), None);
}

#[test]
fn whoever_stops_early_has_a_net_that_is_right() {
    let seed = seed();
    for round in 0..count(300) {
        let mut random = SplitMix64::new(seed.wrapping_add(round));
        let net = nets::net(&mut random);
        let Some(graph) = Graph::of(&net, MARKINGS) else { continue };
        for question in questions(&net, &mut random) {
            let left = std::cell::Cell::new(random.below(30));
            let stop = || left.replace(left.get().saturating_sub(1)) == 0;
            let reduced = reduce(&net, &question, Reductions::default(), &stop);
            assert_eq!(
                verdict(&net, &graph, &question, &reduced, &mut random),
                Ok(()),
                "PINSCHER_SEED={seed}, round {round}"
            );
        }
    }
}

#[test]
fn a_long_net_is_reduced_in_good_time() {
    // A line of places, each with a side way of two steps and a way back: nearly all of it goes.
    let length = 20_000;
    let places =
        (0..2 * length).map(|number| place(&format!("p{number}"), Tokens::from(number == 0))).collect();
    let line = (0..length - 1).flat_map(|at| {
        let (here, side, next) = (at, length + at, at + 1);
        [(here, next), (here, side), (side, next), (next, here)]
            .map(|(from, to)| transition(&[(from, 1)], &[(to, 1)]))
    });
    let net = Net { places, transitions: line.collect(), ..Net::default() };
    let question = Preserves::Reachability { support: vec![PlaceIx::new(length - 1)] };
    let reduced = reduce(&net, &question, Reductions::default(), &|| false);
    assert!(reduced.net.places.len() <= 2 && reduced.net.transitions.len() <= 2, "{}", shown(&reduced.net));
    let graph = Graph::of(&reduced.net, 10).unwrap();
    let goal =
        graph.markings.iter().position(|marking| value(reduced.places[length - 1], marking) == 1).unwrap();
    let run = reduced.original_run(&graph.run_to(goal)).unwrap();
    assert_eq!(replay(&net, &run[..100]).map(|marking| marking.iter().sum::<Tokens>()), Some(1));
}
