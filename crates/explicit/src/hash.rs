//! The hash of a packed state: folded multiplication over pairs of words, after wyhash (Wang Yi) and rapidhash
//! (Nicolas De Carli). Differs: the input is whole words, so there is no handling of single bytes.
//!
//! The table takes a state's place from the upper bits and its tag from the lower ones; the last fold mixes both.

/// Odd constants with as many ones as zeros in each byte; wyhash's secret.
const SECRET: [u64; 3] = [0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3];

/// Both halves of the full product, folded into one word: each bit of it depends on all bits below in both factors
/// (lower half) and on all bits above (upper half).
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// The hash of a state's words.
#[inline]
pub(crate) fn hash(words: &[u64]) -> u64 {
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

#[cfg(test)]
mod tests {
    use super::hash;

    /// Counters in one slot are what models are made of: they must spread over the table like random numbers.
    #[test]
    fn counters_spread_over_upper_and_lower_bits() {
        for words in 1..=5 {
            for shift in [0, 8, 24, 56] {
                for at in 0..words {
                    let (mut upper, mut lower) = ([0u32; 256], [0u32; 256]);
                    for count in 0..256u64 * 64 {
                        let mut state = vec![7u64; words];
                        state[at] ^= count << shift;
                        // Past the word's end the counter repeats: then there are fewer states than we count.
                        let hash = hash(&state);
                        upper[(hash >> 56) as usize] += 1;
                        lower[(hash & 255) as usize] += 1;
                    }
                    let repeats = if shift == 56 { 64 } else { 1 };
                    // 64 / repeats a cell on average; eight standard deviations are no accident.
                    let mean = 64.0 / f64::from(repeats);
                    let most = f64::from(repeats) * (mean + 8.0 * mean.sqrt());
                    let worst = upper.iter().chain(&lower).max().unwrap();
                    assert!(f64::from(*worst) <= most, "{words} words, word {at}, shift {shift}: {worst}");
                }
            }
        }
    }
}
