//! Reduced nets against the nets that they were made of, by all markings of random small nets: what the
//! question asks is the same, for all rules together and for each alone, and runs of the reduced net become
//! runs of the net as it was. `PINSCHER_SEED=… PINSCHER_NETS=…` repeats a run, or makes a longer one.

mod by_hand;
mod naive;
mod nets;

use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

use base::SplitMix64;
use model::{Linear, Predicate};

use super::*;
use crate::{PlaceIx, Tokens};
use naive::{Graph, replay};

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
fn value(image: Image, marking: &[Tokens]) -> i128 {
    match image {
        Image::Same(place) => i128::from(marking[place.ix()]),
        Image::Constant(tokens) => i128::from(tokens),
        Image::Multiple { place, factor, offset } => {
            i128::from(factor) * i128::from(marking[place.ix()]) + i128::from(offset)
        }
        Image::Lost => panic!("a place in sight is lost"),
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
    random: &mut SplitMix64,
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

fn predicate(support: &[PlaceIx], random: &mut SplitMix64) -> Predicate {
    let mut atom = || {
        let terms = support.iter().map(|place| (*place, random.below(5) as i64 - 2));
        Predicate::AtMost(Linear::new(terms).unwrap(), random.below(7) as i64 - 3)
    };
    Predicate::Any(vec![Predicate::All(vec![atom(), atom()]), Predicate::All(vec![atom(), atom(), atom()])])
}

fn bound(
    net: &Net,
    graph: &Graph,
    reduced: &Reduced,
    support: &[PlaceIx],
    random: &mut SplitMix64,
) -> Verdict {
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
    random: &mut SplitMix64,
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

fn questions(net: &Net, random: &mut SplitMix64) -> [Preserves; 5] {
    let mut support = || -> Vec<PlaceIx> {
        let few = 1 + random.below(4);
        PlaceIx::all(net.places.len()).filter(|_| random.one_in(few)).collect()
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
fn try_nets(count: u64, rules: impl Fn(&mut SplitMix64) -> Vec<Reductions>) -> [usize; Reduction::ALL.len()] {
    let seed = seed();
    let mut applied = [0; Reduction::ALL.len()];
    for round in 0..count {
        let mut random = SplitMix64::new(seed.wrapping_add(round));
        let net = nets::net(&mut random);
        let Some(graph) = Graph::of(&net, MARKINGS) else { continue };
        for question in questions(&net, &mut random) {
            for rules in rules(&mut random) {
                let reduced = reduce(&net, &question, rules, &|| false);
                if let Err(wrong) = verdict(&net, &graph, &question, &reduced, &mut random) {
                    let used: Vec<Reduction> =
                        Reduction::ALL.into_iter().filter(|rule| reduced.applied.of(*rule) > 0).collect();
                    let seed = seed.wrapping_add(round);
                    panic!(
                        "{wrong}\nPINSCHER_SEED={seed} {question:?} {used:?}\n{}\n\nreduced:\n{}\n{:?}",
                        shown(&net),
                        shown(&reduced.net),
                        reduced.places
                    );
                }
                Reduction::ALL.iter().for_each(|&rule| applied[rule as usize] += reduced.applied.of(rule));
            }
        }
    }
    applied
}

fn count(most: u64) -> u64 {
    number("PINSCHER_NETS").unwrap_or(most)
}

fn assert_each_applied(applied: [usize; Reduction::ALL.len()], nets: u64) {
    for rule in Reduction::ALL {
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
    let applied = try_nets(nets, |_| vec![Reductions::default()]);
    assert_each_applied(applied, nets);
}

#[test]
fn each_rule_alone() {
    let nets = count(1500);
    let applied = try_nets(nets, |_| Reduction::ALL.map(|rule| Reductions::none().with(rule)).to_vec());
    assert_each_applied(applied, nets);
}

#[test]
fn some_rules_together() {
    // Which are left out is a matter of chance: a rule must not lean on what another leaves behind.
    let some = |random: &mut SplitMix64| {
        let kept = 1 + random.below(4);
        let mut rules = Reduction::ALL
            .into_iter()
            .filter(|_| !random.one_in(kept))
            .fold(Reductions::none(), Reductions::with);
        rules.growth = [0, 4, 32, 200][random.below(4)];
        vec![rules]
    };
    let nets = count(3000);
    assert_each_applied(try_nets(nets, some), nets);
}
