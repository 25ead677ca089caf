//! Random numbers that are the same for the same seed on every machine: xorshift64*, Vigna 2016.

/// A stream of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        // Seeds that are neighbours must not give streams that are alike; and the state is never zero.
        let mixed =
            (seed.wrapping_add(0x9E37_79B9_7F4A_7C15) ^ seed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        Self((mixed ^ mixed >> 32) | 1)
    }

    #[inline(always)]
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `limit`; zero where that is zero.
    #[inline(always)]
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        // The high half of a product instead of a remainder: faster, and the high bits are the good ones.
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }
}
