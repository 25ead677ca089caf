//! Strong bisimulation against the definition, and against published sizes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use base::SplitMix64;
use lts::strong::{bisimilar, partition, reduce};
use lts::{Builder, Lts, StateIx, Stopped};

fn system(states: u32, initial: u32, transitions: &[(u32, u32, u32)]) -> Lts {
    let mut builder = Builder::new(u64::MAX);
    // Labels in an order that is not that of their texts.
    for (source, label, target) in transitions {
        let action = builder.action(&format!("a{}", 9 - label)).unwrap();
        builder.transition(StateIx(*source), action, StateIx(*target)).unwrap();
    }
    builder.finish(states, StateIx(initial)).unwrap()
}

/// The block of each state by the definition: as long as two states of a block differ in what they can do to
/// which blocks, cut it.
fn naive(lts: &Lts) -> Vec<usize> {
    let mut block = vec![0; lts.states()];
    loop {
        let mut kinds = BTreeMap::new();
        let next: Vec<usize> = lts
            .all_states()
            .map(|state| {
                let can: BTreeSet<_> =
                    lts.edges(state).iter().map(|edge| (edge.action, block[edge.target.ix()])).collect();
                let fresh = kinds.len();
                *kinds.entry((block[state.ix()], can)).or_insert(fresh)
            })
            .collect();
        if kinds.len() == block.iter().collect::<BTreeSet<_>>().len() {
            return next;
        }
        block = next;
    }
}

fn reachable(lts: &Lts) -> Vec<StateIx> {
    let (mut seen, mut all) = (BTreeSet::from([lts.initial()]), vec![lts.initial()]);
    let mut next = 0;
    while let Some(&state) = all.get(next) {
        all.extend(lts.edges(state).iter().map(|edge| edge.target).filter(|&target| seen.insert(target)));
        next += 1;
    }
    all
}

/// All that must be true of a reduction.
fn check(lts: &Lts, what: &str) {
    let wanted = naive(lts);
    let found = partition(lts, &mut || false).unwrap();
    for one in lts.all_states() {
        for other in lts.all_states() {
            let same = found.block(one) == found.block(other);
            assert_eq!(same, wanted[one.ix()] == wanted[other.ix()], "{what}: {one:?} and {other:?}");
        }
    }
    for block in (0..found.len() as u32).map(lts::BlockIx) {
        assert!(found.states(block).all(|state| found.block(state) == block), "{what}");
    }
    let small = reduce(lts, &mut || false).unwrap();
    let blocks: BTreeSet<usize> = reachable(lts).into_iter().map(|state| wanted[state.ix()]).collect();
    let edges: BTreeSet<_> = reachable(lts)
        .into_iter()
        .flat_map(|state| lts.edges(state).iter().map(move |edge| (state, *edge)))
        .map(|(state, edge)| (wanted[state.ix()], edge.action, wanted[edge.target.ix()]))
        .collect();
    assert_eq!((small.states(), small.transitions()), (blocks.len(), edges.len()), "{what}");
    assert_eq!(reachable(&small).len(), small.states(), "{what}: a state that cannot be reached");
    assert_eq!(small.initial(), StateIx(0));
    // A reduced system is as small as it gets, and the same again.
    assert_eq!(reduce(&small, &mut || false).unwrap(), small, "{what}: reduced twice");
    assert!(bisimilar(lts, &small, &mut || false).unwrap(), "{what}: the reduced system is another one");
}

#[test]
fn all_systems_of_three_states_and_few_labels() {
    for (states, labels) in [(1u32, 2u32), (2, 2), (3, 1)] {
        let all: Vec<(u32, u32, u32)> = (0..states)
            .flat_map(|source| {
                (0..labels).flat_map(move |label| (0..states).map(move |target| (source, label, target)))
            })
            .collect();
        for chosen in 0..1u32 << all.len() {
            let transitions: Vec<_> =
                (0..all.len()).filter(|at| chosen >> at & 1 == 1).map(|at| all[at]).collect();
            for initial in 0..states {
                check(&system(states, initial, &transitions), &format!("{transitions:?} from {initial}"));
            }
        }
    }
}

