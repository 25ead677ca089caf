//! The explicit engine: every reachable state is visited one by one and kept, by one worker or by many.
//!
//! What comes in is a [`Task`] (a model and questions) and [`Options`]; what goes out is a [`Report`]. In
//! between:
//!
//! - `search`: one search from the initial state to the report. [`search()`] repeats it where it turns out
//!   that states should be packed in another way.
//! - `reachability`: workers that expand every state once. Each has an expander, a frontier, and findings.
//! - `expander`: from a state to its successors, each with its handle and whether it is new. It knows
//!   nothing of frontiers and findings, so other algorithms (cycle detection, reductions) can be built on
//!   it.
//! - `frontier`: states that wait to be expanded, by levels or on stacks.
//! - `packing`: a state as few words. `store`: which states are known.
//! - `retrace`: the runs to states that show violations.
//! - `budget`: every byte is asked of it before it is taken.
//! - `contract`: the engine as planners know it.
//!
//! The way of a state: it is taken from the `frontier`, the `expander` asks the model for its successors,
//! packs each and looks it up in the `store`. New ones are shown to the findings and go to the frontier.
//!
//! What differs from the usual explicit engine: tables have no size option, they grow up to the memory
//! limit; running out of memory is an answer; states take the bits that they need in fact, and not those of
//! their types; successors of several states are looked up together, so that the waits for memory overlap;
//! and where parts of states are seen again and again, their successors are known without asking the model.

mod budget;
mod contract;
mod expander;
mod frontier;
mod packing;
mod reachability;
mod retrace;
mod search;
mod store;

use std::time::Instant;

use engine::{Control, Path, Report, Task};
use model::Observer;

use packing::{Layout, Sample};
use search::{Restart, Start};
use store::{Bitstate, Hashes, Plain, Single, Tree};

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// In which order.
    pub order: Order,
    /// How many workers search at the same time.
    pub threads: usize,
    /// How states are kept.
    pub storage: Storage,
    /// A search by levels keeps the ways to this many states at most. The run to a state of a larger search
    /// is found by a second search.
    pub kept_ways: u64,
    /// With so many states a search has seen enough of a model: it may begin anew with a better way to pack
    /// states, and remembers from then on what groups do to parts of states.
    pub early_states: u64,
}

/// The order of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Level by level: shortest witnesses.
    #[default]
    BreadthFirst,
    /// Depth first.
    DepthFirst,
}

/// How states are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// Each whole.
    Plain,
    /// In a tree: parts that states have in common are kept once.
    Tree,
    /// As a hash: a state may be taken for another one, so that nothing is said to hold.
    Hashes,
    /// As a few bits that are set: the same, with even less memory.
    Bits,
}

impl Default for Options {
    /// Breadth-first, one worker, states in a tree, and ways that take 16 MiB at most.
    fn default() -> Self {
        Self {
            order: Order::BreadthFirst,
            threads: 1,
            storage: Storage::Tree,
            kept_ways: 1 << 20,
            early_states: 1 << 15,
        }
    }
}

/// Searches the reachable states of the task's model and answers its questions.
///
/// Under [`Order::BreadthFirst`] each counterexample is as short as any for its property; only one of
/// [`engine::Question::NoError`] may be a step longer, if an assertion failed just ahead of where the search
/// stopped. States at the depth limit are expanded like all others; the search is complete if all their
/// successors are stored. A search with a depth limit is breadth-first.
///
/// What is counted in a complete search, and the length of counterexamples of a breadth-first one, are the
/// same for any number of workers.
///
/// The observer, if there is one, sees every transition of every expanded state once. Only the labels that a
/// property names are evaluated, and the one that says where it is fine to stop if deadlocks are asked for. A
/// predicate that fails leaves its own property unknown, an assertion that fails all of them. A group that
/// fails leaves the search incomplete: without another reason to stop, the report's is then
/// [`engine::StopReason::EvaluationError`].
pub fn search(
    task: &Task<'_>,
    options: Options,
    control: &Control,
    observer: Option<&mut dyn Observer>,
) -> Report<Path> {
    let started = Instant::now();
    let (signature, may_write) = (task.model.signature(), &task.model.dependencies().may_write);
    // An observer sees each transition once, so there is no beginning anew.
    let mut sample = if observer.is_some() {
        Sample::declared(signature)
    } else {
        Sample::walk(task.model, &control.stop_signal())
    };
    let layout = |sample: &Sample| match options.storage {
        Storage::Tree => Layout::for_tree(signature, may_write, sample),
        _ => Layout::new(signature, may_write, sample),
    };
    let mut next = layout(&sample);
    let mut is_first = observer.is_none();
    let mut observer = observer;
    loop {
        let is_single = next.as_ref().is_some_and(|layout| layout.words() == 1);
        let observer = observer.as_mut().map(|observer| &mut **observer as &mut dyn Observer);
        let start = Start { layout: next, may_restart: is_first, started };
        is_first = false;
        let report = match options.storage {
            Storage::Plain => search::search(task, options, control, observer, start, Plain::new),
            Storage::Tree if is_single => {
                search::search(task, options, control, observer, start, Single::new)
            }
            Storage::Tree => search::search(task, options, control, observer, start, Tree::new),
            Storage::Hashes => search::search(task, options, control, observer, start, Hashes::new),
            Storage::Bits => search::search(task, options, control, observer, start, Bitstate::new),
        };
        match report {
            Ok(report) => return report,
            Err(Restart::Roomier(layout)) => next = Some(layout),
            Err(Restart::Resampled(states)) => {
                sample.add(signature, &states);
                next = layout(&sample);
            }
        }
    }
}
