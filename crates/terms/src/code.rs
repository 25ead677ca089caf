//! Instructions of the machine.
//!
//! A unit is the code of one function, lambda or expression. Its registers are a window of one stack; the
//! arguments of a call are the last registers of the caller and the first of the callee, so nothing is
//! copied. Targets are positions in the unit.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::{Expr, FunIx, Op, SortIx, Sum, VarIx};

/// A register of a unit.
pub(crate) type Reg = u16;
/// A position in a unit; while it is being made, a label.
pub(crate) type Target = u32;
/// A unit, by its number.
pub(crate) type UnitIx = u32;

/// How two terms are compared. Sets are ordered in part only, so what is not less need not be greater or
/// equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Compare {
    Equal,
    NotEqual,
    Less,
    NotLess,
    LessEqual,
    NotLessEqual,
}

impl Compare {
    /// The comparison that a function makes, and whether its arguments change places.
    pub(crate) fn of(op: Op) -> Option<(Self, bool)> {
        Some(match op {
            Op::Equal => (Self::Equal, false),
            Op::NotEqual => (Self::NotEqual, false),
            Op::Less => (Self::Less, false),
            Op::LessEqual => (Self::LessEqual, false),
            Op::Greater => (Self::Less, true),
            Op::GreaterEqual => (Self::LessEqual, true),
            _ => return None,
        })
    }

    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::NotLess,
            Self::NotLess => Self::Less,
            Self::LessEqual => Self::NotLessEqual,
            Self::NotLessEqual => Self::LessEqual,
        }
    }

    /// The answer for two terms that are no nodes.
    #[inline(always)]
    pub(crate) fn small(self, one: u32, other: u32) -> bool {
        let (one, other) = (one as i32, other as i32);
        match self {
            Self::Equal => one == other,
            Self::NotEqual => one != other,
            Self::Less => one < other,
            Self::NotLess => one >= other,
            Self::LessEqual => one <= other,
            Self::NotLessEqual => one > other,
        }
    }
}

