//! All sets of vectors over small domains, with all pairs; all relations of one or two rows.

use std::collections::HashMap;

use ldd::{Access, Entry, Ldd, Shape, Store};

use crate::naive::{self, Set, Steps};

fn store() -> Store {
    Store::with_memory(0).expect("a small store")
}

/// All vectors of a width over the values below `values`.
fn all_vectors(width: usize, values: u32) -> Vec<Vec<u32>> {
    let mut vectors = vec![Vec::new()];
    for _ in 0..width {
        let longer =
            |vector: &Vec<u32>| (0..values).map(|value| [&vector[..], &[value]].concat()).collect::<Vec<_>>();
        vectors = vectors.iter().flat_map(longer).collect();
    }
    vectors
}

/// All sets of these vectors; a set's place is the number whose bits are its members.
fn all_sets(vectors: &[Vec<u32>]) -> Vec<Set> {
    let members = |bits: usize| vectors.iter().enumerate().filter(move |(at, _)| bits >> at & 1 == 1);
    (0..1 << vectors.len()).map(|bits| members(bits).map(|(_, vector)| vector.clone()).collect()).collect()
}

fn diagrams(store: &Store, sets: &[Set]) -> Vec<Ldd> {
    sets.iter().map(|set| naive::diagram(store, set).expect("room")).collect()
}

const DOMAINS: [(usize, u32); 6] = [(0, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 2)];

#[test]
fn sets_are_what_they_hold_and_equal_sets_are_one() {
    for (width, values) in DOMAINS {
        let (store, vectors) = (store(), all_vectors(width, values));
        let sets = all_sets(&vectors);
        let diagrams = diagrams(&store, &sets);
        for (set, diagram) in sets.iter().zip(&diagrams) {
            naive::assert_same(&store, diagram, set);
            let absent = |vector: &&Vec<u32>| !set.contains(*vector);
            assert!(!vectors.iter().filter(absent).any(|vector| store.contains(diagram, vector)));
            // The same set by another way: one vector after the other.
            let one_more = |sum: Ldd, vector: &Vec<u32>| store.union(&sum, &store.vector(vector)?);
            assert_eq!(set.iter().try_fold(store.empty(), one_more).as_ref(), Ok(diagram));
        }
        for (at, diagram) in diagrams.iter().enumerate() {
            assert!(diagrams[..at].iter().all(|other| other != diagram));
        }
    }
}

#[test]
fn pairs_of_sets() {
    for (width, values) in DOMAINS {
        let store = store();
        let diagrams = diagrams(&store, &all_sets(&all_vectors(width, values)));
        for (bits_a, a) in diagrams.iter().enumerate() {
            for (bits_b, b) in diagrams.iter().enumerate() {
                assert_eq!(store.union(a, b).as_ref(), Ok(&diagrams[bits_a | bits_b]));
                assert_eq!(store.minus(a, b).as_ref(), Ok(&diagrams[bits_a & !bits_b]));
                assert_eq!(store.intersect(a, b).as_ref(), Ok(&diagrams[bits_a & bits_b]));
            }
        }
    }
}

#[test]
fn projections_and_selections() {
    for (width, values) in [(1, 3), (2, 2), (3, 2)] {
        let store = store();
        let sets = all_sets(&all_vectors(width, values));
        let diagrams = diagrams(&store, &sets);
        for pattern in 0..1 << width {
            let kept: Vec<bool> = (0..width).map(|slot| pattern >> slot & 1 == 1).collect();
            let kept_width = kept.iter().filter(|kept| **kept).count();
            let parts = all_sets(&all_vectors(kept_width, values));
            let part_diagrams: Vec<Ldd> = self::diagrams(&store, &parts);
            for (set, diagram) in sets.iter().zip(&diagrams) {
                let projection = naive::project(set, &kept);
                naive::assert_same(&store, &store.project(diagram, &kept).expect("room"), &projection);
                // Of the largest, some parts are enough.
                for (part, part_diagram) in parts.iter().zip(&part_diagrams).step_by(1 + parts.len() / 40) {
                    let selected = store.select(diagram, part_diagram, &kept).expect("room");
                    assert_eq!(naive::vectors(&store, &selected), naive::select(set, part, &kept));
                    let fresh = store.project_minus(diagram, &kept, part_diagram).expect("room");
                    assert_eq!(naive::vectors(&store, &fresh), naive::minus(&projection, part));
                }
            }
        }
    }
}

