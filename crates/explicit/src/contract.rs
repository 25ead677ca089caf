//! The explicit engine as planners know it.

use engine::{Control, Engine, Path, Profile, Report, Statistics, StopReason, Support, Task};
use model::{Calls, Observer};

use crate::{Options, Order, search};

impl Engine for Options {
    fn profile(&self) -> Profile {
        let strategy = match self.order {
            Order::BreadthFirst => "bfs",
            Order::DepthFirst => "dfs",
        };
        Profile {
            name: "explicit",
            strategy,
            threads: self.threads,
            calls: Calls::States,
            sees_transitions: true,
            contest: "EXPLICIT STATE_COMPRESSION",
            is_ordered: false,
        }
    }

    fn supports(&self, task: &Task<'_>) -> Support {
        Support::of_search(task)
    }

    fn run(&self, task: &Task<'_>, control: &Control, observer: Option<&mut dyn Observer>) -> Report<Path> {
        match self.supports(task) {
            Support::Yes => search(task, *self, control, observer),
            Support::No(why) => Report::nothing(task, StopReason::Unsupported(why), Statistics::default()),
        }
    }
}
