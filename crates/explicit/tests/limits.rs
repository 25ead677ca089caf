//! Limits: each is an answer, and each is kept.

mod toy;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use base::{GroupIx, GuardIx, LabelIx};
use engine::{CancelToken, Census, Control, Limits, Question, StopReason, Task};
use explicit::{Options, Order, Storage};
use model::{
    Dependencies, EvalError, EvalErrorKind, Model, Part, Signature, Stepper, StopSignal, Successors, Truth,
    Value, some_groups,
};
use toy::wide::Wide;
use toy::{ORDERS, Toy, numbers, search, search_by, steps, violations, ways};

fn limits(limits: Limits) -> Control {
    Control::new(limits)
}

#[test]
fn time_runs_out() {
    for order in ORDERS {
        let control = limits(Limits { time: Some(Duration::from_millis(50)), ..Limits::default() });
        let report = search(&Toy::wheels(4, 256), &[Question::NoDeadlock], false, order, &control);
        assert_eq!(report.stopped, Some(StopReason::Time));
        assert_eq!(steps(&report.answers[0]), Err("time".into()));
        assert!(control.elapsed() < Duration::from_secs(5));
    }
}

/// The ways to its states were too many to be kept, so the run is searched for when the time is over.
#[test]
fn what_was_violated_in_time_is_told_with_its_run() {
    let toy = Toy::wheels(4, 256).predicate(|state| Ok(u32::from(state[0] < 2)));
    for threads in [1, 2] {
        let control = limits(Limits { time: Some(Duration::from_millis(200)), ..Limits::default() });
        let options = Options { threads, kept_ways: 0, ..Options::default() };
        let always = [Question::Always(LabelIx::new(0)), Question::NoDeadlock];
        let report = search_by(options, &toy, &always, true, Order::BreadthFirst, &control);
        assert_eq!(report.stopped, Some(StopReason::Time));
        assert_eq!(steps(&report.answers[0]), Ok(2));
        assert_eq!(steps(&report.answers[1]), Err("time".into()));
        assert!(control.elapsed() < Duration::from_secs(5));
    }
}

/// Interrupted in the very state that is a violation, with the ways to states not kept: there is a moment to
/// find the run, unless nobody waits for it.
#[test]
fn the_run_to_a_violation_is_found_after_an_interruption() {
    let seeing = |flag: &Arc<AtomicBool>| {
        let flag = Arc::clone(flag);
        Toy::wheels(3, 64).predicate(move |state| {
            let is_violated = state[0] == 3 && state[1] == 2;
            flag.fetch_or(is_violated, Ordering::Relaxed);
            Ok(u32::from(!is_violated))
        })
    };
    let always = [Question::Always(LabelIx::new(0))];
    for (threads, find_all) in [(1, true), (1, false), (2, true), (2, false)] {
        let options = Options { threads, kept_ways: 0, ..Options::default() };
        let flag = Arc::new(AtomicBool::new(false));
        let control = Control::default().cancelled_by(&Arc::clone(&flag).into());
        let report = search_by(options, &seeing(&flag), &always, find_all, Order::BreadthFirst, &control);
        assert_eq!(steps(&report.answers[0]), Ok(5), "{threads} {find_all}");
        flag.store(false, Ordering::Relaxed);
        let control = Control::default().abandoned_by(&Arc::clone(&flag).into());
        let (model, properties) = (seeing(&flag), toy::properties(&always));
        let task = Task { model: &model, properties: &properties, find_all, census: Census::default() };
        let report = explicit::search(&task, options, &control, None);
        assert_eq!(steps(&report.answers[0]), Err("interrupted".into()), "{threads} {find_all}");
        assert_eq!(report.stopped, Some(StopReason::Interrupted), "nothing else was seen to be violated");
    }
}

#[test]
fn a_slow_model_is_interrupted_all_the_same() {
    let slowly = |toy: Toy| {
        toy.predicate(|_| {
            std::thread::sleep(Duration::from_millis(10));
            Ok(1)
        })
    };
    // Slow in its label after a fast start, with many successors at once.
    let toy = slowly(Toy::new(&[(0, 99_999)], &[0]).group(&[0], |state| {
        Ok(if state[0] == 0 { (1..50_000).map(|target| (0, vec![target])).collect() } else { Vec::new() })
    }));
    let flag = Arc::new(AtomicBool::new(false));
    let control = Control::default().cancelled_by(&Arc::clone(&flag).into());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            flag.store(true, Ordering::Relaxed);
        });
        let started = Instant::now();
        let report = search(&toy, &[Question::Always(LabelIx::new(0))], false, Order::BreadthFirst, &control);
        assert_eq!(report.stopped, Some(StopReason::Interrupted));
        assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    });
}

