//! What an evaluation error means for the answers; and values that a model should not give.

mod toy;

use base::LabelIx;
use engine::{Control, Limits, Question, StopReason, Verdict};
use explicit::Order;
use toy::{ORDERS, Toy, failure, limit, numbers, search, steps, violations};

/// A counter to 9 with a second group that fails in state 5, and that leads from 7 to 0.
fn failing_counter() -> Toy {
    Toy::counter(9).group(&[0], |state| match state[0] {
        5 => Err(failure()),
        7 => Ok(vec![(1, vec![0])]),
        _ => Ok(Vec::new()),
    })
}

#[test]
fn the_groups_that_work_lead_on() {
    for order in ORDERS {
        let report = search(&failing_counter(), &[], false, order, &Control::default());
        let statistics = numbers(&report);
        assert_eq!((statistics.states, statistics.transitions, statistics.errors), (10, 10, 1));
        assert_eq!(report.stopped, Some(StopReason::EvaluationError));
    }
}

#[test]
fn nothing_holds_after_an_error_but_violations_count() {
    let questions = [Question::NoAction("a5".into()), Question::NoDeadlock, Question::NoAction("a1".into())];
    for order in ORDERS {
        let report = search(&failing_counter(), &questions, true, order, &Control::default());
        assert_eq!(steps(&report.answers[0]), Err("evaluation-error".into()));
        assert_eq!(steps(&report.answers[1]), Ok(9));
        assert_eq!(steps(&report.answers[2]), Ok(8));
    }
}

#[test]
fn an_error_violates_its_own_property_and_stops_the_search() {
    let questions = [Question::NoDeadlock, Question::NoError];
    for order in ORDERS {
        let report = search(&failing_counter(), &questions, false, order, &Control::default());
        assert_eq!(report.stopped, Some(StopReason::OtherViolation));
        assert_eq!(steps(&report.answers[0]), Err("other-violation".into()));
        assert_eq!(steps(&report.answers[1]), Ok(5));
    }
}

#[test]
fn a_state_that_fails_is_no_deadlock() {
    let toy = Toy::new(&[(0, 1)], &[0]).group(&[0], |_| Err(failure()));
    let report = search(&toy, &[Question::NoDeadlock], true, Order::BreadthFirst, &Control::default());
    assert_eq!((numbers(&report).deadlocks, numbers(&report).errors), (0, 1));
    assert_eq!(steps(&report.answers[0]), Err("evaluation-error".into()));
}

/// States 1 to 500 are a step away, more than are expanded together. A label fails in 501, which is
/// discovered from 1; only later a group fails in 500.
#[test]
fn a_group_that_fails_near_beats_a_label_that_fails_far() {
    let toy = Toy::new(&[(0, 501)], &[0])
        .group(&[0], |state| match state[0] {
            0 => Ok((1..=500).map(|target| (0, vec![target])).collect()),
            1 => Ok(vec![(0, vec![501])]),
            500 => Err(failure()),
            _ => Ok(vec![(0, vec![0])]),
        })
        .assertion(|state| if state[0] == 501 { Err(failure()) } else { Ok(1) });
    let questions = [Question::NoError, Question::Always(LabelIx::new(0))];
    for find_all in [false, true] {
        let report = search(&toy, &questions, find_all, Order::BreadthFirst, &Control::default());
        assert_eq!(steps(&report.answers[0]), Ok(1));
        assert_eq!((violations(&report.answers[0]), numbers(&report).errors), (2, 2));
    }
}

#[test]
fn an_assertion_that_fails_leaves_the_search_complete_but_nothing_holds() {
    let toy = Toy::new(&[(0, 2)], &[0])
        .group(&[0], |state| Ok(vec![(0, vec![(state[0] + 1) % 3])]))
        .assertion(|state| if state[0] == 2 { Err(failure()) } else { Ok(1) });
    for order in ORDERS {
        let questions = [Question::Always(LabelIx::new(0)), Question::NoDeadlock];
        let report = search(&toy, &questions, false, order, &Control::default());
        assert_eq!((&report.stopped, numbers(&report).errors), (&None, 1));
        assert!(report.answers.iter().all(|answer| steps(answer) == Err("evaluation-error".into())));
        // The label of a state at the depth limit is evaluated as any other.
        let control = Control::new(Limits { depth: Some(2), ..Limits::default() });
        let report = search(&toy, &[Question::NoError, questions[0].clone()], false, order, &control);
        assert_eq!(steps(&report.answers[0]), Ok(2));
    }
}

