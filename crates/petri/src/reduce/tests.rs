//! Reduced nets against the nets that they were made of, by all markings of random small nets: what the
//! question asks is the same, for all rules together and for each alone, and runs of the reduced net become
//! runs of the net as it was. `PINSCHER_SEED=… PINSCHER_NETS=…` repeats a run, or makes a longer one.

mod naive;
mod nets;

use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

use model::{Linear, Predicate};

use super::*;
use crate::{PlaceIx, Tokens};
use naive::{Graph, replay};
use nets::Random;

/// Nets with more markings are not for us.
const MARKINGS: usize = 300;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|value| value.parse().ok())
}

fn seed() -> u64 {
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let seed = number("PINSCHER_SEED").unwrap_or_else(now);
    println!("PINSCHER_SEED={seed}");
    seed
}

/// What the reduced net says that a place holds.
fn value(told: Told, marking: &[Tokens]) -> i128 {
    match told {
        Told::Same(place) => i128::from(marking[place.ix()]),
        Told::Constant(tokens) => i128::from(tokens),
        Told::Multiple { place, factor, offset } => {
            i128::from(factor) * i128::from(marking[place.ix()]) + i128::from(offset)
        }
        Told::Lost => panic!("a place in sight is lost"),
    }
}

/// What a test says of a pair of nets: nothing, or what is wrong.
type Verdict = Result<(), String>;

fn same<T: PartialEq + std::fmt::Debug>(what: &str, expected: T, found: T) -> Verdict {
    if expected == found { Ok(()) } else { Err(format!("{what}: {expected:?} before, {found:?} after")) }
}

fn reachability(
    net: &Net,
    graph: &Graph,
    reduced: &Reduced,
    support: &[PlaceIx],
    random: &mut Random,
) -> Verdict {
    let small = Graph::of(&reduced.net, graph.markings.len()).ok_or("more markings than before")?;
    let before =
        |marking: &Vec<Tokens>| support.iter().map(|p| i128::from(marking[p.ix()])).collect::<Vec<_>>();
    let after = |marking: &Vec<Tokens>| {
        support.iter().map(|p| value(reduced.places[p.ix()], marking)).collect::<Vec<_>>()
    };
    let expected: BTreeSet<Vec<i128>> = graph.markings.iter().map(before).collect();
    let found: BTreeSet<Vec<i128>> = small.markings.iter().map(after).collect();
    same("in sight", expected, found)?;
    for (number, marking) in small.markings.iter().enumerate().take(60) {
        let run = reduced.original_run(&small.run_to(number)).ok_or("no run")?;
        let end = replay(net, &run).ok_or("a run that cannot be fired")?;
        same("the end of a run", before(&end), after(marking))?;
    }
    let predicate = predicate(support, random);
    let moved = reduced.predicate(&predicate).ok_or("no predicate")?;
    let holds = |predicate: &Predicate, markings: &[Vec<Tokens>]| {
        markings
            .iter()
            .any(|marking| predicate.holds(&marking.iter().map(|tokens| *tokens as u32).collect::<Vec<_>>()))
    };
    same("EF", holds(&predicate, &graph.markings), holds(&moved, &small.markings))
}

fn predicate(support: &[PlaceIx], random: &mut Random) -> Predicate {
    let mut atom = || {
        let terms = support.iter().map(|place| (*place, random.below(5) as i64 - 2));
        Predicate::AtMost(Linear::new(terms).unwrap(), random.below(7) as i64 - 3)
    };
    Predicate::Any(vec![Predicate::All(vec![atom(), atom()]), Predicate::All(vec![atom(), atom(), atom()])])
}

fn bound(net: &Net, graph: &Graph, reduced: &Reduced, support: &[PlaceIx], random: &mut Random) -> Verdict {
    let small = Graph::of(&reduced.net, graph.markings.len()).ok_or("more markings than before")?;
    let sum = Linear::new(support.iter().map(|place| (*place, 1 + random.below(2) as i64))).unwrap();
    let (moved, offset) = reduced.linear(&sum).ok_or("no sum")?;
    let value = |sum: &Linear, marking: &[Tokens]| {
        sum.value(&marking.iter().map(|tokens| *tokens as u32).collect::<Vec<_>>())
    };
    let expected = graph.markings.iter().map(|marking| value(&sum, marking)).max();
    let most =
        (0..small.markings.len()).max_by_key(|&number| value(&moved, &small.markings[number])).unwrap();
    let found = value(&moved, &small.markings[most]) + i128::from(offset);
    same("the bound", expected, Some(found))?;
    let run = reduced.original_run(&small.run_to(most)).ok_or("no run")?;
    let end = replay(net, &run).ok_or("a run that cannot be fired")?;
    // Firings that were left out because few tokens do not matter cannot have made it less.
    same("the bound at the end of a run", found, value(&sum, &end))
}

