//! Sums of slots and numbers of steps: exhaustively on small domains, and where they are large.

use ldd::{Access, Change, Entry, Rule, Shape, Store};
use num_bigint::BigUint;

use crate::naive::{self, Set, Steps};
use crate::random::Draw;

/// All sets of pairs below three, all factors from −2 to 2, all bounds.
#[test]
fn every_small_sum() {
    let store = Store::with_memory(0).expect("a store");
    let vectors: Vec<Vec<u32>> = (0..9).map(|number| vec![number / 3, number % 3]).collect();
    for bits in 0..1u32 << vectors.len() {
        let members = vectors.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
        let set: Set = members.map(|(_, vector)| vector.clone()).collect();
        let diagram = naive::diagram(&store, &set).expect("room");
        for factors in (0..25).map(|number| [number / 5 - 2, number % 5 - 2]) {
            let sums = || set.iter().map(|vector| naive::sum(vector, &factors));
            let both = sums().min().zip(sums().max());
            assert_eq!(store.extremes_while(&diagram, &factors, || true), Ok(both));
            for most in -9..10 {
                let filtered = store.at_most(&diagram, &factors, most).expect("room");
                assert_eq!(
                    naive::vectors(&store, &filtered),
                    naive::at_most(&set, &factors, most),
                    "{factors:?} {most}"
                );
            }
        }
    }
}

#[test]
fn ranges_of_slots() {
    let mut random = toys::seeded();
    let store = Store::with_memory(0).expect("a store");
    for _ in 0..100 {
        let set = random.set(4, 9, 6);
        let diagram = naive::diagram(&store, &set).expect("room");
        let values = |slot: usize| set.iter().map(move |vector| vector[slot]);
        let range = |slot| values(slot).min().zip(values(slot).max());
        let expected: Option<Vec<(u32, u32)>> = (0..4).map(range).collect();
        assert_eq!(store.ranges(&diagram), expected.unwrap_or_default());
    }
}

/// { 0, …, 9 }^width: the sums of all that there is, of which a few bounds leave large sets.
#[test]
fn sums_over_large_sets() {
    let store = Store::with_memory(1 << 26).expect("a store");
    let width = 60;
    let all = (0..width).map(|slot| (slot, vec![Rule { least: 0, most: 8, change: Change::Add(1) }]));
    let rules: Vec<_> = all.map(|slot| store.rules(width, &[slot]).expect("room")).collect();
    let cube = store.closure(&store.vector(&vec![0; width]).expect("room"), &rules).expect("room");
    assert_eq!(store.count(&cube), BigUint::from(10u32).pow(60));
    let ones = vec![1; width];
    assert_eq!(store.greatest(&cube, &ones), Some(540));
    // By symmetry just as many have a sum of k at most as of 540 − k at least.
    let low = store.at_most(&cube, &ones, 269).expect("room");
    let high = store.at_most(&cube, &vec![-1; width], -271).expect("room");
    assert_eq!(store.count(&low), store.count(&high));
    let middle = store.at_most(&store.minus(&cube, &low).expect("room"), &ones, 270).expect("room");
    assert_eq!(store.count(&low) + store.count(&high) + store.count(&middle), BigUint::from(10u32).pow(60));
    assert_eq!(store.at_most(&cube, &ones, 1).map(|few| store.count(&few)), Ok(61u32.into()));
    // Each rule starts from nine tenths: more than 128 bits hold.
    let steps = store.count_steps(&cube, &rules.iter().collect::<Vec<_>>());
    assert!(steps.iter().all(|steps| *steps == BigUint::from(10u32).pow(59) * 9u32));
}

/// { 0, …, 9 }^38 has a number that 128 bits hold; ten steps from each of its vectors are too many for them.
#[test]
fn more_steps_than_small_numbers_hold() {
    let store = Store::with_memory(1 << 24).expect("a store");
    let width = 38;
    let all = (0..width).map(|slot| (slot, vec![Rule { least: 0, most: 8, change: Change::Add(1) }]));
    let rules: Vec<_> = all.map(|slot| store.rules(width, &[slot]).expect("room")).collect();
    let cube = store.closure(&store.vector(&vec![0; width]).expect("room"), &rules).expect("room");
    let rows: Vec<[Entry; 1]> = (0..10).map(|value| [Entry::Value(value)]).collect();
    let writes = store.relation(Shape::new(width, vec![(20, Access::Write)]));
    let writes = writes.with_rows(rows.iter().map(|row| &row[..])).expect("room");
    assert_eq!(store.count_steps(&cube, &[&writes]), [BigUint::from(10u32).pow(39)]);
    assert_eq!(store.count_steps(&cube, &[&rules[0]]), [BigUint::from(10u32).pow(37) * 9u32]);
}

#[test]
fn steps_of_several_relations_of_every_kind() {
    let mut random = toys::seeded();
    let store = Store::with_memory(1 << 24).expect("a store");
    for round in 0..200 {
        let set = random.set(4, 4, 80);
        let diagram = naive::diagram(&store, &set).expect("room");
        let steps: Vec<Steps> = (0..5)
            .map(|_| if random.one_in(2) { random.rules(4, 4) } else { random.steps(4, 4, 15) })
            .collect();
        let relations: Vec<_> = steps.iter().map(|steps| steps.relation(&store).expect("room")).collect();
        let expected: Vec<BigUint> = steps.iter().map(|steps| steps.count(&set).into()).collect();
        let all: Vec<_> = relations.iter().collect();
        assert_eq!(store.count_steps(&diagram, &all), expected, "{round}: {steps:?}");
        let any = expected.iter().map(|count| *count != BigUint::ZERO).collect();
        assert_eq!(store.have_steps_while(&diagram, &all, || true), Some(any), "{round}: {steps:?}");
    }
    // What touches no slot: one step from each vector, or none.
    let set = store.vectors([&[1][..], &[2]]).expect("room");
    let idle = store.relation(Shape::new(1, vec![]));
    let no_entries: &[Entry] = &[];
    let stays = idle.with_rows([no_entries]).expect("room");
    assert_eq!(store.count_steps(&set, &[&idle, &stays]), [0u32.into(), 2u32.into()]);
    assert_eq!(store.have_steps_while(&set, &[&idle, &stays], || true), Some(vec![false, true]));
    assert_eq!(store.deadlocks(&set, std::slice::from_ref(&idle)).as_ref(), Ok(&set));
    assert!(store.deadlocks(&set, &[idle, stays]).is_ok_and(|stuck| stuck.is_empty()));
}