#[test]
fn random_systems() {
    let seed =
        std::env::var("PINSCHER_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(20_261_116u64);
    println!("PINSCHER_SEED={seed}");
    let mut random = SplitMix64::new(seed);
    let mut below = |bound: u32| random.below(bound as usize) as u32;
    for round in 0..3_000 {
        let states = 1 + below(if round % 100 == 0 { 120 } else { 14 });
        let labels = 1 + below(4);
        let count = below(3 * states + 1);
        // Few targets make many states alike.
        let targets = 1 + below(states);
        let transitions: Vec<_> =
            (0..count).map(|_| (below(states), below(labels), below(targets))).collect();
        check(&system(states, below(states), &transitions), &format!("PINSCHER_SEED={seed}, round {round}"));
    }
}

#[test]
fn systems_differ_where_their_choices_come_at_different_times() {
    let early = system(5, 0, &[(0, 0, 1), (0, 0, 2), (1, 1, 3), (2, 2, 4)]);
    let late = system(4, 0, &[(0, 0, 1), (1, 1, 2), (1, 2, 3)]);
    assert!(!bisimilar(&early, &late, &mut || false).unwrap());
    assert!(bisimilar(&early, &early, &mut || false).unwrap());
    // A label that the other does not have.
    assert!(!bisimilar(&system(1, 0, &[(0, 0, 0)]), &system(1, 0, &[(0, 1, 0)]), &mut || false).unwrap());
}

#[test]
fn a_long_chain_does_not_take_the_square_of_its_length() {
    let length = 200_000;
    let transitions: Vec<_> = (0..length).map(|at| (at, 0, at + 1)).collect();
    let small = reduce(&system(length + 1, 0, &transitions), &mut || false).unwrap();
    assert_eq!(small.states(), length as usize + 1);
    let ring: Vec<_> = (0..length).map(|at| (at, 0, (at + 1) % length)).collect();
    assert_eq!(reduce(&system(length, 0, &ring), &mut || false).unwrap().states(), 1);
}

#[test]
fn a_wish_to_stop_is_heard() {
    let transitions: Vec<_> = (0..20_000).map(|at| (at, 0, at + 1)).collect();
    assert_eq!(reduce(&system(20_001, 0, &transitions), &mut || true), Err(Stopped));
}

/// Sizes of files with published answers, where these are at hand.
#[test]
fn published_sizes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/aut");
    let Ok(table) = std::fs::read_to_string(folder.join("expected.csv")) else { return };
    let read = |name: &str| {
        let mut file = BufReader::new(File::open(folder.join(name)).unwrap());
        lts::aut::read(&mut file, u64::MAX).unwrap_or_else(|error| panic!("{name}: {error:?}"))
    };
    let mut rows = 0;
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let (name, property, expected) = (cells[0], cells[1], cells[2]);
        let found = match property.split(':').collect::<Vec<_>>()[..] {
            ["states"] => read(name).states().to_string(),
            ["transitions"] => read(name).transitions().to_string(),
            ["deadlock_states"] => read(name).deadlocks().to_string(),
            ["states_bisimulation"] => partition(&read(name), &mut || false).unwrap().len().to_string(),
            ["transitions_bisimulation"] => {
                let (lts, mut edges) = (read(name), BTreeSet::new());
                let blocks = partition(&lts, &mut || false).unwrap();
                edges.extend(
                    lts.all_edges()
                        .map(|(s, edge)| (blocks.block(s), edge.action, blocks.block(edge.target))),
                );
                edges.len().to_string()
            }
            ["equivalence", "bisim" | "bisim_gv" | "bisim_gjkw", other] => {
                let same = bisimilar(&read(name), &read(other), &mut || false).unwrap();
                if same { "yes" } else { "no" }.to_owned()
            }
            _ => continue,
        };
        assert_eq!(found, expected, "{row}");
        rows += 1;
    }
    assert!(rows > 80, "only {rows} rows were looked at");
}
