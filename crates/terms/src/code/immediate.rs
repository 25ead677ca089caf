//! Expressions that need no unit: a value, a variable, or the comparison of a variable with one of these.
//! Most guards and many next states of processes are such, and are evaluated without the machine.

use super::Compare;
use crate::Term;
use crate::term::is_node;

/// What an expression is, where that is very little. Places are those of an environment.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Immediate {
    Value(u32),
    Place(u32),
    /// True or false only where the value is no node.
    PlaceWithValue(Compare, u32, u32),
    PlaceWithPlace(Compare, u32, u32),
    /// Anything else.
    None,
}

impl Immediate {
    /// What it comes to, if that can be said without the machine.
    #[inline(always)]
    pub(crate) fn at_once(self, env: &[Term]) -> Option<u32> {
        match self {
            Self::Value(value) => Some(value),
            Self::Place(place) => Some(env[place as usize].0),
            Self::PlaceWithValue(compare, place, value) => {
                let term = env[place as usize].0;
                (!is_node(term)).then(|| u32::from(compare.small(term, value)))
            }
            Self::PlaceWithPlace(compare, one, other) => {
                let (one, other) = (env[one as usize].0, env[other as usize].0);
                (!is_node(one) && !is_node(other)).then(|| u32::from(compare.small(one, other)))
            }
            Self::None => None,
        }
    }
}
