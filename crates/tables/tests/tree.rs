//! Trees against sets of vectors: any number of words, through many growths, from one thread and from
//! several.

mod rounds;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use base::SplitMix64;
use rounds::{BelowU64, seed, work_in_rounds};
use tables::{Crowded, Path, Scratch, Tree};

const MIRI: bool = cfg!(miri);

/// Does it until it is not crowded.
fn grow_until<T>(tree: &Tree, len: u64, mut call: impl FnMut() -> Result<T, Crowded>) -> T {
    for _ in 0..100 {
        match call() {
            Ok(result) => return result,
            Err(Crowded) => {
                assert!(tree.is_crowded(len, 1));
                let most = tree.bytes_after_growth(len, 100);
                tree.grow(len, 100).expect("room");
                assert!(tree.bytes() <= most, "{} bytes, not {most}", tree.bytes());
            }
        }
    }
    panic!("a hundred growths for one state");
}

fn roots(tree: &Tree) -> HashSet<u64> {
    let (mut roots, mut count) = (HashSet::new(), 0);
    tree.for_each(|root| {
        roots.insert(root);
        count += 1;
    });
    assert_eq!(roots.len(), count, "a root is there twice");
    roots
}

/// A few values, anywhere in the bits.
fn word(random: &mut SplitMix64, values: u64) -> u64 {
    let value = random.below_u64(values);
    value.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ value << 27
}

#[test]
fn walks_agree_with_a_set_of_vectors_for_any_number_of_words() {
    let mut random = SplitMix64::new(seed());
    for words in [2, 3, 4, 5, 6, 7, 8, 13, 32, 300] {
        let middle = 1 + random.below_u64(words as u64 - 1) as usize;
        let tree = Tree::split_at(words, middle).expect("addresses");
        let (mut scratch, mut other) = (tree.scratch(), tree.scratch());
        let paths: Vec<(Vec<usize>, Path)> = (0..8)
            .map(|_| {
                let touched: Vec<usize> =
                    (0..1 + random.below_u64(3)).map(|_| random.below_u64(words as u64) as usize).collect();
                let path = tree.path(&touched);
                (touched, path)
            })
            .collect();
        let first = vec![0; words];
        let root = tree.fold(&mut scratch, &first).expect("a new tree has room");
        assert_eq!((tree.contains(root), tree.insert(root), tree.contains(root)), (false, Ok(true), true));
        let mut known = HashMap::from([(first.clone(), root)]);
        let mut all = vec![(first, root)];
        let mut state = vec![0; words];
        for _ in 0..if MIRI { 10 } else { 5_000 } {
            let (source, root) = all[random.below_u64(all.len() as u64) as usize].clone();
            tree.prefetch_halves(root);
            tree.unfold(root, &mut scratch, &mut state);
            assert_eq!(state, source);
            for (touched, path) in &paths {
                state.copy_from_slice(&source);
                // Often none or one of the words on the path changes.
                for &at in touched {
                    if random.below_u64(2) == 0 {
                        state[at] = word(&mut random, 500);
                    }
                }
                let len = known.len() as u64;
                let next = grow_until(&tree, len, || tree.refold(&mut scratch, path, &state));
                assert_eq!(
                    next,
                    grow_until(&tree, len, || tree.fold(&mut other, &state)),
                    "refolded {source:?} to {state:?}"
                );
                tree.prefetch(next);
                let new = grow_until(&tree, len, || tree.insert(next));
                assert_eq!(new, !known.contains_key(&state));
                assert_eq!(*known.entry(state.clone()).or_insert(next), next);
                if new {
                    all.push((state.clone(), next));
                }
            }
        }
        assert_eq!(roots(&tree), known.values().copied().collect());
        assert_eq!(roots(&tree).len(), known.len());
        for (source, root) in &known {
            tree.unfold(*root, &mut scratch, &mut state);
            assert_eq!(&state, source);
        }
        assert!(scratch.inserted() + other.inserted() <= tree.nodes() as u64);
    }
}

