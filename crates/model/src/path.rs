//! Paths: what an engine has found, before anybody knows which steps lead along it.

use crate::Value;

/// States that follow each other, each by a step of the one before: in the slots of the model that the engine
/// was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The states from the initial one on.
    pub states: Vec<Vec<Value>>,
    /// For a run without end, the place of the state that follows the last one: the loop begins there.
    pub loop_from: Option<usize>,
}

impl Path {
    /// A run that ends with the last of these states.
    pub fn run(states: Vec<Vec<Value>>) -> Self {
        Self { states, loop_from: None }
    }
}
