//! What runs commands one by one, each as if it did not go on: the interpreter, or machine code.

use model::{EvalError, Stepper, Successors, Value};

/// What runs commands one by one.
pub(crate) trait Evaluator: Stepper {
    /// Appends the successors by the commands of a list, each with its number for a group, as if they rested:
    /// all that are enabled, or the first one only, as the list says.
    fn list(&mut self, list: u32, from: &[Value], to: &mut Successors) -> Result<(), EvalError>;

    /// The same in place where that pays and only one command of the list can be taken: `cells`, the state
    /// with the scratch behind it, becomes its successor, and the slots that are written are taken out of
    /// `untouched`, if that is not empty. After an error the cells mean nothing.
    fn advance(
        &mut self,
        list: u32,
        cells: &mut [Value],
        untouched: &mut Vec<u64>,
    ) -> Result<Advance, EvalError>;
}

/// How [`Evaluator::advance`] went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Advance {
    /// This command was taken.
    By(u32),
    /// No command of the list is enabled.
    Nowhere,
    /// Nothing was done: [`Evaluator::list`] is to be asked.
    Undone,
}
