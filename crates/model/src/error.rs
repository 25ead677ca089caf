//! What can go wrong when a model runs: an error of the model, or a limit of the tool.
//!
//! The two lead to different verdicts. An error is what the *model* does: it violates the property that asks
//! for none. A limit is where the *tool* cannot go on: what follows the state is not known, so nothing holds,
//! and nothing is violated by it. [`EvalError::is_limit`] tells them apart.

use base::Span;

/// Why a group, a guard or a label has no answer in a state, and where in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvalError {
    /// What happened.
    pub kind: EvalErrorKind,
    /// At which expression.
    pub span: Option<Span>,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvalErrorKind {
    /// `/` or `%` by zero.
    DivisionByZero,
    /// A shift by a negative amount or by more than the bits there are.
    ShiftAmount(i64),
    /// An array index outside the array.
    IndexOutOfRange {
        /// The array.
        array: String,
        /// The index.
        index: i64,
        /// How many cells the array has.
        length: usize,
    },
    /// A value that the variable it is assigned to cannot hold.
    ValueOutOfRange {
        /// The variable.
        variable: String,
        /// The value.
        value: i64,
        /// The least value it can hold.
        lo: i64,
        /// The greatest value it can hold.
        hi: i64,
    },
    /// Two processes that move together assign the same variable.
    WriteConflict {
        /// The variable.
        variable: String,
    },
    /// A sequence that may not wait has come to a point where nothing is enabled.
    Blocked,
    /// A sequence that runs as one step goes round for ever.
    Endless,
    /// A process is started that the state has no slots for.
    TooManyProcesses {
        /// Its type.
        process: String,
        /// The number that it would have.
        pid: usize,
    },
    /// Anything else a language may want to say.
    Other(String),
    /// The tool cannot go on here, though the model may do nothing wrong: a number that it cannot hold, steps
    /// that it does not take. What was met, with the size of the limit.
    Limit(String),
    /// Whoever asked did not want to wait any longer: see [`Stepper::heed`](crate::Stepper::heed).
    Interrupted,
}

impl std::fmt::Display for EvalErrorKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::DivisionByZero => write!(f, "division by zero"),
            Self::ShiftAmount(amount) => write!(f, "shift by {amount} bits"),
            Self::IndexOutOfRange { array, index, length } => {
                write!(f, "index {index} is outside `{array}`, which has {length} cells")
            }
            Self::ValueOutOfRange { variable, value, lo, hi } => {
                write!(f, "value {value} does not fit `{variable}`, which holds {lo} to {hi}")
            }
            Self::WriteConflict { variable } => write!(f, "two processes assign `{variable}` in one step"),
            Self::Blocked => write!(f, "a d_step is blocked in the middle"),
            Self::Endless => write!(f, "a d_step does not end"),
            Self::TooManyProcesses { process, pid } => {
                write!(
                    f,
                    "process {pid} of type `{process}` was not foreseen: more processes run than were found beforehand"
                )
            }
            Self::Other(message) | Self::Limit(message) => write!(f, "{message}"),
            Self::Interrupted => write!(f, "the evaluation takes long and was interrupted"),
        }
    }
}

impl EvalErrorKind {
    /// Whether it is a limit of the tool, and no error of the model.
    pub fn is_limit(&self) -> bool {
        match self {
            Self::DivisionByZero
            | Self::ShiftAmount(_)
            | Self::IndexOutOfRange { .. }
            | Self::ValueOutOfRange { .. }
            | Self::WriteConflict { .. }
            | Self::Blocked
            | Self::Endless
            | Self::Other(_) => false,
            Self::TooManyProcesses { .. } | Self::Limit(_) | Self::Interrupted => true,
        }
    }
}

impl EvalError {
    /// Whether it is a limit of the tool, and no error of the model.
    pub fn is_limit(&self) -> bool {
        self.kind.is_limit()
    }

    /// What to tell of a group that is made of several, of which these are two: the first failure, but an
    /// error of the model goes before a limit.
    pub fn of_both(one: Result<(), Self>, other: Result<(), Self>) -> Result<(), Self> {
        match (&one, &other) {
            (Err(first), Err(second)) if first.is_limit() && !second.is_limit() => other,
            _ => one.and(other),
        }
    }
}

impl std::fmt::Display for EvalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.kind.fmt(f)
    }
}

impl std::error::Error for EvalError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the model does, and what the tool cannot do. A new kind is to be put on one of the two sides.
    #[test]
    fn each_kind_is_an_error_of_the_model_or_a_limit_of_the_tool() {
        use EvalErrorKind::*;
        let (array, variable, process) = (String::new, String::new, String::new);
        let errors = [
            DivisionByZero,
            ShiftAmount(99),
            IndexOutOfRange { array: array(), index: 3, length: 3 },
            ValueOutOfRange { variable: variable(), value: 256, lo: 0, hi: 255 },
            WriteConflict { variable: variable() },
            Blocked,
            Endless,
            Other("what the language says of a model".into()),
        ];
        let limits = [
            TooManyProcesses { process: process(), pid: 9 },
            Limit("more than can be kept".into()),
            Interrupted,
        ];
        let kinds = errors.iter().map(|kind| (kind, false)).chain(limits.iter().map(|kind| (kind, true)));
        let mut seen = [false; 11];
        for (kind, is_limit) in kinds {
            let number = match kind {
                DivisionByZero => 0,
                ShiftAmount(_) => 1,
                IndexOutOfRange { .. } => 2,
                ValueOutOfRange { .. } => 3,
                WriteConflict { .. } => 4,
                Blocked => 5,
                Endless => 6,
                Other(_) => 7,
                TooManyProcesses { .. } => 8,
                Limit(_) => 9,
                Interrupted => 10,
            };
            seen[number] = true;
            assert_eq!(kind.is_limit(), is_limit, "{kind:?}");
        }
        assert_eq!(seen, [true; 11]);
    }
}
