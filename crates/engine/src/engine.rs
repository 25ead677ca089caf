//! What an engine is: one who answers tasks. A planner knows engines by this trait alone.

use model::Observer;

use crate::{Control, Path, Profile, Report, Task};

/// One who searches, set up and ready: which order, how many threads and so on are its own.
pub trait Engine: Send + Sync {
    /// What the planner has to know of it.
    fn profile(&self) -> Profile;

    /// Whether it can carry out a task. It is asked before any work is done.
    fn supports(&self, task: &Task<'_>) -> Support;

    /// Carries out a task until it is done or the control says stop. Whoever observes sees each transition
    /// once; only an engine whose [`Profile::sees_transitions`] can be observed.
    fn run(&self, task: &Task<'_>, control: &Control, observer: Option<&mut dyn Observer>) -> Report<Path>;
}

impl Support {
    /// Whether a search of all states answers the task: what engines support that search once and look at
    /// each state or set of states.
    pub fn of_search(task: &Task<'_>) -> Self {
        match task.properties.iter().find(|property| !property.question.is_searched()) {
            Some(property) => {
                Self::No(format!("`{}` is not answered by one search of all states", property.name))
            }
            None => Self::Yes,
        }
    }
}

/// Whether an engine can carry out a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Support {
    /// It can.
    Yes,
    /// It cannot: why.
    No(String),
}
