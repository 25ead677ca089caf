//! Complaints: what [`Checked`](crate::Checked) found wrong, in words that name groups and slots.

use std::collections::HashSet;

use base::{GroupIx, GuardIx, LabelIx, SlotIx};
use model::{Signature, Value};

/// What a complaint is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Subject {
    /// A group.
    Group(GroupIx),
    /// A guard.
    Guard(GuardIx),
    /// A state label.
    Label(LabelIx),
    /// The successors through all groups at once.
    All,
}

/// Which promise is broken. Numbers of definitions are Meijer's, 2014.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ComplaintKind {
    /// The group depends on a slot that its row of `read` leaves out (3.1).
    Read,
    /// The group changes a slot that its row of `may_write` leaves out (3.5).
    MayWrite,
    /// The group leaves a slot alone that `must_write` says it always assigns (3.3).
    MustWrite,
    /// A slot is marked as copied that is not: it is never written, it changed, or another value is not kept.
    Copied,
    /// A slot that the group may write keeps any value it has, and is not marked as copied.
    Unmarked,
    /// `must_write` has an entry that `may_write` lacks, or `update_read` one that `read` lacks, or the
    /// separable effect tests or changes what the matrices leave out.
    Containment,
    /// The guard depends on a slot that its row of `tests` leaves out (4.8).
    Tests,
    /// A guard is false and the group has a successor or fails (4.5, item 1).
    GuardFalse,
    /// All guards are true and the group has no successor (4.5, item 2).
    GuardTrue,
    /// A guard is *maybe*, none is false, and the group does not fail (4.5, item 3).
    GuardMaybe,
    /// All guards are true and `update` differs from `group` (4.13).
    Update,
    /// The update depends on a slot that the row of `update_read` leaves out (4.11).
    UpdateRead,
    /// The label depends on a slot that its row of `label_reads` leaves out.
    LabelReads,
    /// The label fails, or is zero where the predicate that is told of it holds, or is not where it does not.
    LabelPredicate,
    /// `all` differs from group by group.
    All,
    /// A successor bears the number of some other group, or a failed call left successors behind.
    Buffer,
    /// The group fails or has other successors than its separable effect says, or the effect is not
    /// well-formed.
    Effect,
}

impl ComplaintKind {
    fn sentence(self) -> &'static str {
        match self {
            Self::Read => "depends on the slot, which its row of the read matrix leaves out",
            Self::MayWrite => "changes the slot, which its row of the may-write matrix leaves out",
            Self::MustWrite => "leaves the slot as it was, though its row of the must-write matrix has it",
            Self::Copied => "marks the slot as copied, though it is not",
            Self::Unmarked => "leaves the slot as it was and does not mark it as copied",
            Self::Containment => {
                "must write, reads in its update or has in its effect what it may not write or does not read"
            }
            Self::Tests => "depends on the slot, which its row of the test matrix leaves out",
            Self::GuardFalse => "has a successor or fails where one of its guards is false",
            Self::GuardTrue => "has no successor where all its guards are true",
            Self::GuardMaybe => "does not fail where a guard is maybe and none is false",
            Self::Update => "does something else as an update, where all its guards are true",
            Self::UpdateRead => {
                "depends as an update on the slot, which its row of the update-read matrix leaves out"
            }
            Self::LabelReads => "depends on the slot, which its row of the label matrix leaves out",
            Self::LabelPredicate => "is not what the predicate says that is told of it",
            Self::All => "is not what the groups give one by one",
            Self::Buffer => {
                "gives successors that bear some other group's number, or gives some and then fails"
            }
            Self::Effect => "does something else than its separable effect says",
        }
    }
}

/// A broken promise, and a state that shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// Which promise.
    pub kind: ComplaintKind,
    /// Whose.
    pub subject: Subject,
    /// On which slot, if on one.
    pub slot: Option<SlotIx>,
    /// In which state.
    pub state: Vec<Value>,
    /// The value that the slot was given instead, if the state was changed to see it.
    pub instead: Option<Value>,
    text: String,
}

impl std::fmt::Display for Complaint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// What is to be said, before it is put in words.
pub(super) struct BrokenPromise<'a> {
    pub(super) kind: ComplaintKind,
    pub(super) subject: Subject,
    pub(super) slot: Option<SlotIx>,
    pub(super) state: &'a [Value],
    pub(super) instead: Option<Value>,
}

impl BrokenPromise<'_> {
    fn complaint(&self, signature: &Signature) -> Complaint {
        let who = match self.subject {
            Subject::Group(group) => format!("group {group} `{}`", signature.groups[group.ix()].name),
            Subject::Guard(guard) => format!("guard {guard} `{}`", signature.guards[guard.ix()].name),
            Subject::Label(label) => format!("label {label} `{}`", signature.labels[label.ix()].name),
            Subject::All => "the set of all successors".to_owned(),
        };
        let mut text = format!("{who} {}", self.kind.sentence());
        if let Some(slot) = self.slot {
            text += &format!("; slot {slot} `{}`", signature.slots[slot.ix()].name);
            if let Some(value) = self.instead {
                text += &format!(", given {} instead", signature.show(slot, value));
            }
        }
        let cells = signature.slot_ixs().zip(self.state).map(|(slot, &value)| {
            format!("{}={}", signature.slots[slot.ix()].name, signature.show(slot, value))
        });
        text += &format!("; in the state {}", cells.collect::<Vec<_>>().join(", "));
        Complaint {
            kind: self.kind,
            subject: self.subject,
            slot: self.slot,
            state: self.state.to_vec(),
            instead: self.instead,
            text,
        }
    }
}

/// Complaints so far: one for each promise, subject and slot, so that one wrong bit does not drown the
/// others.
#[derive(Default)]
pub(super) struct Complaints {
    known: HashSet<(ComplaintKind, Subject, Option<SlotIx>)>,
    list: Vec<Complaint>,
}

impl Complaints {
    /// Enough to see what is wrong; a model with more defects than this wants another look anyway.
    const MOST: usize = 100;

    pub(super) fn add(&mut self, finding: &BrokenPromise<'_>, signature: &Signature) {
        if self.list.len() < Self::MOST && self.known.insert((finding.kind, finding.subject, finding.slot)) {
            self.list.push(finding.complaint(signature));
        }
    }

    pub(super) fn list(&self) -> Vec<Complaint> {
        self.list.clone()
    }
}
