//! Code: what equations and expressions are compiled to.
//!
//! A [`Unit`] is the code of one function, lambda or expression: a row of [`Instr`]uctions that work on
//! registers. The registers of a unit are a window of one stack. The arguments of a call are the last
//! registers of the caller and the first ones of the callee, so nothing is copied. Targets of jumps are
//! positions in the unit.
//!
//! A [`Sum`] is a row of steps that give its variables values. What is compiled only when it is met has a
//! site: a lambda, a quantifier, the slow path of a conditional.

mod compare;
mod immediate;
mod instr;
mod sum;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::{Expr, FunIx, Op, SortIx, VarIx};

pub(crate) use compare::Compare;
pub(crate) use immediate::Immediate;
pub(crate) use instr::Instr;
pub use sum::Sum;
pub(crate) use sum::{RangeBound, Selector, Step, SumVar};

/// A register of a unit.
pub(crate) type Reg = u16;
/// A position in a unit; while it is being made, a label.
pub(crate) type Target = u32;
/// A unit, by its number.
pub(crate) type UnitIx = u32;

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

/// An expression compiled for environments of one places.
#[derive(Clone, Debug)]
pub struct Code {
    pub(crate) unit: UnitIx,
    /// Which places of the environment are its arguments.
    pub(crate) loads: Box<[u32]>,
    /// The sort of what it comes to.
    pub sort: SortIx,
    /// What it is, where that is very little.
    pub(crate) immediate: Immediate,
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

/// A quantifier: looks for values that make the body true, or for `forall` those that make it false.
#[derive(Debug)]
pub(crate) struct QuantifierSite {
    pub(crate) forall: bool,
    pub(crate) sum: Sum,
    pub(crate) outside: Box<[VarIx]>,
    pub(crate) vars: Box<[VarIx]>,
    pub(crate) body: Expr,
}
