//! Runs a regrouped model: states to the inner order, successors back, members one after the other.

use std::ops::Range;

use base::{GroupIx, GuardIx, LabelIx, ones};
use model::{EvalError, Part, Stepper, StopSignal, Successors, Truth, Value, every_group};

use super::Regrouped;
use super::elimination::Eliminate;

pub(super) struct RegroupedStepper<'a> {
    layer: &'a Regrouped,
    stepper: Box<dyn Stepper + 'a>,
    /// The state in the inner order; what is left out has its initial value for good.
    from: Vec<Value>,
    /// Its successors, in the inner order.
    found: Successors,
    /// Copied slots of one successor, in the outer order.
    copied: Vec<u64>,
}

impl<'a> RegroupedStepper<'a> {
    pub(super) fn new(layer: &'a Regrouped) -> Self {
        let from = layer.below.initial().to_vec();
        let found = Successors::new(from.len());
        let copied = vec![0; layer.slots.len().div_ceil(64)];
        Self { layer, stepper: layer.below.stepper(), from, found, copied }
    }

    /// Writes a state down in the inner order. All of it, though a guard looks at a few slots only: a wrong
    /// matrix must stay visible to [`crate::Checked`] on top, and not show as values of the state before.
    fn take(&mut self, from: &[Value]) {
        for (&slot, &value) in self.layer.slots.iter().zip(from) {
            self.from[slot] = value;
        }
        self.found.clear();
    }

    /// Hands on what was found, in the outer order.
    fn give(&mut self, from: &[Value], to: &mut Successors) {
        let layer = self.layer;
        for successor in self.found.iter() {
            let Some(group) = layer.group_of[successor.group.ix()] else {
                panic!("BUG: group {} is left out and was asked", successor.group)
            };
            let target = to.push(group, successor.action, from);
            for (value, &slot) in target.iter_mut().zip(&layer.slots) {
                *value = successor.state[slot];
            }
            let untouched = &layer.untouched[successor.group.ix()];
            if untouched.is_empty() && successor.copied_words().is_empty() {
                continue;
            }
            if untouched.is_empty() {
                self.copied.fill(0)
            } else {
                self.copied.copy_from_slice(untouched)
            }
            for position in ones(successor.copied_words()).filter_map(|slot| layer.position_of_slot[slot]) {
                self.copied[position / 64] |= 1 << (position % 64);
            }
            to.mark_copied(&self.copied);
        }
    }
}

impl Stepper for RegroupedStepper<'_> {
    fn heed(&mut self, stop: &StopSignal) {
        self.stepper.heed(stop);
    }

    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.take(from);
        let mut outcome = Ok(());
        for member in &self.layer.groups[group.ix()] {
            // The other members go on after an error.
            let member = self.stepper.group(member.group, &self.from, &mut self.found);
            outcome = EvalError::of_both(outcome, member);
        }
        self.give(from, to);
        outcome
    }

    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.take(from);
        let mut outcome = Ok(());
        for member in &self.layer.groups[group.ix()] {
            let member = if member.guards_are_shared {
                self.stepper.update(member.group, &self.from, &mut self.found)
            } else {
                self.stepper.group(member.group, &self.from, &mut self.found)
            };
            outcome = EvalError::of_both(outcome, member);
        }
        self.give(from, to);
        outcome
    }

    fn guard(&mut self, guard: GuardIx, from: &[Value]) -> Truth {
        self.take(from);
        self.stepper.guard(guard, &self.from)
    }

    fn label(&mut self, label: LabelIx, from: &[Value]) -> Result<Value, EvalError> {
        self.take(from);
        self.stepper.label(label, &self.from)
    }

    /// In the inner model's order: an order is promised, which one is not.
    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        if self.layer.left_out == Eliminate::Constants {
            self.take(from);
            if self.stepper.all(&self.from, &mut self.found).is_ok() {
                self.give(from, to);
                return Ok(());
            }
        }
        // Which of several errors a merged group shows is the same here as when it is asked alone; a group
        // that is left out is not asked, and does not fail.
        let groups = self.layer.signature.groups.len();
        every_group(self, groups, from, to)
    }

    /// The state is written down once for all of them.
    fn some(&mut self, groups: Range<usize>, most: usize, from: &[Value], to: &mut Successors) -> Part {
        self.take(from);
        let mut part = Part { next: groups.end, has_failed: false };
        for group in groups {
            for member in &self.layer.groups[group] {
                part.has_failed |= self.stepper.group(member.group, &self.from, &mut self.found).is_err();
            }
            if self.found.len() >= most {
                part.next = group + 1;
                break;
            }
        }
        self.give(from, to);
        part
    }
}
