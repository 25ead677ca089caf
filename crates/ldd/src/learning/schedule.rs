//! Plans: which relations of an array a walk applies, under which guards, and which relation takes over when
//! another is asked for too much.
//!
//! For example, relation 0 is what a group of commands does, relation 1 is one of its guards, and relation 2
//! is its update. The event that applies 0, and after 1,000 short vectors 2 under the guard 1, is
//!
//! ```
//! use ldd::{Event, Replacement};
//! let split = Event { guards: vec![1], ..Event::of(2) };
//! let replacement = Some(Box::new(Replacement { from: 1000, event: split }));
//! let event = Event { replacement, ..Event::of(0) };
//! assert_eq!((event.relation, event.guards.len()), (0, 0));
//! ```

use crate::store::Store;

/// The events of a walk, in any order. Relations are named by their places in an array.
///
/// A schedule is to be used with one array and one source only: the cache remembers what became of sets by
/// the events of a schedule, however much was learned since.
pub struct Schedule {
    pub(crate) events: Vec<Event>,
    /// The relations of all events and guards, which ascend.
    pub(super) relations: Vec<usize>,
    /// Tells it from others in the cache of its store.
    pub(crate) number: u32,
    store: Store,
}

impl Schedule {
    /// The events.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// # Panics
    /// When the schedule is of another store, whose cache does not know its number.
    pub(crate) fn assert_of(&self, store: &Store) {
        assert!(store.is_same(&self.store), "BUG: a schedule of another store");
    }
}

/// A relation, and others that must lead somewhere for it to count: a group with its guards. All by their
/// places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The relation.
    pub relation: usize,
    /// Relations of which each must have a step from a vector for this one to have its own.
    pub guards: Vec<usize>,
    /// The event that takes over when this one takes too long to learn.
    pub replacement: Option<Box<Replacement>>,
}

/// An event that takes the place of another, which leads the same way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replacement {
    /// The quota of the other's relation: this event takes over once the relation was asked for so many short
    /// vectors, or would be by the next set.
    pub from: u64,
    /// The event.
    pub event: Event,
}

impl Event {
    /// A relation without guards.
    pub fn of(relation: usize) -> Self {
        Self { relation, guards: Vec::new(), replacement: None }
    }

    /// This one, the one that takes its place, and so on.
    pub(crate) fn variants(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |event| Some(&event.replacement.as_ref()?.event))
    }
}

impl Store {
    /// A schedule of these events.
    pub fn schedule(&self, events: Vec<Event>) -> Schedule {
        let named = |variant: &Event| {
            variant.guards.iter().copied().chain([variant.relation]).collect::<Vec<usize>>()
        };
        let mut relations: Vec<usize> = events.iter().flat_map(Event::variants).flat_map(named).collect();
        relations.sort_unstable();
        relations.dedup();
        Schedule { number: self.inner.walk_numbers(events.len()), relations, events, store: self.clone() }
    }
}
