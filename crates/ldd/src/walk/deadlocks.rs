//! The part of a set from which no relation leads anywhere. Each relation is tried on what those that begin
//! lower have left.

use super::events::{Events, Until};
use super::{Beside, Walk, is_through};
use crate::relation::Relation;
use crate::store::cache::Op;
use crate::store::node::{EMPTY, Id, Node, UNIT};
use crate::store::tasks::Call;
use crate::store::{Ldd, Stop, Store};
use crate::worker::Worker;

impl Store {
    /// { x ∈ set | no y with x → y in any of the relations }
    ///
    /// ```
    /// use ldd::{Access, Entry::Value, Shape, Store};
    /// let store = Store::with_memory(1 << 24)?;
    /// let step = |slot: usize| {
    ///     store.relation(Shape::new(2, vec![(slot, Access::Both)])).with_rows([&[Value(0), Value(1)][..]])
    /// };
    /// let set = store.vectors([&[0, 1][..], &[1, 0], &[1, 1]])?;
    /// assert_eq!(store.deadlocks(&set, &[step(0)?, step(1)?])?, store.vector(&[1, 1])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn deadlocks(&self, set: &Ldd, relations: &[Relation]) -> Result<Ldd, Stop> {
        // What tests nothing leads on from everywhere.
        if relations.iter().any(|relation| relation.diagram.id == UNIT) {
            return Ok(self.empty());
        }
        let Some(width) = relations.first().map(|relation| relation.shape().width()) else {
            return Ok(set.clone());
        };
        let events = Events::known(self, width, relations, Until::Once);
        let operands = relations.iter().map(Relation::diagram).chain([set]);
        self.run(operands, |worker| worker.walk::<Deadlocks>(set.id, EMPTY, &events, 0, width as u32))
    }
}

/// { x ∈ set | no y with x → y in one of the relations }
pub(crate) struct Deadlocks;

impl Walk for Deadlocks {
    const OP: Op = Op::Deadlocks;
    const CALL: Option<fn(Id, Id, usize) -> Call> = None;

    #[inline]
    fn unchanged(set: Id, _: Id, is_over: bool) -> Option<Id> {
        is_through(set, is_over).then_some(set)
    }

    #[inline]
    fn key(_: Id, events: &Events<'_>, from: usize) -> (Id, u32) {
        (EMPTY, events.number_from(from))
    }

    #[inline]
    fn beside(_: &mut Worker<'_>, _: &mut Id, set: Id, entry: Node) -> Beside {
        Beside::of_set(EMPTY, set, entry)
    }

    #[inline]
    fn tail(_: Id) -> Id {
        EMPTY
    }

    fn here(
        worker: &mut Worker<'_>,
        set: Id,
        _: Id,
        events: &Events<'_>,
        from: usize,
        height: u32,
    ) -> Result<Id, Stop> {
        let lower = events.next_height(from);
        let mark = worker.mark();
        let mut rest = worker.walk::<Self>(set, EMPTY, events, lower, height)?;
        for steps in (from..lower).map(|number| events.diagram(number)) {
            worker.cut(mark);
            worker.keep(rest);
            let moving = worker.enabled(rest, steps, height)?;
            worker.keep(moving);
            rest = worker.minus(rest, moving, height)?;
        }
        worker.cut(mark);
        Ok(rest)
    }
}
