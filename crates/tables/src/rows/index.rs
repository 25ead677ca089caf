//! Entries of the index: what they say and where they belong.

use crate::hashing::scale;

/// Which of the two arrays is in use, how many entries it has, and how many rows it is for.
#[derive(Clone, Copy)]
pub(super) struct IndexShape {
    pub(super) side: usize,
    pub(super) size: usize,
    pub(super) limit: usize,
}

impl IndexShape {
    pub(super) fn holding(limit: usize, side: usize) -> Self {
        Self { side, size: limit + limit / 3 + 1, limit }
    }

    /// Bits of an entry that hold a number and one, so that no entry is zero.
    #[inline(always)]
    pub(super) fn number_bits(&self) -> u32 {
        usize::BITS - self.limit.leading_zeros()
    }

    #[inline(always)]
    pub(super) fn tag(&self, hash: u64) -> u32 {
        (hash as u32).unbounded_shl(self.number_bits())
    }

    #[inline(always)]
    pub(super) fn home(&self, hash: u64) -> usize {
        scale(hash, self.size as u64) as usize
    }

    /// The number in an entry, if its tag is this one.
    #[inline(always)]
    pub(super) fn number(&self, entry: u32, tag: u32) -> Option<u32> {
        let number = entry ^ tag;
        (number.unbounded_shr(self.number_bits()) == 0).then(|| number.wrapping_sub(1))
    }

    #[inline(always)]
    pub(super) fn number_of(&self, entry: u32) -> u32 {
        (entry & (u32::MAX >> (32 - self.number_bits()))).wrapping_sub(1)
    }
}
