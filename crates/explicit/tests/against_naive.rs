//! The engine against the naive search, on random models.

mod toy;

use base::{LabelIx, SplitMix64};
use engine::{Control, Limits, Question, StopReason};
use explicit::{Options, Order};
use model::{Model, Observer, Successor, Value};
use toy::naive::{Facts, facts, facts_within};
use toy::random::{random_processes, random_toy};
use toy::{ORDERS, Toy, limit, numbers, properties, search, search_by, steps, violations, ways};

fn questions() -> Vec<Question> {
    vec![
        Question::NoDeadlock,
        Question::Always(LabelIx::new(0)),
        Question::NoError,
        Question::NoAction("a3".into()),
        Question::Always(LabelIx::new(1)),
        Question::NoAction("*7".into()),
        Question::Never(5),
    ]
}

type Way = (Options, Order);

fn compare_counts(toy: &Toy, questions: &[Question], wanted: &Facts, way: Way) {
    compare_counts_under(toy, questions, wanted, way, &Control::default());
}

fn compare_counts_under(
    toy: &Toy,
    questions: &[Question],
    wanted: &Facts,
    (options, order): Way,
    control: &Control,
) {
    let report = search_by(options, toy, questions, true, order, control);
    let seen = numbers(&report);
    assert_eq!(
        (seen.states, seen.transitions, seen.deadlocks, seen.errors),
        (wanted.states, wanted.transitions, wanted.deadlocks, wanted.errors)
    );
    let limit = (wanted.limits > 0).then(|| StopReason::of_limit(&limit().kind));
    assert_eq!(report.stopped, limit.or((wanted.group_errors > 0).then_some(StopReason::EvaluationError)));
    if order == Order::BreadthFirst {
        assert_eq!((seen.levels, seen.depth), (Some(wanted.levels), wanted.levels - 1));
    } else {
        assert_eq!(seen.levels, None);
        assert!(seen.depth + 1 >= wanted.levels, "{} steps down, {} levels", seen.depth, wanted.levels);
    }
    for (at, (answer, &(count, nearest))) in report.answers.iter().zip(&wanted.violations).enumerate() {
        assert_eq!(violations(answer), count, "{}", answer.property.name);
        match steps(answer) {
            Ok(steps) if order == Order::BreadthFirst => {
                assert_eq!(steps, nearest, "{}", answer.property.name)
            }
            Ok(steps) => assert!(steps >= nearest),
            Err(verdict) => assert_eq!(verdict, wanted.undisputed(at)),
        }
    }
}

fn compare_first_violation(toy: &Toy, questions: &[Question], wanted: &Facts, (options, order): Way) {
    let report = search_by(options, toy, questions, false, order, &Control::default());
    let violated = wanted.violations.iter().any(|&(count, _)| count > 0);
    let found = report.answers.iter().filter(|answer| answer.verdict.is_violated()).count();
    assert_eq!(found > 0, violated);
    if violated {
        assert_eq!(report.stopped, Some(StopReason::OtherViolation));
    }
    for (at, (answer, &(count, nearest))) in report.answers.iter().zip(&wanted.violations).enumerate() {
        match steps(answer) {
            // An assertion that failed one step ahead of the violation that ended the search.
            Ok(steps) if order == Order::BreadthFirst && answer.property.question == Question::NoError => {
                assert!(steps == nearest || steps == nearest + 1, "{steps} steps, {nearest} at least");
            }
            Ok(steps) if order == Order::BreadthFirst => {
                assert_eq!(steps, nearest, "{}", answer.property.name)
            }
            Ok(_) => assert!(count > 0),
            // The predicate may have failed before the search stopped.
            Err(verdict) if violated && verdict == "predicate-error" => assert!(wanted.unevaluable[at]),
            Err(verdict) if violated => assert_eq!(verdict, "other-violation"),
            Err(verdict) => assert_eq!((verdict.as_str(), count), (wanted.undisputed(at), 0)),
        }
    }
}

#[test]
fn random_models_have_the_counts_verdicts_and_distances_of_a_naive_search() {
    let mut random = SplitMix64::for_test();
    let questions = questions();
    let (mut largest, mut failing) = (0, 0);
    for _ in 0..120 {
        let toy = random_toy(&mut random);
        let wanted = facts(&toy, &questions);
        largest = largest.max(wanted.states);
        failing += u64::from(wanted.errors > 0);
        for way in ways() {
            compare_counts(&toy, &questions, &wanted, way);
            compare_first_violation(&toy, &questions, &wanted, way);
        }
        for question in &questions {
            let alone = std::slice::from_ref(question);
            let wanted = facts(&toy, alone);
            for way in ways() {
                compare_counts(&toy, alone, &wanted, way);
                compare_first_violation(&toy, alone, &wanted, way);
            }
        }
    }
    assert!(largest > 100 && failing > 2, "the models are too small: {largest} states, {failing} fail");
}

