//! A field: where a slot's code stands in the raw word of its leaf.
//!
//! The *code* of a value is its distance from the least value that its bits can say, so that no code is
//! negative.

use base::SlotIx;
use model::{Type, Value};

/// Where a slot stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) slot: u32,
    mask: u32,
    /// What is added to a value to have its code; zero where values are not signed.
    bias: u32,
    shift: u32,
}

impl Field {
    /// The field of a slot from this bit on.
    pub(super) fn new(slot: SlotIx, ty: &Type, shift: u32) -> Self {
        let bits = ty.bits();
        let mask = u32::MAX.checked_shr(u32::BITS - bits).unwrap_or(0);
        let bias = if ty.is_signed() { mask ^ mask >> 1 } else { 0 };
        // A slot without bits may be said to stand anywhere.
        let shift = if bits == 0 { 0 } else { shift };
        Self { slot: slot.ix() as u32, mask, bias, shift }
    }

    /// Its bits in a raw word.
    pub(super) fn place(self) -> u64 {
        u64::from(self.mask) << self.shift
    }

    #[inline(always)]
    pub(super) fn read(self, raw: u64) -> Value {
        ((raw >> self.shift) as u32 & self.mask).wrapping_sub(self.bias)
    }

    /// The code of a value where it stands, and what of the code has no room: nothing, if the value fits.
    #[inline(always)]
    pub(super) fn code(self, value: Value) -> (u64, u32) {
        let code = value.wrapping_add(self.bias);
        (u64::from(code) << self.shift, code & !self.mask)
    }

    /// Whether a value fits.
    pub(super) fn fits(self, value: Value) -> bool {
        self.code(value).1 == 0
    }

    /// The number of a value that stands alone: small for small values, 0, -1, 1, -2, … where they are
    /// signed.
    #[inline(always)]
    pub(super) fn number(self, raw: u64) -> u32 {
        let value = self.read(raw);
        let signed = u32::from(self.bias != 0);
        value << signed ^ (value.cast_signed() >> 31).cast_unsigned() & signed.wrapping_neg()
    }

    /// The raw word of a number.
    #[inline(always)]
    pub(super) fn raw(self, number: u32) -> u64 {
        let signed = u32::from(self.bias != 0);
        let value = number >> signed ^ (number & signed).wrapping_neg();
        u64::from(value.wrapping_add(self.bias))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_values_have_small_numbers_and_all_come_back() {
        let field = Field::new(SlotIx::new(0), &Type::range("t", i32::MIN, i32::MAX), 0);
        let values = [0, -1, 1, -2, 2, i32::MIN, i32::MAX];
        let raws = values.map(|value| field.code(value.cast_unsigned()).0);
        assert_eq!(raws.map(|raw| field.number(raw)), [0, 1, 2, 3, 4, u32::MAX, u32::MAX - 1]);
        assert_eq!(raws.map(|raw| field.raw(field.number(raw))), raws);
        assert_eq!(raws.map(|raw| field.read(raw).cast_signed()), values);
        let field = Field::new(SlotIx::new(0), &Type::range("t", 0, 9), 0);
        assert_eq!(
            (field.number(field.code(7).0), field.raw(7), field.fits(15), field.fits(16)),
            (7, 7, true, false)
        );
    }
}
