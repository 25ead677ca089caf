//! The engine against the naive search, on random models.

mod toy;

use base::LabelIx;
use engine::{Control, Order, Question, StopReason, Verdict};
use model::{Model, Observer, Successor, Value};
use toy::naive::{Facts, facts};
use toy::random::{Random, random_toy};
use toy::{ORDERS, Toy, properties, search, steps};

fn questions() -> Vec<Question> {
    vec![
        Question::NoDeadlock,
        Question::Always(LabelIx::new(0)),
        Question::NoError,
        Question::NoAction("a3".into()),
        Question::Always(LabelIx::new(1)),
        Question::NoAction("*7".into()),
    ]
}

fn compare_counts(toy: &Toy, questions: &[Question], wanted: &Facts, order: Order) {
    let report = search(toy, questions, true, order, &Control::default());
    let seen = &report.statistics;
    assert_eq!(
        (seen.states, seen.transitions, seen.deadlocks, seen.errors),
        (wanted.states, wanted.transitions, wanted.deadlocks, wanted.errors)
    );
    assert_eq!(report.stopped, (wanted.group_errors > 0).then_some(StopReason::EvaluationError));
    if order == Order::BreadthFirst {
        assert_eq!((seen.levels, seen.depth), (Some(wanted.levels), wanted.levels - 1));
    } else {
        assert_eq!(seen.levels, None);
        assert!(seen.depth + 1 >= wanted.levels, "{} steps down, {} levels", seen.depth, wanted.levels);
    }
    for (answer, &(count, nearest)) in report.answers.iter().zip(&wanted.violations) {
        assert_eq!(answer.violations, count, "{}", answer.property.name);
        match steps(answer) {
            Ok(steps) if order == Order::BreadthFirst => assert_eq!(steps, nearest, "{}", answer.property.name),
            Ok(steps) => assert!(steps >= nearest),
            Err(verdict) => {
                assert_eq!(verdict, if wanted.errors == 0 { "holds" } else { "evaluation-error" });
            }
        }
    }
}

fn compare_first_violation(toy: &Toy, questions: &[Question], wanted: &Facts, order: Order) {
    let report = search(toy, questions, false, order, &Control::default());
    let violated = wanted.violations.iter().any(|&(count, _)| count > 0);
    let found = report.answers.iter().filter(|answer| matches!(answer.verdict, Verdict::Violated(_))).count();
    assert_eq!(found > 0, violated);
    if violated {
        assert_eq!(report.stopped, Some(StopReason::OtherViolation));
    }
    for (answer, &(count, nearest)) in report.answers.iter().zip(&wanted.violations) {
        match steps(answer) {
            Ok(steps) if order == Order::BreadthFirst => assert_eq!(steps, nearest, "{}", answer.property.name),
            Ok(_) => assert!(count > 0),
            Err(verdict) if violated => assert_eq!(verdict, "other-violation"),
            Err(verdict) if wanted.errors > 0 => assert_eq!(verdict, "evaluation-error"),
            Err(verdict) => assert_eq!((verdict.as_str(), count), ("holds", 0)),
        }
    }
}

#[test]
fn random_models_have_the_counts_verdicts_and_distances_of_a_naive_search() {
    let mut random = Random::from_environment();
    let questions = questions();
    let (mut largest, mut failing) = (0, 0);
    for _ in 0..400 {
        let toy = random_toy(&mut random);
        let wanted = facts(&toy, &questions);
        largest = largest.max(wanted.states);
        failing += u64::from(wanted.errors > 0);
        for order in ORDERS {
            compare_counts(&toy, &questions, &wanted, order);
            compare_first_violation(&toy, &questions, &wanted, order);
            for question in &questions {
                let alone = std::slice::from_ref(question);
                let wanted = facts(&toy, alone);
                compare_counts(&toy, alone, &wanted, order);
                compare_first_violation(&toy, alone, &wanted, order);
            }
        }
    }
    assert!(largest > 300 && failing > 20, "the models are too small: {largest} states, {failing} fail");
}

/// More successors than are looked up together, many of them twice.
#[test]
fn a_state_with_very_many_successors_is_no_exception() {
    let toy = Toy::new(&[(0, 4999), (0, 3)], &[0, 0])
        .group(&[0], |state| {
            let targets = (0..5000).map(|target| (target % 10, vec![target, state[1]]));
            Ok(if state[0] == 0 { targets.collect() } else { Vec::new() })
        })
        .group(&[0, 1], |state| {
            let targets = (0..700).map(|target| (0, vec![target * 7, (state[1] + 1).min(3)]));
            Ok(if state[0] == 4999 { targets.chain([(7, vec![0, 0])]).collect() } else { Vec::new() })
        })
        .label(|state| Ok(u32::from(state[0] != 777)))
        .label(|state| Ok(u32::from(state[..] != [4998, 2])));
    let wanted = facts(&toy, &questions());
    assert_eq!(wanted.states, 20_000);
    for order in ORDERS {
        compare_counts(&toy, &questions(), &wanted, order);
    }
}

#[test]
fn a_model_without_slots_has_one_state() {
    let toy = Toy::new(&[], &[]).group(&[], |_| Ok(vec![(3, Vec::new())]));
    for order in ORDERS {
        let report =
            search(&toy, &[Question::NoDeadlock, Question::NoAction("a3".into())], true, order, &Control::default());
        assert_eq!((report.statistics.states, report.statistics.transitions), (1, 1));
        assert_eq!(steps(&report.answers[0]), Err("holds".into()));
        assert_eq!(steps(&report.answers[1]), Ok(1));
    }
}

#[derive(Default)]
struct Seen(Vec<(Vec<Value>, usize, Value, Vec<Value>)>);

impl Observer for Seen {
    fn transition(&mut self, from: &[Value], to: Successor<'_>) {
        self.0.push((from.to_vec(), to.group.ix(), to.action, to.state.to_vec()));
    }
}

#[test]
fn the_observer_sees_each_transition_once() {
    let mut random = Random::from_environment();
    for _ in 0..50 {
        let toy = random_toy(&mut random);
        let mut seen = ORDERS.map(|order| {
            let mut seen = Seen::default();
            let task = engine::Task { model: &toy, properties: &properties(&[]), find_all: false, order };
            explicit::search(&task, &Control::default(), Some(&mut seen));
            seen.0
        });
        assert_eq!(seen[0].len() as u64, facts(&toy, &[]).transitions);
        seen.iter_mut().for_each(|list| list.sort());
        assert_eq!(seen[0], seen[1]);
        assert!(seen[0].iter().all(|(from, ..)| from.len() == toy.initial().len()));
    }
}
