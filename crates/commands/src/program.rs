//! The language itself: programs, commands, expressions. Plain data.

use std::sync::Arc;

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
    pub message: Option<Letter>,
}

/// A message that a command passes, its values not yet known.
#[derive(Clone, Debug)]
pub struct Letter {
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

/// A variable, or a cell of an array.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The variable.
    pub variable: VarIx,
    /// Which cell, for an array.
    pub index: Option<Box<Expr>>,
    /// Where it stands.
    pub at: At,
}

/// A place in the source that does not count when expressions are compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct At(pub Option<Span>);

impl PartialEq for At {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for At {}

impl std::hash::Hash for At {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

/// An expression. Truth is a number: zero is false, all others are true, operators answer 0 or 1.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A constant.
    Constant(i64),
    /// The value of a variable or a cell.
    Read(Place),
    /// One operand.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands, both computed.
    Binary(BinaryOp, Box<Expr>, Box<Expr>, At),
    /// The second operand is computed only if the first is true.
    And(Box<Expr>, Box<Expr>),
    /// The second operand is computed only if the first is false.
    Or(Box<Expr>, Box<Expr>),
    /// The second operand if the first is true, else the third; the other one is not computed.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Whether a command with these guards is disabled: one of them is false, whatever the others say.
    Disabled(Vec<Expr>),
    /// A cell of a constant array.
    Table {
        /// The array.
        table: Arc<Table>,
        /// Which cell.
        index: Box<Expr>,
        /// Where it stands.
        at: At,
    },
    /// The value modulo the size of the range, in the range.
    Wrap {
        /// The least value of the range.
        lo: i64,
        /// The greatest value of the range.
        hi: i64,
        /// The value.
        value: Box<Expr>,
    },
}

/// A constant array. One without cells has no value whatever the index is, and its name says why.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its cells.
    pub cells: Vec<i64>,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `~`
    BitNot,
    /// `not`
    Not,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
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

impl Expr {
    /// Two operands.
    pub fn binary(op: BinaryOp, left: Self, right: Self) -> Self {
        Self::Binary(op, Box::new(left), Box::new(right), At(None))
    }

    /// Both.
    pub fn and(self, other: Self) -> Self {
        Self::And(Box::new(self), Box::new(other))
    }

    /// One of both.
    pub fn or(self, other: Self) -> Self {
        Self::Or(Box::new(self), Box::new(other))
    }

    /// One of two, by a condition.
    pub fn choice(condition: Self, then: Self, otherwise: Self) -> Self {
        Self::If(Box::new(condition), Box::new(then), Box::new(otherwise))
    }

    /// True where this is false.
    #[expect(
        clippy::should_implement_trait,
        reason = "it is the operator of the modelled language, not of Rust"
    )]
    pub fn not(self) -> Self {
        Self::Unary(UnaryOp::Not, Box::new(self))
    }

    /// The value of a single variable.
    pub fn variable(variable: VarIx) -> Self {
        Self::Read(Place::single(variable))
    }

    /// Calls `visit` on every place that is read, indices' places included.
    pub fn for_each_read<'a>(&'a self, visit: &mut impl FnMut(&'a Place)) {
        match self {
            Self::Constant(_) => {}
            Self::Read(place) => {
                if let Some(index) = &place.index {
                    index.for_each_read(visit);
                }
                visit(place);
            }
            Self::Unary(_, operand)
            | Self::Wrap { value: operand, .. }
            | Self::Table { index: operand, .. } => {
                operand.for_each_read(visit);
            }
            Self::Disabled(guards) => guards.iter().for_each(|guard| guard.for_each_read(visit)),
            Self::If(condition, then, otherwise) => {
                condition.for_each_read(visit);
                then.for_each_read(visit);
                otherwise.for_each_read(visit);
            }
            Self::Binary(_, left, right, _) | Self::And(left, right) | Self::Or(left, right) => {
                left.for_each_read(visit);
                right.for_each_read(visit);
            }
        }
    }

    /// The parts of a conjunction, from left to right.
    pub fn conjuncts(self) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut rest = vec![self];
        while let Some(expr) = rest.pop() {
            match expr {
                Self::And(left, right) => {
                    rest.push(*right);
                    rest.push(*left);
                }
                part => parts.push(part),
            }
        }
        parts
    }
}

impl Place {
    /// A single variable.
    pub fn single(variable: VarIx) -> Self {
        Self { variable, index: None, at: At(None) }
    }

    /// A cell of an array.
    pub fn cell(variable: VarIx, index: Expr) -> Self {
        Self { variable, index: Some(Box::new(index)), at: At(None) }
    }
}

impl Assign {
    /// The assignment of a value to a place.
    pub fn new(target: Place, value: Expr) -> Self {
        Self { target, value, at: At(None) }
    }
}

impl BinaryOp {
    /// Whether it answers 0 or 1, always.
    pub fn is_comparison(self) -> bool {
        matches!(self, Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge)
    }

    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Mod => "%",
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::BitXor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        }
    }
}
