//! What transitions lack in a marking where none is enabled, against the firing rule by the book.

mod support;

use model::waiting::{Reason, Waiter};
use model::{Model, Value};
use petri::{Net, NetModel};
use support::{SMALL, TESTING, explore, fire, random_net};

/// Puts what is told to lack into a marking, but for the last token of it, and then that one too. The
/// transition must be enabled after that and not before.
fn supply(net: &Net, waiter: &Waiter, transition: usize, marking: &[Value]) -> u64 {
    let place = |name: &str| net.places.iter().position(|place| place.name == name).unwrap();
    let (mut marking, mut lack) = (marking.to_vec(), 0);
    for reason in &waiter.statements[0].reasons {
        let (at, there, wanted) = match reason {
            Reason::Tokens { place: name, needed, there } => (place(name), *there, *needed),
            Reason::TooManyTokens { place: name, most, there } => (place(name), *there, *most),
            other => panic!("no reason of a net: {other:?}"),
        };
        assert_eq!(u64::from(marking[at]), there);
        while u64::from(marking[at]) != wanted {
            assert_eq!(fire(net, transition, &marking), None, "{marking:?} {waiter:?}");
            marking[at] = if there < wanted { marking[at] + 1 } else { marking[at] - 1 };
            lack += 1;
        }
    }
    assert!(fire(net, transition, &marking).is_some(), "{marking:?} {waiter:?}");
    lack
}

#[test]
fn what_lacks_is_what_the_firing_rule_wants() {
    let mut random = toys::seeded();
    let mut told = 0;
    for round in 0..400 {
        let mut net = random_net(&mut random, if round % 2 == 0 { TESTING } else { SMALL });
        for (number, transition) in net.transitions.iter_mut().enumerate() {
            transition.name = format!("t{number}");
        }
        let model = NetModel::new(net.clone()).unwrap();
        for marking in explore(&net, 100).markings {
            if (0..net.transitions.len()).any(|transition| fire(&net, transition, &marking).is_some()) {
                continue;
            }
            let waiting = model.waiting(&marking);
            let mut before = 0;
            for waiter in &waiting.waiters {
                let transition = net.transitions.iter().position(|one| one.name == waiter.name).unwrap();
                if waiter.statements[0].reasons.iter().any(is_impossible(&net, transition)) {
                    continue;
                }
                let lack = supply(&net, waiter, transition, &marking);
                assert!(before <= lack, "those that lack least are first: {waiting:?}");
                before = lack;
                told += 1;
            }
            assert_eq!(waiting.waiters.len() + waiting.others, net.transitions.len());
            assert!(waiting.cycles().is_empty());
        }
    }
    assert!(told > 200, "{told}");
}

/// Whether a transition needs a place that it also wants empty: nothing can be supplied then.
fn is_impossible(net: &Net, transition: usize) -> impl Fn(&Reason) -> bool {
    let transition = &net.transitions[transition];
    let needs = transition.takes.iter().chain(&transition.needs);
    let is_impossible = needs
        .flat_map(|need| transition.forbids.iter().map(move |forbid| (need, forbid)))
        .any(|(need, forbid)| need.place == forbid.place && forbid.weight <= need.weight);
    move |_| is_impossible
}

#[test]
fn of_many_transitions_those_that_lack_least_are_told() {
    let mut random = toys::seeded();
    let mut net = random_net(&mut random, SMALL);
    net.places.iter_mut().for_each(|place| place.initial = 0);
    let pattern = net.transitions[0].clone();
    let arc = |weight| petri::Arc { place: base::SlotIx::new(0), weight };
    net.transitions = (0..40)
        .map(|number| petri::Transition {
            name: format!("t{number}"),
            takes: vec![arc(40 - number)],
            gives: Vec::new(),
            needs: Vec::new(),
            forbids: Vec::new(),
            ..pattern.clone()
        })
        .collect();
    let model = NetModel::new(net).unwrap();
    let waiting = model.waiting(model.initial());
    assert_eq!((waiting.waiters.len(), waiting.others), (10, 30));
    assert_eq!((waiting.waiters[0].name.as_str(), waiting.waiters[9].name.as_str()), ("t39", "t30"));
}
