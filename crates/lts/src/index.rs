//! The numbers that states and labels go by, and transitions made of them.

/// A state, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateIx(pub u32);

/// What stands on a transition, by its number in [`Lts::labels`](crate::Lts::labels).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ActionIx(pub u32);

/// A transition, seen from its source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// What stands on it.
    pub action: ActionIx,
    /// Where it leads.
    pub target: StateIx,
}

impl StateIx {
    /// Its number, to index a slice with.
    #[inline]
    pub fn ix(self) -> usize {
        self.0 as usize
    }
}

impl ActionIx {
    /// Its number, to index a slice with.
    #[inline]
    pub fn ix(self) -> usize {
        self.0 as usize
    }
}
