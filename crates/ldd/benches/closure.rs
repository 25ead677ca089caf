//! Breadth-first search, chaining and saturation on whole transition systems.

mod systems;

use std::time::Duration;

use criterion::{BatchSize, Criterion};
use systems::{SEARCHES, store, systems};

fn searches(criterion: &mut Criterion) {
    for system in systems() {
        let mut group = criterion.benchmark_group(&system.name);
        group.sample_size(10).measurement_time(Duration::from_secs(5));
        for (name, search) in SEARCHES {
            if system.only_saturation && name != "saturation" {
                continue;
            }
            let prepare = || {
                let store = store();
                let dump = store.read_dump(&system.dump).expect("a dump");
                (store, dump)
            };
            let (store, dump) = prepare();
            let reached = search(&store, &dump).expect("room");
            assert_eq!(store.count(&reached), system.states.into(), "{}: {name}", system.name);
            group.bench_function(name, |bencher| {
                // What the search made is given back outside the time.
                let work = |(store, dump)| (search(&store, &dump).expect("room"), store, dump);
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
