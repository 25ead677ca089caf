//! Counts, members by number, random members, nodes by level, and drawings.

use std::collections::{HashMap, HashSet};

use ldd::{Access, Entry, Ldd, Shape, Store};
use num_bigint::BigUint;

use crate::naive::{self, Set};
use crate::random::Draw;

#[test]
fn members_by_number_in_their_order() {
    let mut random = toys::seeded();
    let store = Store::with_memory(0).expect("a store");
    for _ in 0..50 {
        let set = random.set(4, 4, 40);
        let diagram = naive::diagram(&store, &set).expect("room");
        let mut sorted: Vec<Vec<u32>> = set.into_iter().collect();
        sorted.sort();
        for (number, vector) in sorted.iter().enumerate() {
            assert_eq!(store.nth(&diagram, number.into()).as_ref(), Some(vector));
        }
        assert_eq!(store.nth(&diagram, sorted.len().into()), None);
    }
}

/// { 0, …, 9 }^width
fn cube(store: &Store, width: usize) -> Ldd {
    let mut cube = store.vectors((0..10).map(|value| DIGITS[value])).expect("room");
    let digits = cube.clone();
    for slot in 1..width {
        cube = store.join(&cube, &(0..slot).collect::<Vec<_>>(), &digits, &[slot]).expect("room");
    }
    cube
}

const DIGITS: [&[u32]; 10] = [&[0], &[1], &[2], &[3], &[4], &[5], &[6], &[7], &[8], &[9]];

#[test]
fn counts_are_exact_however_large() {
    let store = Store::with_memory(0).expect("a store");
    let cube = cube(&store, 60);
    assert_eq!(store.count(&cube), BigUint::from(10u32).pow(60));
    assert_eq!(store.node_count(&cube), 600);
    // A vector's number is the number that its digits write.
    let number: BigUint =
        "314159265358979323846264338327950288419716939937510582097494".parse().expect("a number");
    let digits: Vec<u32> = number.to_string().bytes().map(|digit| u32::from(digit - b'0')).collect();
    assert_eq!(store.nth(&cube, number), Some(digits));
}

#[test]
fn random_members_are_equally_likely() {
    let mut random = toys::seeded();
    let store = Store::with_memory(0).expect("a store");
    // One vector behind 0, many behind 1: lists must be weighed.
    let set: Set = (0..19).map(|last| vec![1, last]).chain([vec![0, 5]]).collect();
    let diagram = naive::diagram(&store, &set).expect("room");
    let mut seen: HashMap<Vec<u32>, usize> = HashMap::new();
    for _ in 0..20_000 {
        let vector = store.sample(&diagram, |below| random.next_u64() % below).expect("a member");
        *seen.entry(vector).or_default() += 1;
    }
    assert_eq!(seen.keys().cloned().collect::<HashSet<_>>(), set);
    // A thousand each, with a deviation of about 31.
    assert!(seen.values().all(|times| (800..1200).contains(times)), "{seen:?}");
}

#[test]
fn random_members_of_a_large_set() {
    let mut random = toys::seeded();
    let store = Store::with_memory(0).expect("a store");
    let cube = cube(&store, 40);
    let samples: Vec<Vec<u32>> =
        (0..500).map(|_| store.sample(&cube, |below| random.next_u64() % below).expect("a member")).collect();
    for slot in 0..40 {
        let seen: HashSet<u32> = samples.iter().map(|vector| vector[slot]).collect();
        assert_eq!(seen.len(), 10, "slot {slot} has only {seen:?}");
    }
    // A source that is not random at all must not make it wait.
    assert!(store.sample(&cube, |below| below - 1).is_some_and(|vector| store.contains(&cube, &vector)));
}

#[test]
fn nodes_by_level() {
    let mut random = toys::seeded();
    let store = Store::with_memory(0).expect("a store");
    for _ in 0..50 {
        let set = random.set(4, 4, 40);
        let diagram = naive::diagram(&store, &set).expect("room");
        // A node is what can follow: the ends of the vectors that begin alike, from a value on.
        let nodes = |level: usize| {
            let mut nodes: HashSet<Vec<&[u32]>> = HashSet::new();
            for vector in &set {
                let alike = set
                    .iter()
                    .filter(|other| other[..level] == vector[..level] && other[level] >= vector[level]);
                let mut ends: Vec<&[u32]> = alike.map(|other| &other[level..]).collect();
                ends.sort_unstable();
                nodes.insert(ends);
            }
            nodes.len()
        };
        let expected: Vec<usize> = (0..4).map(nodes).filter(|&nodes| nodes > 0).collect();
        assert_eq!(store.nodes_per_level(&diagram), expected);
    }
    assert_eq!(store.nodes_per_level(&store.vector(&[]).expect("room")), [0; 0]);
}

#[test]
fn drawings_have_every_node_and_edge_once() {
    let store = Store::with_memory(0).expect("a store");
    let mut random = toys::seeded();
    let diagram = naive::diagram(&store, &random.set(3, 3, 20)).expect("room");
    let drawing = store.dot(&diagram);
    let count = |what: &str| drawing.lines().filter(|line| line.contains(what)).count();
    let nodes = store.node_count(&diagram);
    assert_eq!(count("[label=\"") - count("end [label="), nodes);
    assert_eq!(count(":s -> "), nodes);
    assert_eq!(count("rank=same"), store.nodes_per_level(&diagram).len());
    assert!(drawing.starts_with("digraph {\n") && drawing.ends_with("}\n"));
    assert_eq!(store.dot(&store.empty()).lines().count(), 3);
}

#[test]
fn a_drawing() {
    let store = Store::with_memory(0).expect("a store");
    let steps = store.relation(Shape::new(2, vec![(0, Access::Both)]));
    let steps = steps
        .with_rows([&[Entry::Value(1), Entry::Copy][..], &[Entry::Value(1), Entry::Value(4)]])
        .expect("room");
    let expected = "digraph {
    node [shape=box, height=0.3, width=0.3];
    end [label=\"\", shape=doublecircle, height=0.1, width=0.1];
    { rank=same; n0; }
    n0 [label=\"= 1\"];
    n0:s -> n1:n;
    { rank=same; n1; n2; }
    n1 [label=\"stays\"];
    n1:s -> end:n;
    n1 -> n2 [style=dashed];
    n2 [label=\":= 4\"];
    n2:s -> end:n;
}
";
    assert_eq!(store.dot(steps.diagram()), expected);
}
