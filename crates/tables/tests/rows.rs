//! Rows against `HashMap`, through many growths, from one thread and from several.

mod rounds;

use std::collections::{HashMap, HashSet};

use base::SplitMix64;
use rounds::{BelowU64, seed, work_in_rounds};
use tables::{Crowded, Full, Rows, Spare};

const MIRI: bool = cfg!(miri);

fn row(random: &mut SplitMix64, words: usize, kinds: u64) -> Vec<u64> {
    // Few values a word: rows that differ in one word only, and many that are the same.
    (0..words).map(|at| random.below_u64(kinds) << (8 * at % 60)).collect()
}

#[test]
fn one_thread_numbers_rows_densely_in_the_order_in_which_they_come() {
    let mut random = SplitMix64::new(seed());
    for words in [1, 2, 3, 7] {
        for (count, block) in
            [(500, 1), (if MIRI { 4_000 } else { 200_000 }, 1), (if MIRI { 500 } else { 50_000 }, 64)]
        {
            let kinds = ((count as f64).powf(1.0 / words as f64) as u64).max(2) + 1;
            let (rows, mut spare) = (Rows::new(words).expect("addresses"), Spare::new(block));
            let mut known: HashMap<Vec<u64>, u32> = HashMap::new();
            let mut growths = 0;
            for _ in 0..count {
                let row = row(&mut random, words, kinds);
                let hash = rows.hash(&row);
                assert_eq!(rows.find(hash, &row), known.get(&row).copied());
                let entry = loop {
                    match rows.insert(&mut spare, hash, &row) {
                        Ok(entry) => break entry,
                        Err(Crowded) => {
                            assert!(rows.is_crowded(1));
                            let more = rows.len() / 2 + 10;
                            let most = rows.bytes_after_growth(more);
                            let limit = rows.limit_after_growth(more);
                            rows.grow(more).expect("room");
                            assert!(!rows.is_crowded(more) && rows.bytes() <= most && rows.limit() == limit);
                            growths += 1;
                        }
                    }
                };
                let next = known.len() as u32;
                assert_eq!(entry.new, !known.contains_key(&row));
                assert_eq!(entry.number, *known.entry(row).or_insert(next));
            }
            assert!(
                growths > 0 || count < 1000 || MIRI && block == 64,
                "{count} rows of {words} words and no growth"
            );
            assert_eq!(spare.inserted(), known.len() as u64);
            assert!((known.len()..known.len() + block as usize).contains(&rows.len()));
            let mut words = vec![0; words];
            for (row, number) in known {
                rows.read(number, &mut words);
                assert_eq!((&words, rows.word(number)), (&row, row[0]));
            }
        }
    }
}

#[test]
fn threads_agree_about_numbers_through_growths() {
    let seed = seed();
    for (words, threads) in [(1, 2), (2, 3), (3, 4), (7, 2), (1, 4)] {
        let (rounds, rows_each) = if MIRI { (3, 300) } else { (60, 3_000) };
        let rows = Rows::new(words).expect("addresses");
        let kinds = ((if MIRI { 500.0 } else { 60_000f64 }).powf(1.0 / words as f64) as u64).max(2) + 1;
        struct Worker {
            random: SplitMix64,
            spare: Spare,
            seen: HashMap<Vec<u64>, u32>,
            again: Option<Vec<u64>>,
            rounds: usize,
        }
        let workers = (0..threads)
            .map(|thread| Worker {
                // Two threads get the same rows in the same order: they meet at every row.
                random: SplitMix64::new(seed ^ (thread as u64 / 2)),
                spare: Spare::new([1, 64, 7][thread % 3]),
                seen: HashMap::new(),
                again: None,
                rounds,
            })
            .collect();
        let workers = work_in_rounds(
            workers,
            |_, worker| {
                for _ in 0..worker.random.clone().below(rows_each) {
                    let row = worker.again.take().unwrap_or_else(|| row(&mut worker.random, words, kinds));
                    let hash = rows.hash(&row);
                    rows.prefetch(hash);
                    match rows.insert(&mut worker.spare, hash, &row) {
                        Ok(entry) => {
                            let before = worker.seen.insert(row, entry.number);
                            assert!(before.is_none_or(|before| before == entry.number && !entry.new));
                        }
                        Err(Crowded) => {
                            worker.again = Some(row);
                            return false;
                        }
                    }
                }
                worker.random.next_u64();
                worker.rounds -= 1;
                worker.rounds == 0
            },
            |_, worker| rows.grow(rows.len() / 3 + worker.random.clone().below(200)).expect("room"),
        );
        let mut known: HashMap<Vec<u64>, u32> = HashMap::new();
        let mut numbers = HashSet::new();
        for (row, number) in workers.iter().flat_map(|worker| &worker.seen) {
            assert_eq!(*known.entry(row.clone()).or_insert(*number), *number, "two numbers for {row:?}");
        }
        for (row, number) in &known {
            assert!(numbers.insert(*number), "two rows have number {number}");
            let mut words = vec![0; words];
            rows.read(*number, &mut words);
            assert_eq!(&words, row);
            assert_eq!(rows.find(rows.hash(row), row), Some(*number));
        }
        assert_eq!(workers.iter().map(|worker| worker.spare.inserted()).sum::<u64>(), known.len() as u64);
        assert!((known.len()..=known.len() + 64 * threads).contains(&rows.len()));
    }
}

#[test]
fn a_table_that_may_not_grow_says_so_and_keeps_what_it_has() {
    let (rows, mut spare) = (Rows::with_most(1, 5_000).expect("addresses"), Spare::new(1));
    let mut number = 0;
    while let Ok(entry) = rows.insert(&mut spare, rows.hash(&[number]), &[number]) {
        assert_eq!(u64::from(entry.number), number);
        number += 1;
        if rows.is_crowded(1) && rows.grow(1) == Err(Full) {
            break;
        }
    }
    assert_eq!((number as usize, rows.grow(1), rows.len()), (rows.most(), Err(Full), rows.most()));
    assert_eq!(rows.insert(&mut spare, rows.hash(&[number]), &[number]), Err(Crowded));
    assert!((0..number).all(|number| rows.find(rows.hash(&[number]), &[number]) == Some(number as u32)));
}
