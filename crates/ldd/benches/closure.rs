//! Breadth-first search, chaining and saturation on whole transition systems.

mod systems;

use criterion::{BatchSize, Criterion};
use ldd::{Dump, Store};
use systems::{for_each_search, store};

fn searches(criterion: &mut Criterion) {
    for_each_search(criterion, |group, system, search| {
        let prepare = || {
            let store = store();
            let dump = store.read_dump(&system.dump).expect("a dump");
            (store, dump)
        };
        let (store, dump) = prepare();
        let reached = store.reachable(&dump, search).expect("room");
        assert_eq!(store.count(&reached), system.states.into(), "{}: {}", system.name, search.name());
        group.bench_function(search.name(), |bencher| {
            // What the search made is given back outside the time.
            let work =
                |(store, dump): (Store, Dump)| (store.reachable(&dump, search).expect("room"), store, dump);
            bencher.iter_batched(prepare, work, BatchSize::PerIteration);
        });
    });
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    searches(&mut criterion);
    criterion.final_summary();
}
