//! Hashing of short sequences of words: multiply and rotate. Fast, the same on every machine, and no
//! protection against who looks for collisions: tables stay right with them, only slower.

use std::hash::{BuildHasherDefault, Hasher};

/// For hash maps of the standard library.
pub(crate) type Build = BuildHasherDefault<Mixer>;

/// A hash that is being made.
#[derive(Clone, Default)]
pub(crate) struct Mixer(u64);

const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

impl Mixer {
    #[inline]
    pub(crate) fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(MULTIPLIER);
    }

    /// The hash; its upper bits are as good as its lower ones.
    #[inline]
    pub(crate) fn done(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

impl Hasher for Mixer {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for &word in words {
            self.add(u64::from_le_bytes(word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.add(u64::from_le_bytes(last) ^ (bytes.len() as u64) << 56);
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.add(u64::from(word));
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.done()
    }
}
