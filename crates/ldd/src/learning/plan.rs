//! Plans: which relations of an array are events, and which guards go with them; and the operations that
//! follow one while they learn the relations.

use crate::store::Store;

/// Events, all of whose relations are known by their places in an array. It is to be used with one array and
/// one teacher only: the cache remembers what became of sets by the events of a plan, however much was
/// learned since.
pub struct Plan {
    pub(crate) events: Vec<Event>,
    /// The relations of all events and guards, which ascend.
    pub(super) relations: Vec<usize>,
    /// Tells it from others in the cache of its store.
    pub(crate) number: u32,
    store: Store,
}

impl Plan {
    /// The events.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// # Panics
    /// When the plan is of another store, whose cache does not know its number.
    pub(crate) fn assert_of(&self, store: &Store) {
        assert!(store.is_same(&self.store), "BUG: a plan of another store");
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
    /// Another way to say the same, for when this one takes too long to learn.
    pub later: Option<Box<Later>>,
}

/// An event that takes the place of another, which leads the same way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Later {
    /// It does so once the other's relation was asked for so many short vectors, or would be by the next set.
    pub from: u64,
    /// The event.
    pub event: Event,
}

impl Event {
    /// A relation without guards.
    pub fn of(relation: usize) -> Self {
        Self { relation, guards: Vec::new(), later: None }
    }

    /// This one, the one that takes its place, and so on.
    pub(crate) fn forms(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |event| Some(&event.later.as_ref()?.event))
    }
}

impl Store {
    /// A plan of these events.
    pub fn plan(&self, events: Vec<Event>) -> Plan {
        let named = |form: &Event| form.guards.iter().copied().chain([form.relation]).collect::<Vec<usize>>();
        let mut relations: Vec<usize> = events.iter().flat_map(Event::forms).flat_map(named).collect();
        relations.sort_unstable();
        relations.dedup();
        Plan { number: self.inner.walk_numbers(events.len()), relations, events, store: self.clone() }
    }
}
