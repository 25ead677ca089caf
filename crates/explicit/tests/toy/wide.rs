//! A wide model: very many slots and groups, made without a closure each.

use std::time::Duration;

use base::{GroupIx, GuardIx, LabelIx, TypeIx};
use model::{
    Dependencies, EvalError, Group, Model, Signature, Slot, SlotRole, Stepper, Successors, Truth, Type,
    Value, every_group,
};

/// Bytes, all zero at first; each group raises the byte of its number, until that is `last`.
pub struct Wide {
    signature: Signature,
    dependencies: Dependencies,
    initial: Vec<Value>,
    last: Value,
    pause: Duration,
}

impl Wide {
    pub fn new(slots: usize, groups: usize, last: Value) -> Self {
        let slot =
            |at| Slot { name: format!("s{at}"), ty: TypeIx::new(0), span: None, role: SlotRole::Variable };
        let group =
            |at| Group { name: format!("g{at}"), guards: Vec::new(), spans: Vec::new(), effect: None };
        let signature = Signature {
            name: "wide".into(),
            types: vec![Type::range("byte", 0, 255)],
            slots: (0..slots).map(slot).collect(),
            groups: (0..groups).map(group).collect(),
            guards: Vec::new(),
            labels: Vec::new(),
            action: Type::names("action", vec!["a0".into()]),
            alarms: Vec::new(),
            source: None,
        };
        let mut dependencies = Dependencies::none(slots, groups, 0, 0);
        for group in 0..groups {
            dependencies.read.set(group, group);
            dependencies.may_write.set(group, group);
        }
        Self { signature, dependencies, initial: vec![0; slots], last, pause: Duration::ZERO }
    }

    /// The same, where each group takes this long.
    pub fn slow(self, pause: Duration) -> Self {
        Self { pause, ..self }
    }
}

impl Model for Wide {
    model::from_fields!(signature, dependencies, initial);

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        Box::new(WideStepper(self))
    }
}

struct WideStepper<'a>(&'a Wide);

impl Stepper for WideStepper<'_> {
    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        if !self.0.pause.is_zero() {
            std::thread::sleep(self.0.pause);
        }
        if from[group.ix()] < self.0.last {
            to.push(group, 0, from)[group.ix()] += 1;
        }
        Ok(())
    }

    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.group(group, from, to)
    }

    fn guard(&mut self, _: GuardIx, _: &[Value]) -> Truth {
        Truth::True
    }

    fn label(&mut self, label: LabelIx, _: &[Value]) -> Result<Value, EvalError> {
        panic!("there is no label {label}")
    }

    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        every_group(self, self.0.signature.groups.len(), from, to)
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
