//! Plans: which relations of an array are events, and which guards go with them; and the operations that
//! follow one while they learn the relations.

use std::sync::atomic::Ordering;

use crate::events::{Events, Until};
use crate::learned::{Learned, Lesson, Teacher};
use crate::node::Id;
use crate::store::{Ldd, Stop, Store};
use crate::worker::Worker;

/// Events, all of whose relations are known by their places in an array. It is to be used with one array and
/// one teacher only: the cache remembers what became of sets by the events of a plan, however much was
/// learned since.
pub struct Plan {
    pub(crate) events: Vec<Event>,
    /// The relations of all events and guards, which ascend.
    relations: Vec<usize>,
    /// Tells it from others in the cache of its store.
    pub(crate) number: u32,
    store: Store,
}

impl Plan {
    /// The events.
    pub fn events(&self) -> &[Event] {
        &self.events
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

/// The first of the numbers by which the cache knows so many events: one for each place to begin at, and two
/// more.
pub(crate) fn numbers(store: &Store, events: usize) -> u32 {
    store.inner.closures.fetch_add(2 + events as u32, Ordering::Relaxed)
}

impl Store {
    /// A plan of these events.
    pub fn plan(&self, events: Vec<Event>) -> Plan {
        let named = |form: &Event| form.guards.iter().copied().chain([form.relation]).collect::<Vec<usize>>();
        let mut relations: Vec<usize> = events.iter().flat_map(Event::forms).flat_map(named).collect();
        relations.sort_unstable();
        relations.dedup();
        Plan { number: numbers(self, events.len()), relations, events, store: self.clone() }
    }

    /// The least set that holds `set` and with each x all y where some event leads from x to y. Relations are
    /// learned on the way, all that the answer needs; the teacher knows them by their places.
    ///
    /// ```
    /// use ldd::{Access, Entry::Value, Event, Learned, Rows, Shape, Store, Teacher};
    /// struct UpToThree;
    /// impl Teacher for UpToThree {
    ///     fn teach(&self, _: usize, shorts: &[&[u32]], rows: &mut Rows) {
    ///         let from = shorts.iter().map(|short| short[0]).filter(|value| *value < 3);
    ///         from.for_each(|value| rows.push([Value(value), Value(value + 1)]));
    ///     }
    /// }
    /// let store = Store::with_memory(1 << 24)?;
    /// let mut count = [Learned::nothing(&store, Shape::new(1, vec![(0, Access::Both)]))];
    /// let plan = store.plan(vec![Event::of(0)]);
    /// let (zero, empty) = (store.vector(&[0])?, store.empty());
    /// assert_eq!(store.advance(&zero, &empty, &mut count, &plan, &UpToThree)?, store.vector(&[1])?);
    /// assert_eq!(store.round(&zero, &mut count, &plan, &UpToThree)?, store.vectors([&[0][..], &[1]])?);
    /// assert_eq!(store.saturate(&zero, &mut count, &plan, &UpToThree)?, store.vectors([&[0][..], &[1], &[2], &[3]])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    ///
    /// What was learned until it stopped is kept, too.
    pub fn saturate(
        &self,
        set: &Ldd,
        learned: &mut [Learned],
        plan: &Plan,
        teacher: &dyn Teacher,
    ) -> Result<Ldd, Stop> {
        let saturate = |worker: &mut Worker<'_>, events: &Events<'_>| worker.saturate_whole(set.id, events);
        self.follow(plan, Until::NothingIsNew, learned, teacher, &[set], saturate)
    }

    /// A round of chaining: the least set that holds `set` and with each x all y where some event leads from
    /// x to y, if x is in `set` or was found by the events before that one. Those that begin lower come
    /// before those that begin higher. Relations are learned on the way.
    pub fn round(
        &self,
        set: &Ldd,
        learned: &mut [Learned],
        plan: &Plan,
        teacher: &dyn Teacher,
    ) -> Result<Ldd, Stop> {
        let round =
            |worker: &mut Worker<'_>, events: &Events<'_>| worker.saturate(set.id, events, 0, events.width);
        self.follow(plan, Until::Once, learned, teacher, &[set], round)
    }

    /// sum ∪ { y | x ∈ set, some event leads from x to y }. Relations are learned on the way. Events that
    /// touch no slot, which lead from x to x, are left out.
    pub fn advance(
        &self,
        set: &Ldd,
        sum: &Ldd,
        learned: &mut [Learned],
        plan: &Plan,
        teacher: &dyn Teacher,
    ) -> Result<Ldd, Stop> {
        let advance = |worker: &mut Worker<'_>, events: &Events<'_>| {
            worker.advance(set.id, sum.id, events, 0, events.width)
        };
        self.follow(plan, Until::Once, learned, teacher, &[set, sum], advance)
    }

    /// What becomes of operands by a plan; the last of them if there is nothing to follow.
    fn follow(
        &self,
        plan: &Plan,
        until: Until,
        learned: &mut [Learned],
        teacher: &dyn Teacher,
        operands: &[&Ldd],
        walk: impl FnOnce(&mut Worker<'_>, &Events<'_>) -> Result<Id, Stop>,
    ) -> Result<Ldd, Stop> {
        assert!(self.is_same(&plan.store), "BUG: a plan of another store");
        let Some(width) = learned.first().map(|learned| learned.relation().shape().width()) else {
            return Ok(operands.last().map_or_else(|| self.empty(), |last| (*last).clone()));
        };
        let lesson = |&relation: &usize| {
            self.assert_owns(learned[relation].relation().diagram());
            Lesson::new(self, &learned[relation], relation)
        };
        let lessons = Lessons { named: &plan.relations, all: plan.relations.iter().map(lesson).collect() };
        let events = Events::learned(plan, width, &lessons, teacher, until);
        let run = || self.run(operands.iter().copied(), |worker| walk(worker, &events));
        let found = self.with_helpers(self.threads(), width, Some(&events), run);
        drop(events);
        plan.relations
            .iter()
            .zip(lessons.all)
            .for_each(|(&relation, lesson)| lesson.end(&mut learned[relation]));
        found
    }
}

/// The relations of a plan while operations run that learn more of them.
pub(crate) struct Lessons<'p> {
    /// Their numbers.
    named: &'p [usize],
    all: Vec<Lesson>,
}

impl Lessons<'_> {
    /// That of a relation that the plan names.
    pub fn of(&self, relation: usize) -> &Lesson {
        let at = self.named.binary_search(&relation).expect("BUG: a relation that the plan does not name");
        &self.all[at]
    }
}
