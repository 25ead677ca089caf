//! The tree of a Promela text: what was written once macros and inlines are expanded, names not yet looked
//! up.

mod operators;

use base::Span;
use logic::ltl::Word;

pub use operators::{BinaryOp, UnaryOp};

/// A whole model, its units in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    /// What stands at the outermost level.
    pub units: Vec<Unit>,
}

/// A name and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// What can stand at the outermost level.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a model has few units")]
pub enum Unit {
    /// `mtype = { … }` or `mtype:set = { … }`.
    Mtype(MtypeDecl),
    /// `typedef`.
    Typedef(Typedef),
    /// Variables that all processes share.
    Global(Declaration),
    /// `proctype`, active or not, and `init`.
    Process(Process),
    /// `never`.
    Never(Never),
    /// `ltl`.
    Ltl(Ltl),
    /// `trace` or `notrace`.
    Trace(Trace),
}

/// Symbolic constants.
#[derive(Clone, Debug)]
pub struct MtypeDecl {
    /// The name of the set, for `mtype:set`.
    pub set: Option<Name>,
    /// The constants, in the order of the text.
    pub names: Vec<Name>,
}

/// A type of records.
#[derive(Clone, Debug)]
pub struct Typedef {
    /// Its name.
    pub name: Name,
    /// Its fields.
    pub fields: Vec<Declaration>,
}

/// Several variables of one type, as one declaration names them.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// `hidden`, `show`, `local`, or nothing.
    pub visibility: Visibility,
    /// Their type.
    pub ty: TypeName,
    /// The variables.
    pub variables: Vec<Variable>,
    /// Where it stands.
    pub span: Span,
}

/// What is said of a variable before its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// Nothing.
    Plain,
    /// `hidden`: no part of the state.
    Hidden,
    /// `show`: a remark for simulations.
    Show,
    /// `local`: a remark for reductions.
    Local,
}

/// A type by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeName {
    /// `bit`, 0 and 1.
    Bit,
    /// `bool`, 0 and 1.
    Bool,
    /// `byte`, 0 to 255.
    Byte,
    /// `pid`, 0 to 255.
    Pid,
    /// `short`, 16 bits with sign.
    Short,
    /// `int`, 32 bits with sign.
    Int,
    /// `unsigned`; the width stands with the variable.
    Unsigned,
    /// `chan`.
    Chan,
    /// `mtype`, or `mtype:set`.
    Mtype(Option<Name>),
    /// A type of records.
    User(Name),
}

/// A variable that is declared.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// The number of bits, for `unsigned x : n`.
    pub width: Option<Expr>,
    /// The number of cells of an array.
    pub length: Option<Expr>,
    /// What it starts with.
    pub initial: Option<Initial>,
}

/// What a variable starts with.
#[derive(Clone, Debug)]
pub enum Initial {
    /// `= expression`: every cell of an array starts so.
    Value(Expr),
    /// `= { e, e, … }`.
    Cells(Vec<Expr>),
    /// `= [capacity] of { type, … }`: every cell of an array is a channel of its own.
    Channel {
        /// How many messages it holds; zero for rendezvous.
        capacity: Expr,
        /// The types of the fields of a message.
        fields: Vec<TypeName>,
    },
}

/// A process type, `init` included.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name; `init` is called `:init:`, as Spin does.
    pub name: Name,
    /// Whether it is `init`.
    pub is_init: bool,
    /// How many instances run from the start: `active [n]`; `None` if it is not active. `init` is active
    /// once.
    pub active: Option<Option<Expr>>,
    /// Whether it was written `D_proctype`.
    pub deterministic: bool,
    /// The parameters.
    pub parameters: Vec<Declaration>,
    /// `priority n`.
    pub priority: Option<Expr>,
    /// `provided (e)`.
    pub provided: Option<Expr>,
    /// What it does.
    pub body: Sequence,
    /// Where its closing brace stands.
    pub end: Span,
}

/// `never { … }`.
#[derive(Clone, Debug)]
pub struct Never {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// What it does.
    pub body: Sequence,
    /// Where it stands.
    pub span: Span,
}

/// `ltl name { … }`, as words.
#[derive(Clone, Debug)]
pub struct Ltl {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// The formula as it reads after expansion. `[]`, `<>`, `<->`, `/\\` and `\\/` are one word each.
    pub words: Vec<Word>,
    /// Where the formula stands.
    pub span: Span,
}

/// `trace { … }` or `notrace { … }`.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Whether it says what must not happen.
    pub negated: bool,
    /// What it does.
    pub body: Sequence,
    /// Where it stands.
    pub span: Span,
}

/// Statements one after the other.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// The statements.
    pub statements: Vec<Statement>,
}

