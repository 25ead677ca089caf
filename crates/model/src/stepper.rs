//! The running part of a model, and observers of its steps.

use std::ops::Range;
use std::sync::Arc;

use base::{GroupIx, GuardIx, LabelIx};

use crate::{EvalError, Successor, Successors, Value};

/// What a guard says of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// The group has no successor.
    False,
    /// The guard cannot be evaluated here. Allowed only where another guard of the group is false (definition
    /// 4.5, item 3): `i < 3 && a[i] > 0` splits into two guards, the second meaningless for `i = 3`.
    Maybe,
    /// This guard does not disable the group.
    True,
}

/// Says whether whoever asks a stepper does not want to wait any longer: a search is over its time, say. It
/// is given the bytes that the model holds by now ([`Model::bytes`](crate::Model::bytes)).
pub type StopSignal = Arc<dyn Fn(u64) -> bool + Send + Sync>;

/// The running part of a model.
///
/// No method has a default, so that a stepper over another one cannot forget to pass one on: what is left out
/// does not compile. [`every_group`] and [`some_groups`] serve where there is no better way.
///
/// Every method appends to `to` and leaves what is there. When it answers `Err`, `to` is as before, but for
/// one case: a group that a layer made of several fails where one of them does, and [`Stepper::group`] and
/// [`Stepper::update`] append the successors by the others nonetheless. They are steps of the model like all
/// others.
pub trait Stepper: Send {
    /// NEXT-STATEᵢ: the successors of `from` through one group.
    ///
    /// The group is disabled where a guard is false, whatever the other guards say; it is an
    /// evaluation error where none is false and one is *maybe*.
    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError>;

    /// NEXT-UPDATEᵢ (definition 4.13): the same for a state where every guard of the group is true.
    /// Only the slots of the group's update row matter.
    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError>;

    /// What a guard says of a state. An evaluation error in the guard is [`Truth::Maybe`].
    fn guard(&mut self, guard: GuardIx, from: &[Value]) -> Truth;

    /// The value of a state label.
    fn label(&mut self, label: LabelIx, from: &[Value]) -> Result<Value, EvalError>;

    /// The successors of `from` through every group, in any order that is the same each time.
    /// Where a group fails the answer is its error, and `to` is as before.
    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError>;

    /// From now on a call that takes long asks the signal many times a second. Where it says yes the call
    /// fails with [`EvalErrorKind::Interrupted`](crate::EvalErrorKind::Interrupted). The default is for
    /// models whose calls are short. A layer passes the signal on.
    fn heed(&mut self, _stop: &StopSignal) {}

    /// The successors of `from` through some groups, asked one after the other until `most` or more were
    /// appended. An engine calls it that cannot take the successors of all groups at once, and has too many
    /// groups to ask for each.
    fn some(&mut self, groups: Range<usize>, most: usize, from: &[Value], to: &mut Successors) -> Part;
}

/// How far [`Stepper::some`] came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The first group that was not asked.
    pub next: usize,
    /// A group failed. The others were asked nonetheless.
    pub has_failed: bool,
}

/// [`Stepper::some`] for a stepper that has no better way: asks group by group.
pub fn some_groups<S: Stepper + ?Sized>(
    stepper: &mut S,
    groups: Range<usize>,
    most: usize,
    from: &[Value],
    to: &mut Successors,
) -> Part {
    let (before, mut part) = (to.len(), Part { next: groups.end, has_failed: false });
    for group in groups {
        part.has_failed |= stepper.group(GroupIx::new(group), from, to).is_err();
        if to.len() - before >= most {
            part.next = group + 1;
            break;
        }
    }
    part
}

/// [`Stepper::all`] for a stepper that has no better way: asks group by group.
pub fn every_group<S: Stepper + ?Sized>(
    stepper: &mut S,
    groups: usize,
    from: &[Value],
    to: &mut Successors,
) -> Result<(), EvalError> {
    let before = to.len();
    for group in GroupIx::all(groups) {
        if let Err(error) = stepper.group(group, from, to) {
            to.truncate(before);
            return Err(error);
        }
    }
    Ok(())
}

/// Sees every transition of a search, once.
pub trait Observer {
    /// A transition from a state.
    fn transition(&mut self, from: &[Value], to: Successor<'_>);
}

/// The observer that looks away.
impl Observer for () {
    fn transition(&mut self, _from: &[Value], _to: Successor<'_>) {}
}
