//! Numbers to count with. Numbers of 128 bits are tried first. Where one is too large for them, all is
//! counted again with numbers of any size.

use num_bigint::BigUint;

use crate::counting::allowance::Allowance;

/// Whether there is something to count at all: a kind of numbers of which one is the largest.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Any(pub bool);

/// Why there is no count.
pub(crate) enum Uncounted {
    /// Somebody said so.
    Interrupted,
    /// A number does not fit.
    TooLarge,
    /// There is no memory for it.
    NoRoom,
}

/// A kind of numbers to count with.
pub(crate) trait Tally: Clone + Eq + std::hash::Hash + From<u32> {
    fn add(&mut self, more: &Self) -> Result<(), Uncounted>;
    fn times(&self, other: &Self) -> Result<Self, Uncounted>;
}

impl Tally for u128 {
    fn add(&mut self, more: &Self) -> Result<(), Uncounted> {
        *self = self.checked_add(*more).ok_or(Uncounted::TooLarge)?;
        Ok(())
    }

    fn times(&self, other: &Self) -> Result<Self, Uncounted> {
        self.checked_mul(*other).ok_or(Uncounted::TooLarge)
    }
}

impl From<u32> for Any {
    fn from(count: u32) -> Self {
        Self(count > 0)
    }
}

impl Tally for Any {
    fn add(&mut self, more: &Self) -> Result<(), Uncounted> {
        self.0 |= more.0;
        Ok(())
    }

    fn times(&self, other: &Self) -> Result<Self, Uncounted> {
        Ok(Self(self.0 && other.0))
    }
}

impl Tally for BigUint {
    fn add(&mut self, more: &Self) -> Result<(), Uncounted> {
        *self += more;
        Ok(())
    }

    fn times(&self, other: &Self) -> Result<Self, Uncounted> {
        Ok(self * other)
    }
}

/// Takes room for an entry of a table that is written down. Such a table doubles when it is full, and has its
/// entries twice meanwhile.
#[inline]
pub(crate) fn take<E>(allowance: &mut Allowance<'_>) -> Result<(), Uncounted> {
    allowance.room = allowance.room.checked_sub(3 * size_of::<E>() as u64).ok_or(Uncounted::NoRoom)?;
    Ok(())
}

/// A step of a walk that counts, if it may go on.
#[inline]
pub(crate) fn step(allowance: &mut Allowance<'_>) -> Result<(), Uncounted> {
    if allowance.goes_on() { Ok(()) } else { Err(Uncounted::Interrupted) }
}
