//! Walks that follow a schedule: relations are learned on the way, all that the answer needs.

use super::events::{Events, Until};
use super::{Advance, Saturation};
use crate::learning::open::OpenRelations;
use crate::learning::{Learned, RelationSource, Schedule};
use crate::store::node::{EMPTY, Id};
use crate::store::{Ldd, Stop, Store};
use crate::worker::Worker;

impl Store {
    /// The least set that holds `set` and with each x all y where some event leads from x to y. Relations are
    /// learned on the way, all that the answer needs; the source knows them by their places.
    ///
    /// ```
    /// use ldd::{Access, Entry::Value, Event, Learned, Rows, Shape, Store, RelationSource};
    /// struct UpToThree;
    /// impl RelationSource for UpToThree {
    ///     fn steps_from(&self, _: usize, shorts: &[&[u32]], rows: &mut Rows) {
    ///         let from = shorts.iter().map(|short| short[0]).filter(|value| *value < 3);
    ///         from.for_each(|value| rows.push([Value(value), Value(value + 1)]));
    ///     }
    /// }
    /// let store = Store::with_memory(1 << 24)?;
    /// let mut count = [Learned::nothing(&store, Shape::new(1, vec![(0, Access::Both)]))];
    /// let schedule = store.schedule(vec![Event::of(0)]);
    /// let (zero, empty) = (store.vector(&[0])?, store.empty());
    /// assert_eq!(store.advance(&zero, &empty, &mut count, &schedule, &UpToThree)?, store.vector(&[1])?);
    /// assert_eq!(store.round(&zero, &mut count, &schedule, &UpToThree)?, store.vectors([&[0][..], &[1]])?);
    /// let reached = store.saturate(&zero, &mut count, &schedule, &UpToThree)?;
    /// assert_eq!(reached, store.vectors([&[0][..], &[1], &[2], &[3]])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    ///
    /// What was learned until it stopped is kept, too.
    pub fn saturate(
        &self,
        set: &Ldd,
        learned: &mut [Learned],
        schedule: &Schedule,
        source: &dyn RelationSource,
    ) -> Result<Ldd, Stop> {
        let saturate = |worker: &mut Worker<'_>, events: &Events<'_>| worker.saturate_whole(set.id, events);
        self.follow(schedule, Until::Fixpoint, learned, source, &[set], saturate)
    }

    /// A round of chaining: the least set that holds `set` and with each x all y where some event leads from
    /// x to y, if x is in `set` or was found by the events before that one. Those that begin lower come
    /// before those that begin higher. Relations are learned on the way.
    pub fn round(
        &self,
        set: &Ldd,
        learned: &mut [Learned],
        schedule: &Schedule,
        source: &dyn RelationSource,
    ) -> Result<Ldd, Stop> {
        let round = |worker: &mut Worker<'_>, events: &Events<'_>| {
            worker.walk::<Saturation>(set.id, EMPTY, events, 0, events.width)
        };
        self.follow(schedule, Until::Once, learned, source, &[set], round)
    }

    /// sum ∪ { y | x ∈ set, some event leads from x to y }. Relations are learned on the way. Events that
    /// touch no slot, which lead from x to x, are left out.
    pub fn advance(
        &self,
        set: &Ldd,
        sum: &Ldd,
        learned: &mut [Learned],
        schedule: &Schedule,
        source: &dyn RelationSource,
    ) -> Result<Ldd, Stop> {
        let advance = |worker: &mut Worker<'_>, events: &Events<'_>| {
            worker.walk::<Advance>(set.id, sum.id, events, 0, events.width)
        };
        self.follow(schedule, Until::Once, learned, source, &[set, sum], advance)
    }

    /// What becomes of operands by a schedule; the last of them if there is nothing to follow.
    fn follow(
        &self,
        schedule: &Schedule,
        until: Until,
        learned: &mut [Learned],
        source: &dyn RelationSource,
        operands: &[&Ldd],
        walk: impl FnOnce(&mut Worker<'_>, &Events<'_>) -> Result<Id, Stop>,
    ) -> Result<Ldd, Stop> {
        schedule.assert_of(self);
        let Some(width) = learned.first().map(|learned| learned.relation().shape().width()) else {
            return Ok(operands.last().map_or_else(|| self.empty(), |last| (*last).clone()));
        };
        let open = OpenRelations::new(self, schedule, learned);
        let events = Events::learned(schedule, width, &open, source, until);
        let run = || self.run(operands.iter().copied(), |worker| walk(worker, &events));
        let found = self.with_helpers(self.threads(), width, Some(&events), run);
        drop(events);
        open.close_into(learned);
        found
    }
}
