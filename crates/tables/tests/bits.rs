//! Bit arrays: what was inserted is there, and little else.

mod rounds;

use base::SplitMix64;
use rounds::{seed, work_in_rounds};
use tables::Bits;

#[test]
fn what_was_inserted_is_seen_and_strangers_as_often_as_the_set_bits_say() {
    let mut random = SplitMix64::new(seed());
    let count: u64 = if cfg!(miri) { 100 } else { 20_000 };
    for k in [1, 2, 3, 8] {
        let bits = Bits::new(count as usize).expect("room");
        let mut omitted = 0;
        let hashes: Vec<u64> = (0..count).map(|_| random.next_u64()).collect();
        for &hash in &hashes {
            bits.prefetch(hash, k);
            let seen = bits.contains(hash, k);
            assert_eq!(bits.insert(hash, k), !seen);
            omitted += u64::from(seen);
            assert!(!bits.insert(hash, k) && bits.contains(hash, k));
        }
        assert!(hashes.iter().all(|&hash| bits.contains(hash, k)));
        assert!(bits.set_bits() <= (count - omitted) * u64::from(k));
        assert!(bits.len() >= 8 * count && bits.bytes() as u64 * 8 == bits.len());
        let share = bits.set_bits() as f64 / bits.len() as f64;
        let expected = share.powi(k as i32) * count as f64;
        let strangers = (0..count).filter(|_| bits.contains(random.next_u64(), k)).count() as f64;
        assert!(
            (strangers - expected).abs() <= 8.0 * expected.sqrt() + 8.0,
            "k = {k}: {strangers}, not {expected}"
        );
        // As many bits as so many random ones set.
        let random_share = 1.0 - (-f64::from(k) / 8.0).exp();
        assert!((share - random_share).abs() < 0.02 || cfg!(miri), "k = {k}: {share}, not {random_share}");
    }
}

#[test]
fn threads_set_the_bits_that_one_thread_sets() {
    let seed = seed();
    let (one, many) = (Bits::new(50_000).expect("room"), Bits::new(50_000).expect("room"));
    let count = if cfg!(miri) { 50 } else { 10_000 };
    let mut random = SplitMix64::new(seed);
    let new = (0..count).filter(|_| one.insert(random.next_u64(), 3)).count();
    let told = work_in_rounds(
        vec![0; 3],
        |_, told| {
            let mut random = SplitMix64::new(seed);
            *told = (0..count).filter(|_| many.insert(random.next_u64(), 3)).count();
            true
        },
        |_, _| (),
    );
    assert_eq!(one.set_bits(), many.set_bits());
    // Each new one is told to somebody.
    assert!(told.iter().sum::<usize>() >= new);
}
