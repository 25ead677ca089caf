//! A model whose groups take long, as those of a rewriting language do.

use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{GroupIx, GuardIx, LabelIx};
use model::{Dependencies, EvalError, Model, Signature, Stepper, Successors, Truth, Value, every_group};

/// The model with at least so long a time for each call of a group.
pub struct Slow(pub Arc<dyn Model>, pub Duration);

impl Model for Slow {
    fn signature(&self) -> &Signature {
        self.0.signature()
    }

    fn dependencies(&self) -> &Dependencies {
        self.0.dependencies()
    }

    fn initial(&self) -> &[Value] {
        self.0.initial()
    }

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        Box::new(SlowStepper(self.0.stepper(), self.1, self.signature().groups.len()))
    }

    fn has_slow_calls(&self) -> bool {
        true
    }
}

struct SlowStepper<'a>(Box<dyn Stepper + 'a>, Duration, usize);

impl Stepper for SlowStepper<'_> {
    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        // Not asleep: a sleep takes far longer than it is asked to.
        let started = Instant::now();
        while started.elapsed() < self.1 {}
        self.0.group(group, from, to)
    }

    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.0.update(group, from, to)
    }

    fn guard(&mut self, guard: GuardIx, from: &[Value]) -> Truth {
        self.0.guard(guard, from)
    }

    fn label(&mut self, label: LabelIx, from: &[Value]) -> Result<Value, EvalError> {
        self.0.label(label, from)
    }

    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        every_group(self, self.2, from, to)
    }
}
