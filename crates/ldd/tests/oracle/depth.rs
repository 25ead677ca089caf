//! Wide vectors: every operation keeps to its stack.

use ldd::{Access, Entry, Relation, STACK_A_SLOT, Shape, Store};

const WIDTH: usize = 2000;

/// Runs this in a thread with no more stack than `WIDTH` slots may take.
fn on_little_stack(run: impl FnOnce(&Store) + Send) {
    let store = Store::with_memory(1 << 28).expect("a store");
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(WIDTH * STACK_A_SLOT);
        let thread = thread.spawn_scoped(scope, || run(&store)).expect("a thread");
        thread.join().expect("no panic");
    });
}

/// Vectors of zeros, but for the last value.
fn last(value: u32) -> Vec<u32> {
    let mut vector = vec![0; WIDTH];
    vector[WIDTH - 1] = value;
    vector
}

#[test]
fn operations_on_sets() {
    on_little_stack(|store| {
        let [a, b] = [0, 1].map(|value| store.vector(&last(value)).expect("room"));
        let both = store.union(&a, &b).expect("room");
        assert_eq!(store.minus(&both, &a).as_ref(), Ok(&b));
        assert_eq!(store.intersect(&both, &a).as_ref(), Ok(&a));
        assert_eq!(store.vectors([&last(0)[..], &last(1)]).as_ref(), Ok(&both));
        assert_eq!(store.select(&both, &a, &[true; WIDTH]).as_ref(), Ok(&a));
        let kept: Vec<bool> = (0..WIDTH).map(|slot| slot + 1 == WIDTH).collect();
        assert_eq!(store.project(&a, &kept), store.vector(&[0]));
        assert_eq!(store.count(&both), 2u32.into());
        assert_eq!(store.first(&both), Some(last(0)));
        assert_eq!(store.at_most(&both, &[1; WIDTH], 0).as_ref(), Ok(&a));
        assert_eq!(store.at_most(&both, &[i64::MAX; WIDTH], 0).as_ref(), Ok(&a));
        assert_eq!(store.greatest(&both, &[1; WIDTH]), Some(1));
        assert_eq!(store.ranges(&both)[WIDTH - 1], (0, 1));
        assert_eq!(store.nodes_per_level(&both).len(), WIDTH);
        let mut bytes = Vec::new();
        store.save(&[&a], &mut bytes).expect("a vector takes all bytes");
        assert_eq!(store.load(&bytes[..]).expect("a saved set"), [a]);
    });
}

#[test]
fn operations_with_relations() {
    on_little_stack(|store| {
        let [a, b] = [0, 1].map(|value| store.vector(&last(value)).expect("room"));
        let both = store.union(&a, &b).expect("room");
        let steps = |shape: Shape| {
            let mut row = vec![Entry::Value(0); shape.entries()];
            row[shape.entries() - 1] = Entry::Value(1);
            store.relation(shape).with_rows([&row[..]]).expect("room")
        };
        let all = steps(Shape::new(WIDTH, (0..WIDTH).map(|slot| (slot, Access::Both)).collect()));
        let lowest = steps(Shape::new(WIDTH, vec![(WIDTH - 1, Access::Both)]));
        for relation in [all, lowest] {
            assert_eq!(store.image(&a, &relation, &a).as_ref(), Ok(&both));
            assert_eq!(store.count_steps(&both, &[&relation]), [1u32.into()]);
            assert_eq!(store.pre_image(&b, &relation, &both).as_ref(), Ok(&a));
            let relations = [relation];
            assert_eq!(store.deadlocks(&both, &relations).as_ref(), Ok(&b));
            assert_eq!(store.backward_closure(&b, &relations, &both).as_ref(), Ok(&both));
            assert_eq!(store.closure(&a, &relations).as_ref(), Ok(&both));
        }
    });
}

/// Where a relation begins at each slot, each level is asked twice: for those that begin there, and for those
/// below.
#[test]
fn a_relation_at_each_slot() {
    on_little_stack(|store| {
        let step = |slot: usize| {
            let shape = Shape::new(WIDTH, vec![(slot, Access::Both)]);
            store.relation(shape).with_rows([&[Entry::Value(1), Entry::Value(2)][..]]).expect("room")
        };
        let relations: Vec<Relation> = (0..WIDTH).map(step).collect();
        let [before, after] = [1, 2].map(|value| store.vector(&last(value)).expect("room"));
        let both = store.union(&before, &after).expect("room");
        assert_eq!(store.closure(&before, &relations).as_ref(), Ok(&both));
        assert_eq!(store.backward_closure(&after, &relations, &both).as_ref(), Ok(&both));
        assert_eq!(store.deadlocks(&both, &relations).as_ref(), Ok(&after));
    });
}

/// As deep as a dump may be, in the stack that threads have; deeper ones are refused.
#[test]
fn dumps() {
    // Zeros, as many as there are levels, behind so many nodes of other diagrams.
    let chain = |levels: u64, nodes: u64| {
        let down = |level: u64| if level == 0 { 1 } else { nodes + level + 1 };
        let zeros = (0..levels).flat_map(|level| [0, down(level) << 17]);
        [levels]
            .into_iter()
            .chain(zeros)
            .chain([nodes + levels + 1])
            .flat_map(u64::to_le_bytes)
            .collect::<Vec<u8>>()
    };
    // One relation, which reads and writes every slot.
    let dump = |slots: u32| {
        let ints = |ints: &[u32]| ints.iter().flat_map(|int| int.to_le_bytes()).collect::<Vec<u8>>();
        let all: Vec<u32> = (0..slots).collect();
        let (width, steps) = (u64::from(slots), chain(2 * u64::from(slots), slots.into()));
        [ints(&[slots, u32::MAX]), chain(width, 0), ints(&[1, slots, slots]), ints(&all), ints(&all), steps]
            .concat()
    };
    on_little_stack(|store| {
        assert!(store.read_dump(&dump(2048)).is_ok());
        assert!(store.read_dump(&dump(2049)).is_err());
    });
}
