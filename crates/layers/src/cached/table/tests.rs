use std::collections::HashMap;

use super::*;

/// Keys with few low bits set, as projected states have; contents of all lengths, empty ones too.
fn record(number: u32) -> (Vec<u32>, Vec<u32>) {
    (vec![number % 7, number / 7 % 11, number / 77], (0..number % 5).map(|at| number ^ at).collect())
}

fn table(share: usize) -> (Table, Arc<Pool>) {
    let pool = Arc::new(Pool::new(share));
    (Table::new(Arc::clone(&pool), share), pool)
}

fn insert(table: &Table, number: u32) {
    let (key, content) = record(number);
    table.insert(hash(&key), &key, &content);
}

/// Whether the table has the record of a number. If it has, it is the right one.
fn has(table: &Table, number: u32) -> bool {
    let (key, wanted) = record(number);
    let mut content = vec![7, 7, 7];
    let is_known = table.find(hash(&key), &key, &mut content);
    assert!(!is_known || content == wanted, "{key:?}: {content:?} in place of {wanted:?}");
    is_known
}

#[test]
fn with_room_it_finds_what_a_hash_map_finds() {
    let (table, _) = table(1 << 24);
    let mut oracle = HashMap::new();
    for number in (0..60_000).step_by(3) {
        insert(&table, number);
        oracle.insert(number, ());
    }
    let (mut lost, mut stray) = (0, 0);
    for number in 0..60_000 {
        match (has(&table, number), oracle.contains_key(&number)) {
            (true, false) => stray += 1,
            (false, true) => lost += 1,
            _ => {}
        }
    }
    assert_eq!(stray, 0);
    // A bucket overflows now and then though most of the index is free.
    assert!(lost < 20_000 / 1_000, "{lost} of 20000 records are lost");
}

#[test]
fn it_stays_in_its_share_and_forgets_the_oldest() {
    for share in [0, 10, 500, 5_000, 50_000, 500_000] {
        let (table, pool) = table(share);
        for number in 0..40_000 {
            insert(&table, number);
            assert!(pool.held() <= share, "{} of {share} bytes", pool.held());
        }
        let kept: Vec<u32> = (0..40_000).filter(|&number| has(&table, number)).collect();
        // Seven words a record on average; two fifths of the share at least are put to use, and what is kept
        // is young.
        assert!(kept.len() * 28 <= share, "{} records in {share} bytes", kept.len());
        assert!(share < 5_000 || kept.len() * 28 > share / 5 * 2, "{} records in {share} bytes", kept.len());
        assert!(
            kept.iter().all(|&number| 40_000 - number as usize <= share / 20),
            "{:?} of {share}",
            kept.first()
        );
        drop(table);
        assert_eq!(pool.held(), 0);
        assert!(pool.most() <= share);
    }
}

/// Keys of several lengths that begin with a number for each length, as a cache has them: 44 bits tell them
/// all apart.
#[test]
fn hashes_of_short_keys_of_several_lengths_differ() {
    let mut seen = HashMap::new();
    for number in 0..8 * 8 * 8 * 24u32 {
        let group = number / 512;
        let digits = [number % 8, number / 8 % 8, number / 64 % 8];
        let key: Vec<u32> = [group].into_iter().chain(digits.into_iter().take(group as usize % 4)).collect();
        let hash = hash(&key);
        let other = seen.entry((hash >> 52, hash as u32)).or_insert_with(|| key.clone());
        assert_eq!(*other, key);
    }
}

/// Records that meet in one bucket of an index that cannot grow: asked for in turn, most of them must be
/// there.
#[test]
fn records_that_are_too_many_for_a_bucket_do_not_push_each_other_out_for_ever() {
    let (table, _) = table(1 << 16);
    let (mut hits, mut content) = (0, Vec::new());
    for step in 0..10_000u32 {
        let key = [step % 10];
        // One hash but for the tag.
        let hash = u64::from(key[0]) << 52;
        if table.find(hash, &key, &mut content) {
            hits += 1;
        } else {
            table.insert(hash, &key, &[]);
        }
    }
    assert!(hits > 5_000, "{hits} hits");
}

#[test]
fn what_is_stored_again_takes_no_more_room() {
    let (table, pool) = table(1 << 20);
    insert(&table, 1);
    let held = pool.held();
    (0..100_000).for_each(|_| insert(&table, 1));
    assert_eq!(pool.held(), held);
    assert!(has(&table, 1));
}

#[test]
fn an_empty_key_is_a_key_and_a_long_record_is_not_stored() {
    let (table, _) = table(1 << 16);
    let mut content = Vec::new();
    assert!(!table.find(hash(&[]), &[], &mut content));
    table.insert(hash(&[]), &[], &[4, 5]);
    assert!(table.find(hash(&[]), &[], &mut content));
    assert_eq!(content, [4, 5]);
    let long = vec![3; table.segment_words];
    table.insert(hash(&[1]), &[1], &long);
    assert!(!table.find(hash(&[1]), &[1], &mut content));
    assert!(table.find(hash(&[]), &[], &mut content));
}

#[test]
fn keys_with_one_hash_are_told_apart() {
    let (table, _) = table(1 << 16);
    let mut content = Vec::new();
    table.insert(9, &[1, 2], &[3]);
    assert!(!table.find(9, &[1, 3], &mut content) && !table.find(9, &[2, 2], &mut content));
    assert!(table.find(9, &[1, 2], &mut content) && content == [3]);
}

/// Readers and writers at the same time, in a table that writes its segments again all the time: a reader
/// that is overtaken must not take what it copied for a record.
#[test]
fn readers_never_see_half_a_record() {
    let content = |number: u32| (0..number % 29).map(move |at| number.wrapping_mul(at + 0x9E37_79B9));
    for share in [1_500, 20_000] {
        let (table, _) = table(share);
        let hits: usize = std::thread::scope(|scope| {
            let run = |thread: u32| {
                let (table, mut found, mut hits) = (&table, Vec::new(), 0);
                move || {
                    for step in 0..300_000u32 {
                        let number = (step / 16 * 5 + (step ^ (thread * 3)) % 16) % 1000;
                        let key = [number % 10, number / 10];
                        if table.find(hash(&key), &key, &mut found) {
                            assert!(found.iter().copied().eq(content(number)), "{number}: {found:?}");
                            hits += 1;
                        } else {
                            table.insert(hash(&key), &key, &content(number).collect::<Vec<_>>());
                        }
                    }
                    hits
                }
            };
            let threads: Vec<_> = (0..4).map(|thread| scope.spawn(run(thread))).collect();
            threads.into_iter().map(|thread| thread.join().expect("a thread panicked")).sum()
        });
        assert!(hits > 1_000, "{hits} hits: nothing was tested");
    }
}
