//! Formulas over the states and actions of a model: one tree for LTL, CTL, CTL* and the µ-calculus.
//!
//! A language of properties is a parser into this tree. Which logic a formula belongs to is recognised from
//! its form ([`Formula::fragment`]) and never asked of a user: an invariant written in CTL is an invariant.
//!
//! | operator | means, of a run or of a state |
//! |---|---|
//! | `X f` | f holds of the run from its second state on; there is a second state |
//! | `F f`, `G f` | f holds of some rest of the run; of every rest |
//! | `f U g` | g holds of some rest, and f of every rest before that one |
//! | `f W g` | `(f U g) or G f` |
//! | `f R g` | g holds up to and including the first rest of which f holds, or of every rest |
//! | `f M g` | `(f R g) and F f` |
//! | `A f`, `E f` | f holds of every run from the state, of some run from it |
//! | `[r] f`, `<r> f` | f holds after every sequence of steps that matches r, after some such sequence |
//! | `mu X. f`, `nu X. f` | the smallest and the greatest set X of states that is the set where f holds |

mod actions;
mod fragment;
mod show;

use base::{LabelIx, Span};
use model::Predicate;

pub use actions::{Actions, Regular};
pub use fragment::{Fragment, Reachability};

/// A formula: about a state, about a run, or about both.
///
/// ```
/// use logic::{Atom, Formula, Fragment};
///
/// let busy = Formula::Atom(Atom::text("busy"));
/// let again = Formula::globally(Formula::finally(busy.clone().negated()));
/// assert_eq!(again.to_string(), "G F !{busy}");
/// assert_eq!(again.fragment(), Some(Fragment::Ltl));
/// let safe = Formula::all_paths(Formula::globally(busy));
/// assert_eq!(safe.fragment(), Some(Fragment::Reachability));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    /// The smallest formula.
    Atom(Atom),
    /// Not so.
    Not(Box<Formula>),
    /// All of them; true of none.
    All(Vec<Formula>),
    /// One of them at least; false of none.
    Any(Vec<Formula>),
    /// Both or neither. As conjunctions it would be twice as large.
    Iff(Box<Formula>, Box<Formula>),
    /// `X`
    Next(Box<Formula>),
    /// `F`
    Finally(Box<Formula>),
    /// `G`
    Globally(Box<Formula>),
    /// `U`
    Until(Box<Formula>, Box<Formula>),
    /// `W`
    WeakUntil(Box<Formula>, Box<Formula>),
    /// `R`
    Release(Box<Formula>, Box<Formula>),
    /// `M`
    StrongRelease(Box<Formula>, Box<Formula>),
    /// `A` and `E`; of the runs all of whose steps are among these actions, where some are named.
    Paths(Quantifier, Option<Actions>, Box<Formula>),
    /// `[r]` and `<r>`
    After(Quantifier, Regular, Box<Formula>),
    /// `mu X.` and `nu X.`
    Fixpoint(Fixpoint, String, Box<Formula>),
    /// The variable of a fixpoint around it.
    Variable(String),
}

/// What a formula says without operators.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Atom {
    /// The slots of a state satisfy comparisons of sums.
    Linear(Predicate),
    /// The state label is not zero.
    Label(LabelIx),
    /// One of these actions can happen in a state.
    Enabled(Actions),
    /// The next step of a run is one of these actions.
    Action(Actions),
    /// An expression over a state, as it was written: its names are not looked up yet.
    Text(String, Option<Span>),
}

/// Every one, or some one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// `A` of runs, `[ ]` of steps.
    Every,
    /// `E` of runs, `< >` of steps.
    Some,
}

/// Which solution of an equation is meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fixpoint {
    /// The smallest set: `mu`.
    Least,
    /// The greatest set: `nu`.
    Greatest,
}

impl Atom {
    /// An expression that comes from no file.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into(), None)
    }
}

impl Formula {
    /// `true` or `false`.
    pub fn constant(truth: bool) -> Self {
        if truth { Self::All(Vec::new()) } else { Self::Any(Vec::new()) }
    }

    /// What holds where it does not.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }

    /// `self -> other`
    #[must_use]
    pub fn implies(self, other: Self) -> Self {
        Self::Any(vec![self.negated(), other])
    }

    /// `X f`
    pub fn next(inner: Self) -> Self {
        Self::Next(Box::new(inner))
    }

    /// `F f`
    pub fn finally(inner: Self) -> Self {
        Self::Finally(Box::new(inner))
    }

    /// `G f`
    pub fn globally(inner: Self) -> Self {
        Self::Globally(Box::new(inner))
    }

    /// `f U g`
    pub fn until(before: Self, reached: Self) -> Self {
        Self::Until(Box::new(before), Box::new(reached))
    }

    /// `A f`
    pub fn all_paths(inner: Self) -> Self {
        Self::Paths(Quantifier::Every, None, Box::new(inner))
    }

    /// `E f`
    pub fn some_path(inner: Self) -> Self {
        Self::Paths(Quantifier::Some, None, Box::new(inner))
    }

    /// The formulas that its operator is applied to.
    pub fn operands(&self) -> Vec<&Self> {
        match self {
            Self::Atom(_) | Self::Variable(_) => Vec::new(),
            Self::All(parts) | Self::Any(parts) => parts.iter().collect(),
            Self::Not(inner)
            | Self::Next(inner)
            | Self::Finally(inner)
            | Self::Globally(inner)
            | Self::Paths(_, _, inner)
            | Self::After(_, _, inner)
            | Self::Fixpoint(_, _, inner) => vec![inner],
            Self::Iff(left, right)
            | Self::Until(left, right)
            | Self::WeakUntil(left, right)
            | Self::Release(left, right)
            | Self::StrongRelease(left, right) => vec![left, right],
        }
    }
}