#[test]
#[cfg_attr(miri, ignore = "too many states")]
fn roots_get_more_bits_in_a_large_tree() {
    let mut random = SplitMix64::new(seed());
    let tree = Tree::new(2).expect("addresses");
    let mut scratch = tree.scratch();
    let mut known = HashMap::new();
    let mut bits = Vec::new();
    let mut left = 1_000;
    while known.len() < 500_000 {
        // Ever more pairs on both sides, more on the left: first the roots get many, and then they get
        // longer.
        if known.len() > 350_000 {
            left = 20_000;
        }
        let (l, r) = (random.below_u64(left), random.below_u64(1_000));
        let state = [l << 32 | l, (r + 5) | (r * r) << 32];
        let root = grow_until(&tree, known.len() as u64, || tree.fold(&mut scratch, &state));
        let new = grow_until(&tree, known.len() as u64, || tree.insert(root));
        assert_eq!(new, known.insert(state, root).is_none());
        if bits.last() != Some(&(tree.root_bits())) {
            bits.push(tree.root_bits());
            assert!(known.values().all(|&root| tree.contains(root)));
        }
    }
    assert!(bits.len() > 1, "{bits:?}");
    assert_eq!(roots(&tree), known.values().copied().collect());
    let mut state = [0; 2];
    for (source, root) in known {
        tree.unfold(root, &mut scratch, &mut state);
        assert_eq!(state, source);
    }
}

#[test]
fn threads_agree_about_roots_through_growths() {
    let seed = seed();
    for (words, threads) in [(2, 2), (3, 3), (4, 2), (9, 4)] {
        let tree = Tree::new(words).expect("addresses");
        let paths: Vec<Path> = (0..words).map(|word| tree.path(&[word, word / 2])).collect();
        struct Worker {
            random: SplitMix64,
            scratch: Scratch,
            seen: HashMap<Vec<u64>, u64>,
            all: Vec<u64>,
            again: Option<(usize, Vec<u64>, u64)>,
            new: u64,
            rounds: usize,
        }
        let (rounds, steps) = if MIRI { (2, 60) } else { (40, 2_000) };
        let mut scratch = tree.scratch();
        let first = tree.fold(&mut scratch, &vec![1; words]).expect("room");
        let workers = (0..threads)
            .map(|thread| Worker {
                random: SplitMix64::new(seed ^ (thread as u64 / 2)),
                scratch: tree.scratch(),
                seen: HashMap::new(),
                all: vec![first],
                again: None,
                new: 0,
                rounds,
            })
            .collect();
        let total = AtomicU64::new(0);
        let mut workers = work_in_rounds(
            workers,
            |_, worker| {
                let mut source = vec![0; words];
                for _ in 0..worker.random.clone().below(steps) {
                    let (path, state, root) = worker.again.take().unwrap_or_else(|| {
                        let root = worker.all[worker.random.below_u64(worker.all.len() as u64) as usize];
                        tree.unfold(root, &mut worker.scratch, &mut source);
                        let path = worker.random.below_u64(words as u64) as usize;
                        let mut state = source.clone();
                        for at in [path, path / 2] {
                            state[at] = worker.random.below_u64(if at == 0 { 900 } else { 40 });
                        }
                        (path, state, root)
                    });
                    // The source stays what it was through a growth.
                    let next = tree.refold(&mut worker.scratch, &paths[path], &state);
                    match next.and_then(|next| Ok((next, tree.insert(next)?))) {
                        Ok((next, new)) => {
                            worker.new += u64::from(new);
                            total.fetch_add(u64::from(new), Relaxed);
                            if worker.seen.insert(state, next).is_none() {
                                worker.all.push(next);
                            }
                        }
                        Err(Crowded) => {
                            worker.again = Some((path, state, root));
                            return false;
                        }
                    }
                }
                worker.random.next_u64();
                worker.rounds -= 1;
                worker.rounds == 0
            },
            |_, worker| tree.grow(total.load(Relaxed), worker.random.clone().below(100)).expect("room"),
        );
        let mut known: HashMap<Vec<u64>, u64> = HashMap::new();
        for (state, root) in workers.iter().flat_map(|worker| &worker.seen) {
            assert_eq!(*known.entry(state.clone()).or_insert(*root), *root, "two roots for {state:?}");
        }
        assert_eq!(roots(&tree), known.values().copied().collect());
        assert_eq!(workers.iter().map(|worker| worker.new).sum::<u64>(), known.len() as u64);
        let mut state = vec![0; words];
        for (source, root) in known {
            tree.unfold(root, &mut workers[0].scratch, &mut state);
            assert_eq!(state, source);
        }
    }
}

#[test]
#[should_panic(expected = "BUG: a root that no state has")]
fn a_root_of_too_many_bits_is_not_cut() {
    let _ = Tree::new(2).expect("addresses").insert(1 << 63);
}
