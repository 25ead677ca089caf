//! A cached model says what the plain one says, with room or without, and caches what is worth it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{GroupIx, SlotIx};
use layers::{CacheStatistics, Cached, Over, try_cache};
use model::{Model, Successors, Value};
use toys::Altered;

use crate::naive::{Back, explore};
use crate::random::{for_seeds, toy};
use crate::toy::{Array, Assign, Command, Expr, Test, Toy};

/// Bytes for all tables: none, room for a handful of records, so that they are forgotten all the time, and
/// enough.
const ROOM: &[usize] = &[0, 1_000, 4_000, 10_000, 16_000, 40_000, 1 << 20];

/// The model with a cache of each kind, for two steppers.
fn both_kinds(plain: &Arc<dyn Model>, memory: usize) -> [Over<Cached>; 2] {
    [Cached::per_stepper(plain.clone(), memory, 2), Cached::shared(plain.clone(), memory)]
}

#[test]
fn a_cached_model_says_the_same() {
    let hits = std::cell::Cell::new(0);
    // For each kind the toys in which something was known, and something was forgotten.
    let forgetful = [std::cell::Cell::new(0), std::cell::Cell::new(0)];
    for_seeds(200, |seed| {
        let plain: Arc<dyn Model> = Arc::new(toy(seed));
        let wanted = explore(&*plain, &Back::none(&*plain));
        let mut enough = [0; 2];
        for &memory in ROOM.iter().rev() {
            for (kind, layered) in both_kinds(&plain, memory).into_iter().enumerate() {
                assert_eq!(explore(&layered, &Back::none(&layered)), wanted, "with {memory} bytes");
                let statistics = layered.statistics();
                assert!(layered.most_bytes() <= memory, "{} of {memory} bytes", layered.most_bytes());
                assert!(memory > 0 || statistics.hits == 0);
                if memory == 1 << 20 {
                    enough[kind] = statistics.misses;
                } else if statistics.hits > 0 && statistics.misses > enough[kind] {
                    forgetful[kind].set(forgetful[kind].get() + 1);
                }
                hits.set(hits.get() + statistics.hits);
            }
        }
    });
    assert!(hits.get() > 1_000, "{} hits: nothing was tested", hits.get());
    assert!(forgetful.iter().all(|count| count.get() > 20), "{forgetful:?}: hardly anything was forgotten");
}

#[test]
fn steppers_of_several_threads_say_the_same_at_the_same_time() {
    let hits = std::cell::Cell::new(0);
    for_seeds(60, |seed| {
        let plain: Arc<dyn Model> = Arc::new(toy(seed));
        let wanted = explore(&*plain, &Back::none(&*plain));
        for &memory in &ROOM[1..] {
            for layered in both_kinds(&plain, memory) {
                std::thread::scope(|scope| {
                    for _ in 0..3 {
                        scope.spawn(|| assert_eq!(explore(&layered, &Back::none(&layered)), wanted));
                    }
                });
                assert!(layered.most_bytes() <= memory, "{} of {memory} bytes", layered.most_bytes());
                hits.set(hits.get() + layered.statistics().hits);
            }
        }
    });
    assert!(hits.get() > 1_000, "{} hits: nothing was tested", hits.get());
}

#[test]
fn what_one_stepper_learned_all_know_if_the_table_is_shared() {
    let plain: Arc<dyn Model> = Arc::new(dynamic_write());
    for (layered, wanted) in both_kinds(&plain, 1 << 20).into_iter().zip([0, 1]) {
        let (mut first, mut second) = (layered.stepper(), layered.stepper());
        let mut to = Successors::new(6);
        first.group(GroupIx::new(0), &[0; 6], &mut to).unwrap();
        second.group(GroupIx::new(0), &[0; 6], &mut to).unwrap();
        drop((first, second));
        assert_eq!(layered.statistics(), CacheStatistics { hits: wanted, misses: 2 - wanted, bypassed: 0 });
    }
}

