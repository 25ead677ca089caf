//! Where a set can be reached from, inside another set: saturation as in [`super::saturate`], with
//! pre-images. The set that is not to be left is walked along, so that nothing outside of it is ever made
//! (constrained saturation: Zhao & Ciardo, ATVA 2009).

use super::events::{Events, Until};
use super::{Beside, Walk, is_through};
use crate::relation::Relation;
use crate::store::cache::Op;
use crate::store::node::{EMPTY, Id, Node};
use crate::store::tasks::Call;
use crate::store::{Ldd, Stop, Store};
use crate::worker::Worker;

impl Store {
    /// The least set that holds `set` and with each y all x ∈ inside where x → y in one of the relations
    ///
    /// ```
    /// use ldd::{Change, Rule, Store};
    /// let store = Store::with_memory(1 << 24)?;
    /// let count = store.rules(1, &[(0, vec![Rule { least: 0, most: 8, change: Change::Add(1) }])])?;
    /// let inside = store.vectors([&[1][..], &[3], &[4], &[5], &[7]])?;
    /// let before = store.backward_closure(&store.vector(&[5])?, &[count], &inside)?;
    /// assert_eq!(before, store.vectors([&[3][..], &[4], &[5]])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn backward_closure(&self, set: &Ldd, relations: &[Relation], inside: &Ldd) -> Result<Ldd, Stop> {
        let Some(width) = relations.first().map(|relation| relation.shape().width()) else {
            return Ok(set.clone());
        };
        let events = Events::known(self, width, relations, Until::Fixpoint);
        let operands = relations.iter().map(Relation::diagram).chain([set, inside]);
        self.run(operands, |worker| worker.walk::<Backward>(set.id, inside.id, &events, 0, width as u32))
    }
}

/// The least set that holds the set and with each y all x → y inside the second operand.
pub(crate) struct Backward;

impl Walk for Backward {
    const OP: Op = Op::Backward;
    const CALL: Option<fn(Id, Id, usize) -> Call> = None;

    #[inline]
    fn unchanged(set: Id, inside: Id, is_over: bool) -> Option<Id> {
        (is_through(set, is_over) || inside == EMPTY).then_some(set)
    }

    #[inline]
    fn key(inside: Id, events: &Events<'_>, from: usize) -> (Id, u32) {
        (inside, events.number_from(from))
    }

    /// No relation touches this level: what leads to a value has it as well.
    #[inline]
    fn beside(worker: &mut Worker<'_>, inside: &mut Id, set: Id, entry: Node) -> Beside {
        *inside = worker.skip_smaller(*inside, entry.value);
        Beside::of_set(worker.below(*inside, entry.value), set, entry)
    }

    #[inline]
    fn tail(_: Id) -> Id {
        EMPTY
    }

    fn here(
        worker: &mut Worker<'_>,
        set: Id,
        inside: Id,
        events: &Events<'_>,
        from: usize,
        height: u32,
    ) -> Result<Id, Stop> {
        let lower = events.next_height(from);
        let mark = worker.mark();
        let mut closed = set;
        loop {
            // Held for the whole round: were it collected, a larger set could get its number, and look as if
            // nothing was new.
            let before = closed;
            worker.keep(before);
            let inner = worker.mark();
            closed = worker.walk::<Self>(closed, inside, events, lower, height)?;
            for steps in (from..lower).map(|number| events.diagram(number)) {
                worker.cut(inner);
                worker.keep(closed);
                let part = worker.pre_image(closed, steps, inside, height)?;
                worker.keep(part);
                closed = worker.union(closed, part, height)?;
            }
            worker.cut(mark);
            if closed == before {
                return Ok(closed);
            }
        }
    }
}
