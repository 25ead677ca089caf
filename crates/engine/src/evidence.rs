//! Evidence: what shows a verdict, first as an engine finds it ([`Path`](crate::Path)), then replayed in the
//! words of the source ([`Evidence`]).

use base::GroupIx;
use model::{EvalError, Inside, Value};

/// What shows that a property holds or is violated. It was replayed on the model without layers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// A run to a state or a step.
    Run(Run),
    /// A run without end: a stem and a loop.
    Lasso {
        /// The stem, and one round of the loop; its last state is the one at which the loop begins.
        run: Run,
        /// After so many steps the loop begins.
        loop_from: usize,
    },
}

impl Evidence {
    /// The run; of a lasso the stem with one round of the loop.
    pub fn run(&self) -> &Run {
        match self {
            Self::Run(run) | Self::Lasso { run, .. } => run,
        }
    }

    /// The same, kept.
    pub fn into_run(self) -> Run {
        match self {
            Self::Run(run) | Self::Lasso { run, .. } => run,
        }
    }

    /// After how many steps the loop begins, if there is one.
    pub fn loop_from(&self) -> Option<usize> {
        match self {
            Self::Run(_) => None,
            Self::Lasso { loop_from, .. } => Some(*loop_from),
        }
    }
}

/// A run of the source model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The initial state.
    pub initial: Vec<Value>,
    /// The steps.
    pub steps: Vec<Step>,
    /// What the run shows.
    pub ending: Ending,
}

/// One step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The group that moved.
    pub group: GroupIx,
    /// The action.
    pub action: Value,
    /// The state after it.
    pub state: Vec<Value>,
    /// What happened inside it, as far as the model tells; empty where it tells nothing.
    pub inside: Vec<Inside>,
}

/// What a run shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The last state has no successor.
    Deadlock,
    /// The last state makes the label zero.
    Label,
    /// The loop goes on for ever.
    Loop,
    /// The last step is the action.
    Action,
    /// The last state makes the model fail: in a group, or in a label.
    Error {
        /// How.
        error: EvalError,
        /// In which group, if in one.
        group: Option<GroupIx>,
    },
}

impl Run {
    /// The last state.
    pub fn last(&self) -> &[Value] {
        self.steps.last().map_or(&self.initial, |step| &step.state)
    }
}
