//! How a key becomes a place and what of it is left to store: quotienting, Knuth, TAOCP 3, 6.4 exercise 13,
//! for tables in the manner of Cleary 1984.
//!
//! A key of `bits` bits is *mixed* by a bijection, and the mixed key is `home * divisor + remainder`. An
//! entry at `home + displacement` holds `1 + displacement * divisor + remainder`. So the key can be had back
//! from an entry and its place, equal keys have equal entries in equal places, and one step of a probe adds
//! the divisor to the entry that is looked for. Differs from Cleary: the displacement is stored, which needs
//! no locks and no order within a cluster; and the divisor is any number, so a table has any size.
//!
//! Example: keys below 1000 and the divisor 10, so there are 100 homes. The mixed key 427 has home 42 and
//! remainder 7. Place 42 is taken (it holds 3, the key 422): so 427 goes to place 43, as the entry 1 + 1 *
//! 10 + 7 = 18. Who looks for 427 compares place 42 with 8 and place 43 with 18. Back from the place 43 and
//! the entry 18: 17 is 1 * 10 + 7, so home is 43 - 1 = 42, and the mixed key is 427.
//!
//! When keys get more bits, those are appended to the mixed key below, and a hash of them is added to its
//! upper part. Keys that do not use them keep their order, and so a table can still grow by a walk from its
//! start to its end.

use crate::hashing::{SECRET, ones, scale};

/// Entries lie at most so far from home: a limit for lookups, and for the room behind the last home.
const FARTHEST: u64 = 4095;
/// How full a table may be, in 1/1024, where entries have room for displacements up to some number. Loads
/// that make longer displacements are possible, and harmless: the table is crowded then.
const LOADS: [(u64, u64); 2] = [(717, 250), (560, 120)];
/// The smallest table.
const FEWEST: u64 = if cfg!(all(loom, test)) { 2 } else { 1 << 10 };

/// The shape of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Bits of a key.
    pub bits: u32,
    /// Bits of a key that are mixed; the others came later.
    pub base: u32,
    /// Entries have 64 bits and not 32.
    pub wide: bool,
    /// Homes are below.
    pub size: u64,
    pub divisor: u64,
    /// 2^64 over the divisor, rounded down (and one less where that would be 2^64).
    pub reciprocal: u64,
    /// The longest displacement.
    pub farthest: u64,
    /// Entries that it was made for.
    pub room: u64,
}

/// The number by which an odd one is to be multiplied for one modulo 2^64: Newton's iteration, right bits
/// double.
const fn inverse(odd: u64) -> u64 {
    let mut x = odd;
    let mut round = 0;
    while round < 5 {
        x = x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
        round += 1;
    }
    x
}

const FIRST: u64 = SECRET[1];
const SECOND: u64 = 0x9e37_79b9_7f4a_7c15;
const FIRST_BACK: u64 = inverse(FIRST);
const SECOND_BACK: u64 = inverse(SECOND);

/// A bijection of the numbers of so many bits whose upper bits depend on all bits.
#[inline(always)]
fn mix(key: u64, bits: u32) -> u64 {
    let x = key.wrapping_mul(FIRST) & ones(bits);
    let x = x ^ x.unbounded_shr(bits.div_ceil(2));
    let x = x.wrapping_mul(SECOND) & ones(bits);
    let x = x ^ x.unbounded_shr(bits.div_ceil(2));
    x.wrapping_mul(FIRST) & ones(bits)
}

#[inline(always)]
fn unmix(mixed: u64, bits: u32) -> u64 {
    let x = mixed.wrapping_mul(FIRST_BACK) & ones(bits);
    // Shifted by half the bits or more, so doing it again undoes it.
    let x = x ^ x.unbounded_shr(bits.div_ceil(2));
    let x = x.wrapping_mul(SECOND_BACK) & ones(bits);
    let x = x ^ x.unbounded_shr(bits.div_ceil(2));
    x.wrapping_mul(FIRST_BACK) & ones(bits)
}

