//! The symbolic engine as planners know it.

use engine::{Control, Engine, Path, Profile, Report, Statistics, StopReason, Support, Task};
use model::{Calls, Observer};

use crate::{Options, search};

impl Engine for Options {
    fn profile(&self) -> Profile {
        Profile {
            name: "symbolic",
            strategy: self.strategy.name(),
            threads: self.threads,
            calls: Calls::Groups,
            sees_transitions: false,
            contest: "DECISION_DIAGRAMS",
            is_ordered: true,
        }
    }

    fn supports(&self, task: &Task<'_>) -> Support {
        Support::of_search(task)
    }

    fn run(&self, task: &Task<'_>, control: &Control, _observer: Option<&mut dyn Observer>) -> Report<Path> {
        match self.supports(task) {
            Support::Yes => search(task, *self, control),
            Support::No(why) => Report::nothing(task, StopReason::Unsupported(why), Statistics::default()),
        }
    }
}
