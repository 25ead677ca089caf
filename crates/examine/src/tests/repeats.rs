//! Nets with transitions that do the same as others: what is left out is counted.

use std::sync::Arc;

use base::SplitMix64;
use engine::{Control, Limits, Report};
use petri::{Net, NetModel, TransitionIx};
use planner::{Asked, Choice, Plan, Questions, Setup, Survey, Wishes, engines};

use super::{Naive, random_net};

/// A net of which each transition is there up to four times, anywhere.
fn repeated_net(random: &mut SplitMix64) -> Net {
    let mut net = random_net(random).net;
    for at in 0..net.transitions.len() {
        for again in 0..random.below(4) {
            let mut other = net.transitions[at].clone();
            other.name = format!("{}.{again}", other.name);
            net.transitions.push(other);
        }
    }
    random.shuffle(&mut net.transitions);
    net
}

fn plan(net: &Net, survey: Survey, choice: Choice, eliminate: Option<layers::Eliminate>) -> Plan {
    let model = Arc::new(NetModel::new(net.clone()).unwrap());
    let asked = Asked { survey, ..Questions { deadlock: true, ..Questions::default() }.ask(model).unwrap() };
    let arrangement = Wishes { eliminate, ..Wishes::default() };
    let setup = Setup { choice, find_all: true, arrangement, ..Setup::default() };
    Plan::new(asked, &setup).unwrap()
}

fn run(plan: &Plan) -> Report {
    let limits = Limits { memory: Some(64 << 20), ..Limits::default() };
    plan.run(0, &Control::new(limits), None).unwrap()
}

#[test]
fn transitions_that_do_the_same_are_counted_for_each_other() {
    let (mut compared, mut left_out) = (0, 0);
    for seed in 1..200 {
        let net = repeated_net(&mut SplitMix64::new(seed));
        let naive = Naive::new(&net);
        if !naive.is_whole {
            continue;
        }
        let firings: usize = naive.firings.iter().map(Vec::len).sum();
        let deadlocks = naive.firings.iter().filter(|firings| firings.is_empty()).count();
        let enabled: Vec<bool> = TransitionIx::all(net.transitions.len())
            .map(|transition| naive.can_fire(&[transition]))
            .collect();
        let survey = Survey { transitions: true, enabled: true, ..Survey::default() };
        for engine in [engines::explicit(1), engines::symbolic(1)] {
            for eliminate in
                [None, Some(layers::Eliminate::Constants), Some(layers::Eliminate::ConstantsAndRepeats)]
            {
                let plan = plan(&net, survey.clone(), Choice::One(Arc::clone(&engine)), eliminate);
                let Report { statistics, census, .. } = run(&plan);
                let context = format!("seed {seed}, {:?}, {eliminate:?}: {net:?}", engine.profile());
                assert_eq!(statistics.states, naive.markings.len().into(), "{context}");
                assert_eq!(statistics.transitions, Some(firings.into()), "{context}");
                assert_eq!(statistics.deadlocks, Some(deadlocks.into()), "{context}");
                assert_eq!(census.enabled.as_deref(), Some(&enabled[..]), "{context}");
                compared += 1;
                let groups = plan.top(0).unwrap().signature().groups.len();
                assert!(eliminate != Some(layers::Eliminate::Constants) || groups == net.transitions.len());
                left_out += net.transitions.len() - groups;
            }
        }
    }
    assert!(compared > 500 && left_out > 500, "{compared} compared, {left_out} left out");
}
