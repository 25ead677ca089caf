//! Variables, expressions and statements with their names looked up: variables are numbers, records are taken
//! apart into their fields, statements are what a process does in one step.

use base::Span;

use crate::ast::{BinaryOp, ChannelTest, UnaryOp};

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ValueType {
    /// So many bits without sign.
    Unsigned(u8),
    /// So many bits with sign.
    Signed(u8),
    /// 0 or 1, shown as a truth.
    Bool,
    /// The constant of a set, as a byte.
    Mtype(usize),
    /// A channel, as a byte.
    Channel,
}

impl ValueType {
    /// The least and the greatest value.
    pub fn range(self) -> (i32, i32) {
        match self {
            Self::Unsigned(bits) => (0, ((1i64 << bits.min(31)) - 1) as i32),
            Self::Signed(32) => (i32::MIN, i32::MAX),
            Self::Signed(bits) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            Self::Bool => (0, 1),
            Self::Mtype(_) | Self::Channel => (0, 255),
        }
    }
}

/// A variable: a scalar, or cells in one or more dimensions (those of the records around it first).
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// Its name in the words of the source: `a.b`.
    pub name: String,
    /// What its cells hold.
    pub ty: ValueType,
    /// How many cells there are in each dimension; none for a scalar.
    pub dimensions: Vec<usize>,
    /// What the cells start with.
    pub initial: Initial,
    /// `hidden`, or a variable that only takes values.
    pub hidden: bool,
    /// Where it is declared.
    pub span: Span,
}

impl Variable {
    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.dimensions.iter().product()
    }
}

/// What the cells of a variable start with.
#[derive(Clone, Debug)]
pub(crate) enum Initial {
    /// Zero.
    Zero,
    /// All with the same value, computed when the process starts.
    All(Expr),
    /// One value for each of the first cells.
    Cells(Vec<Expr>),
    /// A channel for each cell.
    Channel(ChannelShape),
}

/// What channels are like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ChannelShape {
    /// How many messages it holds.
    pub capacity: usize,
    /// The types of the fields, records taken apart.
    pub fields: Vec<ValueType>,
}

/// Where a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Scope {
    /// Shared by all.
    Global,
    /// Of the process that moves.
    Own,
}

/// A variable or a cell of it.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Whose it is.
    pub scope: Scope,
    /// Its number among those.
    pub variable: usize,
    /// An index for each dimension.
    pub indices: Vec<Expr>,
    /// Where it stands.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) enum Expr {
    Number(i64),
    Read(Place),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>, Span),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The number of the process that moves.
    Pid,
    /// The number of the process that a `run` beside it starts.
    Started,
    /// How many processes there are.
    Processes,
    /// The process that moved last.
    Last,
    /// Whether nothing else can move.
    Timeout,
    /// Whether no process is at a progress label.
    NonProgress,
    Channel(ChannelTest, Place),
    Poll {
        channel: Place,
        fields: Vec<Pattern>,
        random: bool,
    },
    Enabled(Box<Expr>),
    PcValue(Box<Expr>),
    /// The priority of a process.
    Priority(Box<Expr>),
    RemoteLabel {
        process: usize,
        pid: Option<Box<Expr>>,
        label: String,
    },
    RemoteVariable {
        process: usize,
        pid: Option<Box<Expr>>,
        variable: String,
        indices: Vec<Expr>,
        span: Span,
    },
}

/// A field of a receive.
#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    /// It takes the value.
    Into(Place),
    /// The value must be equal.
    Equal(Expr),
    /// Anything, and it is forgotten.
    Any,
}

/// What a process does in one step.
#[derive(Clone, Debug)]
pub(crate) enum Basic {
    /// Nothing: `skip`, a `goto` that is a step.
    Skip,
    /// Nothing but a line of text that a simulation would show.
    Print,
    /// It waits for the expression.
    Condition(Expr),
    /// Whether nothing else can be done here.
    Else,
    Assign(Place, Expr),
    Assert(Expr),
    Send {
        channel: Place,
        fields: Vec<Expr>,
        sorted: bool,
    },
    Receive {
        channel: Place,
        fields: Vec<Pattern>,
        random: bool,
        peek: bool,
    },
    /// A process is started; a value made of its number goes into the place.
    Run {
        process: usize,
        arguments: Vec<Expr>,
        priority: Expr,
        into: Option<(Place, Expr)>,
    },
    /// A process gets another priority.
    Prioritise {
        pid: Expr,
        priority: Expr,
    },
    /// The process ends.
    End,
}

impl Expr {
    /// Whether it asks for `timeout`.
    pub fn asks_for_timeout(&self) -> bool {
        match self {
            Self::Timeout => true,
            Self::Unary(_, operand) => operand.asks_for_timeout(),
            Self::Binary(_, left, right, _) => left.asks_for_timeout() || right.asks_for_timeout(),
            Self::Conditional(c, a, b) => {
                c.asks_for_timeout() || a.asks_for_timeout() || b.asks_for_timeout()
            }
            _ => false,
        }
    }
}
