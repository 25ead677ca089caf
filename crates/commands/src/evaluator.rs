//! What runs commands one by one, each as if it did not go on: the interpreter, or machine code.

use model::{EvalError, Stepper, Successors, Value};

/// What runs commands one by one.
pub(crate) trait Evaluator: Stepper {
    /// Appends the successors by the commands of a list, each with its number for a group, as if they rested:
    /// all that are enabled, or the first one only, as the list says.
    fn list(&mut self, list: u32, from: &[Value], to: &mut Successors) -> Result<(), EvalError>;
}
