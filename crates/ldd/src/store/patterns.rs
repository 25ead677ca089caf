//! Patterns: which slots of a vector an operation is about, as numbers for the cache.
//!
//! A pattern is numbered from the bottom, so patterns with the same end share its number, and so do the
//! cache's answers for what is below. For example, the joins with the patterns (first, both) and (second,
//! both) have different numbers at their first slot and the same number at the other.
//!
//! A cut is a pattern of few slots of a wide vector. It lists only the heights of the slots that stay, so it
//! takes no room for those that go.

use std::collections::HashMap;
use std::hash::Hash;

/// What a slot is to an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Role {
    /// It belongs to the first set.
    First,
    /// It belongs to the second set.
    Second,
    /// It belongs to both sets.
    Both,
}

/// A slot's role, and the number of the pattern that begins with it.
pub(crate) type Step = (Role, u32);

/// The patterns that were asked for: role of the first slot and number of the rest, zero for none. What a
/// slot is to a sum is its factor.
pub(crate) struct Patterns<R = Role> {
    known: HashMap<(R, u32), u32>,
}

impl<R> Default for Patterns<R> {
    fn default() -> Self {
        Self { known: HashMap::new() }
    }
}

/// The height of a slot that stays, and the number of the cut that begins with it.
pub(crate) type Kept = (u32, u32);

/// The cuts that were asked for.
pub(crate) type Cuts = Patterns<u32>;

impl<R: Copy + Eq + Hash> Patterns<R> {
    /// The pattern with these roles.
    pub fn steps(&mut self, roles: &[R]) -> Vec<(R, u32)> {
        let mut rest = 0;
        let mut steps: Vec<(R, u32)> = roles
            .iter()
            .rev()
            .map(|&role| {
                let fresh = self.known.len() as u32 + 1;
                rest = *self.known.entry((role, rest)).or_insert(fresh);
                (role, rest)
            })
            .collect();
        steps.reverse();
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::Cuts;
    use super::Patterns;
    use super::Role::{Both, First, Second};

    #[test]
    fn equal_ends_have_equal_numbers() {
        let mut patterns = Patterns::default();
        let long = patterns.steps(&[First, Second, Both]);
        assert_eq!(long[1..], patterns.steps(&[Second, Both])[..]);
        assert_ne!(long[0].1, patterns.steps(&[Both, Second, Both])[0].1);
        assert_ne!(long[2].1, patterns.steps(&[Both, Both])[0].1);
    }

    #[test]
    fn cuts_take_no_room_for_slots_that_go() {
        let mut cuts = Cuts::default();
        let low = cuts.steps(&[900_000, 7]);
        let high = cuts.steps(&[1_000_000, 900_000, 7]);
        assert_eq!((low.len(), high.len(), cuts.known.len()), (2, 3, 3));
        assert_eq!(low, high[1..], "the same end has the same number");
    }
}
