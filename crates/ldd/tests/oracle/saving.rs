//! Saved diagrams come back, in any store; broken files are errors.

use std::io::ErrorKind;

use ldd::{Ldd, Store};

use crate::naive;
use crate::random::Draw;
use base::SplitMix64;

fn saved(store: &Store, diagrams: &[&Ldd]) -> Vec<u8> {
    let mut bytes = Vec::new();
    store.save(diagrams, &mut bytes).expect("a vector takes all bytes");
    bytes
}

/// A set and a relation, saved.
fn sample(random: &mut SplitMix64) -> Vec<u8> {
    let store = Store::with_memory(0).expect("a store");
    let set = naive::diagram(&store, &random.set(3, 4, 12)).expect("room");
    let relation = random.steps(3, 4, 6).relation(&store).expect("room");
    saved(&store, &[&set, relation.diagram()])
}

#[test]
fn what_was_saved_comes_back() {
    let mut random = toys::seeded();
    let [here, there] = [0, 0].map(|_| Store::with_memory(0).expect("a store"));
    for _ in 0..50 {
        let sets: Vec<_> = (0..random.below(4)).map(|_| random.set(4, 5, 40)).collect();
        let mut diagrams: Vec<Ldd> =
            sets.iter().map(|set| naive::diagram(&here, set).expect("room")).collect();
        let steps = random.steps(4, 5, 20);
        diagrams.push(steps.relation(&here).expect("room").diagram().clone());
        let bytes = saved(&here, &diagrams.iter().collect::<Vec<_>>());
        assert_eq!(here.load(&bytes[..]).expect("saved diagrams"), diagrams);
        let loaded = there.load(&bytes[..]).expect("saved diagrams");
        sets.iter().zip(&loaded).for_each(|(set, diagram)| naive::assert_same(&there, diagram, set));
        let relation = there.relation_of(steps.shape.clone(), &loaded[sets.len()]).expect("the same shape");
        assert_eq!(relation.diagram(), steps.relation(&there).expect("room").diagram());
    }
}

#[test]
fn a_node_takes_few_bytes() {
    let store = Store::with_memory(0).expect("a store");
    let set = naive::diagram(&store, &SplitMix64::new(1).set(8, 20, 500)).expect("room");
    assert!(saved(&store, &[&set]).len() < 5 * store.node_count(&set) + 20);
}

#[test]
fn no_broken_file_is_loaded() {
    let mut random = toys::seeded();
    let store = Store::with_memory(0).expect("a store");
    for _ in 0..20 {
        let bytes = sample(&mut random);
        assert!(store.load(&bytes[..]).is_ok());
        for end in 0..bytes.len() {
            assert!(store.load(&bytes[..end]).is_err(), "the first {end} bytes");
            for bit in 0..8 {
                let mut broken = bytes.clone();
                broken[end] ^= 1 << bit;
                assert!(store.load(&broken[..]).is_err(), "byte {end}, bit {bit}");
            }
        }
        let error = store.load(&[&bytes[..], &[0]].concat()[..]).expect_err("a byte too many");
        assert_eq!(error.kind(), ErrorKind::InvalidData);
    }
}

/// With the right checksum: what is loaded then was checked node by node.
#[test]
fn files_that_lie_give_errors_or_sets() {
    let mut random = toys::seeded();
    let store = Store::with_memory(0).expect("a store");
    let (mut refused, mut loaded) = (0, 0);
    for _ in 0..3000 {
        let mut bytes = sample(&mut random);
        let end = bytes.len() - 8;
        for _ in 0..1 + random.below(3) {
            let at = 5 + random.below(end - 5);
            bytes[at] = if random.one_in(2) { random.below(8) as u8 } else { random.below(256) as u8 };
        }
        let checksum = bytes[..end].iter().fold(0xCBF2_9CE4_8422_2325, |sum: u64, &byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        bytes[end..].copy_from_slice(&checksum.to_le_bytes());
        match store.load(&bytes[..]) {
            Err(_) => refused += 1,
            Ok(diagrams) => {
                loaded += 1;
                // Lists ascend, and nothing is there twice: a set that is made of its vectors is the same
                // one.
                for set in diagrams.iter().filter(|diagram| is_set(&store, diagram)) {
                    assert_eq!(naive::diagram(&store, &naive::vectors(&store, set)).as_ref(), Ok(set));
                }
            }
        }
    }
    assert!(refused > 100 && loaded > 100, "{refused} refused, {loaded} loaded");
}

/// Drawings of sets have numbers alone; those of relations tell what is done with them.
fn is_set(store: &Store, diagram: &Ldd) -> bool {
    let drawing = store.dot(diagram);
    let labels = drawing.split("[label=\"").skip(1).filter_map(|rest| rest.split('"').next());
    labels.into_iter().all(|label| label.bytes().all(|byte| byte.is_ascii_digit()))
}

#[test]
fn noise_is_no_file() {
    let mut random = toys::seeded();
    let store = Store::with_memory(0).expect("a store");
    for _ in 0..2000 {
        let mut bytes = b"PLDD\x01".to_vec();
        bytes.extend((0..random.below(60)).map(|_| random.below(256) as u8));
        assert!(store.load(&bytes[..]).is_err());
    }
}

#[test]
fn a_store_without_room_says_so() {
    let (large, small) = (Store::with_memory(0), Store::under_stress(64, 200, 2));
    let (large, small) = (large.expect("a store"), small.expect("a store"));
    let set = naive::diagram(&large, &SplitMix64::new(1).set(8, 20, 500)).expect("room");
    let error = small.load(&saved(&large, &[&set])[..]).expect_err("no room");
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    assert!(small.vector(&[1, 2, 3]).is_ok());
}
