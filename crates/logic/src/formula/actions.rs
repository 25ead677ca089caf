//! Sets of actions, and regular sets of sequences of actions.

/// A set of actions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Actions {
    /// Those whose name matches the pattern, in which `*` stands for anything.
    Matching(String),
    /// Those that are not in the set.
    Not(Box<Actions>),
    /// Those that are in each of the sets; every action for none.
    All(Vec<Actions>),
    /// Those that are in one of the sets; no action for none.
    Any(Vec<Actions>),
}

/// A set of sequences of steps, as a regular expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Regular {
    /// One step with one of these actions.
    Step(Actions),
    /// One after the other; no step at all for none.
    Sequence(Vec<Regular>),
    /// One of them; no sequence at all for none.
    Choice(Vec<Regular>),
    /// Any number of times, or not at all.
    Star(Box<Regular>),
}

impl Actions {
    /// Every action.
    pub fn every() -> Self {
        Self::All(Vec::new())
    }
}
