//! Closures that another thread interrupts: they end soon, nothing is lost or left behind, and the store goes
//! on.

use std::path::Path;
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use ldd::{Access, Ldd, Relation, Shape, Stop, Store};

/// So soon does a closure end.
const SOON: Duration = Duration::from_millis(50);

/// Interrupts a closure that has run for a while. Answers how long it went on.
fn interrupted(store: &Store, set: &Ldd, relations: &[Relation], after: Duration) -> Duration {
    let (ended, asked) = scope(|scope| {
        let closure = scope.spawn(|| (store.closure(set, relations), Instant::now()));
        sleep(after);
        let asked = Instant::now();
        store.interrupt();
        let (answer, ended) = closure.join().expect("no thread panicked");
        assert_eq!(answer, Err(Stop::Interrupted), "it was over before");
        (ended, asked)
    });
    // One that begins later ends as well.
    assert_eq!(store.closure(set, relations), Err(Stop::Interrupted));
    store.resume();
    ended - asked
}

/// Other processes may take the processor away, so one of some tries must be quick.
fn assert_quick(times: &[Duration], what: &str) {
    assert!(times.iter().min().is_some_and(|time| *time < SOON), "{what} went on for {times:?}");
}

#[test]
fn closures_of_models_end_soon() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/ldd");
    for (name, threads) in
        ["bakery.5", "blocks.3"].into_iter().flat_map(|name| [1, 2].map(|threads| (name, threads)))
    {
        let read = |name: &str| std::fs::read(directory.join(format!("{name}.ldd")));
        let (Ok(large), Ok(small)) = (read(name), read("bakery.4")) else {
            println!("{name} is not here: skipped");
            continue;
        };
        let store = Store::with_memory(1 << 28).expect("a store");
        store.set_threads(threads);
        let large = store.read_dump(&large).expect("a dump");
        let times = [20, 150, 400].map(Duration::from_millis);
        let times = times.map(|after| interrupted(&store, &large.initial, &large.relations, after));
        println!("{name}, {threads} threads: {times:?}");
        assert_quick(&times, name);
        // The store is as good as a new one.
        let small = store.read_dump(&small).expect("a dump");
        let reached = store.closure(&small.initial, &small.relations).expect("room");
        assert_eq!(store.count(&reached), 157_003u32.into(), "after {name} was interrupted");
        drop((large, small, reached));
        store.collect();
        assert_eq!(store.statistics().nodes, 0, "an interrupted closure left nodes behind");
    }
}

/// Steps of pairs of slots that stand far apart. Each pair goes its own way, so the diagram of all that is
/// reached has to remember half of a vector at its middle: a closure takes very long.
fn pairs(store: &Store, width: usize, most: u32) -> Vec<Relation> {
    use ldd::Entry::Value;
    let pair = |slot: usize| {
        let shape = Shape::new(width, vec![(slot, Access::Both), (slot + width / 2, Access::Both)]);
        let values = (0..most).flat_map(|one| (0..most).map(move |other| (one, other)));
        let rows: Vec<_> = values
            .map(|(one, other)| {
                let sum = one * 7 + other * 3 + slot as u32;
                [one, sum % most, other, (sum * 5 + one) % most].map(Value)
            })
            .collect();
        store.relation(shape).with_rows(rows.iter().map(|row| &row[..])).expect("room")
    };
    (0..width / 2).map(pair).collect()
}

#[test]
fn a_closure_ends_soon_and_can_be_begun_again() {
    for threads in [1, 2] {
        let store = Store::with_memory(1 << 28).expect("a store");
        store.set_threads(threads);
        let relations = pairs(&store, 20, 11);
        let start = store.vector(&[1; 20]).expect("room");
        let times =
            [5, 50, 100].map(|after| interrupted(&store, &start, &relations, Duration::from_millis(after)));
        println!("{threads} threads: {times:?}");
        assert_quick(&times, "a closure");
        // A part of it that is quick.
        let reached = store.closure(&start, &relations[..1]).expect("room");
        let mut expected = vec![start];
        while store.count(&reached) > expected.len().into() {
            let next =
                store.image(&expected[expected.len() - 1], &relations[0], &store.empty()).expect("room");
            assert!(!expected.contains(&next), "one step from each vector, to a new one");
            expected.push(next);
        }
        let all = expected.iter().fold(store.empty(), |sum, one| store.union(&sum, one).expect("room"));
        assert_eq!(all, reached);
        drop((expected, all, reached, relations));
        store.collect();
        assert_eq!(store.statistics().nodes, 0, "an interrupted closure left nodes behind");
    }
}
