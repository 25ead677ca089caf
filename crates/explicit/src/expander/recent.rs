//! Words that a worker has seen not long ago. Most states are found again and again by states that are
//! expanded soon after each other. A word that was found a moment ago needs no look at the store, whose
//! memory is far away and shared with other workers.
//!
//! Invariant: each word is that of a state which is in the store, or which this worker is about to look up
//! there.

/// Words that are remembered: as much as the cache of a core holds.
const WORDS: usize = 1 << 16;

/// One word for each hash, the last that was seen.
pub(super) struct Recent {
    words: Box<[u64; WORDS]>,
}

impl Recent {
    /// Bytes that it takes.
    pub(super) const BYTES: u64 = (WORDS * size_of::<u64>()) as u64;

    /// Knows nothing but this word.
    pub(super) fn new(word: u64) -> Self {
        let words = vec![word; WORDS].into_boxed_slice();
        Self { words: words.try_into().expect("BUG: there are as many words") }
    }

    /// Whether the word was seen not long ago. It has been from now on.
    #[inline(always)]
    pub(super) fn meet(&mut self, word: u64) -> bool {
        let hash = word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - WORDS.ilog2());
        std::mem::replace(&mut self.words[hash as usize], word) == word
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn what_was_never_met_is_not_known() {
        let mut recent = Recent::new(7);
        let mut met = HashSet::from([7]);
        let (mut known, mut word) = (0, 1u64);
        for round in 0..200_000u64 {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(round);
            let word = word >> 48;
            let knows = recent.meet(word);
            assert!(!knows || met.contains(&word), "{word} was never met");
            assert!(recent.meet(word), "{word} was met just now");
            met.insert(word);
            known += u32::from(knows);
        }
        assert!(known > 20_000, "too little is known to be of use: {known}");
    }
}
