//! Garbage collected at every node, handles that free their nodes, and stores that are full.

use std::thread::{scope, spawn};

use ldd::Store;

use crate::naive;
use crate::pool::Pool;
use crate::random::Draw;
use base::SplitMix64;

#[test]
fn operations_hold_what_they_need() {
    for batch in [1, 3, 16] {
        let store = Store::under_stress(64, 1 << 14, batch).expect("a store");
        let mut pool = Pool::new(&store, toys::seeded());
        for _ in 0..400 {
            pool.step().expect("room");
        }
        pool.assert_all_same();
        assert!(store.statistics().collections > 3000 / batch, "{:?}", store.statistics());
    }
}

#[test]
fn a_small_store_collects_by_itself() {
    let store = Store::with_memory(0).expect("a store");
    let mut pool = Pool::new(&store, toys::seeded());
    let mut steps = 0;
    while store.statistics().collections < 3 {
        pool.step().expect("room");
        steps += 1;
    }
    pool.assert_all_same();
    assert!(steps > 100, "garbage is collected when the capacity is used up, not before");
}

#[test]
fn handles_that_are_dropped_free_their_nodes() {
    let store = Store::with_memory(0).expect("a store");
    let mut random = toys::seeded();
    let sets: Vec<_> =
        (0..20).map(|_| naive::diagram(&store, &random.set(5, 6, 50)).expect("room")).collect();
    let kept = sets[7].clone();
    drop(sets);
    store.collect();
    assert_eq!(store.statistics().nodes, store.node_count(&kept));
    let again = kept.clone();
    drop(kept);
    store.collect();
    assert_eq!(store.statistics().nodes, store.node_count(&again));
    drop(again);
    store.collect();
    assert_eq!(store.statistics().nodes, 0);
}

/// Each thread drops handles that others made, also while others make and collect.
#[test]
fn handles_dropped_on_any_thread_free_their_nodes() {
    let store = Store::with_memory(0).expect("a store");
    let mut random = toys::seeded();
    let sets: Vec<_> = (0..40).map(|_| random.set(5, 6, 50)).collect();
    let make = |from: usize| -> Vec<_> {
        sets[from..].iter().step_by(4).map(|set| naive::diagram(&store, set).expect("room")).collect()
    };
    let made: Vec<Vec<_>> = scope(|scope| {
        let threads: Vec<_> = (0..4).map(|from| scope.spawn(move || make(from))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no thread panicked")).collect()
    });
    let kept = made[2][3].clone();
    scope(|scope| {
        for (thread, handles) in made.into_iter().enumerate() {
            let (store, make) = (&store, &make);
            scope.spawn(move || {
                for handle in handles {
                    drop(handle);
                    store.collect();
                }
                drop(make((thread + 1) % 4));
            });
        }
    });
    store.collect();
    assert_eq!(store.statistics().nodes, store.node_count(&kept), "only what one handle holds is left");
    naive::assert_same(&store, &kept, &sets[14]);
    spawn(move || drop(kept)).join().expect("no thread panicked");
    store.collect();
    assert_eq!(store.statistics().nodes, 0);
}

#[test]
fn a_full_store_says_so_and_goes_on() {
    let mut random = toys::seeded();
    for most in [100, 150, 200] {
        let store = Store::under_stress(64, most, 2).expect("a store");
        let mut pool = Pool::new(&store, SplitMix64::new(random.next_u64()));
        let (mut done, mut refused) = (0, 0);
        for _ in 0..300 {
            match pool.step() {
                Ok(()) => done += 1,
                Err(_) => {
                    refused += 1;
                    // What was there is still right.
                    pool.assert_all_same();
                    pool.drop_half();
                }
            }
            assert!(store.statistics().nodes <= most);
        }
        assert!(done > 0 && refused > 0, "{most} nodes: {done} done, {refused} refused");
    }
}

/// A store keeps to its memory also where the most nodes are no power of two.
#[test]
fn memory_is_kept() {
    for bytes in [3_000_000, 7_000_000, 12_345_678] {
        let store = Store::with_memory(bytes).expect("a store");
        let (mut sets, mut random) = (Vec::new(), toys::seeded());
        while let Ok(set) = naive::diagram(&store, &random.set(6, 50, 500)) {
            sets.push(set);
        }
        let taken = store.statistics().bytes;
        assert!(taken <= bytes && 2 * taken > bytes, "{taken} of {bytes}");
    }
}

/// A store that grows near its limit makes its cache smaller, and what operations answer stays right.
#[test]
fn the_cache_gives_way_and_answers_stay_right() {
    let (store, mut random) = (Store::with_memory(3_000_000).expect("a store"), toys::seeded());
    let before = store.statistics().bytes;
    let (mut union, mut wanted) = (store.empty(), naive::Set::new());
    let mut parts = Vec::new();
    while store.statistics().bytes >= before {
        let part = random.set(6, 50, 500);
        let diagram = naive::diagram(&store, &part).expect("room");
        union = store.union(&union, &diagram).expect("room");
        wanted.extend(part.iter().cloned());
        parts.push((diagram, part));
        assert!(parts.len() < 1000, "{:?}", store.statistics());
    }
    assert!(store.statistics().peak_bytes >= before, "{:?}", store.statistics());
    naive::assert_same(&store, &union, &wanted);
    for (diagram, part) in &parts {
        assert_eq!(store.intersect(diagram, &union).expect("room"), *diagram);
        assert_eq!(naive::diagram(&store, part).expect("room"), *diagram);
    }
}
