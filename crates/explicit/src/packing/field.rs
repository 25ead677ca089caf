//! A field: where a slot's code stands in the raw word of its leaf.
//!
//! The *code* of a value is the value itself; where values are signed they are folded, 0, -1, 1, -2, … to 0, 1, 2, 3, …, so that small values
//! have small codes.

use base::SlotIx;
use model::{Type, Value};

/// Where a slot stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) slot: u32,
    mask: u32,
    shift: u8,
    bits: u8,
    /// One where values are signed.
    signed: u8,
}

/// The code of a value; `signed` is one or zero.
#[inline(always)]
fn code(value: Value, signed: u8) -> u32 {
    let signed = u32::from(signed);
    value << signed ^ (value.cast_signed() >> 31).cast_unsigned() & signed.wrapping_neg()
}

/// The value of a code.
#[inline(always)]
fn decode(code: u32, signed: u8) -> Value {
    let signed = u32::from(signed);
    code >> signed ^ (code & signed).wrapping_neg()
}

impl Field {
    /// The field of a slot from this bit on.
    pub(super) fn new(slot: SlotIx, ty: &Type, shift: u8) -> Self {
        let bits = ty.bits();
        let mask = u32::MAX.checked_shr(u32::BITS - bits).unwrap_or(0);
        // A slot without bits may be said to stand anywhere.
        let shift = if bits == 0 { 0 } else { shift };
        Self { slot: slot.ix() as u32, mask, shift, bits: bits as u8, signed: ty.is_signed().into() }
    }

    #[inline(always)]
    pub(super) fn read(self, raw: u64) -> Value {
        decode((raw >> self.shift) as u32 & self.mask, self.signed)
    }

    /// Writes a value; the answer is zero if it fits.
    #[inline(always)]
    pub(super) fn write(self, value: Value, raw: &mut u64) -> u64 {
        let code = code(value, self.signed);
        *raw = *raw & !(u64::from(self.mask) << self.shift) | u64::from(code & self.mask) << self.shift;
        u64::from(code) >> self.bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_values_have_small_codes_and_all_come_back() {
        let signed = [0, -1, 1, -2, 2, i32::MIN, i32::MAX];
        assert_eq!(signed.map(|value| code(value.cast_unsigned(), 1)), [0, 1, 2, 3, 4, u32::MAX, u32::MAX - 1]);
        for value in signed.map(i32::cast_unsigned) {
            assert_eq!((decode(code(value, 1), 1), decode(code(value, 0), 0)), (value, value));
        }
    }
}
