//! Walks against breadth-first search: all that they tell is so, and in small nets they see nearly
//! everything.

mod support;

use model::Predicate;
use petri::TransitionIx;
use petri::state_equation::StateEquation;
use petri::walk::{Walker, shortened, walk};
use support::{SMALL, TESTING, explore, fire, random_linear, random_net, random_predicate, replay};

const STATES: usize = 400;
const STEPS: u64 = 20_000;

fn numbers(sequence: &[TransitionIx]) -> impl Iterator<Item = usize> {
    sequence.iter().map(|transition| transition.ix())
}

#[test]
fn what_walks_tell_is_so_and_little_is_missed() {
    let mut random = toys::seeded();
    let (mut there, mut found) = (0, 0);
    for round in 0..250 {
        let net = random_net(&mut random, if round % 2 == 0 { TESTING } else { SMALL });
        let goals: Vec<Predicate> = (0..6).map(|_| random_predicate(&mut random, &net, 2)).collect();
        let bounds: Vec<_> = (0..3).map(|_| random_linear(&mut random, &net)).collect();
        let reached = explore(&net, STATES);
        let seen = walk(&net, &goals, &bounds, round, &mut |seen| seen.steps >= STEPS).unwrap();
        for (goal, sequence) in goals.iter().zip(&seen.goals) {
            if let Some(sequence) = sequence {
                let end = replay(&net, numbers(sequence)).expect("it can be fired");
                assert!(goal.holds(&end), "{goal:?} in {end:?} of {net:?}");
            }
            if reached.complete {
                let is_there = reached.markings.iter().any(|marking| goal.holds(marking));
                assert!(is_there || sequence.is_none());
                there += usize::from(is_there);
                found += usize::from(sequence.is_some());
            }
        }
        if let Some(sequence) = &seen.deadlock {
            let end = replay(&net, numbers(sequence)).expect("it can be fired");
            assert!((0..net.transitions.len()).all(|transition| fire(&net, transition, &end).is_none()));
        }
        if !reached.complete {
            continue;
        }
        there += usize::from(reached.deadlock);
        found += usize::from(seen.deadlock.is_some());
        for (bound, &most) in bounds.iter().zip(&seen.most) {
            let true_most = reached.markings.iter().map(|marking| bound.value(marking)).max().unwrap();
            assert!(most <= true_most, "{bound:?} of {net:?}");
            there += 1;
            found += usize::from(most == true_most);
        }
        for (seen, fired) in seen.enabled.iter().zip(&reached.fired) {
            assert!(!seen || *fired);
            there += usize::from(*fired);
            found += usize::from(*seen);
        }
        for (place, (&most, changed)) in seen.most_tokens.iter().zip(seen.changed(&net)).enumerate() {
            let true_most = reached.markings.iter().map(|marking| marking[place]).max().unwrap();
            assert!(most <= true_most);
            let first = reached.markings[0][place];
            let true_changed = reached.markings.iter().any(|marking| marking[place] != first);
            assert!(!changed || true_changed, "place {place} of {net:?}");
            there += 1 + usize::from(true_changed);
            found += usize::from(most == true_most) + usize::from(changed);
        }
    }
    assert!(there > 1000 && found * 1000 >= there * 995, "{found} of {there}");
}

#[test]
fn the_same_seed_walks_the_same_way() {
    let mut random = toys::seeded();
    for round in 0..20 {
        let net = random_net(&mut random, TESTING);
        let goals = [random_predicate(&mut random, &net, 2)];
        let run = || walk(&net, &goals, &[], round, &mut |seen| seen.steps >= 3000).unwrap();
        let (first, second) = (run(), run());
        assert_eq!(
            (first.steps, first.goals, first.most_tokens),
            (second.steps, second.goals, second.most_tokens)
        );
    }
}