impl Shape {
    /// The smallest good shape for so many entries; homes and what is behind them must fit in `most` bytes.
    pub fn holding(entries: u64, bits: u32, base: u32, most: usize) -> Option<Self> {
        let narrow = LOADS.iter().map(|&(load, needed)| (32, load, needed));
        // A wide entry always has room for that many displacements, as there are at least so many homes.
        let shape = narrow.chain([(64, LOADS[0].0, 0)]).find_map(|(width, load, needed)| {
            let keys = 1u128 << bits;
            let least = (u128::from(entries) * 1024).div_ceil(u128::from(load)).max(u128::from(FEWEST));
            let divisor = (keys / least).max(1);
            let size = u64::try_from(keys.div_ceil(divisor)).ok()?;
            let divisor = u64::try_from(divisor).ok()?;
            // The largest entry is (farthest + 1) * divisor.
            let farthest = (ones(width) / divisor).checked_sub(1)?.min(FARTHEST).min(size);
            // Where each key has its own home, all have room.
            let room = if divisor == 1 {
                u64::MAX
            } else {
                entries.max((u128::from(size) * u128::from(load) / 1024) as u64)
            };
            let farthest = if divisor == 1 { 0 } else { farthest };
            let wide = width == 64;
            (divisor == 1 || farthest >= needed.min(size)).then_some(Self {
                bits,
                base,
                wide,
                size,
                divisor,
                reciprocal: ((1u128 << 64) / u128::from(divisor)).min(u128::from(u64::MAX)) as u64,
                farthest,
                room,
            })
        })?;
        (u128::from(shape.size) + u128::from(shape.farthest) < (most / shape.entry_bytes()) as u128)
            .then_some(shape)
    }

    pub fn entry_bytes(&self) -> usize {
        if self.wide { 8 } else { 4 }
    }

    /// Places: homes, and those behind the last one.
    #[inline(always)]
    pub fn places(&self) -> usize {
        (self.size + self.farthest) as usize
    }

    pub fn bytes(&self) -> usize {
        self.places() * self.entry_bytes()
    }

    #[inline(always)]
    pub fn mixed(&self, key: u64) -> u64 {
        if self.base == self.bits {
            return mix(key, self.bits);
        }
        let later = key.unbounded_shr(self.base);
        let upper = mix(key & ones(self.base), self.base) ^ self.scatter(later);
        upper << (self.bits - self.base) | later
    }

    pub fn key(&self, mixed: u64) -> u64 {
        let later = mixed & ones(self.bits - self.base);
        let upper = mixed.unbounded_shr(self.bits - self.base) ^ self.scatter(later);
        unmix(upper, self.base) | later.unbounded_shl(self.base)
    }

    /// Zero for zero.
    #[inline(always)]
    fn scatter(&self, later: u64) -> u64 {
        later.wrapping_mul(SECOND).unbounded_shr(64 - self.base)
    }

    /// Quotient and remainder by the divisor.
    #[inline(always)]
    pub fn divide(&self, number: u64) -> (u64, u64) {
        // The reciprocal is less than one below 2^64 / divisor, or just one: so the product is right or one
        // too small.
        let quotient = scale(number, self.reciprocal);
        let remainder = number - quotient * self.divisor;
        if remainder < self.divisor {
            (quotient, remainder)
        } else {
            (quotient + 1, remainder - self.divisor)
        }
    }

    /// Its mixed key, from an entry and its place.
    #[inline(always)]
    pub fn mixed_at(&self, place: usize, entry: u64) -> u64 {
        let (displacement, remainder) = self.divide(entry - 1);
        (place as u64 - displacement) * self.divisor + remainder
    }

