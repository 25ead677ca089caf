//! What a worker keeps on its stacks.

use super::node::Id;

/// A part of an image: the value it gets, what is below it in the set, the rest of the relation.
pub(crate) type Part = (u32, Id, Id);

/// What a worker keeps for the next operation.
#[derive(Default)]
pub(crate) struct Scratch {
    /// Numbers for new nodes.
    pub numbers: Vec<Id>,
    /// Parts of lists that are being built. What is on it is not garbage.
    pub pending: Vec<Pending>,
    /// Parts of images that wait to be united.
    pub parts: Vec<Part>,
}

impl Scratch {
    /// What must not be collected.
    pub fn pending(&self) -> impl Iterator<Item = Id> + '_ {
        self.pending.iter().flat_map(|entry| [entry.down, entry.origin])
    }
}

/// An entry of a list that is being built.
#[derive(Clone, Copy)]
pub(crate) struct Pending {
    pub value: u32,
    pub down: Id,
    /// A node with the same value and the same below it, or none: if what comes behind it is the same too, it
    /// is the one.
    pub origin: Id,
}
