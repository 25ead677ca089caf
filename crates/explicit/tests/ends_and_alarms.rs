//! States in which it is fine to stop, and actions that must not happen.

mod toy;

use base::LabelIx;
use engine::{Control, Ending, Path, Question, ReplayError, replay};
use toy::{ORDERS, Toy, failure, numbers, search, steps, violations};

/// From 0 to 1, 2 or 3, all of them deadlocks.
fn three_ends() -> Toy {
    Toy::new(&[(0, 3)], &[0]).group(&[0], |state| {
        Ok(if state[0] == 0 { (1..4).map(|target| (target, vec![target])).collect() } else { Vec::new() })
    })
}

fn run_to(last: u32) -> Path {
    Path::run(vec![vec![0], vec![last]])
}

#[test]
fn a_state_in_which_it_is_fine_to_stop_is_counted_and_is_no_violation() {
    let questions = [Question::NoDeadlock, Question::NoError];
    for (fine, stuck) in [(vec![], 3), (vec![2], 2), (vec![1, 2, 3], 0)] {
        let label = fine.clone();
        let toy = three_ends().end(move |state| Ok(u32::from(label.contains(&state[0])) * 7));
        for order in ORDERS {
            let report = search(&toy, &questions, true, order, &Control::default());
            assert_eq!((numbers(&report).deadlocks, numbers(&report).errors), (3, 0));
            assert_eq!(violations(&report.answers[0]), stuck);
            let wanted = if stuck > 0 { Ok(1) } else { Err("holds".into()) };
            assert_eq!(steps(&report.answers[0]), wanted, "{fine:?} {order:?}");
        }
        for last in 1..4 {
            let wanted = if fine.contains(&last) { Err(ReplayError::Ending) } else { Ok(Ending::Deadlock) };
            assert_eq!(
                replay(&toy, &run_to(last), &Question::NoDeadlock).map(|shown| shown.run().ending.clone()),
                wanted
            );
        }
    }
}

#[test]
fn where_the_end_label_fails_the_model_fails() {
    // Where there is a way on, nobody asks.
    let toy = three_ends().end(|state| if state[0] == 0 || state[0] == 2 { Err(failure()) } else { Ok(1) });
    for order in ORDERS {
        let questions = [Question::NoDeadlock, Question::NoError];
        let report = search(&toy, &questions, true, order, &Control::default());
        assert_eq!((numbers(&report).deadlocks, numbers(&report).errors), (3, 1));
        assert_eq!(steps(&report.answers[0]), Err("evaluation-error".into()));
        assert_eq!((steps(&report.answers[1]), violations(&report.answers[1])), (Ok(1), 1));
        // Who asks for no deadlocks does not ask the label.
        let report = search(&toy, &questions[1..], true, order, &Control::default());
        assert_eq!(steps(&report.answers[0]), Err("holds".into()));
    }
    let ending =
        |last| replay(&toy, &run_to(last), &Question::NoError).map(|shown| shown.run().ending.clone());
    assert_eq!(ending(2), Ok(Ending::Error { error: failure(), group: None }));
    assert_eq!(ending(1), Err(ReplayError::Ending));
    let nowhere = Path::run(vec![vec![0]]);
    assert_eq!(
        replay(&toy, &nowhere, &Question::NoError).map(|shown| shown.run().ending.clone()),
        Err(ReplayError::Ending)
    );
}

/// Each of many alarms has its own answer, and an assertion beside them stays what it is.
#[test]
fn an_alarm_is_that_action_and_no_other() {
    let toy = three_ends().assertion(|state| Ok(u32::from(state[0] != 3)));
    let mut questions: Vec<Question> = (0..10).map(Question::Never).collect();
    questions.extend([
        Question::Never(2),
        Question::NoAction("a1".into()),
        Question::Always(LabelIx::new(0)),
    ]);
    for order in ORDERS {
        let report = search(&toy, &questions, true, order, &Control::default());
        for (answer, question) in report.answers.iter().zip(&questions) {
            let happens = !matches!(question, Question::Never(action) if !(1..4).contains(action));
            assert_eq!(violations(answer), u64::from(happens), "{question:?}");
            assert_eq!(steps(answer), if happens { Ok(1) } else { Err("holds".into()) }, "{question:?}");
        }
    }
    for action in 0..5 {
        let wanted = if action == 2 { Ok(Ending::Action) } else { Err(ReplayError::Step(1)) };
        assert_eq!(
            replay(&toy, &run_to(2), &Question::Never(action)).map(|shown| shown.run().ending.clone()),
            wanted
        );
    }
}
