//! The frame of a test's model: what signatures, matrices and steppers of small models have in common.

use std::ops::Range;

use base::{GroupIx, GuardIx, LabelIx, TypeIx};
use model::{
    EvalError, EvalErrorKind, Group, Guard, Label, LabelKind, Part, Signature, Slot, SlotRole, Stepper,
    Successors, Truth, Type, Value, every_group, some_groups,
};

/// What a test's model does. Its stepper is a [`BehaviourStepper`] of it.
pub trait Behaviour: Send + Sync {
    /// The signature of the model: its groups and their guards.
    fn signature(&self) -> &Signature;

    /// What a group does where all its guards are true.
    fn update(&self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError>;

    /// What a group does: what its update does, where no guard is false.
    fn group(&self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        if self.is_enabled(group, from)? { self.update(group, from, to) } else { Ok(()) }
    }

    /// What a guard says of a state.
    fn guard(&self, _guard: GuardIx, _from: &[Value]) -> Truth {
        Truth::True
    }

    /// How a guard fails in a state where it is *maybe*.
    fn undefined(&self, _guard: GuardIx, _from: &[Value]) -> EvalError {
        failure()
    }

    /// The value of a label.
    fn label(&self, label: LabelIx, _from: &[Value]) -> Result<Value, EvalError> {
        panic!("there is no label {label}")
    }

    /// What all groups do.
    fn all(&self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        every_group(&mut BehaviourStepper(self), self.signature().groups.len(), from, to)
    }

    /// Whether all guards of a group are true; an error where none is false and one is *maybe*.
    fn is_enabled(&self, group: GroupIx, from: &[Value]) -> Result<bool, EvalError> {
        let guards = &self.signature().groups[group.ix()].guards;
        let truths: Vec<Truth> = guards.iter().map(|&guard| self.guard(guard, from)).collect();
        match truths.iter().position(|&truth| truth == Truth::Maybe) {
            _ if truths.contains(&Truth::False) => Ok(false),
            Some(maybe) => Err(self.undefined(guards[maybe], from)),
            None => Ok(true),
        }
    }
}

/// Runs a test's model.
pub struct BehaviourStepper<'a, B: ?Sized>(pub &'a B);

impl<B: Behaviour + ?Sized> Stepper for BehaviourStepper<'_, B> {
    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
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
        self.0.all(from, to)
    }

    fn some(&mut self, groups: Range<usize>, most: usize, from: &[Value], to: &mut Successors) -> Part {
        some_groups(self, groups, most, from, to)
    }
}

/// An error of the model: a division by zero.
pub fn failure() -> EvalError {
    EvalError { kind: EvalErrorKind::DivisionByZero, span: None }
}

/// A limit of the tool.
pub fn limit() -> EvalError {
    EvalError { kind: EvalErrorKind::Limit("more than 7 cannot be counted".into()), span: None }
}

/// A signature with these types and slots and nothing else.
pub fn signature(
    types: Vec<Type>,
    slots: impl IntoIterator<Item = (impl Into<String>, usize, SlotRole)>,
) -> Signature {
    let slot = |(name, ty, role): (_, usize, SlotRole)| Slot {
        name: Into::into(name),
        ty: TypeIx::new(ty),
        span: None,
        role,
    };
    Signature {
        name: "toy".into(),
        types,
        slots: slots.into_iter().map(slot).collect(),
        groups: Vec::new(),
        guards: Vec::new(),
        labels: Vec::new(),
        action: Type::names("action", Vec::new()),
        alarms: Vec::new(),
        source: None,
    }
}

/// So many variables of one type, called by a letter and their numbers.
pub fn variables(letter: char, count: usize, ty: usize) -> impl Iterator<Item = (String, usize, SlotRole)> {
    (0..count).map(move |at| (format!("{letter}{at}"), ty, SlotRole::Variable))
}

/// A group with these guards.
pub fn group(number: usize, guards: impl IntoIterator<Item = usize>) -> Group {
    let guards = guards.into_iter().map(GuardIx::new).collect();
    Group { name: format!("g{number}"), guards, spans: Vec::new(), effect: None }
}

/// A guard of this name.
pub fn guard(name: impl Into<String>) -> Guard {
    Guard { name: name.into(), span: None }
}

/// A label of this name.
pub fn label(name: impl Into<String>, kind: LabelKind) -> Label {
    Label { name: name.into(), kind, span: None }
}
