//! Sequential components: processes of `.`, `+`, `sum`, conditions and calls.
//!
//! `calls` refuses processes without a linear form. `nodes` numbers equal terms alike, `steps` finds what a
//! term can do first, and `component` follows the steps from place to place.

mod calls;
mod component;
mod nodes;
mod steps;

use std::collections::HashMap;

use terms::{Expr, VarIx};

use crate::ProcessTerm;

pub(crate) use calls::Calls;
pub(crate) use component::{Component, component};
pub(crate) use nodes::Nodes;
pub(crate) use steps::check_together;

/// A sequential component.
#[derive(Debug)]
pub(crate) struct Root {
    /// What it does.
    pub(crate) term: ProcessTerm,
    /// The values of variables in it.
    pub(crate) values: HashMap<VarIx, Expr>,
}
