//! Which groups to merge. Each group of a symbolic search costs an image of its own; groups that touch the
//! same slots share one at no loss.
//!
//! Two groups are merged if their rows of the matrix are equal, or if one row is *below* the other. Rows are
//! compared entry by entry in the partial order of Meijer 2014, section 3.3.2. The bits are those of his
//! section 3.4.2: *writes*, *reads*, *can leave the slot as it was*.
//!
//! ```text
//!        +            -  001
//!       / \           r  011
//!      W   r          w  100
//!     / \ /           W  101
//!    w   -            +  111
//! ```
//!
//! A sure write is not above an untouched slot, because a group that always writes cannot copy.
//!
//! An example: of the rows `r+-`, `-+-` and `-w+` the second is below the first, and the third is below none,
//! for the others do not touch the last slot. So the first two groups become one.

use base::{GroupIx, SlotIx};
use model::{Access, Dependencies, Model};

/// Which groups to merge.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Merge {
    /// None.
    #[default]
    None,
    /// Those that access the same slots alike.
    Equal,
    /// Those whose accesses are below those of another, too.
    Subsume,
}

/// Whether an access may be taken for another: everything it does the other may do.
pub fn is_below(access: Access, other: Access) -> bool {
    let bits = |access| match access {
        Access::None => 0b001,
        Access::Read => 0b011,
        Access::MustWrite => 0b100,
        Access::MayWrite => 0b101,
        Access::Both => 0b111,
    };
    bits(access) & !bits(other) == 0
}

/// The groups of a model in classes: the groups of a class are to be merged. Each class is ascending, and the
/// classes are sorted by their first groups. A group with a separable effect is merged like the others,
/// though its effect is lost by that: `docs/adr/0005-orders.md` has measurements.
pub fn merged(model: &dyn Model, merge: Merge) -> Vec<Vec<GroupIx>> {
    let groups = model.signature().group_ixs();
    if merge == Merge::None {
        return groups.map(|group| vec![group]).collect();
    }
    let rows: Vec<AccessRow> =
        groups.clone().map(|group| AccessRow::new(model.dependencies(), group)).collect();
    let mut classes = match merge {
        Merge::Equal => equal(groups.collect(), &rows),
        _ => subsumed(groups.collect(), &rows),
    };
    classes.iter_mut().for_each(|class| class.sort_unstable());
    classes.sort_unstable();
    classes
}

/// The slots that a group touches, and how.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct AccessRow {
    accesses: Vec<(SlotIx, Access)>,
    sure_writes: usize,
    /// A bit for each slot that is touched, folded to a word: most rows that cannot be below each other
    /// differ here.
    touched: u64,
}

impl AccessRow {
    fn new(matrices: &Dependencies, group: GroupIx) -> Self {
        let mut slots: Vec<usize> =
            matrices.read.ones(group.ix()).chain(matrices.may_write.ones(group.ix())).collect();
        slots.sort_unstable();
        slots.dedup();
        let slots = slots.into_iter().map(SlotIx::new);
        let accesses: Vec<_> = slots.map(|slot| (slot, matrices.access(group, slot))).collect();
        let sure_writes = accesses.iter().filter(|(_, access)| *access == Access::MustWrite).count();
        let touched = accesses.iter().fold(0, |bits, (slot, _)| bits | 1 << (slot.ix() % 64));
        Self { accesses, sure_writes, touched }
    }

    /// Whether every entry is below the other row's.
    fn is_below(&self, other: &Self) -> bool {
        if self.touched & !other.touched != 0 || self.accesses.len() > other.accesses.len() {
            return false;
        }
        let mut rest = other.accesses.iter();
        let mut met_sure_writes = 0;
        let covered = self.accesses.iter().all(|&(slot, access)| {
            rest.find(|(at, _)| *at >= slot).is_some_and(|&(at, above)| {
                met_sure_writes += usize::from(above == Access::MustWrite);
                at == slot && is_below(access, above)
            })
        });
        // A sure write that was not met stands over an untouched slot.
        covered && met_sure_writes == other.sure_writes
    }

    /// Less for a row that is strictly below.
    fn weight(&self) -> (usize, usize) {
        let weight = |access| match access {
            Access::None => 0,
            Access::Read | Access::MustWrite => 1,
            Access::MayWrite => 2,
            Access::Both => 3,
        };
        (self.accesses.len(), self.accesses.iter().map(|&(_, access)| weight(access)).sum())
    }
}

fn equal(mut groups: Vec<GroupIx>, rows: &[AccessRow]) -> Vec<Vec<GroupIx>> {
    groups.sort_by(|a, b| rows[a.ix()].cmp(&rows[b.ix()]));
    groups.chunk_by(|a, b| rows[a.ix()] == rows[b.ix()]).map(<[GroupIx]>::to_vec).collect()
}

/// The first group of each class has a row above all others of the class. A group whose row is below those of
/// several goes to the class with the least of them.
fn subsumed(groups: Vec<GroupIx>, rows: &[AccessRow]) -> Vec<Vec<GroupIx>> {
    let mut classes = equal(groups, rows);
    // Heaviest first: a row that is above another one comes before it.
    classes.sort_by_key(|class| (std::cmp::Reverse(rows[class[0].ix()].weight()), class[0]));
    let mut tops: Vec<Vec<GroupIx>> = Vec::new();
    for class in classes {
        let row = &rows[class[0].ix()];
        match tops.iter_mut().rev().find(|top| row.is_below(&rows[top[0].ix()])) {
            Some(top) => top.extend(class),
            None => tops.push(class),
        }
    }
    tops
}
