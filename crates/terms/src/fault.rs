//! What can go wrong when a term is evaluated.

use std::fmt;

use crate::{StoreFull, Term};

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvalFault {
    /// More steps than were allowed, where an evaluation is only tried; in this function.
    TooLong {
        /// Where the evaluation was.
        function: String,
    },
    /// Whoever asked does not want to wait any longer.
    Interrupted,
    /// Calls inside calls without end, or more of them than there is room for; in this function.
    TooDeep {
        /// Where the evaluation was.
        function: String,
    },
    /// There is no room for another term.
    StoreFull,
    /// A number with too many bits to compute with.
    NumberTooLarge {
        /// A number may have so many.
        most_bits: u64,
    },
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
    /// A sum or quantifier over numbers between bounds that are so far apart that not all are tried.
    TooManyTried {
        /// The variable.
        var: String,
        /// So many are.
        most: u64,
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

impl EvalFault {
    /// Whether it is a limit of this crate: the equations may well say what the answer is. Of a condition
    /// that is [neither true nor false](Self::Undecided) [`Data::could_reduce`](crate::Data::could_reduce)
    /// tells.
    pub fn is_limit(&self) -> bool {
        match self {
            Self::TooLong { .. }
            | Self::Interrupted
            | Self::TooDeep { .. }
            | Self::StoreFull
            | Self::NumberTooLarge { .. }
            | Self::Unbounded { .. }
            | Self::TooMany { .. }
            | Self::TooManyTried { .. }
            | Self::NoConstructors { .. } => true,
            Self::Undecided(_) | Self::Stopped => false,
        }
    }
}

impl fmt::Display for EvalFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { function } => write!(f, "the evaluation of `{function}` takes too many steps"),
            Self::Interrupted => f.write_str("the evaluation takes long and was interrupted"),
            Self::TooDeep { function } => write!(f, "the recursion of `{function}` is too deep"),
            Self::StoreFull => f.write_str("there is no room for more terms"),
            Self::NumberTooLarge { most_bits } => write!(f, "a number has more than {most_bits} bits"),
            Self::Undecided(_) => f.write_str("a condition is neither true nor false"),
            Self::Unbounded { var } => {
                write!(f, "the sum over `{var}` has infinitely many solutions, or they cannot be found")
            }
            Self::TooMany { var, sort } => {
                write!(f, "`{sort}` has too many values to try each of them for `{var}`")
            }
            Self::TooManyTried { var, most } => {
                write!(f, "more than {most} values are between the bounds of `{var}`")
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