/// `array[x0] := 7` over three cells.
fn dynamic_write() -> Toy {
    let array = Array { base: 1, length: 3 };
    let rule = Command { guards: vec![], choices: vec![(5, vec![Assign::Cell(array, 0, Expr::Const(7))])] };
    Toy::new(vec![0; 6], vec![], vec![rule], vec![])
}

#[test]
fn a_copied_slot_keeps_the_value_of_the_state_at_hand() {
    let layered = Cached::per_stepper(Arc::new(dynamic_write()), 1 << 16, 1);
    let mut stepper = layered.stepper();
    let mut ask = |from: &[Value]| {
        let mut to = Successors::new(6);
        stepper.group(GroupIx::new(0), from, &mut to).unwrap();
        assert_eq!((to.len(), to.get(0).group, to.get(0).action), (1, GroupIx::new(0), 5));
        let copied = (0..6).filter(|&slot| to.get(0).copied(SlotIx::new(slot))).collect::<Vec<_>>();
        (to.get(0).state.to_vec(), copied)
    };
    assert_eq!(ask(&[1, 2, 2, 2, 0, 0]), (vec![1, 2, 7, 2, 0, 0], vec![1, 3]));
    assert_eq!(ask(&[1, 3, 4, 5, 6, 0]), (vec![1, 3, 7, 5, 6, 0], vec![1, 3]));
    assert_eq!(ask(&[2, 3, 4, 5, 6, 0]), (vec![2, 3, 4, 7, 6, 0], vec![1, 2]));
    drop(stepper);
    assert_eq!(layered.statistics(), CacheStatistics { hits: 1, misses: 2, bypassed: 0 });
}

#[test]
fn an_error_comes_back_each_time_and_leaves_the_buffer_alone() {
    let layered = Cached::per_stepper(Arc::new(dynamic_write()), 1 << 16, 1);
    let mut stepper = layered.stepper();
    let mut to = Successors::new(6);
    for round in 0..3 {
        let error = stepper.group(GroupIx::new(0), &[3 + round % 2, 0, 0, 0, 0, 0], &mut to).unwrap_err();
        assert_eq!(error.to_string(), format!("index {}", 3 + round % 2));
        assert!(to.is_empty());
        stepper.group(GroupIx::new(0), &[0; 6], &mut to).unwrap();
        assert!(stepper.all(&[9, 0, 0, 0, 0, 0], &mut to).is_err());
        assert_eq!(to.len(), 1);
        to.clear();
    }
}

/// Two counters up to `most` that move by themselves, a third slot that counts one of them, slots that rest.
fn counters(most: Value) -> Toy {
    let below = |slot| Test { left: Expr::Slot(slot), less: true, right: most, negated: false };
    let step = |guards: Vec<usize>, assigns| Command { guards, choices: vec![(0, assigns)] };
    let tests = vec![below(0), below(1)];
    let rules = vec![
        step(vec![0], vec![Assign::Slot(0, Expr::Add(0, 1, 1000))]),
        step(vec![1], vec![Assign::Slot(1, Expr::Add(1, 1, 1000))]),
        // Reads both counters: its key is nearly the whole state.
        step(vec![0, 1], vec![Assign::Slot(2, Expr::Const(1))]),
        // Reads every slot but one.
        step(vec![0, 1], [2, 3, 4].map(|slot| Assign::Slot(slot, Expr::Slot(slot))).to_vec()),
    ];
    Toy::new(vec![0; 6], tests, rules, vec![])
}

/// States × groups calls of `all`, in the order of a search.
fn run(model: &dyn Model, most: Value) -> Vec<(GroupIx, Vec<Value>)> {
    let mut stepper = model.stepper();
    let mut to = Successors::new(6);
    for x in 0..=most {
        for y in 0..=most {
            for z in 0..2 {
                stepper.all(&[x, y, z, 0, 0, 0], &mut to).unwrap();
            }
        }
    }
    to.iter().map(|successor| (successor.group, successor.state.to_vec())).collect()
}

