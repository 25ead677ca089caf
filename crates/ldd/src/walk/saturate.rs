//! Least fixpoints by saturation (Ciardo, Marmorstein & Siminiceanu, STTT 2006).
//!
//! A fixpoint round by round would apply all relations to the whole set again and again, and make large
//! diagrams that the next round replaces. Saturation repeats what changes low levels only at these levels
//! until nothing is new, and tries what begins above after that. Each time something is new above, what is
//! below it is saturated again, and mostly the cache knows the answer.
//!
//! For example, two counters x and y run from 0 to 9, one relation each, from (0, 0). The relation of y
//! begins lower: at y the set {0} is closed to {0, …, 9}, once. The relation of x then adds one value of x
//! after another, each with the same node below it. Round by round would go through 19 sets.
//!
//! The relations that are learned are asked for what a set needs just before its image is taken. With
//! everything tried once only ([`Until::Once`]), the same walk is a round of chaining.

use super::events::{Events, Until};
use super::{Place, Walk};
use crate::relation::Relation;
use crate::store::cache::Op;
use crate::store::node::{EMPTY, Id, UNIT};
use crate::store::tasks::Call;
use crate::store::{Ldd, Stop, Store};
use crate::worker::Worker;

impl Store {
    /// The least set that holds `set` and with each x all y where x → y in one of the relations
    ///
    /// ```
    /// use ldd::{Access, Entry::Value, Shape, Store};
    /// let store = Store::with_memory(1 << 24)?;
    /// let rows = [[Value(0), Value(1)], [Value(1), Value(2)]];
    /// let shape = Shape::new(1, vec![(0, Access::Both)]);
    /// let count = store.relation(shape).with_rows(rows.iter().map(|row| &row[..]))?;
    /// let reached = store.closure(&store.vector(&[0])?, &[count])?;
    /// assert_eq!(reached, store.vectors([&[0][..], &[1], &[2]])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn closure(&self, set: &Ldd, relations: &[Relation]) -> Result<Ldd, Stop> {
        let Some(width) = relations.first().map(|relation| relation.shape().width()) else {
            return Ok(set.clone());
        };
        let events = Events::known(self, width, relations, Until::Fixpoint);
        let operands = relations.iter().map(Relation::diagram).chain([set]);
        let saturate =
            |worker: &mut Worker<'_>| worker.walk::<Saturation>(set.id, EMPTY, &events, 0, width as u32);
        self.with_helpers(self.threads(), width, Some(&events), || self.run(operands, saturate))
    }
}

impl Worker<'_> {
    /// The least set that holds `set`, whose vectors are whole, and is closed under all relations. The
    /// source hears of it now and then. Slots above the first relation most often have one value each, and
    /// what is below them is all there is to close.
    pub fn saturate_whole(&mut self, set: Id, events: &Events<'_>) -> Result<Id, Stop> {
        if set <= UNIT || events.are_over(0) {
            return Ok(set);
        }
        let (mut below, mut height, mut values) = (set, events.width, Vec::new());
        while height > events.height(0) && self.get(below).right == EMPTY {
            let entry = self.get(below);
            values.push(entry.value);
            (below, height) = (entry.down, height - 1);
        }
        if height > events.height(0) {
            return self.walk::<Saturation>(set, EMPTY, events, 0, events.width);
        }
        let (question, known) = self.cached(Op::Saturate, below, 0, events.number_until());
        if let Some(closed) = known {
            return self.under(&values, closed);
        }
        let mark = self.mark();
        loop {
            let closed = self.round::<Saturation>(below, EMPTY, events, 0, height)?;
            self.cut(mark);
            self.keep(below);
            self.keep(closed);
            let whole = self.under(&values, closed)?;
            self.cut(mark);
            if closed == below {
                self.remember(question, closed);
                return Ok(whole);
            }
            below = closed;
            self.keep(below);
            events.source.reached(self.owner.own(whole));
        }
    }

    /// What a set becomes under one value for each slot above it.
    fn under(&mut self, values: &[u32], set: Id) -> Result<Id, Stop> {
        values.iter().rev().try_fold(set, |below, &value| self.node(value, below, EMPTY))
    }
}

/// The least set that holds the set and is closed under the relations; one round towards it, where events are
/// tried [`Until::Once`].
pub(crate) struct Saturation;

impl Walk for Saturation {
    const OP: Op = Op::Saturate;
    const CALL: Option<fn(Id, Id, usize) -> Call> = Some(|set, _, from| Call::Saturate(set, from));
    const REPEATS: bool = true;

    #[inline]
    fn key(_: Id, events: &Events<'_>, from: usize) -> (Id, u32) {
        (from as Id, events.number_until())
    }

    #[inline]
    fn event(worker: &mut Worker<'_>, closed: Id, at: Place<'_, '_>, number: usize) -> Result<Id, Stop> {
        worker.apply(number, closed, closed, at.events, at.height)
    }
}
