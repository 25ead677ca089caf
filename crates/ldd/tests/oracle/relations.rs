//! Random relations with every mix of levels that are read, written, both, copied, or left alone.

use ldd::{Access, Entry, Shape, Store};

use crate::naive::{self, Steps};
use crate::random::Draw;

#[test]
fn random_relations() {
    let mut random = toys::seeded();
    let store = Store::with_memory(1 << 24).expect("a store");
    for _ in 0..400 {
        let (width, values) = (1 + random.below(5), 1 + random.below(4) as u32);
        let relations: Vec<Steps> = (0..3).map(|_| random.steps(width, values, 30)).collect();
        let diagrams: Vec<_> = relations.iter().map(|steps| steps.relation(&store).expect("room")).collect();
        let [set, sum] = [60, 20].map(|most| random.set(width, values, most));
        let [set_diagram, sum_diagram] = [&set, &sum].map(|set| naive::diagram(&store, set).expect("room"));
        for (steps, relation) in relations.iter().zip(&diagrams) {
            let image = store.image(&set_diagram, relation, &sum_diagram).expect("room");
            naive::assert_same(&store, &image, &naive::union(&steps.image(&set), &sum));
            let before = store.pre_image(&sum_diagram, relation, &set_diagram).expect("room");
            naive::assert_same(&store, &before, &steps.pre_image(&sum, &set));
        }
        let closed = store.closure(&set_diagram, &diagrams).expect("room");
        naive::assert_same(&store, &closed, &naive::closure(&set, &relations.iter().collect::<Vec<_>>()));
    }
}

/// Many values of a slot that is only written, and what is written depends on slots below it: an image takes
/// another way then.
#[test]
fn many_values_are_written_whatever_there_was() {
    let mut random = toys::seeded();
    let stores = [Store::with_memory(1 << 24), Store::under_stress(64, 1 << 14, 1)]
        .map(|store| store.expect("a store"));
    for round in 0..12 {
        let values = [30, 60][round % 2];
        let first = random.below(2);
        let shape = Shape::new(3, vec![(first, Access::Write), (2, Access::Both)]);
        let rows = (0..100).map(|_| random.row(&shape, values)).collect();
        let steps = Steps { shape, rows, rules: None };
        let (set, sum) = (random.set(3, values, 600), random.set(3, values, 40));
        for store in &stores {
            let relation = steps.relation(store).expect("room");
            let [set_diagram, sum_diagram] =
                [&set, &sum].map(|set| naive::diagram(store, set).expect("room"));
            let image = store.image(&set_diagram, &relation, &sum_diagram).expect("room");
            naive::assert_same(store, &image, &naive::union(&steps.image(&set), &sum));
            store.set_threads(2);
            let together = store.together(2, 3, || store.image(&set_diagram, &relation, &store.empty()));
            naive::assert_same(store, &together.expect("room"), &steps.image(&set));
        }
    }
}

/// Rows at once, one after the other, and in another order make the same relation.
#[test]
fn rows_in_any_order() {
    let mut random = toys::seeded();
    let store = Store::with_memory(1 << 24).expect("a store");
    for _ in 0..200 {
        let mut steps = random.steps(4, 3, 20);
        let at_once = steps.relation(&store).expect("room");
        let mut one_by_one = store.relation(steps.shape.clone());
        for _ in 0..steps.rows.len() {
            let row = steps.rows.swap_remove(random.below(steps.rows.len()));
            one_by_one = one_by_one.with_rows([&row[..]]).expect("room");
        }
        assert_eq!(at_once.diagram(), one_by_one.diagram());
    }
}

/// A relation without a slot has one row, which leaves everything as it is.
#[test]
fn a_relation_that_does_nothing() {
    let store = Store::with_memory(0).expect("a store");
    let nothing = store.relation(Shape::new(2, Vec::new())).with_rows([&[][..]]).expect("room");
    let set = store.vector(&[1, 2]).expect("room");
    assert_eq!(store.image(&set, &nothing, &store.empty()).as_ref(), Ok(&set));
    assert_eq!(store.pre_image(&set, &nothing, &set).as_ref(), Ok(&set));
    assert_eq!(store.closure(&set, &[nothing]).as_ref(), Ok(&set));
    assert_eq!(store.closure(&set, &[]).as_ref(), Ok(&set));
}

#[test]
fn relations_are_known_by_their_rows() {
    let store = Store::with_memory(0).expect("a store");
    let shape = |access| Shape::new(3, vec![(0, Access::Read), (2, access)]);
    let write = store.relation(shape(Access::Write));
    let write = write
        .with_rows([&[Entry::Value(1), Entry::Copy][..], &[Entry::Value(1), Entry::Value(4)]])
        .expect("room");
    assert!(store.relation_of(shape(Access::Write), write.diagram()).is_some());
    assert!(store.relation_of(shape(Access::Read), write.diagram()).is_none());
    assert!(store.relation_of(shape(Access::Both), write.diagram()).is_none());
    assert!(store.relation_of(Shape::new(3, vec![(0, Access::Read)]), write.diagram()).is_none());
    assert!(store.relation_of(shape(Access::Read), &store.vector(&[1, 4]).expect("room")).is_none());
    assert!(
        store.relation_of(shape(Access::Read), &store.empty()).is_some_and(|relation| relation.is_empty())
    );
}

#[test]
#[should_panic(expected = "a test cannot be left open")]
fn a_copy_where_a_value_is_tested() {
    let store = Store::with_memory(0).expect("a store");
    drop(store.relation(Shape::new(1, vec![(0, Access::Both)])).with_rows([&[Entry::Copy, Entry::Copy][..]]));
}
