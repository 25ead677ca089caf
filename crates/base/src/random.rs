//! Seeded random numbers: SplitMix64, Steele, Lea & Flood, OOPSLA'14. The same on every machine, so that a
//! seed is a name.

/// A stream of numbers that its seed fixes.
///
/// ```
/// use base::SplitMix64;
///
/// let (mut one, mut other) = (SplitMix64::new(7), SplitMix64::new(7));
/// assert_eq!(one.next_u64(), other.next_u64());
/// assert!(one.below(10) < 10);
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The stream of this seed. Neighbouring seeds give unrelated streams.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below the bound; zero where the bound is zero.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        // The high half of a product instead of a remainder, which is slower.
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// True so often in a hundred times.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these, of which there is at least one.
    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// Puts things in a random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for at in (1..things.len()).rev() {
            things.swap(at, self.below(at + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_paper() {
        // The first numbers of seed 1234567, as the authors' own program prints them.
        let mut random = SplitMix64::new(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| random.next_u64()).collect();
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn a_shuffle_keeps_everything_and_moves_something() {
        let mut things: Vec<usize> = (0..100).collect();
        SplitMix64::new(7).shuffle(&mut things);
        assert_ne!(things, (0..100).collect::<Vec<_>>());
        things.sort_unstable();
        assert_eq!(things, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn nothing_is_below_the_bound_for_long() {
        let mut random = SplitMix64::new(3);
        assert_eq!(random.below(0), 0);
        let mut seen = [false; 6];
        (0..1000).for_each(|_| seen[random.below(6)] = true);
        assert_eq!(seen, [true; 6]);
        assert!((0..1000).all(|_| !random.chance(0) && random.chance(100)));
    }
}