#[test]
fn groups_that_do_not_pay_are_bypassed_and_answers_stay_the_same() {
    let most = 150;
    let plain: Arc<dyn Model> = Arc::new(counters(most));
    let layered = Cached::per_stepper(plain.clone(), 1 << 24, 1);
    assert_eq!(run(&layered, most), run(&*plain, most));
    let calls = u64::from((most + 1) * (most + 1) * 2);
    let CacheStatistics { hits, misses, bypassed } = layered.statistics();
    assert_eq!(hits + misses + bypassed, 4 * calls);
    // The last group is never looked up. The third hits every second time, which is just enough to stay.
    assert_eq!(bypassed, calls);
    let different = u64::from(2 * (most + 1) + (most + 1) * (most + 1));
    // A full bucket of the index loses a record now and then.
    assert!(
        (different..different + different / 1_000).contains(&misses),
        "{misses} misses of {different} keys"
    );

    // Without room the first groups miss too often as well, and after two trials of 2^13 lookups all is
    // bypassed.
    let layered = Cached::per_stepper(plain.clone(), 0, 1);
    assert_eq!(run(&layered, most), run(&*plain, most));
    let CacheStatistics { hits, misses, bypassed } = layered.statistics();
    assert_eq!((hits, misses, bypassed), (0, 3 << 14, 4 * calls - (3 << 14)));
}

#[test]
fn every_stepper_adds_its_numbers_when_it_is_dropped() {
    let layered = Cached::per_stepper(Arc::new(dynamic_write()), 1 << 16, 2);
    let (mut first, mut second) = (layered.stepper(), layered.stepper());
    let mut to = Successors::new(6);
    for _ in 0..3 {
        first.group(GroupIx::new(0), &[0; 6], &mut to).unwrap();
        second.group(GroupIx::new(0), &[0; 6], &mut to).unwrap();
    }
    assert_eq!(layered.statistics(), CacheStatistics::default());
    drop(first);
    assert_eq!(layered.statistics(), CacheStatistics { hits: 2, misses: 1, bypassed: 0 });
    drop(second);
    assert_eq!(layered.statistics(), CacheStatistics { hits: 4, misses: 2, bypassed: 0 });
}

/// The model with at least so long a time for each call.
fn slowed(model: &Arc<dyn Model>, time: Duration) -> Altered {
    Altered::of(Arc::clone(model)).before_each_call(move || {
        // Not asleep: a sleep takes far longer than it is asked to.
        let started = Instant::now();
        while started.elapsed() < time {}
    })
}

#[test]
fn a_trial_shows_that_a_cache_pays_where_calls_are_slow() {
    let counters: Arc<dyn Model> = Arc::new(counters(150));
    let patience = Duration::from_secs(60);
    let slow: Arc<dyn Model> = Arc::new(slowed(&counters, Duration::from_micros(5)));
    let trial = try_cache(&slow, 1 << 20, 600, patience);
    assert!(!trial.is_complete && trial.call >= Duration::from_micros(5), "{trial:?}");
    // Two of four groups are known nearly always.
    assert!(trial.ratio.is_some_and(|ratio| ratio < 0.8), "{trial:?}");
    // Without room nothing is known.
    let trial = try_cache(&slow, 0, 600, patience);
    assert!(trial.ratio.is_some_and(|ratio| ratio > 0.9), "{trial:?}");
    // A call that takes longer than there is time: a state or two, and nothing to tell from.
    let slow: Arc<dyn Model> = Arc::new(slowed(&counters, Duration::from_millis(20)));
    let trial = try_cache(&slow, 1 << 20, 600, Duration::from_millis(20));
    assert!(
        trial.ratio.is_none() && !trial.is_complete && trial.call >= Duration::from_millis(20),
        "{trial:?}"
    );
}

#[test]
fn a_model_with_few_states_is_seen_whole_and_not_tried() {
    let small: Arc<dyn Model> = Arc::new(counters(5));
    let trial = try_cache(&small, 1 << 20, 4_000, Duration::from_secs(60));
    assert!(trial.is_complete && trial.ratio.is_none(), "{trial:?}");
    assert_eq!(trial.states, 2 * 6 * 6);
}
