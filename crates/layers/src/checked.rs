//! Tests the promises of a model while it runs: its matrices, its guards, its copied slots, its separable
//! effects. Definitions 3.1, 3.3, 3.5, 4.5, 4.8, 4.11 and 4.13 of Meijer, "Improving reachability analysis
//! in LTSmin", 2014.
//!
//! What can be seen in one call is checked in every call: a slot that changed must be one that the group may
//! write. What speaks of *all* values of a slot is sampled: a few slots are given other values in each call,
//! in rotation, so that all slots are tried over a run. So the layer finds defects and proves nothing.
//!
//! An example: the matrices say that a group does not read the slot `x`. In a state where `x` is 3 the group
//! has one successor. The layer asks again with 4 in `x`, a value that it saw before. Two successors, or one
//! that differs elsewhere than in `x`, break the promise.
//!
//! Answers are passed on as they are. Complaints are collected and the run goes on. A group that names no
//! guard is not asked for a successor, because not every language splits its conditions.

mod compare;
mod complaint;
mod perturb;
mod stepper;

use std::sync::{Arc, Mutex, PoisonError};

use base::{GroupIx, SlotIx};
use model::{Change, Effect, Model, Rule, Stepper, Value};

use crate::{Aspect, Changes, Contract, Layer, Over};
use complaint::{BrokenPromise, Complaints};
pub use complaint::{Complaint, ComplaintKind, Subject};
use stepper::CheckedStepper;

/// A model that is watched for broken promises.
pub struct Checked {
    below: Arc<dyn Model>,
    perturbations: usize,
    seed: u64,
    /// A group may fail and have successors all the same.
    allows_partial: bool,
    complaints: Mutex<Complaints>,
}

impl Checked {
    /// The model, with this many slots given another value in each call. One finds most defects in a run of
    /// some thousand states; as many as there are slots tries each of them each time. The seed picks the
    /// values.
    pub fn new(below: Arc<dyn Model>, perturbations: usize, seed: u64) -> Over<Self> {
        let checked =
            Self { below, perturbations, seed, allows_partial: false, complaints: Mutex::default() };
        checked.check_containment();
        Over(checked)
    }

    /// What was found so far: at most a hundred, one for each promise, subject and slot.
    pub fn complaints(&self) -> Vec<Complaint> {
        self.complaints.lock().unwrap_or_else(PoisonError::into_inner).list()
    }

    fn complain(&self, finding: &BrokenPromise<'_>) {
        let mut complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        complaints.add(finding, self.below.signature());
    }

    fn complain_of(&self, kind: ComplaintKind, group: GroupIx, slot: Option<SlotIx>) {
        let (subject, state) = (Subject::Group(group), self.below.initial());
        self.complain(&BrokenPromise { kind, subject, slot, state, instead: None });
    }

    /// must_write ⊆ may_write, update_read ⊆ read, and the effect has nothing that the matrices lack.
    fn check_containment(&self) {
        let matrices = self.below.dependencies();
        for group in self.below.signature().group_ixs() {
            let row = group.ix();
            let stray_write = matrices.must_write.ones(row).find(|&slot| !matrices.may_write.get(row, slot));
            let stray_read = matrices.update_read.ones(row).find(|&slot| !matrices.read.get(row, slot));
            for slot in stray_write.into_iter().chain(stray_read) {
                self.complain_of(ComplaintKind::Containment, group, Some(SlotIx::new(slot)));
            }
            if self.below.signature().groups[row].effect.is_some() && self.effect(group).is_none() {
                self.complain_of(ComplaintKind::Effect, group, None);
            }
            for (slot, rules) in self.effect(group).iter().flat_map(|effect| &effect.slots) {
                // What sets the slot to the same value whatever it holds need not read it.
                let reads =
                    !matches!(rules[..], [Rule { least: 0, most: Value::MAX, change: Change::Set(_) }]);
                let writes = rules.iter().any(Rule::changes);
                if reads && !matrices.reads(group, *slot) || writes && !matrices.may_write(group, *slot) {
                    self.complain_of(ComplaintKind::Containment, group, Some(*slot));
                }
            }
        }
    }

    /// The separable effect of a group, if it has one that means anything.
    fn effect(&self, group: GroupIx) -> Option<&Effect> {
        let signature = self.below.signature();
        signature.groups[group.ix()]
            .effect
            .as_ref()
            .filter(|effect| effect.is_well_formed(signature.slots.len()))
    }
}

impl Over<Checked> {
    /// The same for a model with groups that were made of several: where one of them fails the others may
    /// have successors.
    pub fn with_merged_groups(self) -> Self {
        Self(Checked { allows_partial: true, ..self.0 })
    }
}

impl Layer for Checked {
    fn below(&self) -> &Arc<dyn Model> {
        &self.below
    }

    fn contract(&self) -> Contract<'_> {
        Contract { name: "check", requires: &[], preserves: Aspect::ALL, changes: Changes::Nothing }
    }

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        Box::new(CheckedStepper::new(self))
    }
}
