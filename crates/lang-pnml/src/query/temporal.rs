//! Formulas of CTL*, of which CTL and LTL are parts.

use model::Predicate;

/// A formula of CTL*: about states and about paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Temporal {
    /// About a state alone.
    State(Predicate),
    /// Not so.
    Not(Box<Temporal>),
    /// All of them.
    All(Vec<Temporal>),
    /// One of them at least.
    Any(Vec<Temporal>),
    /// Of some path from here.
    Exists(Box<Temporal>),
    /// Of every path from here.
    Forall(Box<Temporal>),
    /// In the next state of the path.
    Next(Box<Temporal>),
    /// In some state of the path.
    Finally(Box<Temporal>),
    /// In all states of the path.
    Globally(Box<Temporal>),
    /// The second in some state of the path, and the first in all before it.
    Until(Box<Temporal>, Box<Temporal>),
}

impl Temporal {
    /// What holds where it does not.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }
}
