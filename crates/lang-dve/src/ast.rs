//! The tree of a DVE text: what was written, names not yet looked up.

use base::Span;
use logic::Formula;

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Variables, constants and channels that all processes share.
    pub declarations: Vec<Declaration>,
    /// Processes, templates of processes and their instances.
    pub items: Vec<Item>,
    /// Whether all processes move together: `system sync`.
    pub synchronous: bool,
    /// The process named behind `property` in the `system` line.
    pub property: Option<Name>,
}

/// A name and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// What a declaration declares.
#[derive(Clone, Debug)]
pub enum Declaration {
    /// A variable, array or constant.
    Variable(VariableDecl),
    /// A channel.
    Channel(ChannelDecl),
}

/// The two types of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BasicType {
    /// 0 to 255.
    Byte,
    /// -32768 to 32767.
    Int,
}

/// A variable, array or constant.
#[derive(Clone, Debug)]
pub struct VariableDecl {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: BasicType,
    /// `const`, or `input`, which is a constant with a default.
    pub constant: bool,
    /// The number of cells of an array.
    pub length: Option<Expr>,
    /// Initial values.
    pub initial: Option<Initial>,
}

/// Initial values.
#[derive(Clone, Debug)]
pub enum Initial {
    /// Of a single variable.
    Single(Expr),
    /// Of an array.
    List(Vec<Expr>, Span),
}

/// A channel.
#[derive(Clone, Debug)]
pub struct ChannelDecl {
    /// Its name.
    pub name: Name,
    /// The types of its items; `None` for a channel without types.
    pub types: Option<Vec<BasicType>>,
    /// How many messages it holds; none for a rendezvous.
    pub capacity: Option<Expr>,
}

/// What can stand between the declarations and `system`.
#[derive(Clone, Debug)]
pub enum Item {
    /// A process, or a template where it has parameters.
    Process(Process),
    /// An instance of a template.
    Instance(Name, Vec<Expr>),
    /// Instances for every value of a name: `for (x : 1 .. 3) { … }`.
    For(Name, Expr, Expr, Vec<Item>),
    /// A named expression.
    Expression(Name, Expr),
    /// A formula of linear temporal logic.
    Ltl(Name, Formula),
}

/// A process.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name.
    pub name: Name,
    /// Whether it is an automaton for a property, not a part of the system.
    pub is_property: bool,
    /// The parameters of a template.
    pub parameters: Vec<Parameter>,
    /// Its own variables, constants and channels.
    pub declarations: Vec<Declaration>,
    /// Its states.
    pub states: Vec<Name>,
    /// Its initial state.
    pub init: Option<Name>,
    /// Its committed states.
    pub committed: Vec<Name>,
    /// Its acceptance condition.
    pub accept: Option<Acceptance>,
    /// What it asserts in a state.
    pub assertions: Vec<(Name, Expr)>,
    /// Its transitions.
    pub transitions: Vec<Transition>,
}

/// A parameter of a template.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Name,
    /// Whether instances are told apart by it.
    pub key: bool,
}

/// An acceptance condition.
#[derive(Clone, Debug)]
pub struct Acceptance {
    /// Büchi, generalised Büchi, Muller, Rabin or Streett.
    pub kind: AcceptanceKind,
    /// The sets of states: one for Büchi; pairs, first and second in turn, for Rabin and Streett.
    pub sets: Vec<Vec<Name>>,
}

/// The kinds of acceptance conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum AcceptanceKind {
    Buchi,
    GeneralisedBuchi,
    Muller,
    Rabin,
    Streett,
}

/// A transition of a process.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The state it leaves.
    pub from: Name,
    /// The state it reaches.
    pub to: Name,
    /// When it may be taken.
    pub guards: Vec<Expr>,
    /// With whom.
    pub sync: Option<Sync>,
    /// What it does, one after the other.
    pub effects: Vec<Effect>,
    /// Where it stands.
    pub span: Span,
}

/// `sync channel ! values` or `sync channel ? places`.
#[derive(Clone, Debug)]
pub struct Sync {
    /// The process whose channel it is, if it is not in sight.
    pub process: Option<Name>,
    /// The channel.
    pub channel: Name,
    /// Whether it sends.
    pub sends: bool,
    /// The values, or the places for them.
    pub items: Vec<Expr>,
    /// Where it stands.
    pub span: Span,
}

/// An assignment.
#[derive(Clone, Debug)]
pub struct Effect {
    /// Where to.
    pub target: Expr,
    /// What.
    pub value: Expr,
}

/// An expression and where it stands.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number.
    Number(i64),
    /// A variable, constant or parameter.
    Name(String),
    /// A cell of an array.
    Cell(String, Box<Expr>),
    /// Whether a process is in a state.
    At(ProcessRef, Name),
    /// A variable of another process, or a cell.
    Foreign(ProcessRef, Name, Option<Box<Expr>>),
    /// A named expression.
    Call(String),
    /// One operand.
    Unary(commands::UnaryOp, Box<Expr>),
    /// Two operands.
    Binary(commands::BinaryOp, Box<Expr>, Box<Expr>),
    /// Both, the second only if the first is true.
    And(Box<Expr>, Box<Expr>),
    /// One of both, the second only if the first is false.
    Or(Box<Expr>, Box<Expr>),
    /// The second, if the first.
    Imply(Box<Expr>, Box<Expr>),
    /// What could not be read; a message tells of it.
    Broken,
}

/// A process, or an instance of a template: `a(1)`.
#[derive(Clone, Debug)]
pub struct ProcessRef {
    /// The name.
    pub name: Name,
    /// The values of its key parameters.
    pub keys: Vec<Expr>,
}
