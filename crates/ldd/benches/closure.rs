//! Breadth-first search, chaining and saturation on whole transition systems.

mod systems;

use std::time::Duration;

use criterion::{BatchSize, Criterion};
use ldd::{Dump, Search, Store};
use systems::{store, systems};

fn searches(criterion: &mut Criterion) {
    for system in systems() {
        let mut group = criterion.benchmark_group(&system.name);
        group.sample_size(10).measurement_time(Duration::from_secs(5));
        for search in Search::ALL {
            let name = search.name();
            if system.only_saturation && search != Search::Sat {
                continue;
            }
            let prepare = || {
                let store = store();
                let dump = store.read_dump(&system.dump).expect("a dump");
                (store, dump)
            };
            let (store, dump) = prepare();
            let reached = store.reachable(&dump, search).expect("room");
            assert_eq!(store.count(&reached), system.states.into(), "{}: {name}", system.name);
            group.bench_function(name, |bencher| {
                // What the search made is given back outside the time.
                let work = |(store, dump): (Store, Dump)| {
                    (store.reachable(&dump, search).expect("room"), store, dump)
                };
                bencher.iter_batched(prepare, work, BatchSize::PerIteration);
            });
        }
        group.finish();
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    searches(&mut criterion);
    criterion.final_summary();
}
