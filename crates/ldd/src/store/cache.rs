//! The operation cache: what was computed last for a question, shared by all threads, lossy.
//!
//! An entry is two words: the question's first two operands, and its third operand with the answer. Threads
//! read and write it without a lock, so a reader may see one word of one entry and the other of another. The
//! first word is stored xor a mix of the second (Hyatt's lockless hashing): such a pair reads as a question
//! that nobody asked.

use std::sync::atomic::Ordering;

use crate::store::node::{Id, fold};
use crate::sync::{AtomicU64, AtomicUsize, Reserved};

/// Operations, in the top bits of the first operand's place in the hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub(crate) enum Op {
    Union = 1,
    Minus,
    Intersect,
    Image,
    PreImage,
    Saturate,
    Project,
    Join,
    Enabled,
    AtMost,
    Backward,
    Advance,
    Deadlocks,
    Select,
    Domain,
}

/// A question: an operation and up to three operands.
#[derive(Clone, Copy)]
pub(crate) struct Question {
    first: u64,
    third: u32,
}

/// Nodes have 28-bit numbers here: four bits are left for the operation.
pub(crate) const MOST_NODES: usize = 1 << 28;

impl Question {
    #[inline]
    pub fn new(op: Op, a: Id, b: Id, c: u32) -> Self {
        Self { first: (op as u64) << 60 | u64::from(a) << 32 | u64::from(b), third: c }
    }

    #[inline]
    fn hash(self) -> u64 {
        fold(self.first ^ 0xA076_1D64_78BD_642F, u64::from(self.third) ^ 0xE703_7ED1_A0B4_28DB)
    }
}

pub(crate) struct Cache {
    entries: Reserved<AtomicU64>,
    /// The entries in use are this power of two, at least the first.
    bits: AtomicUsize,
}

/// Spreads a word over another, so that halves of different entries never fit by chance.
#[inline]
fn mix(word: u64) -> u64 {
    let spread = word.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    spread ^ spread >> 29
}

impl Cache {
    /// Room for `most` entries, reserved, not touched. `None` where the system refuses.
    pub fn new(most: usize, bits: usize) -> Option<Self> {
        let entries = Reserved::new(2 * most)?;
        entries.prefer_huge_pages(2 << bits);
        Some(Self { entries, bits: AtomicUsize::new(bits) })
    }

    /// Its size, as a power of two.
    #[inline]
    pub fn bits(&self) -> usize {
        self.bits.load(Ordering::Relaxed)
    }

    #[inline]
    fn place(&self, question: Question) -> usize {
        2 * (question.hash() >> (64 - self.bits())) as usize
    }

    /// The answer, if it was stored and not overwritten.
    #[inline]
    pub fn get(&self, question: Question) -> Option<Id> {
        let at = self.place(question);
        // Acquire: the nodes of an answer are visible to whoever sees the answer.
        let second = self.entries[at + 1].load(Ordering::Acquire);
        let first = self.entries[at].load(Ordering::Relaxed);
        let fits = first ^ mix(second) == question.first && (second >> 32) as u32 == question.third;
        fits.then_some(second as u32)
    }

    /// Stores an answer, over whatever is there.
    #[inline]
    pub fn put(&self, question: Question, answer: Id) {
        let at = self.place(question);
        let second = u64::from(question.third) << 32 | u64::from(answer);
        self.entries[at].store(question.first ^ mix(second), Ordering::Relaxed);
        self.entries[at + 1].store(second, Ordering::Release);
    }

    /// Forgets all answers; how many bytes of memory that gives back. What is stored meanwhile may be
    /// forgotten, too.
    pub fn clear(&self) -> u64 {
        let words = 2 << self.bits();
        self.entries.release(0..words);
        8 * words as u64
    }

    /// Keeps the entries that `is_live` knows to be about live nodes, and moves them into this size. No
    /// operation may run. Two writers at once may have left halves of different entries behind, so `is_live`
    /// is asked about numbers that no node ever had.
    pub fn sweep(&self, bits: usize, is_live: impl Fn(Op, [u32; 3], Id) -> bool) {
        let old = self.bits.swap(bits, Ordering::Relaxed);
        // An entry goes to a place that was swept before: to a later one where the cache grows, to an earlier
        // one where it shrinks.
        if old <= bits {
            self.entries.prefer_huge_pages(2 << bits);
            self.sweep_in((0..1usize << old).rev(), is_live);
        } else {
            self.sweep_in(0..1usize << old, is_live);
            self.entries.release(2 << bits..2 << old);
        }
    }

    /// The same for these entries, one after the other.
    fn sweep_in(&self, entries: impl Iterator<Item = usize>, is_live: impl Fn(Op, [u32; 3], Id) -> bool) {
        for at in entries {
            let second = self.entries[2 * at + 1].load(Ordering::Relaxed);
            let first = self.entries[2 * at].load(Ordering::Relaxed) ^ mix(second);
            self.entries[2 * at].store(0, Ordering::Relaxed);
            self.entries[2 * at + 1].store(0, Ordering::Relaxed);
            let Some(op) = Op::from_bits((first >> 60) as u32) else { continue };
            let third = (second >> 32) as u32;
            let operands = [(first >> 32) as u32 & 0x0FFF_FFFF, first as u32, third];
            if is_live(op, operands, second as u32) {
                self.put(Question { first, third }, second as u32);
            }
        }
    }
}

