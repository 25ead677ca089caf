//! A bit array for bitstate hashing (Holzmann 1988, with several hash functions as in a Bloom filter): a
//! state is `k` bits, and a state whose bits are all set counts as seen, which may be wrong.
//!
//! The `k` places are an arithmetic progression modulo 2^64, scaled to the array: double hashing as Dillinger
//! & Manolios, FMCAD'04, propose it.

use std::sync::atomic::Ordering::Relaxed;

use crate::hashing::{SECRET, fold, scale};
use crate::sync::{AtomicU64, Reserved};

/// Bits that are set and never cleared.
///
/// ```
/// let bits = tables::Bits::new(1 << 20).expect("a megabyte");
/// assert!(bits.insert(tables::hash(&[5]), 3));
/// assert!(!bits.insert(tables::hash(&[5]), 3));
/// assert_eq!(bits.set_bits(), 3);
/// ```
pub struct Bits {
    words: Reserved<AtomicU64>,
    len: u64,
}

impl Bits {
    /// An array of so many bytes, rounded up to a word; `None` where the system has no addresses for it.
    pub fn new(bytes: usize) -> Option<Self> {
        let words = bytes.div_ceil(8).max(1);
        let len = u64::try_from(words).ok()?.checked_mul(64)?;
        let words = Reserved::new(words)?;
        words.prefer_huge_pages(words.len());
        Some(Self { words, len })
    }

    /// Its bits. (There is at least a word of them.)
    #[expect(clippy::len_without_is_empty, reason = "it never is")]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The bytes that it takes when all of it is touched.
    pub fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }

    #[inline(always)]
    fn places(&self, hash: u64, k: u32) -> impl Iterator<Item = (usize, u64)> {
        // Odd: so the progression does not return to a place before it has been at all.
        let step = fold(hash ^ SECRET[0], SECRET[1]) | 1;
        (0..u64::from(k)).map(move |i| {
            let bit = scale(hash.wrapping_add(step.wrapping_mul(i)), self.len);
            ((bit / 64) as usize, 1 << (bit % 64))
        })
    }

    /// Asks for the first place of a hash ahead of its use, and for the others.
    #[inline]
    pub fn prefetch(&self, hash: u64, k: u32) {
        for (word, _) in self.places(hash, k) {
            self.words.prefetch(word);
        }
    }

    /// Sets the `k` bits of a hash; true if one of them was not set. Of several threads that insert the same
    /// hash at the same time, one or more are told so.
    #[inline]
    pub fn insert(&self, hash: u64, k: u32) -> bool {
        let mut new = false;
        for (word, bit) in self.places(hash, k) {
            let word = &self.words[word];
            if word.load(Relaxed) & bit == 0 {
                new |= word.fetch_or(bit, Relaxed) & bit == 0;
            }
        }
        new
    }

    /// All `k` bits of a hash are set.
    #[inline]
    pub fn contains(&self, hash: u64, k: u32) -> bool {
        self.places(hash, k).all(|(word, bit)| self.words[word].load(Relaxed) & bit != 0)
    }

    /// How many bits are set. A state that was never inserted counts as seen with a chance of
    /// `(set_bits / len)^k`.
    pub fn set_bits(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.load(Relaxed).count_ones())).sum()
    }
}
