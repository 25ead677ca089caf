//! A model with something altered: what it says of itself, or what happens before each of its calls.

use std::sync::Arc;

use base::{GroupIx, GuardIx, LabelIx};
use model::{
    Dependencies, EvalError, Model, Signature, Stepper, StopSignal, Successors, Truth, Value, every_group,
    from_fields,
};

/// Something to do before each call.
type Hook = Arc<dyn Fn() + Send + Sync>;

/// A model of which some things are altered. What it need not say it does not say.
///
/// A model whose calls take long, say:
///
/// ```
/// # use std::{sync::Arc, time::{Duration, Instant}};
/// # fn slow(model: Arc<dyn model::Model>, time: Duration) -> toys::Altered {
/// toys::Altered::of(model).before_each_call(move || {
///     let started = Instant::now();
///     while started.elapsed() < time {}
/// })
/// # }
/// ```
pub struct Altered {
    model: Arc<dyn Model>,
    signature: Signature,
    dependencies: Dependencies,
    hook: Option<Hook>,
}

impl Altered {
    /// The model as it is.
    pub fn of(model: Arc<dyn Model>) -> Self {
        let (signature, dependencies) = (model.signature().clone(), model.dependencies().clone());
        Self { model, signature, dependencies, hook: None }
    }

    /// With another signature. It must have as many of everything.
    pub fn with_signature(self, signature: Signature) -> Self {
        Self { signature, ..self }
    }

    /// With other matrices, which may be wrong.
    pub fn with_dependencies(self, dependencies: Dependencies) -> Self {
        Self { dependencies, ..self }
    }

    /// With something to do before each call of a group, an update, a guard or a label.
    pub fn before_each_call(self, hook: impl Fn() + Send + Sync + 'static) -> Self {
        Self { hook: Some(Arc::new(hook)), ..self }
    }
}

impl Model for Altered {
    from_fields!(signature, dependencies);

    fn initial(&self) -> &[Value] {
        self.model.initial()
    }

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        match &self.hook {
            None => self.model.stepper(),
            Some(hook) => {
                let (stepper, groups) = (self.model.stepper(), self.signature.groups.len());
                Box::new(HookedStepper { stepper, groups, hook: &**hook })
            }
        }
    }
}

struct HookedStepper<'a> {
    stepper: Box<dyn Stepper + 'a>,
    groups: usize,
    hook: &'a (dyn Fn() + Send + Sync),
}

impl Stepper for HookedStepper<'_> {
    fn heed(&mut self, stop: &StopSignal) {
        self.stepper.heed(stop);
    }

    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        (self.hook)();
        self.stepper.group(group, from, to)
    }

    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        (self.hook)();
        self.stepper.update(group, from, to)
    }

    fn guard(&mut self, guard: GuardIx, from: &[Value]) -> Truth {
        (self.hook)();
        self.stepper.guard(guard, from)
    }

    fn label(&mut self, label: LabelIx, from: &[Value]) -> Result<Value, EvalError> {
        (self.hook)();
        self.stepper.label(label, from)
    }

    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        every_group(self, self.groups, from, to)
    }

    fn some(
        &mut self,
        groups: std::ops::Range<usize>,
        most: usize,
        from: &[Value],
        to: &mut Successors,
    ) -> model::Part {
        model::some_groups(self, groups, most, from, to)
    }
}