impl Op {
    fn from_bits(bits: u32) -> Option<Self> {
        let all = [
            Self::Union,
            Self::Minus,
            Self::Intersect,
            Self::Image,
            Self::PreImage,
            Self::Saturate,
            Self::Project,
            Self::Join,
            Self::Enabled,
            Self::AtMost,
            Self::Backward,
            Self::Advance,
            Self::Deadlocks,
            Self::Select,
            Self::Domain,
        ];
        all.into_iter().find(|op| *op as u32 == bits)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::atomic::Ordering;
    use std::thread::scope;

    use super::{Cache, Op, Question};

    fn question(number: u32) -> Question {
        Question::new(Op::Union, number, number / 3, 0)
    }

    #[test]
    fn halves_of_different_entries_answer_nothing() {
        let cache = Cache::new(2, 1).expect("room");
        let pairs = (0..50)
            .flat_map(|one| (0..50).map(move |other| (one, other)))
            .filter(|(one, other)| one != other);
        for (one, other) in pairs.map(|(one, other)| (question(one), question(other))) {
            let at = cache.place(one);
            if cache.place(other) == at {
                cache.put(one, 1);
                let half = cache.entries[at].load(Ordering::Relaxed);
                cache.put(other, 2);
                assert_eq!(cache.get(other), Some(2));
                cache.entries[at].store(half, Ordering::Relaxed);
                assert_eq!((cache.get(one), cache.get(other)), (None, None));
            }
        }
    }

    #[test]
    fn answers_are_to_their_questions() {
        let cache = Cache::new(2, 1).expect("room");
        let ask = || {
            (0..if cfg!(miri) { 200 } else { 100_000u32 }).map(|round| round / 2 % 11).filter(|&number| {
                let answer = cache.get(question(number));
                assert!(answer.is_none_or(|answer| answer == number));
                cache.put(question(number), number);
                answer.is_some()
            })
        };
        let hits: usize = scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| ask().count())).collect();
            threads.into_iter().map(|thread| thread.join().expect("no thread panicked")).sum()
        });
        assert!(hits > 0);
    }

    #[test]
    fn what_is_live_is_kept_where_the_cache_grows() {
        for (old, new) in [(4, 4), (4, 5), (4, 9), (1, 3)] {
            let cache = Cache::new(1 << new, old).expect("room");
            (0..100).for_each(|number| cache.put(question(number), number));
            let known: Vec<u32> = (0..100).filter(|&number| cache.get(question(number)).is_some()).collect();
            assert!(known.len() > (1 << old) / 2);
            cache.sweep(new, |op, [a, b, c], answer| {
                assert_eq!((op, b, c, answer), (Op::Union, a / 3, 0, a));
                a % 2 == 0
            });
            for number in 0..100 {
                let is_kept = number % 2 == 0 && known.contains(&number);
                assert_eq!(cache.get(question(number)), is_kept.then_some(number));
            }
        }
    }

    #[test]
    fn what_is_live_is_kept_where_the_cache_shrinks_and_finds_a_place() {
        for (old, new) in [(9, 8), (9, 5), (4, 1)] {
            let cache = Cache::new(1 << old, old).expect("room");
            (0..100).for_each(|number| cache.put(question(number), number));
            let live: Vec<u32> =
                (0..100).filter(|&n| n % 2 == 0 && cache.get(question(n)).is_some()).collect();
            cache.sweep(new, |_, [a, ..], _| a % 2 == 0);
            let kept: Vec<u32> = (0..100).filter(|&number| cache.get(question(number)).is_some()).collect();
            assert!(
                kept.iter()
                    .all(|number| live.contains(number) && cache.get(question(*number)) == Some(*number))
            );
            // Only those are lost in whose place another one stands.
            for number in live {
                let in_its_place =
                    kept.iter().any(|&other| cache.place(question(other)) == cache.place(question(number)));
                assert!(in_its_place, "{number} is lost");
            }
            assert!((2 << new..2 << old).all(|at| cache.entries[at].load(Ordering::Relaxed) == 0));
        }
    }
}

/// Every way in which threads can meet in the cache, by loom.
#[cfg(all(loom, test))]
mod interleavings {
    use std::sync::Arc;

    use super::{Cache, Op, Question};
    use crate::store::node::{Info, Node, UNIT};
    use crate::store::unique::{Found, Unique};

    fn question(number: u32) -> Question {
        Question::new(Op::Union, number, number + 1, 0)
    }

    /// Two writers may leave halves of both entries behind, and a reader may see what never was there at
    /// once.
    #[test]
    fn loom_answers_are_to_their_questions() {
        loom::model(|| {
            // One entry, so all meet there.
            let cache = Arc::new(Cache::new(2, 1).expect("room"));
            let same = (3..).find(|&number| cache.place(question(number)) == cache.place(question(2)));
            let questions = [2, same.expect("numbers do not end")];
            let ask = |number| {
                assert!(
                    cache.get(question(number)).is_none_or(|answer| answer == 10 * number),
                    "another's answer"
                );
            };
            let put = |number| {
                let cache = Arc::clone(&cache);
                move || cache.put(question(number), 10 * number)
            };
            let threads = questions.map(|number| loom::thread::spawn(put(number)));
            ask(questions[0]);
            threads.into_iter().for_each(|thread| thread.join().expect("no thread panicked"));
            questions.into_iter().for_each(ask);
        });
    }

    #[test]
    fn loom_the_node_of_an_answer_is_there() {
        loom::model(|| {
            let shared = Arc::new((Cache::new(2, 1).expect("room"), Unique::new(4, 3).expect("room")));
            let node = Node { value: 7, down: UNIT, right: 0, info: Info::SET };
            let other = Arc::clone(&shared);
            let thread = loom::thread::spawn(move || {
                let (cache, unique) = &*other;
                assert!(matches!(unique.insert(node, 2), Found::New));
                cache.put(question(5), 2);
            });
            let (cache, unique) = &*shared;
            assert!(cache.get(question(5)).is_none_or(|answer| unique.get(answer) == node));
            thread.join().expect("no thread panicked");
            assert_eq!(cache.get(question(5)), Some(2));
        });
    }
}
