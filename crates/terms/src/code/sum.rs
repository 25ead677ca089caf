//! Sums, compiled: the steps in which their variables are given values.

use super::Code;
use crate::{FunIx, SortIx};

/// `sum x1, …, xn . conditions`, compiled.
#[derive(Debug)]
pub struct Sum {
    pub(crate) steps: Box<[Step]>,
    /// How long an environment must be.
    pub(crate) len: usize,
}

/// A variable of a sum.
#[derive(Clone, Debug)]
pub(crate) struct SumVar {
    /// Where its value stands in the environment.
    pub(crate) place: usize,
    pub(crate) sort: SortIx,
    pub(crate) name: String,
}

/// A way into a term: of a constructor the argument at a position, or of a list its head (0) or tail (1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Selector {
    Argument(FunIx, usize),
    List(usize),
}

/// A variable is at most, or at least, the value of an expression; less or greater if `strict`.
#[derive(Debug)]
pub(crate) struct RangeBound {
    pub(crate) value: Code,
    pub(crate) upper: bool,
    pub(crate) strict: bool,
}

/// What is done next.
#[derive(Debug)]
pub(crate) enum Step {
    /// Goes on if this holds.
    Filter(Code),
    /// One value.
    Point { var: SumVar, value: Code, inside: Vec<Selector> },
    /// The elements of a list or set.
    Elements { var: SumVar, of: Code },
    /// The integers between bounds.
    Range { var: SumVar, bounds: Vec<RangeBound> },
    /// All values of a finite sort.
    All { var: SumVar },
    /// What is left.
    Search { vars: Vec<SumVar>, conditions: Vec<Code> },
}

impl Sum {
    /// Whether values are tried that may turn out to be no solutions.
    pub fn is_searched(&self) -> bool {
        let several = |step: &Step| {
            matches!(
                step,
                Step::Elements { .. } | Step::Range { .. } | Step::All { .. } | Step::Search { .. }
            )
        };
        let first = self.steps.iter().position(several).unwrap_or(self.steps.len());
        self.steps[first..].iter().any(|step| matches!(step, Step::Filter(_) | Step::Search { .. }))
    }
}
