//! All interleavings of a few insertions.

use loom::thread;

use super::*;
use crate::sync::Arc;

/// Two threads insert keys, some of them the same: each key is there once, and one thread is told that it is
/// new.
fn race(bits: u32, orders: [&'static [u64]; 2]) {
    loom::model(move || {
        let set = Arc::new(Compact::new(bits).expect("a few"));
        let insert =
            |set: &Compact, keys: &[u64]| keys.iter().filter(|&&key| set.insert(key) == Ok(true)).count();
        let other = Arc::clone(&set);
        let thread = thread::spawn(move || insert(&other, orders[0]));
        let new = insert(&set, orders[1]) + thread.join().expect("no panic");
        let mut keys = orders.concat();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(new, keys.len());
        let mut found = Vec::new();
        set.for_each(|key| found.push(key));
        found.sort_unstable();
        assert_eq!(found, keys);
    });
}

/// Keys with the home of key 0, so that they meet.
fn neighbours(bits: u32) -> &'static [u64] {
    let shape = Shape::holding(1, bits, bits, LARGEST).expect("a few");
    let home = |key: &u64| shape.divide(shape.mixed(*key)).0;
    let keys: Vec<u64> = (0..=ones(bits)).filter(|key| home(key) == home(&0)).take(2).collect();
    assert!(keys.len() == 2 && shape.farthest > 0, "no two keys have one home in {shape:?}");
    Box::leak(keys.into_boxed_slice())
}

#[test]
fn loom_the_same_key_is_new_once() {
    let keys = neighbours(3);
    race(3, [&keys[..1], &keys[..1]]);
}

#[test]
fn loom_keys_of_one_home_meet_in_other_orders() {
    let keys = neighbours(3);
    let back: &'static [u64] = Box::leak(Box::new([keys[1], keys[0]]));
    race(3, [keys, back]);
}

#[test]
fn loom_keys_of_wide_entries_meet() {
    // More is left of a key than 32 bits hold.
    let keys: &'static [u64] = &[5];
    assert!(Shape::holding(1, 40, 40, LARGEST).is_some_and(|shape| shape.wide));
    race(40, [keys, keys]);
}

/// Two threads grow a set together, and one comes when it likes.
#[test]
fn loom_threads_share_a_growth() {
    loom::model(|| {
        let set = Arc::new(Compact::new(3).expect("a few"));
        assert_eq!((set.insert(1), set.insert(6)), (Ok(true), Ok(true)));
        let other = Arc::clone(&set);
        let thread = thread::spawn(move || other.grow(3, 4));
        assert_eq!((set.grow(3, 4), thread.join().expect("no panic")), (Ok(()), Ok(())));
        let mut found = Vec::new();
        set.for_each(|key| found.push(key));
        found.sort_unstable();
        assert_eq!((found, set.bits()), (vec![1, 6], 4));
    });
}
