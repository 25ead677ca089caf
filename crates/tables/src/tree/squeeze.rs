//! How a pair of numbers that use few of their bits becomes a short key.
//!
//! A pair is `left << 32 | right`. The key has the bits that either half uses; when a half comes to use more,
//! those are appended above, so that the keys that there are stay what they are.
//!
//! Example: the left half uses 2 bits and the right one 1 bit. The pair (3, 1) has the key 11·1. Then the
//! right half comes to use 3 bits: its two new ones are put above. The pair (3, 1) is 00·11·1 still, and
//! (3, 5) is 10·11·1.

use crate::hashing::ones;

/// Words that hold the pieces of a squeeze, four each; with more pieces, a key would cost more than a table
/// that is built anew.
pub(super) const WORDS: usize = 3;

/// The pieces that make a key, the lowest first. A piece is 16 bits: from which bit of the pair on, and how
/// many bits; none has no bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Squeeze(pub [u64; WORDS]);

/// The pieces of a squeeze as they are used: which bits, from where in the pair, to where in the key.
pub(super) struct Cuts {
    count: usize,
    cuts: [(u64, u32, u32); 4 * WORDS],
}

impl Cuts {
    /// The key of a pair.
    #[inline(always)]
    pub fn key(&self, pair: u64) -> u64 {
        let cut = |&(mask, from, at): &(u64, u32, u32)| ((pair >> from) & mask) << at;
        self.cuts[..self.count].iter().map(cut).fold(0, std::ops::BitOr::bitor)
    }
}

impl Squeeze {
    /// For halves of so many bits each, at most 32.
    pub fn new(left: u32, right: u32) -> Self {
        Self([0; WORDS]).longer(left, right).expect("BUG: two pieces are not too many")
    }

    #[inline(always)]
    fn pieces(&self) -> impl Iterator<Item = (u32, u32)> {
        self.0.into_iter().flat_map(|mut word| {
            std::iter::from_fn(move || {
                let piece = (word as u32 & 0xff, (word >> 8) as u32 & 0xff);
                word >>= 16;
                (piece.1 != 0).then_some(piece)
            })
        })
    }

    /// Bits of the left half and of the right one.
    pub fn halves(&self) -> (u32, u32) {
        let sum = |half| self.pieces().filter(|piece| piece.0 / 32 == half).map(|piece| piece.1).sum();
        (sum(1), sum(0))
    }

    /// Bits of a key.
    pub fn bits(&self) -> u32 {
        let (left, right) = self.halves();
        left + right
    }

    /// The same for the pairs that there were, with room for halves of so many bits; `None` if that takes too
    /// many pieces.
    pub fn longer(mut self, left: u32, right: u32) -> Option<Self> {
        let (had_left, had_right) = self.halves();
        for (base, had, want) in [(0, had_right, right), (32, had_left, left)] {
            if want > had {
                let count = self.pieces().count();
                *self.0.get_mut(count / 4)? |=
                    u64::from((base + had) | (want - had) << 8) << (16 * (count % 4));
            }
        }
        Some(self)
    }

    /// The bits of a pair that no key has.
    pub fn unused(&self) -> u64 {
        let (left, right) = self.halves();
        !(ones(left) << 32 | ones(right))
    }

    /// The pieces, each with its place in a key, for who makes many keys.
    pub fn cuts(&self) -> Cuts {
        let mut cuts = Cuts { count: 0, cuts: [(0, 0, 0); 4 * WORDS] };
        let mut at = 0;
        for (from, bits) in self.pieces() {
            cuts.cuts[cuts.count] = (ones(bits), from, at);
            cuts.count += 1;
            at += bits;
        }
        cuts
    }

    /// The key of a pair.
    #[inline(always)]
    pub fn key(&self, pair: u64) -> u64 {
        let (mut key, mut at) = (0, 0);
        for (from, bits) in self.pieces() {
            key |= ((pair >> from) & ones(bits)).unbounded_shl(at);
            at += bits;
        }
        key
    }

    /// The pair of a key.
    #[inline(always)]
    pub fn pair(&self, key: u64) -> u64 {
        let (mut pair, mut at) = (0, 0);
        for (from, bits) in self.pieces() {
            pair |= (key.unbounded_shr(at) & ones(bits)) << from;
            at += bits;
        }
        pair
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_dense_and_stay_when_halves_grow() {
        let mut squeeze = Squeeze::new(2, 1);
        for (left, right) in [(2, 1), (3, 1), (3, 3), (4, 5)] {
            let longer = squeeze.longer(left, right).expect("few pieces");
            assert_eq!((longer.halves(), longer.bits()), ((left, right), left + right));
            let mut seen = vec![false; 1 << (left + right)];
            for l in 0..1u64 << left {
                for r in 0..1u64 << right {
                    let pair = l << 32 | r;
                    let key = longer.key(pair);
                    assert!(!std::mem::replace(&mut seen[key as usize], true));
                    assert_eq!(longer.pair(key), pair);
                    assert_eq!(longer.cuts().key(pair), key);
                    assert_eq!(pair & longer.unused(), 0);
                    assert_ne!((pair | 1 << 32 << left) & longer.unused(), 0);
                    if squeeze.pair(squeeze.key(pair)) == pair {
                        assert_eq!(squeeze.key(pair), key);
                    }
                }
            }
            squeeze = longer;
        }
        let full = Squeeze::new(32, 32);
        assert_eq!((full.key(u64::MAX - 5), full.pair(u64::MAX - 5)), (u64::MAX - 5, u64::MAX - 5));
        let many = (3..20).try_fold(Squeeze::new(2, 2), |squeeze, bits| squeeze.longer(bits, bits));
        assert_eq!(many, None);
    }
}
