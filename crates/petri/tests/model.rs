//! The model of a net: what it does against the firing rule by the book, its promises under `Checked`, and
//! the ends of the numbers.

mod support;

use std::collections::BTreeSet;
use std::sync::Arc as Shared;

use base::{GroupIx, SlotIx, Span, SplitMix64};
use layers::Checked;
use model::{Domain, Model, Successors, Value};
use petri::{Arc, MOST_TOKENS, Net, NetModel, Place, Tokens, Transition};
use support::{SMALL, TESTING, explore, fire, random_net};

fn place(name: &str, initial: Tokens) -> Place {
    Place { name: name.to_owned(), initial, span: None }
}

fn arcs(arcs: &[(usize, Tokens)]) -> Vec<Arc> {
    arcs.iter().map(|&(place, weight)| Arc { place: SlotIx::new(place), weight }).collect()
}

fn transition(takes: &[(usize, Tokens)], gives: &[(usize, Tokens)]) -> Transition {
    Transition { name: "t".to_owned(), takes: arcs(takes), gives: arcs(gives), ..Transition::default() }
}

fn net(initial: &[Tokens], transitions: Vec<Transition>) -> Net {
    let places = initial.iter().enumerate().map(|(at, &tokens)| place(&format!("p{at}"), tokens)).collect();
    Net { name: "net".to_owned(), places, transitions, ..Net::default() }
}

#[test]
fn steps_are_those_of_the_firing_rule() {
    let mut random = SplitMix64::for_test();
    let mut steps = 0;
    for round in 0..300 {
        let net = random_net(&mut random, if round % 2 == 0 { TESTING } else { SMALL });
        let model = NetModel::new(net.clone()).unwrap();
        let mut stepper = model.stepper();
        for marking in explore(&net, 200).markings {
            let mut found = Successors::new(marking.len());
            stepper.all(&marking, &mut found).unwrap();
            let found: BTreeSet<_> =
                found.iter().map(|step| (step.group.ix(), step.action, step.state.to_vec())).collect();
            let wanted = (0..net.transitions.len()).filter_map(|transition| {
                Some((transition, transition as Value, fire(&net, transition, &marking)?))
            });
            let wanted: BTreeSet<_> = wanted.collect();
            assert_eq!(found, wanted, "{marking:?} of {net:?}");
            steps += wanted.len();
        }
    }
    assert!(steps > 1000, "{steps}");
}

#[test]
fn promises_are_kept() {
    let mut random = SplitMix64::for_test();
    for round in 0..200 {
        let net = random_net(&mut random, if round % 2 == 0 { TESTING } else { SMALL });
        let width = net.places.len();
        let checked = Checked::new(Shared::new(NetModel::new(net.clone()).unwrap()), width, round);
        let mut stepper = checked.stepper();
        let mut successors = Successors::new(width);
        for marking in explore(&net, 60).markings {
            successors.clear();
            stepper.all(&marking, &mut successors).unwrap();
        }
        let complaints = checked.complaints();
        assert!(complaints.is_empty(), "{complaints:?} of {net:?}");
        assert!(checked.signature().groups.iter().all(|group| group.effect.is_some()));
    }
}

#[test]
fn types_hold_every_marking() {
    let mut random = SplitMix64::for_test();
    let mut bounded = 0;
    for _ in 0..300 {
        let net = random_net(&mut random, SMALL);
        let model = NetModel::new(net.clone()).unwrap();
        let markings = explore(&net, 300).markings;
        for slot in model.signature().slot_ixs() {
            let Domain::Range { lo: 0, hi } = model.signature().type_of(slot).domain else {
                panic!("no range")
            };
            assert!(
                markings.iter().all(|marking| i64::from(marking[slot.ix()]) <= i64::from(hi)),
                "{slot} of {net:?}"
            );
            bounded += usize::from(hi < i32::MAX);
        }
    }
    assert!(bounded > 10, "{bounded}");
}

#[test]
fn guards_are_shared() {
    let mut first = transition(&[(0, 1)], &[(1, 1)]);
    first.forbids = arcs(&[(1, 3)]);
    let model = NetModel::new(net(
        &[1, 0],
        vec![first, transition(&[(0, 1)], &[]), transition(&[(1, 2)], &[(1, 2)])],
    ))
    .unwrap();
    let signature = model.signature();
    let names: Vec<&str> = signature.guards.iter().map(|guard| guard.name.as_str()).collect();
    assert_eq!(names, ["p0 ≥ 1", "p1 ≤ 2", "p1 ≥ 2"]);
    assert_eq!(signature.groups[0].guards[0], signature.groups[1].guards[0]);
    // What only stays is read, and not by the update.
    let (last, slot) = (GroupIx::new(2), SlotIx::new(1));
    let matrices = model.dependencies();
    assert!(matrices.reads(last, slot) && !matrices.may_write(last, slot) && !matrices.update_read.get(2, 1));
}

