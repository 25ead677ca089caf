//! The part of a set from which no relation leads anywhere. Each relation is tried on what those that begin
//! lower have left.

use super::events::{Events, Until};
use super::{Place, Walk};
use crate::relation::Relation;
use crate::store::cache::Op;
use crate::store::node::{EMPTY, Id, UNIT};
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

    #[inline]
    fn event(worker: &mut Worker<'_>, rest: Id, at: Place<'_, '_>, number: usize) -> Result<Id, Stop> {
        let moving = worker.enabled(rest, at.events.diagram(number), at.height)?;
        worker.keep(moving);
        worker.minus(rest, moving, at.height)
    }
}
