//! Adds state labels to a model: functions of the state that are not part of it, as the invariants that
//! a user asks for on the command line. States and transitions stay as they are.

use std::ops::Range;
use std::sync::Arc;

use base::{BitMatrix, GroupIx, GuardIx, LabelIx};
use model::{
    Calls, Compiled, Dependencies, EvalError, Inside, Label, Model, Part, Predicate, Signature,
    StateFunction, Stepper, Successors, Truth, Value,
};

use crate::Layer;

/// A model with more state labels; theirs are the numbers after the inner model's.
pub struct Labelled {
    inner: Arc<dyn Model>,
    signature: Signature,
    dependencies: Dependencies,
    functions: Vec<Arc<dyn StateFunction>>,
}

impl Labelled {
    /// The model with these labels. The functions speak of the slots of `inner`.
    ///
    /// # Panics
    /// When a function reads a slot that the model does not have: it was made for some other model.
    pub fn new(inner: Arc<dyn Model>, labels: Vec<(Label, Arc<dyn StateFunction>)>) -> Self {
        let mut signature = inner.signature().clone();
        let mut dependencies = inner.dependencies().clone();
        let before = signature.labels.len();
        let mut label_reads = BitMatrix::new(before + labels.len(), signature.slots.len());
        for label in 0..before {
            for slot in dependencies.label_reads.ones(label) {
                label_reads.set(label, slot);
            }
        }
        let mut functions = Vec::with_capacity(labels.len());
        for (label, function) in labels {
            for slot in function.reads() {
                label_reads.set(signature.labels.len(), slot.ix());
            }
            signature.labels.push(label);
            functions.push(function);
        }
        dependencies.label_reads = label_reads;
        Self { inner, signature, dependencies, functions }
    }

    /// How many labels the inner model has: the number of the first one that was added.
    pub fn first_added(&self) -> LabelIx {
        LabelIx::new(self.signature.labels.len() - self.functions.len())
    }
}

impl Model for Labelled {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn dependencies(&self) -> &Dependencies {
        &self.dependencies
    }

    fn initial(&self) -> &[Value] {
        self.inner.initial()
    }

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        let stepper = self.inner.stepper();
        Box::new(LabelledStepper {
            stepper,
            functions: &self.functions,
            first_added: self.first_added().ix(),
        })
    }

    fn may_fail(&self, group: GroupIx) -> bool {
        self.inner.may_fail(group)
    }

    fn guards_suffice(&self, group: GroupIx) -> bool {
        self.inner.guards_suffice(group)
    }

    fn has_slow_calls(&self) -> bool {
        self.inner.has_slow_calls()
    }

    fn bytes(&self) -> u64 {
        self.inner.bytes()
    }

    fn label_predicate(&self, label: LabelIx) -> Option<Predicate> {
        match label.ix().checked_sub(self.first_added().ix()) {
            Some(added) => self.functions[added].predicate().cloned(),
            None => self.inner.label_predicate(label),
        }
    }

    fn unfold(&self, from: &[Value], group: GroupIx, action: Value, to: &[Value]) -> Option<Vec<Inside>> {
        self.inner.unfold(from, group, action, to)
    }

    /// The labels are added before anyone knows which engine will ask, so the wish is passed on.
    fn compile(&self, calls: Calls) -> Compiled {
        self.inner.compile(calls)
    }
}

impl Layer for Labelled {
    fn name(&self) -> &str {
        "labels"
    }

    fn inner(&self) -> &Arc<dyn Model> {
        &self.inner
    }
}

struct LabelledStepper<'a> {
    stepper: Box<dyn Stepper + 'a>,
    functions: &'a [Arc<dyn StateFunction>],
    first_added: usize,
}

impl Stepper for LabelledStepper<'_> {
    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.stepper.group(group, from, to)
    }

    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.stepper.update(group, from, to)
    }

    fn guard(&mut self, guard: GuardIx, from: &[Value]) -> Truth {
        self.stepper.guard(guard, from)
    }

    fn label(&mut self, label: LabelIx, from: &[Value]) -> Result<Value, EvalError> {
        match label.ix().checked_sub(self.first_added) {
            Some(added) => self.functions[added].value(from),
            None => self.stepper.label(label, from),
        }
    }

    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.stepper.all(from, to)
    }

    fn some(&mut self, groups: Range<usize>, most: usize, from: &[Value], to: &mut Successors) -> Part {
        self.stepper.some(groups, most, from, to)
    }
}