#[test]
fn too_many_tokens_in_the_beginning_are_an_error() {
    let mut wrong = net(&[1 << 31, 1 << 40, 3], Vec::new());
    wrong.places[0].span = Some(Span::new(3, 5));
    let problems = NetModel::new(wrong).err().unwrap();
    assert_eq!(problems.len(), 2);
    assert_eq!((problems[0].span, problems[1].span), (Some(Span::new(3, 5)), None));
    assert!(problems[1].message.contains("`p1` holds 1099511627776 tokens"), "{}", problems[1].message);
    assert!(NetModel::new(net(&[MOST_TOKENS.into()], Vec::new())).is_ok());
}

#[test]
fn what_a_place_cannot_hold_is_a_limit_of_the_tool() {
    for weight in [5u64, 1 << 31, u64::from(u32::MAX) + 1, (1 << 32) + 7, u64::MAX] {
        let model =
            NetModel::new(net(&[Tokens::from(MOST_TOKENS) - 6, 0], vec![transition(&[], &[(0, weight)])]))
                .unwrap();
        assert!(model.signature().groups[0].effect.is_none() && model.may_fail(GroupIx::new(0)));
        let mut stepper = model.stepper();
        let mut successors = Successors::new(2);
        let outcome = stepper.all(model.initial(), &mut successors);
        if weight == 5 {
            assert!(outcome.is_ok());
            assert_eq!(successors.state(0), [MOST_TOKENS - 1, 0]);
        }
        let error = stepper.all(&[MOST_TOKENS - 1, 0], &mut successors).unwrap_err();
        assert!(error.is_limit(), "{error:?}");
        let tokens = i128::from(MOST_TOKENS) - 1 + i128::from(weight);
        assert_eq!(
            error.to_string(),
            format!("place `p0` would hold {tokens} tokens, and at most 2147483647 can be counted")
        );
        assert_eq!(successors.len(), usize::from(weight == 5));
    }
}

#[test]
fn an_overflow_leaves_nothing_behind() {
    let model =
        NetModel::new(net(&[1, MOST_TOKENS.into()], vec![transition(&[], &[(0, 1), (1, 1)])])).unwrap();
    let mut successors = Successors::new(2);
    assert!(model.stepper().group(GroupIx::new(0), model.initial(), &mut successors).is_err());
    assert!(successors.is_empty());
}

#[test]
fn a_weight_past_what_a_place_can_hold_is_never_paid() {
    for weight in [1u64 << 31, 1 << 32, (1 << 32) + 1, u64::MAX] {
        let model = NetModel::new(net(&[1, 3], vec![transition(&[(0, weight)], &[(1, 1)])])).unwrap();
        let mut successors = Successors::new(2);
        for state in [[1, 3], [MOST_TOKENS, 0]] {
            model.stepper().all(&state, &mut successors).unwrap();
            model.stepper().group(GroupIx::new(0), &state, &mut successors).unwrap();
            assert!(successors.is_empty(), "{weight} from {state:?}");
            let effect = model.signature().groups[0].effect.as_ref().unwrap();
            assert!(!effect.apply(&state, &mut [0, 0]));
        }
    }
    let mut never = transition(&[], &[(0, 1)]);
    never.forbids = arcs(&[(0, u64::MAX)]);
    let model = NetModel::new(net(&[1], vec![never])).unwrap();
    assert!(model.signature().guards.is_empty(), "a test that never fails");
}

#[test]
fn small_weights_have_effects_and_large_ones_in_bounded_places_too() {
    // Unbounded, by ones: more values than any search can hold come first.
    let model = NetModel::new(net(&[0], vec![transition(&[], &[(0, 4)])])).unwrap();
    assert!(model.signature().groups[0].effect.is_some() && model.may_fail(GroupIx::new(0)));
    // Bounded, since no transition makes tokens.
    let model =
        NetModel::new(net(&[1 << 20, 0], vec![transition(&[(0, 1 << 20)], &[(1, 1 << 20)])])).unwrap();
    assert!(model.signature().groups[0].effect.is_some() && !model.may_fail(GroupIx::new(0)));
    // Unbounded, in strides.
    let model = NetModel::new(net(&[1, 0], vec![transition(&[(0, 1)], &[(0, 1), (1, 1 << 20)])])).unwrap();
    assert!(model.signature().groups[0].effect.is_none());
}
