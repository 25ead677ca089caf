//! Every strategy, with guards split or not, reads and writes told apart or not, by one thread or two,
//! answers as the explicit engine does: the same numbers, the same verdicts, runs of the same length that
//! replay.

mod table;

use engine::{Answer, Control, Limits, Path, Property, Question, Report, StopReason, Task, Verdict, replay};
use model::Model;
use symbolic::{Options, Split, Strategy};
use table::{Random, Tables};

fn all_options() -> impl Iterator<Item = Options> {
    let ways = [
        (Split::Off, true, 1),
        (Split::Off, false, 1),
        (Split::On, true, 1),
        (Split::On, false, 1),
        (Split::After(2), true, 1),
        (Split::After(9), false, 2),
        (Split::Off, true, 2),
    ];
    Strategy::ALL.iter().flat_map(move |&strategy| {
        // Threads are worth it here however few nodes there are.
        let options = Options { many_nodes: 0, ..Options::new(strategy) };
        ways.map(|(split_guards, separate, threads)| Options { split_guards, separate, threads, ..options })
    })
}

/// A store for small models begins sooner.
fn control() -> Control {
    Control::new(Limits { memory: Some(64 << 20), ..Limits::default() })
}

fn properties() -> Vec<Property> {
    let label = |at| Question::Always(base::LabelIx::new(at));
    let action = Question::NoAction("a3".into());
    [Question::NoDeadlock, label(0), label(1), action, Question::NoError, Question::Never(4)]
        .into_iter()
        .map(|question| Property::new(format!("{question:?}"), question))
        .collect()
}

/// The length of the run, or what else the verdict is.
fn told(answer: &Answer<Path>) -> String {
    match (&answer.verdict, &answer.evidence) {
        (Verdict::Unknown(reason), _) => reason.name().into(),
        (_, Some(path)) => format!("{} steps", path.states.len() - 1),
        (verdict, None) => verdict.name().into(),
    }
}

fn check_paths(model: &dyn Model, report: &Report<Path>, options: Options) {
    for answer in &report.answers {
        assert_eq!(answer.verdict.is_violated(), answer.evidence.is_some());
        if let Some(path) = &answer.evidence {
            let replayed = replay(model, path, &answer.property.question);
            assert!(replayed.is_ok(), "{options:?}: {:?} {path:?}", replayed.err());
        }
    }
}

/// Runs `check` on random models, with the number of the seed.
fn for_random_models(count: u64, mut check: impl FnMut(&Tables)) {
    let seed: u64 = std::env::var("PINSCHER_SEED").map_or(1, |seed| seed.parse().unwrap());
    for number in seed..seed + count {
        println!("PINSCHER_SEED={number}");
        check(&Tables::random(&mut Random::new(number)));
    }
}

#[test]
fn all_violations_of_random_models() {
    let properties = properties();
    let mut seen = std::collections::BTreeMap::<String, u32>::new();
    let mut fine = 0;
    for_random_models(150, |model| {
        let task = Task { model, properties: &properties, find_all: true, census: engine::Census::default() };
        let wanted = explicit::search(&task, explicit::Options::default(), &control(), None);
        for options in all_options() {
            let found = symbolic::search(&task, options, &control());
            assert_eq!(found.stopped, wanted.stopped, "{options:?}");
            let (ours, theirs) = (&found.statistics, &wanted.statistics);
            assert_eq!(ours.states, theirs.states, "{options:?}");
            assert_eq!((&ours.deadlocks, &ours.errors), (&theirs.deadlocks, &theirs.errors), "{options:?}");
            if options.strategy.has_levels() {
                assert_eq!((ours.levels, ours.depth), (theirs.levels, theirs.depth), "{options:?}");
            }
            fine += u32::from(ours.deadlocks > found.answers[0].violations);
            for (ours, theirs) in found.answers.iter().zip(&wanted.answers) {
                let name = &ours.property.name;
                assert_eq!(told(ours), told(theirs), "{name} with {options:?}");
                *seen.entry(told(ours)).or_default() += 1;
                if ours.violations.is_some() {
                    assert_eq!(ours.violations, theirs.violations, "{name} with {options:?}");
                }
            }
            check_paths(model, &found, options);
        }
    });
    for wanted in ["holds", "0 steps", "1 steps", "5 steps", "evaluation-error", "limit", "predicate-error"] {
        assert!(seen.contains_key(wanted), "no {wanted} among {seen:?}");
    }
    assert!(fine > 0, "only {fine} searches came to states where it is fine to stop");
}

#[test]
fn the_first_violation_of_random_models() {
    let properties = properties();
    for_random_models(150, |model| {
        let task =
            |find_all| Task { model, properties: &properties, find_all, census: engine::Census::default() };
        let wanted = explicit::search(&task(true), explicit::Options::default(), &control(), None);
        let is_violated = wanted.answers.iter().any(|answer| answer.verdict.is_violated());
        for options in all_options() {
            let found = symbolic::search(&task(false), options, &control());
            let violated: Vec<_> = found.answers.iter().map(|answer| answer.verdict.is_violated()).collect();
            assert_eq!(violated.contains(&true), is_violated, "{options:?}");
            for (ours, theirs) in found.answers.iter().zip(&wanted.answers) {
                let is_cut_off = matches!(ours.verdict, Verdict::Unknown(StopReason::OtherViolation));
                let is_right = told(ours) == told(theirs) || (is_cut_off && is_violated);
                // A predicate that fails further on than the search went.
                let is_right = is_right || (is_violated && matches!(ours.verdict, Verdict::Unknown(_)));
                assert!(
                    is_right,
                    "{}: {} for {} with {options:?}",
                    ours.property.name,
                    told(ours),
                    told(theirs)
                );
            }
            check_paths(model, &found, options);
        }
    });
}

#[test]
fn the_depth_limit_is_kept_by_breadth_first_search() {
    let properties = properties();
    for_random_models(60, |model| {
        for depth in 0..4 {
            let control =
                Control::new(Limits { depth: Some(depth), memory: Some(64 << 20), ..Limits::default() });
            let task =
                Task { model, properties: &properties, find_all: true, census: engine::Census::default() };
            let wanted = explicit::search(&task, explicit::Options::default(), &control, None);
            for options in all_options().filter(|options| options.strategy.has_levels()) {
                let found = symbolic::search(&task, options, &control);
                assert_eq!(found.stopped, wanted.stopped, "{options:?} {depth}");
                assert_eq!(found.statistics.states, wanted.statistics.states, "{options:?} {depth}");
                assert_eq!(found.statistics.depth, wanted.statistics.depth, "{options:?} {depth}");
                for (ours, theirs) in found.answers.iter().zip(&wanted.answers) {
                    assert_eq!(told(ours), told(theirs), "{} with {options:?} {depth}", ours.property.name);
                }
            }
        }
    });
}