/// One instruction. Where nothing else is said it goes on with the next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Instr {
    Const {
        to: Reg,
        term: u32,
    },
    Move {
        to: Reg,
        from: Reg,
    },
    Jump {
        to: Target,
    },
    /// Calls a unit whose arguments are the registers from `at`.
    Call {
        to: Reg,
        at: Reg,
        unit: UnitIx,
    },
    /// The same in place of this unit.
    TailCall {
        at: Reg,
        count: Reg,
        unit: UnitIx,
    },
    /// Calls a function value.
    Apply {
        to: Reg,
        function: Reg,
        at: Reg,
        count: Reg,
    },
    Return {
        from: Reg,
    },
    Answer {
        term: u32,
    },
    /// A node of a function of the specification.
    Make {
        to: Reg,
        at: Reg,
        count: Reg,
        function: u32,
    },
    Cons {
        to: Reg,
        head: Reg,
        tail: Reg,
    },
    /// The head or the tail of a list.
    Uncons {
        to: Reg,
        from: Reg,
        tail: bool,
        instance: u32,
    },
    /// A part of a node that is known to have it.
    Part {
        to: Reg,
        from: Reg,
        at: Reg,
    },
    /// The argument of a constructor, if `from` is made by it; otherwise by the function's own table.
    Project {
        to: Reg,
        from: Reg,
        at: Reg,
        constructor: u32,
        function: u32,
    },
    Recognise {
        to: Reg,
        from: Reg,
        position: Reg,
        function: u32,
    },

    /// Goes on by the constructor.
    Switch {
        from: Reg,
        table: u32,
    },
    SwitchList {
        from: Reg,
        nil: Target,
        cons: Target,
        other: Target,
    },
    UnlessTerm {
        from: Reg,
        term: u32,
        no: Target,
    },
    UnlessSame {
        one: Reg,
        other: Reg,
        no: Target,
    },
    /// Unless it is a number of this sort.
    UnlessNumber {
        from: Reg,
        sort: SortIx,
        no: Target,
    },
    /// Unless it is a node with this head, whatever the marks.
    UnlessHead {
        from: Reg,
        head: u32,
        no: Target,
    },

    /// Jumps if the truth value is `want`, goes on if it is the other.
    When {
        from: Reg,
        want: bool,
        yes: Target,
        stuck: Target,
    },
    /// Jumps if the comparison holds, goes on if it does not; `stuck` is a place in [`Unit::stuck`].
    WhenCompared {
        compare: Compare,
        one: Reg,
        other: Reg,
        sort: u16,
        stuck: u16,
        yes: Target,
    },
    /// The same with a term.
    WhenComparedTo {
        compare: Compare,
        one: Reg,
        sort: u16,
        stuck: u16,
        term: u32,
        yes: Target,
    },
    /// A conditional whose condition did not reduce, as a whole.
    Slow {
        to: Reg,
        site: u32,
    },
    /// A condition that did not reduce by jumps, as a whole.
    SlowWhen {
        site: u32,
        yes: Target,
        no: Target,
    },

    Plus {
        to: Reg,
        one: Reg,
        other: Reg,
        instance: u32,
    },
    PlusTerm {
        to: Reg,
        one: Reg,
        term: u32,
        instance: u32,
    },
    Minus {
        to: Reg,
        one: Reg,
        other: Reg,
        instance: u32,
    },
    MinusTerm {
        to: Reg,
        one: Reg,
        term: u32,
        instance: u32,
    },
    Times {
        to: Reg,
        one: Reg,
        other: Reg,
        instance: u32,
    },
    /// A number as one of a smaller sort: an integer that is at least `least`.
    Cast {
        to: Reg,
        from: Reg,
        least: Reg,
        instance: u32,
    },
    /// A comparison as a value.
    Compared {
        to: Reg,
        one: Reg,
        other: Reg,
        compare: Compare,
        instance: u32,
    },
    /// `&&`, `||` or `=>` of a first that did not decide and a second.
    Join {
        to: Reg,
        one: Reg,
        other: Reg,
        instance: u32,
    },
    /// `!`.
    Not {
        to: Reg,
        from: Reg,
        instance: u32,
    },
    /// A built-in function of one argument.
    Op1 {
        to: Reg,
        one: Reg,
        instance: u32,
    },
    /// Of two.
    Op2 {
        to: Reg,
        one: Reg,
        other: Reg,
        instance: u32,
    },
    /// Of any number.
    Ops {
        to: Reg,
        at: Reg,
        count: Reg,
        instance: u32,
    },

    /// A function value and arguments that do not reduce; `open` is false where more arguments may make it
    /// reduce.
    MakeApply {
        to: Reg,
        function: Reg,
        at: Reg,
        count: Reg,
        open: bool,
    },
    /// A lambda: the values from outside are in registers from `at`.
    Closure {
        to: Reg,
        at: Reg,
        site: u32,
    },
    /// A quantifier, likewise.
    Quantify {
        to: Reg,
        at: Reg,
        site: u32,
    },
    /// A set or bag given by a function.
    By {
        to: Reg,
        from: Reg,
        bag: bool,
    },
}

/// The machine reads one of these at every step: no more than two words.
const _: () = assert!(size_of::<Instr>() == 16);

/// Where to go on, by the position of the constructor; the last is for all others and for what is not made by
/// one.
pub(crate) type Table = Box<[Target]>;

/// The code of one function, lambda or expression.
#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) code: Box<[Instr]>,
    pub(crate) tables: Box<[Table]>,
    /// Where comparisons go on that could not be decided.
    pub(crate) stuck: Box<[Target]>,
    /// How many registers it needs.
    pub(crate) registers: u32,
    /// Whose code it is.
    pub(crate) function: Option<FunIx>,
}

/// A built-in function for particular sorts.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) op: Op,
    pub(crate) arguments: Box<[SortIx]>,
    pub(crate) result: SortIx,
    /// The unit of the equations that a specification has for it, or `u32::MAX`.
    pub(crate) rules: AtomicU32,
}

impl Instance {
    /// The unit of the equations that a specification has for it.
    #[inline]
    pub(crate) fn own_rules(&self) -> Option<UnitIx> {
        Some(self.rules.load(Relaxed)).filter(|&unit| unit != u32::MAX)
    }
}

/// `lambda`: a unit whose arguments are the values from outside and then its own.
#[derive(Debug)]
pub(crate) struct ClosureSite {
    pub(crate) unit: UnitIx,
    pub(crate) outside: Box<[VarIx]>,
    pub(crate) vars: Box<[VarIx]>,
    pub(crate) body: Expr,
    /// The arguments for which it is true, made when they are asked for.
    pub(crate) sum: OnceLock<Option<Sum>>,
}

/// Something that is compiled when it is needed.
#[derive(Debug)]
pub(crate) struct SlowSite {
    pub(crate) expr: Expr,
    /// The variables and their registers.
    pub(crate) vars: Box<[(VarIx, Reg)]>,
    pub(crate) unit: OnceLock<UnitIx>,
}