/// A statement with its labels.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The labels that stand before it.
    pub labels: Vec<Name>,
    /// What it is.
    pub kind: StatementKind,
    /// Where it stands: the user's own text, not an expansion.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// A declaration of local variables.
    Declare(Declaration),
    /// `xr q, …` or `xs q, …`.
    Exclusive {
        /// `xr` if true, `xs` if false.
        receive: bool,
        /// The channels.
        channels: Vec<Reference>,
    },
    /// An expression as a statement: it waits until it is true. `skip` is the constant 1; `run` may stand in
    /// it.
    Condition(Expr),
    /// `x = e`; `x++` and `x--` are written out as `x = x + 1` and `x = x - 1`.
    Assign(Reference, Expr),
    /// `q!e, …`, or `q!!e, …` if sorted.
    Send {
        /// The channel.
        channel: Reference,
        /// The fields.
        fields: Vec<Expr>,
        /// `!!`.
        sorted: bool,
    },
    /// `q?x, …` and its relatives.
    Receive {
        /// The channel.
        channel: Reference,
        /// The fields.
        fields: Vec<Pattern>,
        /// `??`: the first message that fits, wherever it is.
        random: bool,
        /// `?<…>`: the message stays.
        peek: bool,
    },
    /// `if :: … fi`.
    If(Vec<Sequence>),
    /// `do :: … od`.
    Do(Vec<Sequence>),
    /// `for (x : from .. to) { … }`.
    For {
        /// The counter.
        counter: Reference,
        /// The first value.
        from: Expr,
        /// The last value.
        to: Expr,
        /// What is done for each.
        body: Sequence,
    },
    /// `for (x in a) { … }`: `x` takes the indices of an array, or each message of a channel.
    ForIn {
        /// The counter.
        counter: Reference,
        /// The array or channel.
        collection: Reference,
        /// What is done for each.
        body: Sequence,
    },
    /// `select (x : from .. to)`.
    Select {
        /// The variable.
        counter: Reference,
        /// The least value.
        from: Expr,
        /// The greatest value.
        to: Expr,
    },
    /// `atomic { … }`.
    Atomic(Sequence),
    /// `d_step { … }`.
    DStep(Sequence),
    /// `{ … }`. What an `inline` stands for is a block too.
    Block(Sequence),
    /// `main unless escape`.
    Unless(Box<Statement>, Box<Statement>),
    /// `goto`.
    Goto(Name),
    /// `break`.
    Break,
    /// `else`.
    Else,
    /// `assert(e)`.
    Assert(Expr),
    /// `printf("…", e, …)`.
    Print(String, Vec<Expr>),
    /// `printm(e)`.
    PrintMtype(Expr),
}

/// A field of a receive.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// A variable takes the value; a name of an `mtype` constant must be equal, which shows when names are
    /// looked up.
    Name(Reference),
    /// A number, `-1`, `true`, … must be equal.
    Constant(Expr),
    /// `eval(e)` must be equal.
    Eval(Expr),
}

/// A variable, a cell, a field: `a[i].b`.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The name, as `_` for the variable that forgets.
    pub name: Name,
    /// Which cell.
    pub index: Option<Box<Expr>>,
    /// A field of it.
    pub field: Option<Box<Reference>>,
    /// Where all of it stands.
    pub span: Span,
}

/// An expression.
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
    /// A number, a character, `true`, `false`, `skip`.
    Number(i64),
    /// A variable, an `mtype` constant, or one of `_pid`, `_last`, `_nr_pr`, `_priority`.
    Name(Reference),
    /// `-e`, `~e`, `!e`.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `run P(e, …)`.
    Run {
        /// The process type.
        process: Name,
        /// The arguments.
        arguments: Vec<Expr>,
        /// `priority n`.
        priority: Option<Box<Expr>>,
    },
    /// `len(q)` and the like.
    Channel(ChannelTest, Box<Reference>),
    /// `q?[…]` or `q??[…]`: whether such a receive could be taken.
    Poll {
        /// The channel.
        channel: Box<Reference>,
        /// The fields.
        fields: Vec<Pattern>,
        /// `??`.
        random: bool,
    },
    /// `enabled(p)`.
    Enabled(Box<Expr>),
    /// `pc_value(p)`.
    PcValue(Box<Expr>),
    /// `get_priority(p)`.
    GetPriority(Box<Expr>),
    /// `set_priority(p, n)`.
    SetPriority(Box<Expr>, Box<Expr>),
    /// `timeout`.
    Timeout,
    /// `np_`.
    NonProgress,
    /// `P[i]@label`.
    RemoteLabel {
        /// The process type.
        process: Name,
        /// Which process.
        pid: Option<Box<Expr>>,
        /// The label.
        label: Name,
    },
    /// `P[i]:x`.
    RemoteVariable {
        /// The process type.
        process: Name,
        /// Which process.
        pid: Option<Box<Expr>>,
        /// The variable.
        variable: Box<Reference>,
    },
}

/// What is asked of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ChannelTest {
    Len,
    Empty,
    Full,
    Nempty,
    Nfull,
}
