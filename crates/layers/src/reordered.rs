//! Puts slots and groups in another order. Symbolic search lives and dies by the order of its slots; who computes
//! a good one (FORCE, Sloan, Cuthill–McKee) is no business of this layer. LTSmin's `pins2pins-group`, without
//! its merging of rows. Guards and labels keep their numbers.
//!
//! Invariant: outer\[i\] = inner\[slots\[i\]\] of every state, in both directions.

use std::sync::Arc;

use base::{GroupIx, GuardIx, LabelIx, SlotIx, ones};
use model::{Dependencies, EvalError, Model, Signature, Stepper, Successors, Truth, Value};

use crate::{Error, Layer};

/// A model with its slots and groups in another order.
pub struct Reordered {
    inner: Arc<dyn Model>,
    signature: Signature,
    dependencies: Dependencies,
    initial: Vec<Value>,
    slots: Vec<usize>,
    groups: Vec<usize>,
    position_of_slot: Vec<usize>,
    position_of_group: Vec<usize>,
}

impl Reordered {
    /// The model where `slots[i]` is the inner slot that stands at position i, and `groups[i]` the inner group.
    /// Refuses an order that does not name each slot and each group just once.
    pub fn new(inner: Arc<dyn Model>, slots: Vec<SlotIx>, groups: Vec<GroupIx>) -> Result<Self, Error> {
        let slots: Vec<usize> = slots.into_iter().map(SlotIx::ix).collect();
        let groups: Vec<usize> = groups.into_iter().map(GroupIx::ix).collect();
        let below = inner.signature();
        let position_of_slot = inverse("slots", &slots, below.slots.len())?;
        let position_of_group = inverse("groups", &groups, below.groups.len())?;

        let mut signature = below.clone();
        signature.slots = slots.iter().map(|&slot| below.slots[slot].clone()).collect();
        signature.groups = groups.iter().map(|&group| below.groups[group].clone()).collect();
        let matrices = inner.dependencies();
        let guards: Vec<usize> = (0..matrices.tests.rows()).collect();
        let labels: Vec<usize> = (0..matrices.label_reads.rows()).collect();
        let dependencies = Dependencies {
            read: matrices.read.permuted(&groups, &slots),
            update_read: matrices.update_read.permuted(&groups, &slots),
            may_write: matrices.may_write.permuted(&groups, &slots),
            must_write: matrices.must_write.permuted(&groups, &slots),
            tests: matrices.tests.permuted(&guards, &slots),
            label_reads: matrices.label_reads.permuted(&labels, &slots),
        };
        let initial = slots.iter().map(|&slot| inner.initial()[slot]).collect();
        Ok(Self { inner, signature, dependencies, initial, slots, groups, position_of_slot, position_of_group })
    }
}

/// Where each number stands in the order, if the order names each number below `present` just once.
fn inverse(of: &'static str, order: &[usize], present: usize) -> Result<Vec<usize>, Error> {
    if order.len() != present {
        return Err(Error::OrderLength { of, named: order.len(), present });
    }
    let mut position = vec![None; present];
    for (at, &number) in order.iter().enumerate() {
        let place = position.get_mut(number).ok_or(Error::OrderUnknown { of, number, present })?;
        if place.replace(at).is_some() {
            return Err(Error::OrderTwice { of, number });
        }
    }
    // As many names as things, none twice: every place is taken.
    Ok(position.into_iter().flatten().collect())
}

impl Model for Reordered {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn dependencies(&self) -> &Dependencies {
        &self.dependencies
    }

    fn initial(&self) -> &[Value] {
        &self.initial
    }

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        let width = self.slots.len();
        Box::new(ReorderedStepper {
            layer: self,
            stepper: self.inner.stepper(),
            from: vec![0; width],
            found: Successors::new(width),
            copied: vec![0; width.div_ceil(64)],
        })
    }
}

impl Layer for Reordered {
    fn name(&self) -> &str {
        "reorder"
    }

    fn inner(&self) -> &Arc<dyn Model> {
        &self.inner
    }

    fn state_back(&self, state: &[Value]) -> Vec<Value> {
        self.position_of_slot.iter().map(|&position| state[position]).collect()
    }
}

struct ReorderedStepper<'a> {
    layer: &'a Reordered,
    stepper: Box<dyn Stepper + 'a>,
    /// The state in the inner order.
    from: Vec<Value>,
    /// Its successors, in the inner order.
    found: Successors,
    /// Copied slots of one successor, in the outer order.
    copied: Vec<u64>,
}

impl ReorderedStepper<'_> {
    /// Writes a state down in the inner order. All of it, though a guard looks at a few slots only: a wrong matrix
    /// must stay visible to [`crate::Checked`] on top, and not show as values of the state before.
    fn take(&mut self, from: &[Value]) {
        for (&slot, &value) in self.layer.slots.iter().zip(from) {
            self.from[slot] = value;
        }
        self.found.clear();
    }

    /// Hands on what was found, in the outer order.
    fn give(&mut self, to: &mut Successors) {
        for successor in self.found.iter() {
            let group = GroupIx::new(self.layer.position_of_group[successor.group.ix()]);
            let target = to.push(group, successor.action, successor.state);
            for (value, &slot) in target.iter_mut().zip(&self.layer.slots) {
                *value = successor.state[slot];
            }
            if !successor.copied_words().is_empty() {
                self.copied.fill(0);
                for slot in ones(successor.copied_words()) {
                    let position = self.layer.position_of_slot[slot];
                    self.copied[position / 64] |= 1 << (position % 64);
                }
                to.mark_copied(&self.copied);
            }
        }
    }

    fn inner_group(&self, group: GroupIx) -> GroupIx {
        GroupIx::new(self.layer.groups[group.ix()])
    }
}

impl Stepper for ReorderedStepper<'_> {
    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.take(from);
        let group = self.inner_group(group);
        self.stepper.group(group, &self.from, &mut self.found)?;
        self.give(to);
        Ok(())
    }

    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.take(from);
        let group = self.inner_group(group);
        self.stepper.update(group, &self.from, &mut self.found)?;
        self.give(to);
        Ok(())
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
        self.take(from);
        self.stepper.all(&self.from, &mut self.found)?;
        self.give(to);
        Ok(())
    }
}