/// One state takes three seconds, and is large enough to be expanded group by group.
#[test]
fn a_wide_state_is_interrupted_before_it_has_all_successors() {
    let model = Wide::new(20_000, 3000, 1).slow(Duration::from_millis(1));
    for order in ORDERS {
        let time = Some(Duration::from_millis(100));
        let control = limits(Limits { time, memory: Some(100 << 20), ..Limits::default() });
        let report = search(&model, &[], false, order, &control);
        assert_eq!(report.stopped, Some(StopReason::Time));
        assert!(control.elapsed() < Duration::from_secs(2), "{:?}", control.elapsed());
    }
}

/// A model whose only call does not end before it is told to; nobody tells it before it was asked.
struct Endless(Toy, CancelToken);

struct EndlessStepper<'m>(&'m Endless, Option<StopSignal>);

impl Model for Endless {
    fn signature(&self) -> &Signature {
        self.0.signature()
    }

    fn dependencies(&self) -> &Dependencies {
        self.0.dependencies()
    }

    fn initial(&self) -> &[Value] {
        self.0.initial()
    }

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        Box::new(EndlessStepper(self, None))
    }
}

impl Stepper for EndlessStepper<'_> {
    fn heed(&mut self, stop: &StopSignal) {
        self.1 = Some(Arc::clone(stop));
    }

    fn group(&mut self, _: GroupIx, _: &[Value], _: &mut Successors) -> Result<(), EvalError> {
        let stop = self.1.as_ref().expect("a signal to heed");
        // The first time nobody has cancelled yet; asked again it ends at once.
        self.0.1.cancel();
        while !stop(0) {}
        Err(EvalError { kind: EvalErrorKind::Interrupted, span: None })
    }

    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.group(group, from, to)
    }

    fn guard(&mut self, _: GuardIx, _: &[Value]) -> Truth {
        Truth::True
    }

    fn label(&mut self, _: LabelIx, _: &[Value]) -> Result<Value, EvalError> {
        Ok(1)
    }

    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.group(GroupIx::new(0), from, to)
    }

    fn some(&mut self, groups: Range<usize>, most: usize, from: &[Value], to: &mut Successors) -> Part {
        some_groups(self, groups, most, from, to)
    }
}

#[test]
fn a_call_is_interrupted_in_its_middle() {
    let token = CancelToken::new();
    let control = Control::default().cancelled_by(&token);
    let model = Endless(Toy::counter(3), token);
    let properties = toy::properties(&[Question::NoDeadlock]);
    let task = Task { model: &model, properties: &properties, find_all: false, census: Census::default() };
    // With an observer there is no first look at the model, which has a clock of its own.
    let report = explicit::search(&task, Options::default(), &control, Some(&mut ()));
    assert_eq!(report.stopped, Some(StopReason::Interrupted));
    assert_eq!(steps(&report.answers[0]), Err("interrupted".into()));
}

#[test]
fn progress_is_heard() {
    let (heard, states) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let (heard_too, states_too) = (Arc::clone(&heard), Arc::clone(&states));
    let control = Control::default().heard_by(move |progress| {
        heard_too.fetch_add(1, Ordering::Relaxed);
        states_too.store(progress.states, Ordering::Relaxed);
        assert!(progress.frontier <= progress.states && progress.memory > 0);
        assert!(progress.transitions + 1 >= progress.states);
    });
    let report = search(&Toy::wheels(2, 256), &[], false, Order::BreadthFirst, &control);
    assert_eq!((report.stopped.clone(), numbers(&report).states), (None, 65_536));
    assert!(heard.load(Ordering::Relaxed) >= 1 && states.load(Ordering::Relaxed) >= 1);
}

#[test]
fn the_limit_of_states_is_exact() {
    let label = |toy: Toy| toy.predicate(|state| Ok(u32::from(state[0] != 99)));
    for order in ORDERS {
        for allowed in [1, 2, 50, 100, 101, 102, 1000] {
            let control = limits(Limits { states: Some(allowed), ..Limits::default() });
            let questions = [Question::NoDeadlock, Question::Always(LabelIx::new(0))];
            let report = search(&label(Toy::counter(100)), &questions, true, order, &control);
            assert_eq!(numbers(&report).states, allowed.min(101));
            assert_eq!(report.stopped, (allowed < 101).then_some(StopReason::States));
            // The label is evaluated in the last state that found room.
            assert_eq!(steps(&report.answers[1]).is_ok(), allowed >= 100);
            assert_eq!(steps(&report.answers[0]), if allowed < 101 { Err("states".into()) } else { Ok(100) });
        }
    }
    // None at all: not even the initial state.
    let control = limits(Limits { states: Some(0), ..Limits::default() });
    let report = search(&Toy::counter(3), &[Question::NoDeadlock], true, Order::BreadthFirst, &control);
    assert_eq!((report.stopped.clone(), numbers(&report).states), (Some(StopReason::States), 0));
    assert_eq!(numbers(&report).levels, Some(0));
}

