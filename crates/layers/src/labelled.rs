//! Adds state labels to a model. A label is a function of the state that is not part of the model: an
//! invariant, say, that a user asks for on the command line. States and transitions stay as they are.

use std::ops::Range;
use std::sync::Arc;

use base::{BitMatrix, GroupIx, GuardIx, LabelIx};
use model::{
    Dependencies, EvalError, Label, Model, Part, Predicate, Signature, StateFunction, Stepper, StopSignal,
    Successors, Truth, Value,
};

use crate::{Aspect, Changes, Contract, Layer, MoreLabels, Over};

/// A model with more state labels; theirs are the numbers behind those of the model below.
pub struct Labelled {
    below: Arc<dyn Model>,
    signature: Signature,
    dependencies: Dependencies,
    functions: Vec<Arc<dyn StateFunction>>,
}

impl Labelled {
    /// The model with these labels. The functions speak of the slots of `below`.
    ///
    /// # Panics
    /// When a function reads a slot that the model does not have: it was made for some other model.
    pub fn new(below: Arc<dyn Model>, labels: Vec<(Label, Arc<dyn StateFunction>)>) -> Over<Self> {
        let mut signature = below.signature().clone();
        let mut dependencies = below.dependencies().clone();
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
        Over(Self { below, signature, dependencies, functions })
    }

    /// How many labels the model below has: the number of the first one that was added.
    pub fn first_added(&self) -> LabelIx {
        LabelIx::new(self.signature.labels.len() - self.functions.len())
    }
}

impl Layer for Labelled {
    fn below(&self) -> &Arc<dyn Model> {
        &self.below
    }

    fn contract(&self) -> Contract<'_> {
        Contract { name: "labels", requires: &[], preserves: Aspect::ALL, changes: Changes::Labels(self) }
    }

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        let (stepper, first_added) = (self.below.stepper(), self.first_added().ix());
        Box::new(LabelledStepper { stepper, functions: &self.functions, first_added })
    }
}

impl MoreLabels for Labelled {
    model::from_fields!(signature, dependencies);

    fn label_predicate(&self, label: LabelIx) -> Option<Predicate> {
        match label.ix().checked_sub(self.first_added().ix()) {
            Some(added) => self.functions[added].predicate().cloned(),
            None => self.below.label_predicate(label),
        }
    }
}

struct LabelledStepper<'a> {
    stepper: Box<dyn Stepper + 'a>,
    functions: &'a [Arc<dyn StateFunction>],
    first_added: usize,
}

impl Stepper for LabelledStepper<'_> {
    fn heed(&mut self, stop: &StopSignal) {
        self.stepper.heed(stop);
    }

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
