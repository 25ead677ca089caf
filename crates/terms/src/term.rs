//! Terms: values, and what does not reduce to one.

/// A term in normal form: a number of 32 bits that means something together with its sort only.
///
/// | read as `i32` | what it is |
/// |---|---|
/// | from 0 on | the number itself |
/// | | 0 and 1: false and true |
/// | | the position of a constructor without arguments among those of its sort |
/// | | 0: the empty list, set or bag |
/// | from -2³⁰ to -1 | a negative number |
/// | below that | the place of a node in the [`crate::Store`] |
///
/// Equal values of a sort are equal terms, as far as [`crate::Data`] says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Term(pub u32);

/// The first number that is a node.
pub(crate) const FIRST_NODE: u32 = 0x8000_0000;
/// The first that is none again: the smallest immediate negative number.
pub(crate) const FIRST_NEGATIVE: u32 = 0xC000_0000;
/// The smallest number that needs no node.
pub(crate) const SMALLEST: i64 = -(1 << 30);
/// The largest number that needs no node.
pub(crate) const LARGEST: i64 = (1 << 31) - 1;

impl Term {
    /// `false`.
    pub const FALSE: Self = Self(0);
    /// `true`.
    pub const TRUE: Self = Self(1);
    /// The empty list, the empty finite set, the empty finite bag.
    pub const EMPTY: Self = Self(0);

    /// A truth value.
    #[inline]
    pub fn truth(value: bool) -> Self {
        Self(u32::from(value))
    }

    /// Whether it is a node of the store.
    #[inline]
    pub fn is_node(self) -> bool {
        is_node(self.0)
    }

    /// The number that it is by itself, if it is no node.
    #[inline]
    pub fn small(self) -> Option<i64> {
        (!self.is_node()).then_some(i64::from(self.0 as i32))
    }

    /// A number that needs no node.
    #[inline]
    pub fn from_small(number: i64) -> Option<Self> {
        (SMALLEST..=LARGEST).contains(&number).then_some(Self(number as i32 as u32))
    }
}

/// Whether a term is a node.
#[inline(always)]
pub(crate) fn is_node(term: u32) -> bool {
    term.wrapping_sub(FIRST_NODE) < FIRST_NEGATIVE - FIRST_NODE
}