#[test]
fn a_model_with_just_as_many_states_as_allowed_is_searched_to_the_end() {
    for order in ORDERS {
        // All states are stored when the first has had its turn: the limit is there while the work goes on.
        let control = limits(Limits { states: Some(30_001), ..Limits::default() });
        let report = search(&Toy::fan(30_000), &[Question::NoDeadlock], false, order, &control);
        assert_eq!((report.stopped.clone(), numbers(&report).transitions), (None, 60_000));
        assert_eq!(steps(&report.answers[0]), Err("holds".into()));
    }
}

#[test]
fn the_states_that_found_room_beside_one_that_did_not_are_looked_at() {
    let toy = Toy::fan(100).predicate(|state| Ok(u32::from(state[0] != 49)));
    for order in ORDERS {
        for (allowed, wanted) in [(49, Err("states".into())), (50, Ok(1))] {
            let control = limits(Limits { states: Some(allowed), ..Limits::default() });
            let report = search(&toy, &[Question::Always(LabelIx::new(0))], true, order, &control);
            assert_eq!(
                (report.stopped.clone(), numbers(&report).states),
                (Some(StopReason::States), allowed)
            );
            assert_eq!(steps(&report.answers[0]), wanted);
        }
    }
}

#[test]
fn states_at_the_depth_limit_are_expanded_and_what_lies_beyond_is_not_stored() {
    for order in ORDERS {
        for depth in [0, 1, 50, 99, 100, 101, 200] {
            let control = limits(Limits { depth: Some(depth), ..Limits::default() });
            let report = search(&Toy::counter(100), &[Question::NoDeadlock], true, order, &control);
            assert_eq!(
                (numbers(&report).states, numbers(&report).transitions),
                ((depth + 1).min(101), (depth + 1).min(100))
            );
            assert_eq!(numbers(&report).depth, depth.min(100));
            // The last state is 100 steps away, and has no successors.
            assert_eq!(report.stopped, (depth < 100).then_some(StopReason::Depth));
            assert_eq!(steps(&report.answers[0]), if depth < 100 { Err("depth".into()) } else { Ok(100) });
        }
    }
}

#[test]
fn successors_that_are_known_are_not_cut_off() {
    for order in ORDERS {
        let control = limits(Limits { depth: Some(1), ..Limits::default() });
        let report = search(&Toy::fan(1000), &[Question::NoDeadlock], false, order, &control);
        assert_eq!((report.stopped.clone(), numbers(&report).transitions), (None, 2000));
        assert_eq!(steps(&report.answers[0]), Err("holds".into()));
    }
}

/// A graph: each state leads to these; the last one violates label 0.
fn graph(successors: &'static [&'static [u32]]) -> Toy {
    let last = successors.len() as u32 - 1;
    Toy::new(&[(0, last as i32)], &[0])
        .group(&[0], |state| {
            Ok(successors[state[0] as usize].iter().map(|&target| (1, vec![target])).collect())
        })
        .predicate(move |state| Ok(u32::from(state[0] != last)))
}

#[test]
fn depth_first_comes_back_to_a_state_it_met_at_the_depth_limit() {
    // 0 → 1 → 2 → 3 and 0 → 4 → 3 → 5: with three steps, 3 is met at the limit first, then with two steps.
    let toy = graph(&[&[1, 4], &[2], &[3], &[5], &[3], &[]]);
    let control = limits(Limits { depth: Some(3), ..Limits::default() });
    let questions =
        [Question::Always(LabelIx::new(0)), Question::NoDeadlock, Question::NoAction("a1".into())];
    let report = search(&toy, &questions, true, Order::DepthFirst, &control);
    assert_eq!((report.stopped.clone(), numbers(&report).states, numbers(&report).transitions), (None, 6, 6));
    // No run is longer than the limit, and nothing counts twice.
    assert!(steps(&report.answers[0]).unwrap() <= 3 && steps(&report.answers[1]).unwrap() <= 3);
    assert_eq!(report.answers.iter().map(violations).collect::<Vec<_>>(), [1, 1, 6]);
}

#[test]
fn depth_first_says_complete_when_all_that_was_cut_off_is_found_another_way() {
    // 2 is met at the limit when 3 is not known yet; 4 leads there later. 2 itself is never nearer.
    let control = || limits(Limits { depth: Some(2), ..Limits::default() });
    let report =
        search(&graph(&[&[1, 4], &[2], &[3], &[0], &[3]]), &[], false, Order::DepthFirst, &control());
    assert_eq!((report.stopped.clone(), numbers(&report).states, numbers(&report).transitions), (None, 5, 6));
    // The same with 2 → 5, which nothing else leads to.
    let toy = graph(&[&[1, 4], &[2], &[3, 5], &[0], &[3], &[0]]);
    let report = search(&toy, &[], false, Order::DepthFirst, &control());
    assert_eq!((report.stopped.clone(), numbers(&report).states), (Some(StopReason::Depth), 5));
}