#[test]
fn a_sequence_without_loops_leads_to_the_same_marking() {
    let mut random = toys::seeded();
    let mut shorter = 0;
    for _ in 0..200 {
        let net = random_net(&mut random, TESTING);
        let mut sequence = Vec::new();
        let mut markings = vec![replay(&net, []).unwrap()];
        for _ in 0..60 {
            let transition = random.below(net.transitions.len());
            let here = markings.last().unwrap();
            if let Some(after) = (!net.transitions.is_empty()).then(|| fire(&net, transition, here)).flatten()
            {
                sequence.push(TransitionIx::new(transition));
                markings.push(after);
            }
        }
        let short = shortened(&net, &sequence);
        let mut on_the_way = vec![replay(&net, []).unwrap()];
        for transition in numbers(&short) {
            let after = fire(&net, transition, on_the_way.last().unwrap()).expect("it can be fired");
            assert!(!on_the_way.contains(&after), "a loop is left");
            on_the_way.push(after);
        }
        assert_eq!(on_the_way.last(), markings.last());
        shorter += usize::from(short.len() < sequence.len());
    }
    assert!(shorter > 20, "{shorter}");
}

/// What is far away for steps at random and near for who knows how often to fire what.
#[test]
fn a_way_of_the_equation_is_followed() {
    let arc = |place, weight| petri::Arc { place: base::SlotIx::new(place), weight };
    let transition = |takes: &[(usize, u64)], gives: &[(usize, u64)]| petri::Transition {
        takes: takes.iter().map(|&(place, weight)| arc(place, weight)).collect(),
        gives: gives.iter().map(|&(place, weight)| arc(place, weight)).collect(),
        ..petri::Transition::default()
    };
    let place = |initial| petri::Place { name: String::new(), initial, span: None };
    // Tokens go on one by one, and most ways lead back to the beginning.
    let mut net =
        petri::Net { places: vec![place(40), place(0), place(0), place(0)], ..petri::Net::default() };
    net.transitions = vec![
        transition(&[(0, 1)], &[(1, 1)]),
        transition(&[(1, 1)], &[(2, 1)]),
        transition(&[(2, 1)], &[(3, 1)]),
        transition(&[(3, 1)], &[(0, 1)]),
        transition(&[(2, 1)], &[(0, 1)]),
        transition(&[(1, 1)], &[(0, 1)]),
    ];
    let last = model::Linear { terms: vec![(base::SlotIx::new(3), 1)] };
    let goal = Predicate::AtMost(last.negated().unwrap(), -40);
    let mut equation = StateEquation::new(&net);
    let up = equation.way_up(&last, &|| false).unwrap();
    let to_goal = equation.way_to_predicate(&goal, &|| false).unwrap();
    for way in [up, to_goal] {
        let mut walker =
            Walker::new(&net, std::slice::from_ref(&goal), std::slice::from_ref(&last), 1).unwrap();
        walker.follow(&way, 3, &mut |_| false);
        assert_eq!(walker.seen().most, [40]);
        let sequence = walker.seen().goals[0].as_ref().expect("it was met");
        assert!(sequence.len() == 120 && goal.holds(&replay(&net, numbers(sequence)).unwrap()));
    }
}

#[test]
fn ways_lead_to_what_can_be_reached() {
    let mut random = toys::seeded();
    let (mut found, mut all) = (0, 0);
    for round in 0..1500 {
        let net = random_net(&mut random, if round % 2 == 0 { TESTING } else { SMALL });
        let goal = random_predicate(&mut random, &net, 1);
        let reached = explore(&net, STATES);
        let is_there = reached.markings.iter().skip(1).any(|marking| goal.holds(marking));
        if goal.holds(&reached.markings[0]) {
            continue;
        }
        let Some(way) = StateEquation::new(&net).way_to_predicate(&goal, &|| false) else { continue };
        let mut walker = Walker::new(&net, std::slice::from_ref(&goal), &[], round).unwrap();
        walker.follow(&way, 20, &mut |_| false);
        let sequence = &walker.seen().goals[0];
        assert!(sequence.is_none() || is_there || !reached.complete);
        if let Some(sequence) = sequence {
            assert!(goal.holds(&replay(&net, numbers(sequence)).expect("it can be fired")));
        }
        all += usize::from(is_there);
        found += usize::from(sequence.is_some() && is_there);
    }
    assert!(all > 10 && found * 10 > all * 6, "{found} of {all}");
}
