//! Comparisons, with their negations: the machine jumps where a comparison holds, and a condition may ask for
//! the opposite.

use crate::Op;

/// How two terms are compared. Sets are ordered in part only, so what is not less need not be greater or
/// equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Compare {
    Equal,
    NotEqual,
    Less,
    NotLess,
    LessEqual,
    NotLessEqual,
}

impl Compare {
    /// The comparison that a function makes, and whether its arguments change places.
    pub(crate) fn of(op: Op) -> Option<(Self, bool)> {
        Some(match op {
            Op::Equal => (Self::Equal, false),
            Op::NotEqual => (Self::NotEqual, false),
            Op::Less => (Self::Less, false),
            Op::LessEqual => (Self::LessEqual, false),
            Op::Greater => (Self::Less, true),
            Op::GreaterEqual => (Self::LessEqual, true),
            _ => return None,
        })
    }

    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::NotLess,
            Self::NotLess => Self::Less,
            Self::LessEqual => Self::NotLessEqual,
            Self::NotLessEqual => Self::LessEqual,
        }
    }

    /// The answer for two terms that are no nodes.
    #[inline(always)]
    pub(crate) fn small(self, one: u32, other: u32) -> bool {
        let (one, other) = (one as i32, other as i32);
        match self {
            Self::Equal => one == other,
            Self::NotEqual => one != other,
            Self::Less => one < other,
            Self::NotLess => one >= other,
            Self::LessEqual => one <= other,
            Self::NotLessEqual => one > other,
        }
    }
}