/// What groups do to parts of states is remembered, and what they do when they fail is not.
#[test]
fn random_processes_have_the_counts_verdicts_and_distances_of_a_naive_search() {
    let mut random = SplitMix64::for_test();
    // Who looks at actions has nothing to remember.
    let questions = &questions()[..3];
    let (mut largest, mut failing) = (0, 0);
    for _ in 0..40 {
        let toy = random_processes(&mut random);
        let wanted = facts(&toy, questions);
        largest = largest.max(wanted.states);
        failing += u64::from(wanted.group_errors + wanted.limits > 0);
        for way in ways() {
            compare_counts(&toy, questions, &wanted, way);
            compare_first_violation(&toy, questions, &wanted, way);
        }
    }
    assert!(largest > 500 && failing > 2, "the models are too small: {largest} states, {failing} fail");
}

/// With so many groups, and so little memory, states are expanded group by group.
#[test]
fn expanding_group_by_group_makes_no_difference() {
    let mut random = SplitMix64::for_test();
    let questions = questions();
    let wheels = Toy::wheels(6, 3).assertion(|_| Ok(1)).predicate(|state| Ok(u32::from(state != [2; 6])));
    for toy in (0..6).map(|_| random_toy(&mut random)).chain([wheels]) {
        let toy = (0..40_000).fold(toy, |toy, _| toy.group(&[], |_| Ok(Vec::new())));
        let wanted = facts(&toy, &questions);
        for way in ways() {
            let control = Control::new(Limits { memory: Some(15 << 20), ..Limits::default() });
            compare_counts_under(&toy, &questions, &wanted, way, &control);
        }
    }
}

/// Within a depth every order finds what the naive search finds.
#[test]
fn random_models_within_a_depth_agree_with_a_naive_search() {
    let mut random = SplitMix64::for_test();
    let questions = questions();
    let mut seen = [0; 2];
    for _ in 0..200 {
        let toy = random_toy(&mut random);
        let all = facts(&toy, &questions);
        let depth = random.below(all.levels as usize + 2);
        let within = facts_within(&toy, &questions, depth);
        assert_eq!(within.cut, within.states < all.states);
        for (options, order) in ways() {
            let control = Control::new(Limits { depth: Some(depth as u64), ..Limits::default() });
            let report = search_by(options, &toy, &questions, true, order, &control);
            let counted = numbers(&report);
            let is_cut = report.stopped == Some(StopReason::Depth);
            seen[usize::from(is_cut)] += 1;
            assert_eq!(is_cut, counted.states < all.states, "{order:?} {depth}");
            assert!(counted.depth <= depth as u64);
            let wanted = if is_cut { &within } else { &all };
            assert_eq!(
                (counted.states, counted.transitions, counted.deadlocks, counted.errors),
                (wanted.states, wanted.transitions, wanted.deadlocks, wanted.errors),
                "{options:?} {order:?} {depth}"
            );
            for (answer, &(count, nearest)) in report.answers.iter().zip(&wanted.violations) {
                assert_eq!(violations(answer), count);
                if let Ok(steps) = steps(answer) {
                    assert_eq!(steps, nearest);
                }
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "too much alike: {seen:?}");
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
        .assertion(|state| Ok(u32::from(state[0] != 777)))
        .predicate(|state| Ok(u32::from(state[..] != [4998, 2])));
    let wanted = facts(&toy, &questions());
    assert_eq!(wanted.states, 20_000);
    for way in ways() {
        compare_counts(&toy, &questions(), &wanted, way);
    }
}

#[test]
fn a_model_without_slots_has_one_state() {
    let toy = Toy::new(&[], &[]).group(&[], |_| Ok(vec![(3, Vec::new())]));
    for order in ORDERS {
        let report = search(
            &toy,
            &[Question::NoDeadlock, Question::NoAction("a3".into())],
            true,
            order,
            &Control::default(),
        );
        assert_eq!((numbers(&report).states, numbers(&report).transitions), (1, 1));
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
    let mut random = SplitMix64::for_test();
    for _ in 0..50 {
        let toy = random_toy(&mut random);
        let mut seen = ORDERS.map(|order| {
            let mut seen = Seen::default();
            let task = engine::Task {
                model: &toy,
                properties: &properties(&[]),
                find_all: false,
                census: engine::Census::default(),
            };
            explicit::search(
                &task,
                Options { order, ..Options::default() },
                &Control::default(),
                Some(&mut seen),
            );
            seen.0
        });
        assert_eq!(seen[0].len() as u64, facts(&toy, &[]).transitions);
        seen.iter_mut().for_each(|list| list.sort());
        assert_eq!(seen[0], seen[1]);
        assert!(seen[0].iter().all(|(from, ..)| from.len() == toy.initial().len()));
    }
}
