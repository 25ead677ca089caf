//! Guards and groups, ready to run.

use base::Span;
use model::Value;
use terms::{Code, Sum};

/// A guard, ready to run.
pub(crate) struct GuardCode {
    pub(crate) code: Code,
    /// The slots it looks at.
    pub(crate) slots: Vec<usize>,
    pub(crate) groups: Vec<usize>,
}

/// A group, ready to run.
pub(crate) struct GroupCode {
    /// Its guards, those that look at little first.
    pub(crate) guards: Vec<usize>,
    pub(crate) sum: Option<SumCode>,
    pub(crate) label: LabelCode,
    pub(crate) writes: Vec<(usize, Write)>,
    pub(crate) span: Option<Span>,
}

/// A sum, ready to run.
pub(crate) struct SumCode {
    pub(crate) code: Sum,
    /// The slots that its conditions look at.
    pub(crate) slots: Vec<usize>,
    /// How many variables it has. Their values stand behind the slots.
    pub(crate) variables: usize,
}

/// How the label of a transition is made.
pub(crate) enum LabelCode {
    Constant(Value),
    Whole(Code),
    /// The same action is there twice: arguments are computed, equal actions put in order by their arguments,
    /// and then made a label.
    Sorted {
        arguments: Vec<Code>,
        /// Where runs of equal actions begin among the arguments, how many arguments each has, and how many
        /// there are.
        runs: Vec<(usize, usize, usize)>,
        label: Code,
    },
}

/// What a slot becomes.
pub(crate) enum Write {
    Constant(Value),
    Copy(usize),
    Compute(Code),
}

/// What a guard says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum GuardAnswer {
    No,
    Yes,
    /// It does not reduce, or evaluation failed.
    Unknown,
}
