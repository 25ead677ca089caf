//! The language itself: programs, commands, expressions. Plain data.

mod display;
mod expr;

use std::sync::Arc;

pub use self::expr::{At, BinaryOp, Expr, Place, Table, UnaryOp};
use base::{Source, Span, TypeIx};
use model::{EvalErrorKind, LabelKind, Mover, Passing, SlotRole, Type};

/// A variable of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VarIx(pub u32);

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// What it is called.
    pub name: String,
    /// The types of variables.
    pub types: Vec<Type>,
    /// The variables, in the order of their slots.
    pub variables: Vec<Variable>,
    /// The commands: one transition group each, but for inner ones, which stand behind all others.
    pub commands: Vec<Command>,
    /// Functions of the state.
    pub labels: Vec<LabelDef>,
    /// The text that spans point into.
    pub source: Option<Arc<Source>>,
}

/// A variable or an array.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name in the words of the source: `P_0.my_place`.
    pub name: String,
    /// The type of its values.
    pub ty: TypeIx,
    /// How many cells an array has; `None` for a single value.
    pub length: Option<usize>,
    /// The initial values; what is missing is zero.
    pub initial: Vec<i32>,
    /// What happens to a value that does not fit.
    pub overflow: Overflow,
    /// A scratch variable lives during one command only and is no part of the state.
    pub scratch: bool,
    /// What it is for.
    pub role: SlotRole,
    /// Where it is declared.
    pub span: Option<Span>,
}

/// What happens when a value is assigned that the variable's type does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overflow {
    /// It is a run-time error of the model.
    Error,
    /// It is taken modulo the size of the type.
    Wrap,
}

/// A guarded command.
#[derive(Clone, Debug, Default)]
pub struct Command {
    /// What it does, in a line.
    pub name: String,
    /// The action that its transitions carry.
    pub action: String,
    /// Conditions that must all be true. A conjunction counts as its parts.
    pub guards: Vec<Expr>,
    /// What it does when they are.
    pub effect: Effect,
    /// Where it stands: one place, or several that move together.
    pub spans: Vec<Span>,
    /// Whether what it reaches is a state.
    pub then: Then,
    /// It is there for [`Then`] alone: no group of the model, never tried in a state of its own accord. All
    /// such commands stand behind all others, so that group `g` is command `g`.
    pub inner: bool,
    /// What it does must not go unseen: the first such command on a path gives the whole path its action.
    pub alarm: bool,
    /// Who moves: for traces alone.
    pub movers: Vec<Mover>,
    /// The message that it passes, if it does: for traces alone.
    pub message: Option<MessageDef>,
}

/// A message that a command passes, its values not yet known.
#[derive(Clone, Debug)]
pub struct MessageDef {
    /// The name of the channel.
    pub channel: String,
    /// What is done with it.
    pub passing: Passing,
    /// Its fields: their types, and their values in the state before the command.
    pub fields: Vec<(TypeIx, Expr)>,
}

/// Whether what a command reaches is a state, or how it goes on if not.
///
/// A group is a command and all that can follow it. Its successors are the ends of the paths that begin with
/// the command, one for each path: two paths to the same state are two successors. Their group is that of the
/// first command. Their action is that of the first command on the path that is an [alarm](Command::alarm),
/// or else that of the first command.
///
/// A path that comes back to where it has been, in the same state with the same commands to try, has no end
/// and no successor. So a group whose guards are true has a successor or an error, but for the case that all
/// its paths run in circles.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Then {
    /// What the command reaches is a state.
    #[default]
    Rest,
    /// What it reaches is no state: these commands, numbers in [`Program::commands`], are tried there, and
    /// all that are enabled are taken, each on a path of its own. Where none is enabled it is a state after
    /// all.
    All(Vec<u32>),
    /// The same, but only the first enabled one of them is taken. It is a run-time error of the model if none
    /// is ([`EvalErrorKind::Blocked`]), and if it goes on so for ever ([`EvalErrorKind::Endless`]).
    First(Vec<u32>),
}

impl Then {
    /// The commands that can be next.
    pub fn next(&self) -> &[u32] {
        match self {
            Self::Rest => &[],
            Self::All(next) | Self::First(next) => next,
        }
    }
}

/// What a command does.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Steps, one after the other; each sees what the ones before it did.
    Steps(Vec<Step>),
    /// It is a run-time error to be enabled.
    Fail(EvalErrorKind, At),
}

/// It does nothing.
impl Default for Effect {
    fn default() -> Self {
        Self::Steps(Vec::new())
    }
}

/// Assignments that happen at once: all values and indices are computed first. Two to the same place: the
/// last counts.
pub type Step = Vec<Assign>;

/// An assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assign {
    /// Where to.
    pub target: Place,
    /// What.
    pub value: Expr,
    /// Where it stands.
    pub at: At,
}

/// A function of the state.
#[derive(Clone, Debug)]
pub struct LabelDef {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub kind: LabelKind,
    /// Its value.
    pub value: Expr,
    /// Where it stands.
    pub span: Option<Span>,
}

impl Assign {
    /// The assignment of a value to a place.
    pub fn new(target: Place, value: Expr) -> Self {
        Self { target, value, at: At(None) }
    }
}
