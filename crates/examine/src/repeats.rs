//! Nets with transitions that do the same as others: what is left out is counted.

use engine::{Control, Limits, Report, Witness};
use petri::{Net, NetModel, TransitionIx};

use super::tests::{Naive, random_net};
use planner::arrangement::Wishes;
use planner::method::{Choice, Method};
use planner::plan::{Plan, Setup};
use planner::questions::{Asked, Questions, Survey};
use planner::random::Random;

/// A net of which each transition is there up to four times, anywhere.
fn repeated_net(random: &mut Random) -> Net {
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

fn plan(net: &Net, survey: Survey, method: Method, eliminate: Option<layers::Eliminate>) -> Plan {
    let model = std::sync::Arc::new(NetModel::new(net.clone()).unwrap());
    let asked = Asked { survey, ..Questions { deadlock: true, ..Questions::default() }.ask(model).unwrap() };
    let arrangement = Wishes { eliminate, ..Wishes::default() };
    let setup = Setup { choice: Choice::One(method), find_all: true, arrangement, ..Setup::default() };
    Plan::new(asked, &setup).unwrap()
}

fn run(plan: &Plan, method: Method) -> Report<Witness> {
    let limits = Limits { memory: Some(64 << 20), ..Limits::default() };
    plan.run(method, &Control::new(limits), None).unwrap()
}

#[test]
fn transitions_that_do_the_same_are_counted_for_each_other() {
    let (mut compared, mut left_out) = (0, 0);
    for seed in 1..200 {
        let net = repeated_net(&mut Random::new(seed));
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
        for method in [Method::best_explicit(), Method::best_symbolic(1)] {
            for eliminate in
                [None, Some(layers::Eliminate::Constants), Some(layers::Eliminate::ConstantsAndRepeats)]
            {
                let plan = plan(&net, survey.clone(), method, eliminate);
                let Report { statistics, counted, .. } = run(&plan, method);
                let context = format!("seed {seed}, {method:?}, {eliminate:?}: {net:?}");
                assert_eq!(statistics.states, naive.markings.len().into(), "{context}");
                assert_eq!(statistics.transitions, Some(firings.into()), "{context}");
                assert_eq!(statistics.deadlocks, Some(deadlocks.into()), "{context}");
                assert_eq!(counted.enabled.as_deref(), Some(&enabled[..]), "{context}");
                compared += 1;
                let groups = plan.top(method).unwrap().signature().groups.len();
                assert!(eliminate != Some(layers::Eliminate::Constants) || groups == net.transitions.len());
                left_out += net.transitions.len() - groups;
            }
        }
    }
    assert!(compared > 500 && left_out > 500, "{compared} compared, {left_out} left out");
}
