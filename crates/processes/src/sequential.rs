//! SEQ

mod calls;
mod component;
mod nodes;
mod steps;

use std::collections::HashMap;

use terms::{Expr, VarIx};

use crate::Term;

pub(crate) use calls::Calls;
pub(crate) use component::{Component, component};
pub(crate) use nodes::Nodes;
pub(crate) use steps::check_together;

/// A sequential component.
#[derive(Debug)]
pub(crate) struct Root {
    /// What it does.
    pub(crate) term: Term,
    /// The values of variables in it.
    pub(crate) values: HashMap<VarIx, Expr>,
}
