//! Random sets, larger than can be exhausted, and long lists.

use ldd::{Access, Entry, Shape, Store};

use crate::naive::{self, Set};
use crate::pool::Pool;
use crate::random::Draw;

#[test]
fn random_operations() {
    let store = Store::with_memory(1 << 24).expect("a store");
    let mut pool = Pool::new(&store, toys::seeded());
    for _ in 0..1500 {
        pool.step().expect("room");
    }
    pool.assert_all_same();
}

#[test]
fn wide_and_large_sets() {
    let mut random = toys::seeded();
    let store = Store::with_memory(1 << 26).expect("a store");
    for _ in 0..20 {
        let (width, values) = (1 + random.below(12), 1 + random.below(30) as u32);
        let sets = [0, 0].map(|_| random.set(width, values, 2000));
        let [a, b] = sets.each_ref().map(|set| naive::diagram(&store, set).expect("room"));
        naive::assert_same(&store, &store.union(&a, &b).expect("room"), &naive::union(&sets[0], &sets[1]));
        naive::assert_same(&store, &store.minus(&a, &b).expect("room"), &naive::minus(&sets[0], &sets[1]));
        naive::assert_same(
            &store,
            &store.intersect(&a, &b).expect("room"),
            &naive::intersect(&sets[0], &sets[1]),
        );
        let kept = random.slots(width);
        naive::assert_same(
            &store,
            &store.project(&a, &kept).expect("room"),
            &naive::project(&sets[0], &kept),
        );
    }
}

/// Lists are walked by loops: recursion along them would use up the stack.
#[test]
fn lists_of_a_million_values() {
    let store = Store::with_memory(1 << 30).expect("a store");
    let values: Vec<[u32; 1]> = (0..1_000_000).map(|value| [value]).collect();
    let list = store.vectors(values.iter().map(|value| &value[..])).expect("room");
    let even = store.vectors(values.iter().step_by(2).map(|value| &value[..])).expect("room");
    let odd = store.minus(&list, &even).expect("room");
    assert_eq!(store.union(&even, &odd).as_ref(), Ok(&list));
    assert_eq!(store.intersect(&list, &odd).as_ref(), Ok(&odd));
    assert_eq!(store.count(&odd), 500_000u32.into());
    assert_eq!(store.nodes_per_level(&list), [1_000_000]);
    let mut bytes = Vec::new();
    store.save(&[&list], &mut bytes).expect("a vector takes all bytes");
    assert_eq!(store.load(&bytes[..]).expect("a saved list")[..], *std::slice::from_ref(&list));

    let rows: Vec<[Entry; 2]> =
        (0..1_000_000).map(|value| [Entry::Value(value), Entry::Value((value + 1) % 1_000_000)]).collect();
    let shape = Shape::new(1, vec![(0, Access::Both)]);
    let relation = store.relation(shape).with_rows(rows.iter().step_by(2).map(|row| &row[..])).expect("room");
    let relation = relation.with_rows(rows.iter().map(|row| &row[..])).expect("room");
    assert_eq!(store.image(&even, &relation, &store.empty()).as_ref(), Ok(&odd));
    assert_eq!(store.pre_image(&even, &relation, &list).as_ref(), Ok(&odd));
}

#[test]
fn what_is_called_for_each_vector_may_use_the_store() {
    let store = Store::under_stress(64, 1 << 12, 1).expect("a store");
    let set: Set = [vec![1, 2], vec![3, 4], vec![5, 6]].into();
    let diagram = naive::diagram(&store, &set).expect("room");
    let mut sum = store.empty();
    store.for_each(&diagram, |vector| {
        sum = store.union(&sum, &store.vector(&[vector[1], vector[0]]).expect("room")).expect("room");
        store.collect();
        true
    });
    naive::assert_same(&store, &sum, &[vec![2, 1], vec![4, 3], vec![6, 5]].into());
}

#[test]
fn rows_may_come_from_the_store() {
    let store = Store::under_stress(64, 1 << 12, 1).expect("a store");
    let rows = [[Entry::Value(1)], [Entry::Value(2)]];
    let collecting = rows.iter().map(|row| {
        store.collect();
        &row[..]
    });
    let relation =
        store.relation(Shape::new(1, vec![(0, Access::Write)])).with_rows(collecting).expect("room");
    let image = store.image(&store.vector(&[7]).expect("room"), &relation, &store.empty()).expect("room");
    naive::assert_same(&store, &image, &[vec![1], vec![2]].into());
}

/// What is known of a set as a whole one serves where it is a part, too: patterns are told apart from where
/// they stand.
#[test]
fn a_part_of_one_set_may_be_another() {
    let store = Store::with_memory(0).expect("a store");
    let narrow: Set = [vec![1, 2], vec![3, 4]].into();
    let wide: Set = narrow.iter().map(|vector| [&[9], &vector[..]].concat()).collect();
    let [one, other] = [&narrow, &wide].map(|set| naive::diagram(&store, set).expect("room"));
    let kept = [false, true];
    assert_eq!(naive::vectors(&store, &store.project(&one, &kept).expect("room")), [vec![2], vec![4]].into());
    assert_eq!(
        naive::vectors(&store, &store.project(&other, &kept).expect("room")),
        [vec![1], vec![3]].into()
    );
    let part = store.vector(&[3]).expect("room");
    assert!(store.select(&one, &part, &kept).expect("room").is_empty());
    assert_eq!(store.select(&other, &part, &kept).ok(), store.vector(&[9, 3, 4]).ok());
}

#[test]
#[should_panic(expected = "another store")]
fn a_set_of_another_store() {
    let [one, other] = [0, 0].map(|_| Store::with_memory(0).expect("a store"));
    let (a, b) = (one.vector(&[1]).expect("room"), other.vector(&[2]).expect("room"));
    drop(one.union(&a, &b));
}
