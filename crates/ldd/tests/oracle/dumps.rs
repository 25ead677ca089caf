//! Sylvan's dumps: one made by hand, broken ones, and those that are at hand.

use std::path::Path;

use ldd::{DumpError, Search, Store};

use crate::naive;
use crate::random::Draw;

fn int(number: i32) -> Vec<u8> {
    number.to_le_bytes().to_vec()
}

fn long(number: u64) -> Vec<u8> {
    number.to_le_bytes().to_vec()
}

fn node(value: u64, is_copy: bool, down: u64, right: u64) -> Vec<u8> {
    let high = down << 17 | u64::from(is_copy) << 16 | value >> 16;
    [long((value & 0xFFFF) << 48 | right << 1), long(high)].concat()
}

/// Two slots, from (0, 0) and (0, 9); one relation that reads and writes the first: 0 → 2, and 1 stays; one
/// that writes the second: it stays or becomes 5.
fn by_hand() -> Vec<u8> {
    [
        [int(2), int(-1)].concat(),
        // Nodes 2 to 4.
        [long(3), node(9, false, 1, 0), node(0, false, 1, 2), node(0, false, 3, 0), long(4)].concat(),
        int(2),
        [int(1), int(1), int(0), int(0)].concat(),
        [int(0), int(1), int(1)].concat(),
        // 0 becomes 2, 1 is copied: nodes 5 to 8.
        [
            long(4),
            node(2, false, 1, 0),
            node(0, true, 1, 0),
            node(1, false, 6, 0),
            node(0, false, 5, 7),
            long(8),
        ]
        .concat(),
        // Nodes 9 and 10.
        [long(2), node(5, false, 1, 0), node(0, true, 1, 9), long(10)].concat(),
    ]
    .concat()
}

#[test]
fn a_dump() {
    let store = Store::under_stress(64, 1 << 12, 1).expect("a store");
    let dump = store.read_dump(&by_hand()).expect("a dump");
    assert_eq!((dump.width, dump.relations.len()), (2, 2));
    naive::assert_same(&store, &dump.initial, &[vec![0, 0], vec![0, 9]].into());
    let expected = [0, 2].into_iter().flat_map(|first| [0, 5, 9].map(|second| vec![first, second])).collect();
    for search in Search::ALL {
        let reached = store.reachable(&dump, search).expect("room");
        naive::assert_same(&store, &reached, &expected);
    }
    let stays = store.image(&store.vector(&[1, 3]).expect("room"), &dump.relations[0], &store.empty());
    naive::assert_same(&store, &stays.expect("room"), &[vec![1, 3]].into());
}

/// Counters that are moved one at a time: many rounds, and a chain goes further in each.
#[test]
fn all_searches_find_the_same_states() {
    use ldd::{Access, Dump, Entry::Value, Shape};
    for (memory, tops) in [(1 << 12, [2, 3, 1]), (1 << 16, [5, 1, 7])] {
        let store = Store::under_stress(64, memory, 1).expect("a store");
        let counter = |(slot, &top): (usize, &u32)| {
            let rows: Vec<_> = (0..top).map(|from| [Value(from), Value(from + 1)]).collect();
            let shape = Shape::new(tops.len(), vec![(slot, Access::Both)]);
            store.relation(shape).with_rows(rows.iter().map(|row| &row[..])).expect("room")
        };
        let relations = tops.iter().enumerate().map(counter).collect();
        let initial = store.vector(&[0; 3]).expect("room");
        let dump = Dump { width: tops.len(), initial, relations };
        for search in Search::ALL {
            let reached = store.reachable(&dump, search).expect("room");
            let states: u32 = tops.iter().map(|top| top + 1).product();
            assert_eq!(store.count(&reached), states.into(), "{}", search.name());
        }
    }
}

/// Random relations, in a store that collects at every node, by one thread and by three, against sets of
/// vectors.
#[test]
fn all_searches_of_random_relations() {
    let mut random = toys::seeded();
    for round in 0..120 {
        let store = Store::under_stress(64, 1 << 16, 1).expect("a store");
        store.set_threads(1 + 2 * (round % 2));
        let (width, values) = (1 + random.below(5), 1 + random.below(4) as u32);
        let steps: Vec<naive::Steps> =
            (0..random.below(6)).map(|_| random.steps(width, values, 12)).collect();
        let initial = random.set(width, values, 5);
        let relations = steps.iter().map(|steps| steps.relation(&store).expect("room")).collect();
        let dump = ldd::Dump { width, initial: naive::diagram(&store, &initial).expect("room"), relations };
        let expected = naive::closure(&initial, &steps.iter().collect::<Vec<_>>());
        for search in Search::ALL {
            let reached = store.reachable(&dump, search).expect("room");
            naive::assert_same(&store, &reached, &expected);
        }
        drop(dump);
        store.collect();
        assert_eq!(store.statistics().nodes, 0, "every handle is dropped");
    }
}

