//! Which transitions lack how many tokens in a marking where none is enabled.
//!
//! A net can have millions of transitions. Told are the few that are closest to being enabled: those that lack
//! the fewest tokens, counting a token too many at an inhibitor arc as one that lacks.

use model::Value;
use model::waiting::{Blocked, Reason, Waiter, Waiting};

use crate::firing::Test;
use crate::{Net, Transition};

/// Most transitions that are told.
const MOST_TRANSITIONS: usize = 10;

/// Which transitions lack tokens, of those with their tests.
pub(crate) fn waiting<'t>(net: &Net, tests: impl Fn(usize) -> &'t [Test], marking: &[Value]) -> Waiting {
    let lacks = |transition: usize| -> u64 {
        tests(transition).iter().map(|test| lack(*test, marking[test.place as usize])).sum()
    };
    let mut closest: Vec<(u64, usize)> =
        (0..net.transitions.len()).map(|transition| (lacks(transition), transition)).collect();
    closest.retain(|(lack, _)| *lack > 0);
    closest.sort_unstable();
    let others = closest.len().saturating_sub(MOST_TRANSITIONS);
    closest.truncate(MOST_TRANSITIONS);
    let waiter = |(_, number): (u64, usize)| waiter(net, &net.transitions[number], tests(number), marking);
    Waiting { waiters: closest.into_iter().map(waiter).collect(), others }
}

/// How many tokens a place lacks, or has too many.
fn lack(test: Test, tokens: Value) -> u64 {
    u64::from(test.least.saturating_sub(tokens)) + u64::from(tokens.saturating_sub(test.most))
}

fn waiter(net: &Net, transition: &Transition, tests: &[Test], marking: &[Value]) -> Waiter {
    let reason = |test: &Test| {
        let (name, there) = (&net.places[test.place as usize].name, marking[test.place as usize]);
        if there < test.least {
            // The test of a weight that no slot holds does not know it.
            let arcs = transition.takes.iter().chain(&transition.needs);
            let weights = arcs.filter(|arc| arc.place.ix() == test.place as usize).map(|arc| arc.weight);
            let needed = weights.max().unwrap_or(0);
            Reason::Tokens { place: name.clone(), needed, there: there.into() }
        } else {
            Reason::TooManyTokens { place: name.clone(), most: test.most.into(), there: there.into() }
        }
    };
    let unmet = tests.iter().filter(|test| !test.holds(marking));
    let mut places: Vec<&Test> = unmet.collect();
    places.sort_unstable();
    let blocked = Blocked {
        name: transition.name.clone(),
        spans: transition.span.into_iter().collect(),
        reasons: places.into_iter().map(reason).collect(),
    };
    Waiter { name: transition.name.clone(), statements: vec![blocked], ..Waiter::default() }
}
