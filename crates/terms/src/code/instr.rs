//! Instructions of the machine.

use super::{Compare, Reg, Target, UnitIx};
use crate::SortIx;

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
    /// Jumps if the comparison holds, goes on if it does not; `stuck` is a place in [`super::Unit::stuck`].
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