    /// What the mixed key becomes in a shape with the same base and no fewer bits.
    pub fn longer(&self, mixed: u64, to: &Self) -> u64 {
        let later = self.bits - self.base;
        mixed.unbounded_shr(later).unbounded_shl(to.bits - to.base) | mixed & ones(later)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixing_is_a_bijection_with_its_inverse() {
        for bits in 1..=if cfg!(miri) { 6 } else { 16 } {
            let mut seen = vec![false; 1 << bits];
            for key in 0..1u64 << bits {
                let mixed = mix(key, bits);
                assert!(
                    !std::mem::replace(&mut seen[mixed as usize], true),
                    "{bits} bits: {key} and another"
                );
                assert_eq!(unmix(mixed, bits), key);
            }
        }
        for bits in 17..=64 {
            for key in [0, 1, 5, ones(bits), ones(bits) / 3, 0x1234_5678_9abc_def0 & ones(bits)] {
                assert_eq!(unmix(mix(key, bits), bits), key, "{bits} bits");
            }
        }
    }

    #[test]
    fn keys_come_back_from_what_is_stored() {
        for bits in (1..=64u32).rev().step_by(if cfg!(miri) { 21 } else { 1 }) {
            for base in [bits, bits.div_ceil(2), 1] {
                for entries in [1, 700, 1 << 20] {
                    let Some(shape) = Shape::holding(entries, bits, base, 1 << 40) else {
                        panic!("{bits} {entries}")
                    };
                    for key in (0..50)
                        .map(|i: u64| i.wrapping_mul(0x1357_9bdf_0246_8ace) & ones(bits))
                        .chain([ones(bits)])
                    {
                        let mixed = shape.mixed(key);
                        assert!(mixed <= ones(bits));
                        assert_eq!(shape.key(mixed), key, "{shape:?}");
                        let (home, remainder) = shape.divide(mixed);
                        assert_eq!(
                            (home, remainder),
                            (mixed / shape.divisor, mixed % shape.divisor),
                            "{shape:?}"
                        );
                        assert!(home < shape.size, "{shape:?}");
                        for displacement in [0, shape.farthest / 2, shape.farthest] {
                            let entry = 1 + displacement * shape.divisor + remainder;
                            assert!(shape.wide || entry <= u64::from(u32::MAX), "{shape:?}");
                            assert_eq!(shape.mixed_at((home + displacement) as usize, entry), mixed);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn more_bits_keep_the_order_of_the_keys_that_do_not_use_them() {
        for (bits, more) in [(5, 9), (12, 13), (40, 48), (30, 64), (63, 64)] {
            let old = Shape::holding(1000, bits, bits - 2, 1 << 40).expect("small");
            let new = Shape::holding(1000, more, bits - 2, 1 << 40).expect("small");
            let mut keys: Vec<u64> = (0..200u64).map(|key| key.wrapping_mul(SECOND) & ones(bits)).collect();
            keys.sort_by_key(|&key| old.mixed(key));
            for key in &keys {
                assert_eq!(old.longer(old.mixed(*key), &new), new.mixed(*key));
            }
            assert!(keys.is_sorted_by_key(|&key| new.mixed(key)));
        }
    }

    #[test]
    fn entries_are_narrow_where_they_can_be_and_tables_as_large_as_they_must() {
        let shape = Shape::holding(18_000_000, 40, 40, 1 << 40).expect("small");
        assert!(!shape.wide && shape.farthest > 1000, "{shape:?}");
        assert!(shape.bytes() as f64 / 18e6 < 5.8, "{shape:?}");
        assert!(Shape::holding(1000, 40, 40, 1 << 40).is_some_and(|shape| shape.wide));
        assert!(Shape::holding(1000, 40, 40, 1 << 12).is_none());
        // As many bits more as a narrow entry has left: emptier, and still smaller than with wide entries.
        let sparse = Shape::holding(18_000_000, 48, 48, 1 << 40).expect("small");
        assert!(!sparse.wide && (250..500).contains(&sparse.farthest), "{sparse:?}");
        assert!(Shape::holding(18_000_000, 60, 60, 1 << 40).is_some_and(|shape| shape.wide));
    }
}
