//! Several threads on one store, each with its own naive twins, collecting garbage against each other.

use std::sync::Mutex;
use std::thread::scope;

use ldd::{Ldd, Store};

use crate::naive::{self, Set};
use crate::pool::Pool;
use crate::random::Draw;
use base::SplitMix64;

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

/// Runs steps in all threads; handles wander from one to another. Answers how many steps the store was too
/// full for.
fn run(store: &Store, steps: usize) -> usize {
    let mut random = toys::seeded();
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
    let pools: Vec<Pool> =
        (0..THREADS).map(|_| Pool::new(store, SplitMix64::new(random.next_u64()))).collect();
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

/// Runs steps in one thread, whose operations are split between it and others.
fn run_together(store: &Store, steps: usize) -> usize {
    store.set_threads(3);
    let mut pool = Pool::new(store, toys::seeded());
    let mut refused = 0;
    for _ in 0..steps {
        if store.together(3, crate::pool::WIDTH, || pool.step()).is_err() {
            refused += 1;
            pool.assert_all_same();
            pool.drop_half();
        }
    }
    pool.assert_all_same();
    drop(pool);
    store.collect();
    assert_eq!(store.statistics().nodes, 0, "every handle is dropped");
    refused
}

#[test]
fn helpers_collect_at_every_node() {
    for batch in [1, 7] {
        let store = Store::under_stress(64, 1 << 14, batch).expect("a store");
        assert_eq!(run_together(&store, 500), 0);
    }
}

#[test]
fn helpers_in_a_store_that_is_too_small() {
    let store = Store::under_stress(64, 250, 2).expect("a store");
    assert!(run_together(&store, 300) > 0);
}

#[test]
fn helpers_on_wide_vectors() {
    let store = Store::with_memory(1 << 28).expect("a store");
    let width = 3000;
    let vector = |seed: u32| (0..width).map(|slot| (slot * seed + slot / 7) % 3).collect::<Vec<u32>>();
    let both = store.together(4, width as usize, || {
        let sets = [1, 2].map(|part| {
            let vectors: Vec<Vec<u32>> = (0..40).map(|seed| vector(part * seed)).collect();
            store.vectors(vectors.iter().map(Vec::as_slice)).expect("room")
        });
        store.union(&sets[0], &sets[1]).expect("room")
    });
    assert!(
        (0..80).filter(|seed| *seed < 40 || seed % 2 == 0).all(|seed| store.contains(&both, &vector(seed)))
    );
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
    let mut random = toys::seeded();
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

/// Little of everything: what Miri can run.
#[test]
fn few_nodes_and_all_that_threads_do() {
    let store = Store::under_stress(16, 64, 4).expect("a store");
    let mut random = SplitMix64::new(1);
    let sets: [Set; 2] = [(); 2].map(|()| random.set(3, 2, 4));
    let steps = random.steps(3, 2, 3);
    let work = |set: &Set, other: &Set| {
        let relation = steps.relation(&store).expect("room");
        let [one, two] = [set, other].map(|set| naive::diagram(&store, set).expect("room"));
        let both = store.union(&one, &two).expect("room");
        drop((one, two));
        let reached = store.closure(&both, &[relation]).expect("room");
        naive::assert_same(&store, &reached, &naive::closure(&naive::union(set, other), &[&steps]));
        reached
    };
    store.set_threads(2);
    scope(|scope| {
        let thread = scope.spawn(|| work(&sets[0], &sets[1]));
        let reached = work(&sets[1], &sets[0]);
        assert_eq!(thread.join().expect("no thread panicked"), reached);
    });
    store.collect();
    assert_eq!(store.statistics().nodes, 0, "every handle is dropped");
}
