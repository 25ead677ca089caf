//! The signature: names, types and places of everything a model has.

use std::sync::Arc;

use base::{GroupIx, GuardIx, LabelIx, SlotIx, Source, Span, TypeIx};

use crate::{Effect, Type, Value};

/// Names, types and places.
#[derive(Clone, Debug)]
pub struct Signature {
    /// What the model is called: its file, as a rule.
    pub name: String,
    /// The types of slots.
    pub types: Vec<Type>,
    /// The slots of the state vector.
    pub slots: Vec<Slot>,
    /// The transition groups.
    pub groups: Vec<Group>,
    /// The guards.
    pub guards: Vec<Guard>,
    /// The state labels.
    pub labels: Vec<Label>,
    /// The actions that transitions carry.
    pub action: Type,
    /// The actions that must not happen, as the source has it: each says that something failed which no state
    /// shows, such as an assertion in the middle of a step.
    pub alarms: Vec<Value>,
    /// The text that spans point into.
    pub source: Option<Arc<Source>>,
}

/// One slot of the state vector.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Its name, in the words of the source: `P_0.my_place`, `queue[3]`.
    pub name: String,
    /// The type of its values.
    pub ty: TypeIx,
    /// Where it is declared.
    pub span: Option<Span>,
    /// What it is for.
    pub role: SlotRole,
}

/// What a slot is for.
///
/// The slots of a channel that keeps messages bear its name in their roles. One says how many messages there
/// are. Behind it, for each field of a message, follow as many cells as the channel has room, the oldest
/// message first. `chan q = [2] of { mtype, byte }`, say, has the slots
///
/// ```text
/// len(q)          ChannelLength("q")
/// q.0[0] q.0[1]   ChannelField { channel: "q", field: 0 }
/// q.1[0] q.1[1]   ChannelField { channel: "q", field: 1 }
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SlotRole {
    /// A variable, or a cell of an array.
    Variable,
    /// The place where a process stands; the slot bears the process's name.
    Location,
    /// How many messages the channel with this name holds.
    ChannelLength(Arc<str>),
    /// A field of a message that a channel holds, if it holds so many.
    ChannelField {
        /// The name of the channel.
        channel: Arc<str>,
        /// The number of the field, from 0.
        field: usize,
    },
}

/// One transition group.
#[derive(Clone, Debug)]
pub struct Group {
    /// What it does, in a line.
    pub name: String,
    /// The guards that must all be true for it to have a successor.
    pub guards: Vec<GuardIx>,
    /// Where it stands in the source: one place, or several that move together.
    pub spans: Vec<Span>,
    /// What it does, if it does that to each slot by itself and someone found out.
    pub effect: Option<Effect>,
}

/// One guard.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Its text.
    pub name: String,
    /// Where it stands.
    pub span: Option<Span>,
}

/// One state label.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub kind: LabelKind,
    /// Where it stands.
    pub span: Option<Span>,
}

/// What a state label is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LabelKind {
    /// The source asserts that it is never zero.
    Assertion,
    /// A user asks that it is never zero.
    Invariant,
    /// Where it is not zero it is fine to stop: a state without successors is then no deadlock that anybody
    /// minds. A model has one such label at most.
    End,
    /// A value to look at.
    Plain,
}

impl Signature {
    /// The type of a slot.
    pub fn type_of(&self, slot: SlotIx) -> &Type {
        &self.types[self.slots[slot.ix()].ty.ix()]
    }

    /// A slot's value as a person reads it.
    pub fn show(&self, slot: SlotIx, value: Value) -> std::borrow::Cow<'_, str> {
        self.type_of(slot).show(value)
    }

    /// An action as a person reads it.
    pub fn show_action(&self, action: Value) -> std::borrow::Cow<'_, str> {
        self.action.show(action)
    }

    /// All slots.
    pub fn slot_ixs(&self) -> impl DoubleEndedIterator<Item = SlotIx> + ExactSizeIterator + Clone + use<> {
        SlotIx::all(self.slots.len())
    }

    /// All groups.
    pub fn group_ixs(&self) -> impl DoubleEndedIterator<Item = GroupIx> + ExactSizeIterator + Clone + use<> {
        GroupIx::all(self.groups.len())
    }

    /// All guards.
    pub fn guard_ixs(&self) -> impl DoubleEndedIterator<Item = GuardIx> + ExactSizeIterator + Clone + use<> {
        GuardIx::all(self.guards.len())
    }

    /// All labels.
    pub fn label_ixs(&self) -> impl DoubleEndedIterator<Item = LabelIx> + ExactSizeIterator + Clone + use<> {
        LabelIx::all(self.labels.len())
    }

    /// The label that says where it is fine to stop, if there is one.
    pub fn end_label(&self) -> Option<LabelIx> {
        self.label_ixs().find(|label| self.labels[label.ix()].kind == LabelKind::End)
    }

    /// `file:line` of a span.
    pub fn place(&self, span: Span) -> Option<String> {
        self.source.as_ref().map(|source| format!("{}:{}", source.name_at(span), source.position(span).line))
    }
}
