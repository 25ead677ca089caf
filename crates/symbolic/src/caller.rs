//! A caller runs the model for short vectors, which are written over a state: a group, a guard or a label
//! looks only at the slots it reads, so what the others hold does not matter.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use base::{GroupIx, GuardIx, LabelIx};
use engine::Pattern;
use model::{EvalError, Model, Stepper, StopSignal, Successors, Truth, Value};

/// Runs the model for short vectors.
pub(crate) struct Caller<'m> {
    model: &'m dyn Model,
    stepper: Box<dyn Stepper + 'm>,
    /// A state, over which short vectors are written.
    pub state: Vec<Value>,
    /// What the group that was asked last did.
    pub buffer: Successors,
    /// How often labels were asked.
    pub label_calls: u64,
    /// Raised when the search is to stop.
    pub halt: Arc<AtomicBool>,
}

impl<'m> Caller<'m> {
    /// One whose calls ask this, if they take long, whether to stop.
    pub fn new(model: &'m dyn Model, stop: &StopSignal) -> Self {
        let state = model.initial().to_vec();
        let (mut stepper, buffer) = (model.stepper(), Successors::new(state.len()));
        stepper.heed(stop);
        Self { model, stepper, state, buffer, label_calls: 0, halt: Arc::default() }
    }

    /// Writes the short vector over the state.
    pub fn place(&mut self, kept: &[bool], short: &[u32]) {
        let slots = kept.iter().enumerate().filter(|(_, kept)| **kept).map(|(slot, _)| slot);
        for (slot, &value) in slots.zip(short) {
            self.state[slot] = value;
        }
    }

    /// Fills the buffer with the successors of the state through a group, all whose guards are true.
    pub fn update(&mut self, group: GroupIx) -> Result<(), EvalError> {
        self.buffer.clear();
        self.stepper.update(group, &self.state, &mut self.buffer)
    }

    /// Fills the buffer with the successors of the state through a group, which asks its guards itself.
    pub fn group(&mut self, group: GroupIx) -> Result<(), EvalError> {
        self.buffer.clear();
        self.stepper.group(group, &self.state, &mut self.buffer)
    }

    /// What a guard says of the state.
    pub fn guard(&mut self, guard: GuardIx) -> Truth {
        self.stepper.guard(guard, &self.state)
    }

    /// The value of a label in the state.
    pub fn label(&mut self, label: LabelIx) -> Result<Value, EvalError> {
        self.label_calls += 1;
        self.stepper.label(label, &self.state)
    }

    /// Whether the search is to stop.
    pub fn is_halted(&self) -> bool {
        self.halt.load(Ordering::Relaxed)
    }

    /// A successor of a state by an action that matches the pattern.
    pub fn acted(&mut self, from: &[Value], pattern: &mut Pattern) -> Option<Vec<Value>> {
        let signature = self.model.signature();
        self.buffer.clear();
        for group in signature.group_ixs() {
            // What fails beside the action is of no concern.
            _ = self.stepper.group(group, from, &mut self.buffer);
        }
        let successor = self.buffer.iter().find(|successor| pattern.matches(successor.action, signature));
        successor.map(|successor| successor.state.to_vec())
    }
}