fn deadlock(net: &Net, graph: &Graph, reduced: &Reduced) -> Verdict {
    let small = Graph::of(&reduced.net, graph.markings.len()).ok_or("more markings than before")?;
    let dead = |graph: &Graph| (0..graph.markings.len()).any(|number| graph.is_dead(number));
    same("deadlock", dead(graph), dead(&small))?;
    for number in (0..small.markings.len()).filter(|&number| small.is_dead(number)) {
        let run = reduced.original_run(&small.run_to(number)).ok_or("no run")?;
        let end = replay(net, &run).ok_or("a run that cannot be fired")?;
        if let Some(fires) =
            net.transitions.iter().position(|transition| naive::fire(transition, &end).is_some())
        {
            return Err(format!("the run {run:?} ends where t{fires} is enabled"));
        }
    }
    Ok(())
}

fn liveness(net: &Net, graph: &Graph, reduced: &Reduced) -> Verdict {
    let small = Graph::of(&reduced.net, graph.markings.len()).ok_or("more markings than before")?;
    same("liveness", graph.liveness(net.transitions.len()), small.liveness(reduced.net.transitions.len()))
}

fn state_count(graph: &Graph, reduced: &Reduced) -> Verdict {
    let small = Graph::of(&reduced.net, graph.markings.len()).ok_or("more markings than before")?;
    let constants: Vec<Tokens> = reduced.constants().map(|(_, tokens)| tokens).collect();
    let figures = |graph: &Graph, more: &[Tokens]| {
        let all = |marking: &Vec<Tokens>| marking.iter().chain(more).copied().collect::<Vec<Tokens>>();
        let steps: usize = graph.steps.iter().map(Vec::len).sum();
        let in_place = graph.markings.iter().flat_map(all).max();
        let in_marking = graph.markings.iter().map(|marking| all(marking).iter().sum::<Tokens>()).max();
        (graph.markings.len(), steps, in_place, in_marking)
    };
    same("figures", figures(graph, &[]), figures(&small, &constants))
}

fn verdict(
    net: &Net,
    graph: &Graph,
    question: &Preserves,
    reduced: &Reduced,
    random: &mut Random,
) -> Verdict {
    match question {
        Preserves::Reachability { support } => reachability(net, graph, reduced, support, random),
        Preserves::Bound { support } => bound(net, graph, reduced, support, random),
        Preserves::Deadlock => deadlock(net, graph, reduced),
        Preserves::Liveness => liveness(net, graph, reduced),
        Preserves::StateCount => state_count(graph, reduced),
    }
}

fn shown(net: &Net) -> String {
    let arcs = |arcs: &[crate::Arc]| {
        arcs.iter().map(|arc| format!("{}·p{}", arc.weight, arc.place)).collect::<Vec<_>>().join(" + ")
    };
    let places: Vec<String> =
        net.places.iter().map(|place| format!("{}={}", place.name, place.initial)).collect();
    let lines = net.transitions.iter().map(|t| {
        format!(
            "{}: {} → {}  needs {}  forbids {}",
            t.name,
            arcs(&t.takes),
            arcs(&t.gives),
            arcs(&t.needs),
            arcs(&t.forbids)
        )
    });
    format!("{}\n{}", places.join(" "), lines.collect::<Vec<_>>().join("\n"))
}

fn questions(net: &Net, random: &mut Random) -> [Preserves; 5] {
    let mut support = || -> Vec<PlaceIx> {
        let few = 1 + random.below(4);
        PlaceIx::all(net.places.len()).filter(|_| random.once_in(few)).collect()
    };
    let (one, other) = (support(), support());
    [
        Preserves::Reachability { support: one },
        Preserves::Bound { support: other },
        Preserves::Deadlock,
        Preserves::Liveness,
        Preserves::StateCount,
    ]
}

/// Random nets, each question, with these rules; how often each rule was applied.
fn try_nets(count: u64, rules: impl Fn(&mut Random) -> Vec<Rules>) -> [usize; Rule::ALL.len()] {
    let seed = seed();
    let mut applied = [0; Rule::ALL.len()];
    for round in 0..count {
        let mut random = Random::new(seed.wrapping_add(round));
        let net = nets::net(&mut random);
        let Some(graph) = Graph::of(&net, MARKINGS) else { continue };
        for question in questions(&net, &mut random) {
            for rules in rules(&mut random) {
                let reduced = reduce(&net, &question, rules, &|| false);
                if let Err(wrong) = verdict(&net, &graph, &question, &reduced, &mut random) {
                    let used: Vec<Rule> =
                        Rule::ALL.into_iter().filter(|rule| reduced.applied.of(*rule) > 0).collect();
                    let seed = seed.wrapping_add(round);
                    panic!(
                        "{wrong}\nPINSCHER_SEED={seed} {question:?} {used:?}\n{}\n\nreduced:\n{}\n{:?}",
                        shown(&net),
                        shown(&reduced.net),
                        reduced.places
                    );
                }
                Rule::ALL.iter().for_each(|&rule| applied[rule as usize] += reduced.applied.of(rule));
            }
        }
    }
    applied
}

