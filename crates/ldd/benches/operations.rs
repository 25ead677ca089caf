//! Single operations on random sets from a seed, with nothing in the cache.

mod systems;

use std::time::Duration;

use criterion::{BatchSize, Criterion};
use ldd::{Access, Entry, Ldd, Relation, Shape, Store};
use systems::{marking, store, vectors};

const SEED: u64 = 20_261_116;
const WIDTH: usize = 10;
const VALUES: u32 = 6;
const COUNT: usize = 20_000;

/// Two random sets and a relation in a store of their own.
struct Input {
    store: Store,
    a: Ldd,
    b: Ldd,
    relation: Relation,
}

fn input() -> Input {
    let store = store();
    let mut random = base::SplitMix64::new(SEED);
    let mut set = || {
        let vectors = vectors(&mut random, COUNT, WIDTH, VALUES as usize);
        store.vectors(vectors.iter().map(Vec::as_slice)).expect("room")
    };
    let (a, b) = (set(), set());
    let (slots, rows) = marking(WIDTH as u32, 3, VALUES);
    let shape = Shape::new(WIDTH, slots.iter().map(|&slot| (slot as usize, Access::Both)).collect());
    let rows: Vec<Vec<Entry>> =
        rows.into_iter().map(|row| row.into_iter().map(Entry::Value).collect()).collect();
    let relation = store.relation(shape).with_rows(rows.iter().map(Vec::as_slice)).expect("room");
    Input { store, a, b, relation }
}

/// An operation on the input.
type Operation = fn(&Input) -> Ldd;

const OPERATIONS: [(&str, Operation); 5] = [
    ("union", |input| input.store.union(&input.a, &input.b).expect("room")),
    ("minus", |input| input.store.minus(&input.a, &input.b).expect("room")),
    ("intersect", |input| input.store.intersect(&input.a, &input.b).expect("room")),
    ("image", |input| input.store.image(&input.a, &input.relation, &input.store.empty()).expect("room")),
    ("image into a set", |input| input.store.image(&input.a, &input.relation, &input.b).expect("room")),
];

fn operations(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(format!("{COUNT} vectors of {WIDTH} values below {VALUES}"));
    group.sample_size(20).measurement_time(Duration::from_secs(5));
    // |a ∪ b| = |a| + |b| − |a ∩ b|, and |a ∖ b| = |a| − |a ∩ b|.
    let checked = input();
    let [union, minus, intersect] = [0, 1, 2].map(|at| checked.store.count(&(OPERATIONS[at].1)(&checked)));
    let [a, b] = [&checked.a, &checked.b].map(|set| checked.store.count(set));
    assert_eq!((&union + &intersect, &minus + &intersect), (&a + &b, a));
    for (name, operation) in OPERATIONS {
        group.bench_function(name, |bencher| {
            let work = |input: Input| (operation(&input), input);
            bencher.iter_batched(input, work, BatchSize::PerIteration);
        });
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    operations(&mut criterion);
    criterion.final_summary();
}
