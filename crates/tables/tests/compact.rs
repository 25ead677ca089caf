//! Compact sets against `HashSet`: all numbers of bits, both widths of entries, through many growths, from
//! one thread and from several.

mod rounds;

use std::collections::HashSet;

use base::SplitMix64;
use rounds::{BelowU64, seed, work_in_rounds};
use tables::{Compact, Crowded};

const MIRI: bool = cfg!(miri);

fn ones(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

fn keys(set: &Compact) -> HashSet<u64> {
    let (mut keys, mut count) = (HashSet::new(), 0);
    set.for_each(|key| {
        keys.insert(key);
        count += 1;
    });
    assert_eq!(keys.len(), count, "a key is there twice");
    keys
}

#[test]
fn small_domains_are_held_to_the_last_key() {
    for bits in 1..=if MIRI { 9 } else { 14 } {
        let set = Compact::new(bits).expect("addresses");
        let step = 0x9e37_79b9 | 1;
        for i in 0..1u64 << bits {
            let key = (i * step) & ones(bits);
            assert!(!set.contains(key));
            if set.is_crowded(i, 1) {
                set.grow(i + 1 + i / 4, bits).expect("room");
            }
            assert_eq!(set.insert(key), Ok(true), "{bits} bits, key {i}");
            assert_eq!((set.insert(key), set.contains(key)), (Ok(false), true));
        }
        assert_eq!(keys(&set), (0..1 << bits).collect());
        assert!(!set.contains(1 << bits));
    }
}

#[test]
fn every_number_of_bits_agrees_with_a_hash_set_through_growths() {
    let mut random = SplitMix64::new(seed());
    for bits in 1..=64u32 {
        let set = Compact::new(bits).expect("addresses");
        let mut known = HashSet::new();
        for _ in 0..if MIRI { 60 } else { 4_000 } {
            // Random ones, neighbours of others, and pairs of small numbers.
            let key = match random.below_u64(3) {
                0 => random.next_u64(),
                1 => known.iter().next().map_or(7, |key: &u64| key.wrapping_add(random.below_u64(50))),
                _ => random.below_u64(100) | random.below_u64(100) << (bits / 2),
            } & ones(bits);
            assert_eq!(set.contains(key), known.contains(&key));
            if set.is_crowded(known.len() as u64, 1) {
                let entries = known.len() as u64 + 1 + random.below_u64(400);
                let most = set.bytes_after_growth(entries, bits);
                set.grow(entries, bits).expect("room");
                assert!(set.bytes() <= most);
                assert!(known.iter().all(|&key| set.contains(key)));
            }
            assert_eq!(set.insert(key), Ok(known.insert(key)), "{bits} bits, key {key:x}");
        }
        assert_eq!(keys(&set), known);
    }
}

#[test]
#[cfg_attr(miri, ignore = "too many keys")]
fn keys_get_more_bits_and_entries_become_narrow_and_wide_again() {
    let mut random = SplitMix64::new(seed());
    let set = Compact::new(8).expect("addresses");
    let mut known = HashSet::new();
    let mut widths = Vec::new();
    for (bits, count) in [
        (8, 200),
        (20, 40_000),
        (33, 100_000),
        (34, 300_000),
        (40, 320_000),
        (41, 500_000),
        (62, 520_000),
        (64, 540_000),
    ] {
        let before = set.bytes_after_growth(known.len() as u64, bits);
        set.grow(known.len() as u64, bits).expect("room");
        assert!(set.bytes() <= before && set.bits() == bits);
        assert!(known.iter().all(|&key| set.contains(key)));
        while known.len() < count {
            if set.is_crowded(known.len() as u64, 1) {
                set.grow(known.len() as u64 * 5 / 4 + 1, bits).expect("room");
            }
            let key = random.next_u64() & ones(bits);
            assert_eq!(set.insert(key), Ok(known.insert(key)));
        }
        assert_eq!(keys(&set), known);
        widths.push(set.bytes() / set.room().min(ones(bits)) as usize);
    }
    // Bytes for a key that there is room for: narrow entries at the end of the middle, wide ones at the end.
    assert!(widths[4] < 8 && widths[7] > 8, "{widths:?}");
}

#[test]
fn threads_that_insert_the_same_keys_are_told_so_once_through_growths() {
    let seed = seed();
    for (threads, bits, longer) in [(2, 40, 40), (3, 20, 26), (4, 64, 64), (2, 16, 16), (4, 30, 34)] {
        let set = Compact::new(bits).expect("addresses");
        let (rounds, keys_each) = if MIRI { (3, 400) } else { (40, 12_000) };
        struct Worker {
            random: SplitMix64,
            again: Option<u64>,
            seen: HashSet<u64>,
            new: u64,
            rounds: usize,
        }
        let workers = (0..threads)
            .map(|thread| Worker {
                random: SplitMix64::new(seed ^ (thread as u64 / 2)),
                again: None,
                seen: HashSet::new(),
                new: 0,
                rounds,
            })
            .collect();
        let total = std::sync::atomic::AtomicU64::new(0);
        use std::sync::atomic::Ordering::Relaxed;
        let workers = work_in_rounds(
            workers,
            |_, worker| {
                for _ in 0..worker.random.clone().below(keys_each) {
                    let key = worker
                        .again
                        .take()
                        .unwrap_or_else(|| worker.random.next_u64() & ones(set.bits().min(19)) & ones(bits));
                    // Spread over all bits that there are, the same for all who have these bits.
                    let key = key | key.rotate_right(19) & ones(set.bits());
                    set.prefetch(key);
                    match set.insert(key) {
                        Ok(new) => {
                            worker.seen.insert(key);
                            worker.new += u64::from(new);
                            total.fetch_add(u64::from(new), Relaxed);
                        }
                        Err(Crowded) => {
                            assert!(set.is_crowded(0, 0));
                            worker.again = Some(key);
                            return false;
                        }
                    }
                }
                worker.random.next_u64();
                worker.rounds -= 1;
                worker.rounds == 0
            },
            |_, _| {
                let len = total.load(Relaxed);
                set.grow(len + len / 10 + 500, if len > 5_000 { longer } else { bits }).expect("room");
            },
        );
        let known: HashSet<u64> = workers.iter().flat_map(|worker| worker.seen.iter().copied()).collect();
        assert_eq!(workers.iter().map(|worker| worker.new).sum::<u64>(), known.len() as u64);
        assert_eq!(keys(&set), known);
    }
}
