//! All interleavings of a few insertions.

use loom::thread;

use super::*;
use crate::sync::Arc;

/// Two threads insert rows of two words, some of them the same: one number a row, whole rows, and one of them
/// is told that a row is new.
fn race(orders: [&'static [u64]; 2]) {
    loom::model(move || {
        let rows = Arc::new(Rows::new(2).expect("a few"));
        let insert = |rows: &Rows, spare: &mut Spare, words: &[u64]| -> Vec<(u64, Entry)> {
            let mut found = Vec::new();
            for &word in words {
                let row = [word, word + 1];
                // All rows have one home and one tag: they meet there.
                let entry = rows.insert(spare, 0, &row).expect("room for a few");
                let mut read = [0; 2];
                rows.read(entry.number, &mut read);
                assert_eq!(read, row, "a number was published before its row");
                found.push((word, entry));
            }
            found
        };
        let other = Arc::clone(&rows);
        let thread = thread::spawn(move || {
            let mut spare = Spare::new(1);
            (insert(&other, &mut spare, orders[0]), spare)
        });
        let mut spare = Spare::new(1);
        let mut found = insert(&rows, &mut spare, orders[1]);
        let (others, spares) = thread.join().expect("no panic");
        let spares = [spare, spares];
        found.extend(others);
        let mut words: Vec<u64> = found.iter().map(|(word, _)| *word).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(spares.iter().map(Spare::inserted).sum::<u64>(), words.len() as u64);
        // A number is a row's or waits for one.
        assert_eq!(rows.len(), words.len() + spares.iter().filter(|spare| spare.lost.is_some()).count());
        for word in words {
            let entries: Vec<Entry> =
                found.iter().filter(|(other, _)| *other == word).map(|(_, entry)| *entry).collect();
            assert!(entries.iter().all(|entry| entry.number == entries[0].number), "two numbers for one row");
            assert_eq!(entries.iter().filter(|entry| entry.new).count(), 1, "{entries:?}");
        }
    });
}

#[test]
fn loom_the_same_row_gets_one_number() {
    race([&[7], &[7]]);
}

#[test]
fn loom_rows_meet_in_other_orders() {
    race([&[7, 8], &[8, 7]]);
}

#[test]
fn loom_a_lost_number_is_used_for_the_next_row() {
    race([&[7, 9], &[7]]);
}
