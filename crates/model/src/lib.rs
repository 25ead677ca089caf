//! PINS, the partitioned next-state interface: what a language gives and what an engine takes.
//!
//! A state is a vector of N slots. The transition relation is a union of K groups, →₁ … →ₖ. Matrices
//! say which slots each group reads and writes, and guards say when a group is enabled. Blom, van de
//! Pol & Weber, "Bridging the gap between enumerative and symbolic model checkers", 2009; Meijer,
//! "Improving reachability analysis in LTSmin", 2014, whose definitions are the contract of
//! [`Dependencies`] and of guards.
//!
//! A *short* call is a long call: to ask for the successors of a projected state an engine writes the
//! projected values over any vector. A group looks only at the slots it reads, so the others do not matter.

mod dependencies;
mod effect;
mod error;
mod inside;
mod predicate;
mod signature;
mod successors;
mod types;

use std::ops::Range;

use base::{GroupIx, GuardIx, LabelIx, SlotIx};

pub use dependencies::{Access, Dependencies};
pub use effect::{Change, Effect, Rule};
pub use error::{EvalError, EvalErrorKind};
pub use inside::{Inside, Message, Mover, Passing, StatementNumber};
pub use predicate::{Linear, Predicate};
pub use signature::{Group, Guard, Label, LabelKind, Signature, Slot, SlotRole};
pub use successors::{Head, Spare, Successor, Successors};
pub use types::{Domain, ShowValues, Type};

/// The content of a slot. What it means is up to the slot's [`Type`].
pub type Value = u32;

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

/// A model: the four things an engine can know without running it.
pub trait Model: Send + Sync {
    /// Slots and their types, groups, guards, labels, where each stands in the source.
    fn signature(&self) -> &Signature;
    /// The matrices.
    fn dependencies(&self) -> &Dependencies;
    /// The initial state.
    fn initial(&self) -> &[Value];
    /// The means to run it; one per worker, all mutable scratch lives there.
    fn stepper(&self) -> Box<dyn Stepper + '_>;

    /// Whether some state, whose slots hold values of their types, may make the group fail. Saying so of one
    /// that never does is always allowed. Who has an [`Effect`] never fails.
    fn may_fail(&self, group: GroupIx) -> bool {
        self.signature().groups[group.ix()].effect.is_none()
    }

    /// Whether the group has a successor wherever all its guards are true, or fails there. Where a condition
    /// chooses values that guards do not know, as in a sum of process algebra, it need not. Of a group
    /// without guards nothing is said.
    fn guards_suffice(&self, _group: GroupIx) -> bool {
        true
    }

    /// Whether a call takes as long as many operations on sets of states, as where terms are rewritten.
    /// Engines then do more to save calls.
    fn has_slow_calls(&self) -> bool {
        false
    }

    /// The predicate that says where a state label is not zero, over the slots of this model, if its build is
    /// known. Such a label never fails.
    fn label_predicate(&self, _label: LabelIx) -> Option<Predicate> {
        None
    }

    /// Bytes that the model holds and that become more while it runs: the terms that its values are made of,
    /// say.
    fn bytes(&self) -> u64 {
        0
    }

    /// What happens inside a step of a group: a path from the state to the successor with that action, of one
    /// where the step is one. `None` for a model that does not know, and where there is no such step. A layer
    /// answers for its own states and groups.
    fn unfold(&self, _from: &[Value], _group: GroupIx, _action: Value, _to: &[Value]) -> Option<Vec<Inside>> {
        None
    }

    /// Makes machine code of the model for some calls, if it can. Steppers that are asked for after that run
    /// it, and do the same as before. To ask again changes nothing. A layer has nothing to compile: ask the
    /// model before it is wrapped.
    fn compile(&self, _calls: Calls) -> Compiled {
        Compiled::Nothing
    }
}

/// The calls of a stepper that an engine lives by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// [`Stepper::all`] and [`Stepper::label`]: explicit search.
    States,
    /// [`Stepper::group`], [`Stepper::update`], [`Stepper::guard`] and [`Stepper::label`]: symbolic search.
    Groups,
}

/// What became of the wish for machine code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Compiled {
    /// Steppers run machine code from now on.
    Done {
        /// How many bytes of it there are.
        code_bytes: usize,
    },
    /// There is nothing to compile: this kind of model runs as fast as it can.
    Nothing,
    /// It cannot be compiled, and is interpreted as before. Why: "it has more than 100000 commands".
    Refused(String),
}

/// The running part of a model.
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

    /// The successors of `from` through some groups, asked one after the other until `most` or more were
    /// appended: for who cannot take all of them at once, and has too many groups to ask for each.
    fn some(&mut self, groups: Range<usize>, most: usize, from: &[Value], to: &mut Successors) -> Part {
        let (before, mut part) = (to.len(), Part { next: groups.end, has_failed: false });
        for group in groups {
            part.has_failed |= self.group(GroupIx::new(group), from, to).is_err();
            if to.len() - before >= most {
                part.next = group + 1;
                break;
            }
        }
        part
    }
}

/// How far [`Stepper::some`] came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The first group that was not asked.
    pub next: usize,
    /// A group failed. The others were asked nonetheless.
    pub has_failed: bool,
}

/// The default for [`Stepper::all`]: asks group by group.
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

/// A function of the state that is not part of the model: an invariant, say.
pub trait StateFunction: Send + Sync {
    /// The slots it looks at.
    fn reads(&self) -> &[SlotIx];
    /// Its value.
    fn value(&self, state: &[Value]) -> Result<Value, EvalError>;

    /// The predicate that says where its value is not zero, if its build is known. It never fails then.
    fn predicate(&self) -> Option<&Predicate> {
        None
    }
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
