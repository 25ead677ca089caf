//! A whole model with its names looked up: shared variables, process types with their graphs, `mtype` sets.

use base::Span;

use crate::flow::Graph;
use crate::resolved::{Expr, Variable};

/// A whole model.
#[derive(Debug, Default)]
pub(crate) struct Program {
    /// Variables that all processes share.
    pub globals: Vec<Variable>,
    /// The process types, in the order of the text.
    pub types: Vec<ProcessType>,
    /// The constants of `mtype` sets by value, value 0 first.
    pub mtypes: Vec<MtypeSet>,
    /// A message that is sent to a full channel is lost.
    pub message_loss: bool,
    /// What the text makes use of.
    pub features: Features,
}

/// What costs something only where the text speaks of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Features {
    /// `_last`.
    pub last: bool,
    /// Priorities, in any way.
    pub priorities: bool,
    /// `enabled`.
    pub enabled: bool,
}

/// The names of an `mtype` set: the constant with value `v` is `names[v - 1]`.
#[derive(Debug)]
pub(crate) struct MtypeSet {
    /// The name after the colon; empty for plain `mtype`.
    pub set: String,
    /// The constants by value, from 1.
    pub names: Vec<String>,
}

/// A process type.
#[derive(Debug)]
pub(crate) struct ProcessType {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub span: Span,
    /// How many instances run from the start.
    pub active: usize,
    /// The parameters: these locals, in this order.
    pub parameters: usize,
    /// Parameters and local variables.
    pub locals: Vec<Variable>,
    /// It moves only while this holds.
    pub provided: Option<Expr>,
    /// The priority of instances that run from the start.
    pub priority: i64,
    /// It promises never to have a choice.
    pub deterministic: bool,
    /// Where it can stand and what it can do there.
    pub graph: Graph,
    /// The number of its first element among those of all types, where it is known.
    pub first_number: Option<u32>,
}
