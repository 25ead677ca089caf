//! The dependency matrices: which slots groups, guards and labels read and write.

use base::{BitMatrix, GroupIx, GuardIx, LabelIx, SlotIx};

/// The dependency matrices of a model.
///
/// They over-approximate reads and possible writes, never sure writes. With s[j:=r] for the state `s`
/// with `r` in slot `j`, an entry that is *zero* promises (Meijer 2014):
///
/// - `read[i, j]`: group i is *read-independent* of slot j (definition 3.1). For every s →ᵢ t: either the
///   slot is copied, sⱼ = tⱼ and s[j:=r] →ᵢ t[j:=r] for all r, or it is overwritten, s[j:=r] →ᵢ t for all r.
/// - `may_write[i, j]`: group i is *may-write-independent* of slot j (3.5): s →ᵢ t implies sⱼ = tⱼ.
/// - `update_read[i, j]`: group i is *update-independent* of slot j (4.11): as read-independent, looking
///   only at states where all guards of the group are true. Never more than `read`.
/// - `tests[k, j]`: guard k is *guard-independent* of slot j (4.8): its truth does not change with slot j.
/// - `label_reads[l, j]`: the value of label l does not change with slot j.
///
/// and an entry that is *one* promises:
///
/// - `must_write[i, j]`: group i is *must-write-dependent* on slot j (3.3): each of its transitions assigns
///   the slot. Where the group does not read the slot, s →ᵢ t implies s[j:=r] →ᵢ t for all r. Never more than
///   `may_write`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dependencies {
    /// Groups × slots: what a group looks at, guards included.
    pub read: BitMatrix,
    /// Groups × slots: what a group looks at once its guards are known to be true.
    pub update_read: BitMatrix,
    /// Groups × slots: what a group can change.
    pub may_write: BitMatrix,
    /// Groups × slots: what a group always assigns.
    pub must_write: BitMatrix,
    /// Guards × slots: what a guard looks at.
    pub tests: BitMatrix,
    /// Labels × slots: what a label looks at.
    pub label_reads: BitMatrix,
}

/// One entry of the dependency matrix in short (definition 3.11).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Access {
    /// `-`: neither read nor written.
    None,
    /// `r`: read only.
    Read,
    /// `w`: always written, never read.
    MustWrite,
    /// `W`: written or copied, never read.
    MayWrite,
    /// `+`: read and written.
    Both,
}

impl Access {
    /// The letter the papers use.
    pub fn letter(self) -> char {
        match self {
            Self::None => '-',
            Self::Read => 'r',
            Self::MustWrite => 'w',
            Self::MayWrite => 'W',
            Self::Both => '+',
        }
    }
}

impl Dependencies {
    /// Matrices without a dependency, to be filled.
    pub fn none(slots: usize, groups: usize, guards: usize, labels: usize) -> Self {
        Self {
            read: BitMatrix::new(groups, slots),
            update_read: BitMatrix::new(groups, slots),
            may_write: BitMatrix::new(groups, slots),
            must_write: BitMatrix::new(groups, slots),
            tests: BitMatrix::new(guards, slots),
            label_reads: BitMatrix::new(labels, slots),
        }
    }

    /// Whether the group reads the slot, in a guard or in its update.
    pub fn reads(&self, group: GroupIx, slot: SlotIx) -> bool {
        self.read.get(group.ix(), slot.ix())
    }

    /// Whether the group can change the slot.
    pub fn may_write(&self, group: GroupIx, slot: SlotIx) -> bool {
        self.may_write.get(group.ix(), slot.ix())
    }

    /// Whether the group always assigns the slot.
    pub fn must_write(&self, group: GroupIx, slot: SlotIx) -> bool {
        self.must_write.get(group.ix(), slot.ix())
    }

    /// Whether the guard looks at the slot.
    pub fn tests(&self, guard: GuardIx, slot: SlotIx) -> bool {
        self.tests.get(guard.ix(), slot.ix())
    }

    /// Whether the label looks at the slot.
    pub fn label_reads(&self, label: LabelIx, slot: SlotIx) -> bool {
        self.label_reads.get(label.ix(), slot.ix())
    }

    /// The entry of the combined matrix.
    pub fn access(&self, group: GroupIx, slot: SlotIx) -> Access {
        match (self.reads(group, slot), self.may_write(group, slot), self.must_write(group, slot)) {
            (false, false, _) => Access::None,
            (true, false, _) => Access::Read,
            (true, true, _) => Access::Both,
            (false, true, true) => Access::MustWrite,
            (false, true, false) => Access::MayWrite,
        }
    }

    /// The slots that the group reads, ascending.
    pub fn read_slots(&self, group: GroupIx) -> Vec<SlotIx> {
        self.read.ones(group.ix()).map(SlotIx::new).collect()
    }

    /// The slots that the group can change, ascending.
    pub fn written_slots(&self, group: GroupIx) -> Vec<SlotIx> {
        self.may_write.ones(group.ix()).map(SlotIx::new).collect()
    }

    /// The slots that the group changes or copies, ascending: possible writes that are not sure.
    pub fn copied_slots(&self, group: GroupIx) -> Vec<SlotIx> {
        self.may_write
            .ones(group.ix())
            .filter(|&j| !self.must_write.get(group.ix(), j))
            .map(SlotIx::new)
            .collect()
    }
}