/// Round and round through 0, 1, 2, 3; the predicate fails in 1 and is zero in `zero`.
fn failing_predicate(zero: u32) -> Toy {
    Toy::new(&[(0, 3)], &[0])
        .group(&[0], |state| Ok(vec![(state[0], vec![(state[0] + 1) % 4])]))
        .predicate(move |state| if state[0] == 1 { Err(failure()) } else { Ok(u32::from(state[0] != zero)) })
        .assertion(|_| Ok(1))
}

#[test]
fn a_predicate_that_fails_is_no_failure_of_the_model() {
    let always = |label| Question::Always(LabelIx::new(label));
    let questions = [always(0), Question::NoError, Question::NoDeadlock, always(1), always(0)];
    for order in ORDERS {
        for find_all in [false, true] {
            let report = search(&failing_predicate(9), &questions, find_all, order, &Control::default());
            assert_eq!((&report.stopped, numbers(&report).errors), (&None, 0));
            for at in [0, 4] {
                let Verdict::Unknown(reason) = &report.answers[at].verdict else {
                    panic!("{:?}", report.answers[at])
                };
                assert_eq!(reason, &StopReason::PredicateError("division by zero".into()));
            }
            for answer in &report.answers[1..4] {
                assert_eq!(
                    (steps(answer), violations(answer)),
                    (Err("holds".into()), 0),
                    "{}",
                    answer.property.name
                );
            }
        }
    }
}

#[test]
fn a_predicate_that_fails_here_is_violated_there() {
    let questions = [Question::Always(LabelIx::new(0)), Question::NoAction("a9".into())];
    for order in ORDERS {
        for (zero, find_all) in [(0, false), (0, true), (3, false), (3, true)] {
            let report = search(&failing_predicate(zero), &questions, find_all, order, &Control::default());
            assert_eq!(steps(&report.answers[0]), Ok(zero as usize));
            assert_eq!(
                steps(&report.answers[1]),
                Err(if find_all { "holds" } else { "other-violation" }.into())
            );
        }
    }
}

#[test]
fn a_value_outside_its_type_is_a_defect_and_said_to_be_one() {
    let toy = Toy::new(&[(0, 3), (-4, 3)], &[0, 0])
        .group(&[0], |state| Ok(vec![(0, vec![state[0] + 1, state[1]])]));
    for order in ORDERS {
        let report = search(&toy, &[Question::NoDeadlock], false, order, &Control::default());
        let Some(StopReason::Internal(message)) = &report.stopped else { panic!("{:?}", report.stopped) };
        assert!(message.contains("`s0`") && message.contains('4'), "{message}");
        assert_eq!(numbers(&report).states, 4);
        assert_eq!(steps(&report.answers[0]), Err("internal".into()));
    }
    let report = search(&Toy::new(&[(0, 1)], &[2]), &[], false, Order::BreadthFirst, &Control::default());
    assert_eq!((report.stopped.as_ref().unwrap().name(), numbers(&report).states), ("internal", 0));
}

/// Where the tool cannot go on the model does nothing wrong: the state is none that violates anything, and no
/// deadlock, and nothing holds. An error in the same state is an error.
#[test]
fn a_limit_of_the_tool_violates_nothing_and_lets_nothing_hold() {
    let counter =
        || Toy::counter(9).group(&[0], |state| if state[0] == 5 { Err(limit()) } else { Ok(vec![]) });
    let questions = [Question::NoError, Question::NoAction("a9".into()), Question::NoDeadlock];
    for order in ORDERS {
        let report = search(&counter(), &questions, true, order, &Control::default());
        let reason = StopReason::Limit("more than 7 cannot be counted".into());
        assert_eq!(
            (numbers(&report).states, numbers(&report).errors, &report.stopped),
            (10, 0, &Some(reason))
        );
        assert_eq!(steps(&report.answers[0]), Err("limit".into()));
        assert_eq!(steps(&report.answers[1]), Err("limit".into()));
        assert_eq!(steps(&report.answers[2]), Ok(9), "what is violated is violated");
        let toy = counter().group(&[0], |state| if state[0] == 5 { Err(failure()) } else { Ok(vec![]) });
        let report = search(&toy, &questions, true, order, &Control::default());
        assert_eq!((steps(&report.answers[0]), numbers(&report).errors), (Ok(5), 1));
        let toy = Toy::new(&[(0, 1)], &[0]).group(&[0], |_| Err(limit()));
        let report = search(&toy, &[Question::NoDeadlock], true, order, &Control::default());
        assert_eq!((steps(&report.answers[0]), numbers(&report).deadlocks), (Err("limit".into()), 0));
    }
}
