//! The part of a set from which no relation leads anywhere, found in one walk: each relation is tried where
//! it begins, on what those that begin lower have left, and not from the root.

use crate::cache::Op;
use crate::events::{Events, Until};
use crate::node::{EMPTY, Id, UNIT};
use crate::relation::Relation;
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
    /// assert_eq!(store.stuck(&set, &[step(0)?, step(1)?])?, store.vector(&[1, 1])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn stuck(&self, set: &Ldd, relations: &[Relation]) -> Result<Ldd, Stop> {
        // What tests nothing leads on from everywhere.
        if relations.iter().any(|relation| relation.diagram.id == UNIT) {
            return Ok(self.empty());
        }
        let Some(width) = relations.first().map(|relation| relation.shape().width()) else {
            return Ok(set.clone());
        };
        let events = Events::known(self, width, relations, Until::Once);
        let operands = relations.iter().map(Relation::diagram).chain([set]);
        self.run(operands, |worker| worker.stuck(set.id, &events, 0, width as u32))
    }
}

impl Worker<'_> {
    /// { x ∈ set | no y with x → y in a relation from number `from` on }; `height` is that of the set.
    fn stuck(&mut self, set: Id, events: &Events<'_>, from: usize, height: u32) -> Result<Id, Stop> {
        if set <= UNIT || events.are_over(from) {
            return Ok(set);
        }
        let (question, known) = self.known(Op::Stuck, set, EMPTY, events.number_from(from));
        if let Some(answer) = known {
            return Ok(answer);
        }
        let answer = if events.height(from) < height {
            self.stuck_below(set, events, from, height)?
        } else {
            self.stuck_here(set, events, from, height)?
        };
        Ok(self.learn(question, answer))
    }

    fn stuck_below(
        &mut self,
        mut set: Id,
        events: &Events<'_>,
        from: usize,
        height: u32,
    ) -> Result<Id, Stop> {
        let mark = self.mark();
        while set != EMPTY {
            let entry = self.get(set);
            let down = self.stuck(entry.down, events, from, height - 1)?;
            self.push(entry.value, down, if down == entry.down { set } else { EMPTY });
            set = entry.right;
        }
        self.list(mark, EMPTY)
    }

    fn stuck_here(&mut self, set: Id, events: &Events<'_>, from: usize, height: u32) -> Result<Id, Stop> {
        let lower = events.next_height(from);
        let mark = self.mark();
        let mut rest = self.stuck(set, events, lower, height)?;
        for steps in (from..lower).map(|number| events.diagram(number)) {
            self.cut(mark);
            self.keep(rest);
            let moving = self.enabled(rest, steps, height)?;
            self.keep(moving);
            rest = self.minus(rest, moving, height)?;
        }
        self.cut(mark);
        Ok(rest)
    }
}