#[test]
fn a_dump_that_ends_early() {
    let (store, bytes) = (Store::with_memory(0).expect("a store"), by_hand());
    for end in 0..bytes.len() {
        let error = store.read_dump(&bytes[..end]).err();
        assert!(
            matches!(error, Some(DumpError::Malformed(at)) if at <= end),
            "the first {end} bytes: {error:?}"
        );
    }
    // Behind the relations may stand more.
    assert!(store.read_dump(&[&bytes[..], &[1, 2, 3]].concat()).is_ok());
}

#[test]
fn broken_dumps_are_errors_or_usable() {
    let mut random = toys::seeded();
    let store = Store::with_memory(0).expect("a store");
    let mut refused = 0;
    for _ in 0..5000 {
        let mut bytes = by_hand();
        for _ in 0..1 + random.below(4) {
            let at = random.below(bytes.len());
            bytes[at] = if random.one_in(2) { random.below(12) as u8 } else { random.below(256) as u8 };
        }
        match store.read_dump(&bytes) {
            Err(_) => refused += 1,
            Ok(dump) => {
                let reached = store.closure(&dump.initial, &dump.relations).expect("room");
                naive::assert_same(&store, &reached, &naive::vectors(&store, &reached));
            }
        }
    }
    assert!((500..5000).contains(&refused), "{refused} refused");
}

/// A dump with one slot and this list, which begins with its last node.
fn list(nodes: &[Vec<u8>]) -> Vec<u8> {
    let count = nodes.len() as u64;
    [int(1), int(-1), long(count), nodes.concat(), long(count + 1), int(0)].concat()
}

#[test]
fn dumps_that_are_no_diagrams() {
    let store = Store::with_memory(0).expect("a store");
    assert!(store.read_dump(&list(&[node(3, false, 1, 0), node(2, false, 1, 2)])).is_ok());
    for (what, nodes) in [
        ("values that descend", [node(3, false, 1, 0), node(5, false, 1, 2)]),
        ("a value twice", [node(3, false, 1, 0), node(3, false, 1, 2)]),
        ("a copy in a set", [node(3, false, 1, 0), node(0, true, 1, 2)]),
        ("a list that ends in the empty vector", [node(3, false, 1, 1), node(2, false, 1, 2)]),
        ("a node before it is there", [node(3, false, 1, 3), node(2, false, 1, 2)]),
    ] {
        assert!(store.read_dump(&list(&nodes)).is_err(), "{what}");
    }
}

#[test]
fn noise_is_no_dump() {
    let mut random = toys::seeded();
    let store = Store::with_memory(0).expect("a store");
    for _ in 0..2000 {
        let bytes: Vec<u8> = (0..random.below(200)).map(|_| random.below(256) as u8).collect();
        assert!(store.read_dump(&bytes).is_err());
    }
}

#[test]
fn a_list_of_many_values_in_a_dump() {
    let values = 300_000u64;
    let mut bytes = [int(1), int(-1)].concat();
    bytes.extend(long(values));
    for at in 0..values {
        // From the largest value: each points at the one before.
        let (value, right) = (values - at, if at == 0 { 0 } else { at + 1 });
        bytes.extend(node(value, false, 1, right));
    }
    bytes.extend(long(values + 1));
    bytes.extend(int(0));
    let store = Store::with_memory(1 << 28).expect("a store");
    let dump = store.read_dump(&bytes).expect("a dump");
    assert_eq!(store.count(&dump.initial), values.into());
}

/// The quick ones of `expected.csv`; where it has no count, it is only run.
#[test]
fn models_have_their_counts() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/ldd");
    for (name, count) in [
        ("schedule_world.2", Some(1_570_340u32)),
        ("collision.4", Some(41_465_543)),
        ("anderson.4", None),
        ("bakery.4", Some(157_003)),
    ] {
        let Ok(bytes) = std::fs::read(directory.join(format!("{name}.ldd"))) else {
            println!("{name} is not here: skipped");
            continue;
        };
        let store = Store::with_memory(1 << 28).expect("a store");
        let dump = store.read_dump(&bytes).expect("a dump");
        let reached = store.closure(&dump.initial, &dump.relations).expect("room");
        assert!(
            count.is_none_or(|count| store.count(&reached) == count.into()),
            "{name}: {}",
            store.count(&reached)
        );
        // Closed indeed: no relation leads out of it.
        for relation in &dump.relations {
            assert_eq!(store.image(&reached, relation, &reached).as_ref(), Ok(&reached), "{name}");
        }
    }
}
