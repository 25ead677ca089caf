//! The sequential explicit engine: every reachable state is visited one by one and kept.
//!
//! The way of a state: `frontier` says whose turn it is, `search` asks the model for its successors,
//! `packing` makes a few words of each, `store` tells known from new, `findings` looks at them with the eyes of
//! the properties. Breadth-first and depth-first are two frontiers of one loop.
//!
//! What differs from the usual explicit engine: the table has no size option, it grows up to the memory limit; every
//! byte is asked of a `budget` before it is taken, so that running out is an answer; and successors of several
//! states are looked up together, so that the waits for memory overlap.

mod batch;
mod budget;
mod findings;
mod frontier;
mod hash;
mod pace;
mod packing;
mod search;
mod segments;
mod stack;
mod store;
mod table;

use engine::{Control, Path, Report, Task};
use model::Observer;

/// Searches the reachable states of the task's model and answers its questions.
///
/// Under [`engine::Order::BreadthFirst`] each counterexample is as short as any for its property; only one of
/// [`engine::Question::NoError`] may be a step longer, if an assertion failed just ahead of where the search stopped.
/// States at the depth limit are expanded like all others; the search is complete if all their successors are stored.
///
/// The observer, if there is one, sees every transition of every expanded state once. Only the labels that a property
/// names are evaluated. A predicate that fails leaves its own property unknown, an assertion that fails all of them. A
/// group that fails leaves the search incomplete: without another reason to stop, the report's is then
/// [`engine::StopReason::EvaluationError`].
pub fn search(task: &Task<'_>, control: &Control, observer: Option<&mut dyn Observer>) -> Report<Path> {
    search::Search::new(task, control, observer).report()
}