fn count(most: u64) -> u64 {
    number("PINSCHER_NETS").unwrap_or(most)
}

fn assert_each_applied(applied: [usize; Rule::ALL.len()], nets: u64) {
    for rule in Rule::ALL {
        println!("{rule:?}: {}", applied[rule as usize]);
        let least = nets as usize / 500;
        assert!(
            applied[rule as usize] >= least,
            "{rule:?} is hardly ever applied: {}",
            applied[rule as usize]
        );
    }
}

#[test]
fn all_rules_together() {
    let nets = count(4000);
    let applied = try_nets(nets, |_| vec![Rules::default()]);
    assert_each_applied(applied, nets);
}

#[test]
fn each_rule_alone() {
    let nets = count(1500);
    let applied = try_nets(nets, |_| Rule::ALL.map(|rule| Rules::none().with(rule)).to_vec());
    assert_each_applied(applied, nets);
}

#[test]
fn some_rules_together() {
    // Which are left out is a matter of chance: a rule must not lean on what another leaves behind.
    let some = |random: &mut Random| {
        let kept = 1 + random.below(4);
        let mut rules =
            Rule::ALL.into_iter().filter(|_| !random.once_in(kept)).fold(Rules::none(), Rules::with);
        rules.growth = [0, 4, 32, 200][random.below(4)];
        vec![rules]
    };
    let nets = count(3000);
    assert_each_applied(try_nets(nets, some), nets);
}

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
    let rules = Rules::none().with(Rule::PreAgglomeration);
    let reduced = reduce(&net, &Preserves::Deadlock, rules, &|| false);
    assert_eq!(reduced.applied.total(), 0);
    let reduced = reduce(&net, &Preserves::Deadlock, Rules::default(), &|| false);
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
    let rules = Rules::none().with(Rule::PreAgglomeration);
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
    let rules = Rules::none().with(Rule::SamePlaces).with(Rule::SilentCycles);
    let reduced = reduce(&net, &Preserves::Reachability { support: support.to_vec() }, rules, &|| false);
    assert!(matches!(reduced.places[0], Told::Multiple { factor: 2, offset: 5, .. }), "{:?}", reduced.places);
    let graph = Graph::of(&net, 100).unwrap();
    assert_eq!(reachability(&net, &graph, &reduced, &support, &mut Random::new(1)), Ok(()));
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
    let rules = Rules::none().with(Rule::SilentCycles);
    let reduced = reduce(&net, &Preserves::Reachability { support: support.to_vec() }, rules, &|| false);
    assert_eq!(reduced.net.places.len(), 2);
    let graph = Graph::of(&net, 100).unwrap();
    assert_eq!(reachability(&net, &graph, &reduced, &support, &mut Random::new(1)), Ok(()));
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
    let rules = Rules::none().with(Rule::SilentCycles);
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
        let reduced =
            reduce(&net, &Preserves::Reachability { support: support.clone() }, Rules::default(), &|| false);
        assert_eq!(reduced.applied.total(), 0);
        assert_eq!(
            reduced.original_run(&[crate::TransitionIx::new(1)]),
            Some(vec![crate::TransitionIx::new(1)])
        );
    }
    // Each is small enough, what they make is not: 2^40 times 2^40.
    let question = Preserves::Reachability { support: vec![PlaceIx::new(0)] };
    let post = |net: &Net| reduce(net, &question, Rules::none().with(Rule::PostAgglomeration), &|| false);
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
        let mut random = Random::new(seed.wrapping_add(round));
        let net = nets::net(&mut random);
        let Some(graph) = Graph::of(&net, MARKINGS) else { continue };
        for question in questions(&net, &mut random) {
            let left = std::cell::Cell::new(random.below(30));
            let stop = || left.replace(left.get().saturating_sub(1)) == 0;
            let reduced = reduce(&net, &question, Rules::default(), &stop);
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
    let reduced = reduce(&net, &question, Rules::default(), &|| false);
    assert!(reduced.net.places.len() <= 2 && reduced.net.transitions.len() <= 2, "{}", shown(&reduced.net));
    let graph = Graph::of(&reduced.net, 10).unwrap();
    let goal =
        graph.markings.iter().position(|marking| value(reduced.places[length - 1], marking) == 1).unwrap();
    let run = reduced.original_run(&graph.run_to(goal)).unwrap();
    assert_eq!(replay(&net, &run[..100]).map(|marking| marking.iter().sum::<Tokens>()), Some(1));
}
