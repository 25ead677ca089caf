//! What can go wrong when a term is evaluated.

use std::fmt;

use crate::{StoreFull, Term};

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvalFault {
    /// More steps than the limit; in this function.
    Endless {
        /// Where the evaluation was.
        function: String,
    },
    /// Calls inside calls without end; in this function.
    TooDeep {
        /// Where the evaluation was.
        function: String,
    },
    /// There is no room for another term.
    StoreFull,
    /// A condition that is neither true nor false. It is of sort `Bool`.
    Undecided(Term),
    /// A sum or quantifier that has infinitely many solutions, or none that can be told.
    Unbounded {
        /// The variable.
        var: String,
    },
    /// A sum or quantifier over a sort with so many values that they are not tried one by one.
    TooMany {
        /// The variable.
        var: String,
        /// Its sort.
        sort: String,
    },
    /// A sum or quantifier over a sort that no constructor makes values of: what its values are is not said.
    NoConstructors {
        /// The variable.
        var: String,
        /// Its sort.
        sort: String,
    },
    /// Whoever was given the solutions wants no more of them.
    Stopped,
}

impl fmt::Display for EvalFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Endless { function } => write!(f, "the evaluation of `{function}` does not end"),
            Self::TooDeep { function } => write!(f, "the recursion of `{function}` is too deep"),
            Self::StoreFull => f.write_str("there is no room for more terms"),
            Self::Undecided(_) => f.write_str("a condition is neither true nor false"),
            Self::Unbounded { var } => {
                write!(f, "the sum over `{var}` has infinitely many solutions or cannot be decided")
            }
            Self::TooMany { var, sort } => {
                write!(f, "`{sort}` has too many values to try each of them for `{var}`")
            }
            Self::NoConstructors { var, sort } => {
                write!(f, "the values of `{var}` are not known: `{sort}` has no constructors")
            }
            Self::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for EvalFault {}

impl From<StoreFull> for EvalFault {
    fn from(_: StoreFull) -> Self {
        Self::StoreFull
    }
}

/// An expression that cannot be compiled: it is too large, or has a variable that is not in the places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileError(pub String);

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CompileError {}
