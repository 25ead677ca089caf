//! Where a set can be reached from, inside another set: saturation as in [`super::saturate`], with
//! pre-images. The set that is not to be left is walked along, so that nothing outside of it is ever made
//! (constrained saturation: Zhao & Ciardo, ATVA 2009).

use super::events::{Events, Until};
use super::{Beside, Place, Walk, is_through};
use crate::relation::Relation;
use crate::store::cache::Op;
use crate::store::node::{EMPTY, Id, Node};
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
    const REPEATS: bool = true;

    #[inline]
    fn unchanged(set: Id, inside: Id, is_over: bool) -> Option<Id> {
        (is_through(set, is_over) || inside == EMPTY).then_some(set)
    }

    /// No relation touches this level: what leads to a value has it as well.
    #[inline]
    fn beside(worker: &mut Worker<'_>, inside: &mut Id, set: Id, entry: Node) -> Beside {
        *inside = worker.skip_smaller(*inside, entry.value);
        Beside::of_set(worker.below(*inside, entry.value), set, entry)
    }

    #[inline]
    fn event(worker: &mut Worker<'_>, closed: Id, at: Place<'_, '_>, number: usize) -> Result<Id, Stop> {
        let part = worker.pre_image(closed, at.events.diagram(number), at.other, at.height)?;
        worker.keep(part);
        worker.union(closed, part, at.height)
    }
}
