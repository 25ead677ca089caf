//! The hash of a row of words: folded multiplication over pairs of words, after wyhash (Wang Yi) and
//! rapidhash (Nicolas De Carli). Differs: the input is whole words, so there is no handling of single bytes.
//!
//! A table takes a place from the upper bits of a hash and a tag from the lower ones; the last fold mixes
//! both.

/// Odd constants with as many ones as zeros in each byte; wyhash's secret.
pub(crate) const SECRET: [u64; 3] = [0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3];

/// Both halves of the full product, folded into one word.
#[inline(always)]
pub(crate) fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// The upper half of the product: where in `size` places a number lies that is anywhere in 64 bits.
#[inline(always)]
pub(crate) fn scale(hash: u64, size: u64) -> u64 {
    ((u128::from(hash) * u128::from(size)) >> 64) as u64
}

/// The hash of a row.
///
/// ```
/// assert_ne!(tables::hash(&[1, 2]), tables::hash(&[2, 1]));
/// ```
#[inline]
pub fn hash(words: &[u64]) -> u64 {
    let mut mixed = SECRET[0];
    let mut pairs = words.chunks_exact(2);
    for pair in &mut pairs {
        mixed = fold(pair[0] ^ SECRET[1], pair[1] ^ mixed);
    }
    if let [last] = pairs.remainder() {
        mixed = fold(last ^ SECRET[1], mixed ^ SECRET[2]);
    }
    fold(mixed, SECRET[2])
}

/// `2^bits - 1`, for up to 64 bits.
#[inline(always)]
pub(crate) fn ones(bits: u32) -> u64 {
    u64::MAX.unbounded_shr(64 - bits)
}

#[cfg(test)]
mod tests {
    use super::hash;

    /// Counters in one slot are what models are made of: they must spread over the table like random numbers.
    #[test]
    #[cfg_attr(miri, ignore = "only arithmetic")]
    fn counters_spread_over_upper_and_lower_bits() {
        for words in 1..=5 {
            for shift in [0, 8, 24, 32, 48] {
                for at in 0..words {
                    let (mut upper, mut lower) = ([0u32; 256], [0u32; 256]);
                    for count in 0..256u64 * 64 {
                        let mut state = vec![7u64; words];
                        state[at] ^= count << shift;
                        let hash = hash(&state);
                        upper[(hash >> 56) as usize] += 1;
                        lower[(hash & 255) as usize] += 1;
                    }
                    // 64 a cell on average; eight standard deviations are no accident.
                    let worst = upper.iter().chain(&lower).max().expect("512 cells");
                    assert!(*worst <= 128, "{words} words, word {at}, shift {shift}: {worst}");
                }
            }
        }
    }
}