#[test]
fn memory_runs_out_at_the_limit_and_not_past_it() {
    let limit = 64 << 20;
    // A whole state takes 14 bytes, one in a tree 6; each that waits takes 16, and many do in a depth-first
    // search.
    for (storage, [by_levels, by_stack]) in
        [(Storage::Plain, [3_000_000, 1_200_000]), (Storage::Tree, [6_000_000, 1_500_000])]
    {
        for (order, enough) in [(Order::BreadthFirst, by_levels), (Order::DepthFirst, by_stack)] {
            let control = limits(Limits { memory: Some(limit), ..Limits::default() });
            let options = Options { storage, ..Options::default() };
            let toy = Toy::wheels(4, 256);
            let report = search_by(options, &toy, &[Question::NoDeadlock], false, order, &control);
            assert_eq!(report.stopped, Some(StopReason::Memory));
            assert_eq!(steps(&report.answers[0]), Err("memory".into()));
            let statistics = numbers(&report);
            assert!(statistics.memory <= limit);
            assert!(statistics.memory > limit * 9 / 10, "only {} of {limit} bytes used", statistics.memory);
            assert!(statistics.states > enough, "{storage:?} {order:?}: only {} states", statistics.states);
        }
    }
}

#[test]
fn too_little_memory_for_anything_is_an_answer_too() {
    for order in ORDERS {
        for memory in [0, 1, 10 << 20, (10 << 20) + 1000, 11 << 20, 12 << 20, 13 << 20] {
            let control = limits(Limits { memory: Some(memory), ..Limits::default() });
            let report = search(&Toy::wheels(3, 256), &[Question::NoError], false, order, &control);
            assert_eq!(report.stopped, Some(StopReason::Memory), "{memory}");
            assert_eq!(steps(&report.answers[0]), Err("memory".into()));
        }
    }
}

/// So little memory that only some of the levels of the second search can be kept.
#[test]
fn a_run_is_found_again_piece_by_piece() {
    let toy = Toy::counter(3000);
    for threads in [1, 2] {
        for megabytes in [14, 20, 40, 200] {
            let control = limits(Limits { memory: Some(megabytes << 20), ..Limits::default() });
            let options = Options { threads, kept_ways: 0, ..Options::default() };
            let report =
                search_by(options, &toy, &[Question::NoDeadlock], false, Order::BreadthFirst, &control);
            assert_eq!(steps(&report.answers[0]), Ok(3000), "{megabytes} MB");
        }
    }
}

#[test]
fn a_worker_that_panics_ends_the_search_and_nothing_else() {
    let toy = Toy::wheels(2, 100).predicate(|state| if state[0] == 77 { panic!("a bad day") } else { Ok(1) });
    for (options, order) in ways() {
        let questions = [Question::Always(LabelIx::new(0))];
        let report = search_by(options, &toy, &questions, false, order, &Control::default());
        assert!(matches!(&report.stopped, Some(StopReason::Internal(what)) if what.contains("a bad day")));
        assert_eq!(steps(&report.answers[0]), Err("internal".into()));
    }
}

/// Hashes and bits may leave states out, but not on this occasion; they never say that something holds.
#[test]
fn approximate_searches_find_violations_and_never_say_that_there_are_none() {
    let toy = Toy::wheels(3, 20).predicate(|state| Ok(u32::from(state != [19, 3, 7])));
    for storage in [Storage::Hashes, Storage::Bits] {
        for (threads, order) in [(1, Order::BreadthFirst), (2, Order::BreadthFirst), (2, Order::DepthFirst)] {
            let options = Options { threads, storage, kept_ways: 0, ..Options::default() };
            let control = limits(Limits { memory: Some(100 << 20), ..Limits::default() });
            let questions = [Question::Always(LabelIx::new(0)), Question::NoDeadlock];
            let report = search_by(options, &toy, &questions, true, order, &control);
            // Of two workers that set the bits of a state at the same time both may have been first.
            assert!((8000..8000 + threads as u64 * 50).contains(&numbers(&report).states));
            assert!(matches!(report.stopped, Some(StopReason::Approximate(chance)) if chance.0 < 0.01));
            assert!(steps(&report.answers[0]).is_ok_and(|steps| order == Order::DepthFirst || steps == 29));
            assert_eq!(steps(&report.answers[1]), Err("approximate".into()));
        }
    }
}
