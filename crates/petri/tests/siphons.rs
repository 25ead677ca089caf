//! Siphons against all sets of places, and what follows from them against breadth-first search.

mod support;

use base::SplitMix64;
use model::Value;
use petri::siphons::{Commoner, commoner, is_live, never_dead};
use petri::structure;
use petri::{Arc, Net, PlaceIx, Transition};
use support::{ORDINARY, SMALL, Shape, TESTING, explore, fire, random_net};

const GO_ON: &dyn Fn() -> bool = &|| false;

/// By what they are for, over sets of places as bits: no transition fills an empty siphon, none empties a
/// trap.
fn touches(arcs: &[Arc], set: u32) -> bool {
    arcs.iter().any(|arc| set >> arc.place.ix() & 1 == 1)
}

fn is_siphon(net: &Net, set: u32) -> bool {
    net.transitions
        .iter()
        .all(|t| !touches(&t.gives, set) || touches(&t.takes, set) || touches(&t.needs, set))
}

fn is_trap(net: &Net, set: u32) -> bool {
    net.transitions.iter().all(|t| {
        let taken =
            |need: &Arc| t.takes.iter().find(|arc| arc.place == need.place).map_or(0, |arc| arc.weight);
        let left: Vec<Arc> = t.needs.iter().filter(|need| need.weight > taken(need)).copied().collect();
        !touches(&t.takes, set) || touches(&t.gives, set) || touches(&left, set)
    })
}

fn by_trying(net: &Net, set: u32) -> bool {
    let marked =
        |trap: u32| net.places.iter().enumerate().any(|(at, place)| trap >> at & 1 == 1 && place.initial > 0);
    (1..=set).any(|trap| trap & !set == 0 && is_trap(net, trap) && marked(trap))
}

#[test]
fn every_siphon_is_looked_at() {
    let mut random = toys::seeded();
    let (mut good, mut bad) = (0, 0);
    for round in 0..500 {
        let shape = [SMALL, TESTING, ORDINARY][round % 3];
        let net = random_net(&mut random, Shape { tokens: 3, ..shape });
        let holds = (1..1u32 << net.places.len()).all(|set| !is_siphon(&net, set) || by_trying(&net, set));
        match commoner(&net, 10_000, GO_ON) {
            Commoner::Holds => assert!(holds, "{net:?}"),
            Commoner::Fails(siphon) => {
                let set = siphon.iter().fold(0, |set, place| set | 1 << place.ix());
                assert!(set != 0 && is_siphon(&net, set) && !by_trying(&net, set), "{siphon:?} of {net:?}");
            }
            Commoner::Unknown => panic!("so few places"),
        }
        if holds { good += 1 } else { bad += 1 }
    }
    assert!(good > 20 && bad > 20, "{good} {bad}");
}

#[test]
fn no_net_with_a_dead_marking_is_called_never_dead() {
    let mut random = toys::seeded();
    let mut proved = 0;
    for round in 0..1500 {
        let shape = [SMALL, TESTING, ORDINARY][round % 3];
        let net = random_net(&mut random, Shape { places: 4, transitions: 5, tokens: 3, ..shape });
        if never_dead(&net, 10_000, GO_ON) {
            assert!(!explore(&net, 500).deadlock, "{net:?}");
            let generous = |t: &Transition| t.takes.is_empty() && t.needs.is_empty() && t.forbids.is_empty();
            proved += usize::from(!net.transitions.iter().any(generous));
        }
    }
    assert!(proved > 10, "{proved}");
}

/// Places in clusters; who takes takes from all of a cluster.
fn free_choice_net(random: &mut SplitMix64) -> Net {
    let mut net = random_net(random, Shape { places: 5, transitions: 6, tests: false, weight: 1, tokens: 2 });
    let clusters: Vec<usize> = net.places.iter().map(|_| random.below(4)).collect();
    for transition in &mut net.transitions {
        let cluster = clusters[random.below(clusters.len())];
        let members = PlaceIx::all(clusters.len()).filter(|place| clusters[place.ix()] == cluster);
        transition.takes = members.map(|place| Arc { place, weight: 1 }).collect();
    }
    net
}

/// Whether each transition can be enabled again from each of these markings.
fn live_by_search(net: &Net, markings: &[Vec<Value>]) -> bool {
    let number = |marking: &Vec<Value>| markings.iter().position(|other| other == marking).unwrap();
    let steps: Vec<Vec<(usize, usize)>> = markings
        .iter()
        .map(|marking| {
            let step = |transition| Some((transition, number(&fire(net, transition, marking)?)));
            (0..net.transitions.len()).filter_map(step).collect()
        })
        .collect();
    (0..net.transitions.len()).all(|transition| {
        let mut can: Vec<bool> =
            steps.iter().map(|steps| steps.iter().any(|step| step.0 == transition)).collect();
        while let Some(more) = (0..can.len()).find(|&at| !can[at] && steps[at].iter().any(|step| can[step.1]))
        {
            can[more] = true;
        }
        can.iter().all(|&can| can)
    })
}

#[test]
fn a_free_choice_net_is_live_if_its_siphons_say_so() {
    let mut random = toys::seeded();
    let mut counts = [0, 0];
    for _ in 0..3000 {
        let net = free_choice_net(&mut random);
        assert!(structure::is_free_choice(&net), "{net:?}");
        let reached = explore(&net, 60);
        if !reached.complete {
            continue;
        }
        if let Some(live) = is_live(&net, 10_000, GO_ON) {
            assert_eq!(live, live_by_search(&net, &reached.markings), "{net:?}");
            counts[usize::from(live)] += usize::from(!net.transitions.is_empty());
        }
    }
    assert!(counts[0] > 100 && counts[1] > 10, "{counts:?}");
}
