//! Several threads on one store, each with its own naive twins, collecting garbage against each other.

use std::sync::Mutex;
use std::thread::scope;

use ldd::{Ldd, Store};

use crate::naive::{self, Set};
use crate::pool::Pool;
use crate::random::Random;

const THREADS: usize = 4;

type Wandering = Mutex<Vec<(Ldd, Set)>>;

/// Takes a set that another thread has left, and leaves one.
fn exchange(pool: &mut Pool, wandering: &Wandering) {
    let mut wandering = wandering.lock().expect("no thread panicked");
    if let Some((set, naive)) = wandering.pop() {
        naive::assert_same(&pool.store, &set, &naive);
        pool.sets.push((set, naive));
    }
    if !pool.sets.is_empty() {
        wandering.push(pool.sets.swap_remove(pool.random.below(pool.sets.len())));
    }
}

/// Runs steps in all threads; handles wander from one to another. Answers how many steps the store was too full for.
fn run(store: &Store, steps: usize) -> usize {
    let mut random = Random::from_environment();
    let wandering = Wandering::default();
    let work = |mut pool: Pool| {
        let mut refused = 0;
        for step in 0..steps {
            if pool.step().is_err() {
                refused += 1;
                pool.assert_all_same();
                pool.drop_half();
            }
            if step % 3 == 0 {
                exchange(&mut pool, &wandering);
            }
        }
        pool.assert_all_same();
        refused
    };
    let pools: Vec<Pool> = (0..THREADS).map(|_| Pool::new(store, Random::new(random.next()))).collect();
    let refused = scope(|scope| {
        let threads: Vec<_> = pools.into_iter().map(|pool| scope.spawn(|| work(pool))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no thread panicked")).sum()
    });
    for (set, naive) in wandering.lock().expect("no thread panicked").drain(..) {
        naive::assert_same(store, &set, &naive);
    }
    store.collect();
    assert_eq!(store.statistics().nodes, 0, "every handle is dropped");
    refused
}

#[test]
fn threads_collect_at_every_node() {
    for batch in [1, 7] {
        let store = Store::under_stress(64, 1 << 14, batch).expect("a store");
        assert_eq!(run(&store, 100), 0);
    }
}

#[test]
fn threads_collect_when_the_store_is_full() {
    let store = Store::with_memory(0).expect("a store");
    assert_eq!(run(&store, 1500), 0);
    assert!(store.statistics().collections > 1, "{:?}", store.statistics());
}

#[test]
fn threads_in_a_store_that_is_too_small() {
    let store = Store::under_stress(64, 400, 2).expect("a store");
    assert!(run(&store, 100) > 0);
}

/// Equal sets are one node also where threads make them at the same time.
#[test]
fn threads_that_make_the_same_sets() {
    let store = Store::under_stress(1 << 10, 1 << 16, 8).expect("a store");
    let mut random = Random::from_environment();
    let sets: Vec<Set> = (0..60).map(|_| random.set(5, 3, 60)).collect();
    let make = || -> Vec<Ldd> {
        let diagrams = sets.iter().map(|set| naive::diagram(&store, set).expect("room"));
        let mut sums = vec![store.empty()];
        for diagram in diagrams {
            sums.push(store.union(&diagram, &sums[sums.len() - 1]).expect("room"));
        }
        sums
    };
    let made: Vec<Vec<Ldd>> = scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(make)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no thread panicked")).collect()
    });
    assert!(made.iter().all(|sums| *sums == made[0]));
    let all = sets.iter().fold(Set::new(), |sum, set| naive::union(&sum, set));
    naive::assert_same(&store, &made[0][sets.len()], &all);
}