#[test]
fn joins() {
    let store = store();
    let slot_lists: [&[usize]; 8] = [&[], &[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[5, 9]];
    let sets: HashMap<usize, Vec<Set>> =
        (0..3).map(|width| (width, all_sets(&all_vectors(width, 2)))).collect();
    for slots_a in slot_lists {
        for slots_b in slot_lists {
            for a in &sets[&slots_a.len()] {
                for b in &sets[&slots_b.len()] {
                    let [left, right] = [a, b].map(|set| naive::diagram(&store, set).expect("room"));
                    let joined = store.join(&left, slots_a, &right, slots_b).expect("room");
                    let expected = naive::join(a, slots_a, b, slots_b);
                    assert_eq!(
                        naive::vectors(&store, &joined),
                        expected,
                        "{a:?} {slots_a:?} {b:?} {slots_b:?}"
                    );
                }
            }
        }
    }
}

/// All rows of a shape over two values.
fn all_rows(shape: &Shape) -> Vec<Vec<Entry>> {
    let (values, writes) =
        ([Entry::Value(0), Entry::Value(1)], [Entry::Copy, Entry::Value(0), Entry::Value(1)]);
    let mut choices: Vec<&[Entry]> = Vec::new();
    for &(_, access) in shape.slots() {
        match access {
            Access::Read => choices.push(&values),
            Access::Write => choices.push(&writes),
            Access::Both => choices.extend([&values[..], &writes]),
            Access::Rules => panic!("no row tells of rules"),
        }
    }
    let mut rows = vec![Vec::new()];
    for choice in choices {
        let longer =
            |row: &Vec<Entry>| choice.iter().map(|&entry| [&row[..], &[entry]].concat()).collect::<Vec<_>>();
        rows = rows.iter().flat_map(longer).collect();
    }
    rows
}

#[test]
fn relations_of_two_rows_of_every_shape() {
    let store = store();
    let sets = all_sets(&all_vectors(2, 2));
    let diagrams = diagrams(&store, &sets);
    let is = |diagram: Result<Ldd, ldd::Stop>, expected: &Set| {
        let at = diagrams.iter().position(|other| Ok(other) == diagram.as_ref());
        sets[at.expect("a set of all there are")] == *expected
    };
    let accesses = [None, Some(Access::Read), Some(Access::Write), Some(Access::Both)];
    for (first, second) in
        accesses.iter().flat_map(|first| accesses.iter().map(move |second| (*first, *second)))
    {
        let slots =
            [first, second].into_iter().enumerate().filter_map(|(slot, access)| Some((slot, access?)));
        let shape = Shape::new(2, slots.collect());
        let rows = all_rows(&shape);
        for (at, one) in rows.iter().enumerate() {
            for other in &rows[at..] {
                let steps =
                    Steps { shape: shape.clone(), rows: vec![one.clone(), other.clone()], rules: None };
                let relation = steps.relation(&store).expect("room");
                for (set, diagram) in sets.iter().zip(&diagrams) {
                    let empty = store.empty();
                    assert!(
                        is(store.image(diagram, &relation, &empty), &steps.image(set)),
                        "{steps:?} {set:?}"
                    );
                    let domain = (&sets[11], &diagrams[11]);
                    let before = store.pre_image(diagram, &relation, domain.1);
                    assert!(is(before, &steps.pre_image(set, domain.0)), "{steps:?} {set:?}");
                    let closed = store.closure(diagram, std::slice::from_ref(&relation));
                    assert!(is(closed, &naive::closure(set, &[&steps])), "{steps:?} {set:?}");
                }
            }
        }
    }
}
