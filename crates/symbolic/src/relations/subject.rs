//! What relations are about: groups, their updates, and guards; and the rows of their steps.

use base::{GroupIx, GuardIx, SlotIx};
use ldd::{Access, Entry};
use model::{Successor, Value};

/// What a relation is about, and its slots from the top.
pub(crate) struct Subject {
    pub what: What,
    pub levels: Vec<(usize, Access)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum What {
    Group(GroupIx),
    /// A group where all its guards are true.
    Update(GroupIx),
    Guard(GuardIx),
}

/// What a step makes of a slot that its group writes.
pub(crate) fn written(successor: Successor<'_>, slot: usize) -> Entry {
    if successor.copied(SlotIx::new(slot)) { Entry::Copy } else { Entry::Value(successor.state[slot]) }
}

impl Subject {
    /// The slots that are written.
    pub fn writes(&self) -> impl Iterator<Item = usize> + '_ {
        self.levels.iter().filter(|(_, access)| *access != Access::Read).map(|(slot, _)| *slot)
    }

    /// The row of a step from a state: for each level what is tested, then what is written, which is given in
    /// order.
    pub fn row<'r>(
        &'r self,
        from: &'r [Value],
        mut written: impl Iterator<Item = Entry> + 'r,
    ) -> impl Iterator<Item = Entry> + 'r {
        self.levels.iter().flat_map(move |&(slot, access)| {
            let test = (access != Access::Write).then_some(Entry::Value(from[slot]));
            test.into_iter().chain(if access == Access::Read { None } else { written.next() })
        })
    }
}
