//! Where a set can be reached from, inside another set: saturation as in `saturate`, with pre-images. The set
//! that is not to be left is followed along, so that nothing outside of it is ever made (constrained
//! saturation: Zhao & Ciardo, ATVA 2009).

use std::sync::atomic::Ordering;

use crate::cache::Op;
use crate::node::{EMPTY, Id, UNIT};
use crate::relation::Relation;
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
    /// let before = store.closure_before(&store.vector(&[5])?, &[count], &inside)?;
    /// assert_eq!(before, store.vectors([&[3][..], &[4], &[5]])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn closure_before(&self, set: &Ldd, relations: &[Relation], inside: &Ldd) -> Result<Ldd, Stop> {
        let Some(width) = relations.first().map(|relation| relation.shape().width()) else {
            return Ok(set.clone());
        };
        let steps = relations.iter().map(|relation| relation.diagram.id).filter(|&steps| steps > UNIT);
        let mut events: Vec<(u32, Id)> =
            steps.map(|steps| (self.inner.unique.get(steps).info.height(), steps)).collect();
        events.sort_by_key(|(height, _)| std::cmp::Reverse(*height));
        // A number for each place to begin at: what the cache knows of one is of no use to another.
        let number = self.inner.closures.fetch_add(1 + events.len() as u32, Ordering::Relaxed);
        let operands = relations.iter().map(Relation::diagram).chain([set, inside]);
        let before = Before { events, number };
        self.run(operands, |worker| worker.before(set.id, inside.id, &before, 0, width as u32))
    }
}

/// Relations with the heights at which they begin, highest first.
pub(crate) struct Before {
    events: Vec<(u32, Id)>,
    number: u32,
}

impl Worker<'_> {
    /// The closure under the relations from number `from` on; `height` is that of both sets.
    fn before(&mut self, set: Id, inside: Id, events: &Before, from: usize, height: u32) -> Result<Id, Stop> {
        if set <= UNIT || inside == EMPTY || from == events.events.len() {
            return Ok(set);
        }
        let (question, known) = self.known(Op::Before, set, inside, events.number.wrapping_add(from as u32));
        if let Some(answer) = known {
            return Ok(answer);
        }
        let answer = if events.events[from].0 < height {
            self.before_below(set, inside, events, from, height)?
        } else {
            self.before_here(set, inside, events, from, height)?
        };
        Ok(self.learn(question, answer))
    }

    /// No relation touches this level: what leads to a value has it as well.
    fn before_below(
        &mut self,
        mut set: Id,
        mut inside: Id,
        events: &Before,
        from: usize,
        height: u32,
    ) -> Result<Id, Stop> {
        let mark = self.mark();
        while set != EMPTY {
            let entry = self.get(set);
            inside = self.skip_smaller(inside, entry.value);
            let inside_below = self.below(inside, entry.value);
            let down = self.before(entry.down, inside_below, events, from, height - 1)?;
            self.push(entry.value, down, if down == entry.down { set } else { EMPTY });
            set = entry.right;
        }
        self.list(mark, EMPTY)
    }

    fn before_here(
        &mut self,
        set: Id,
        inside: Id,
        events: &Before,
        from: usize,
        height: u32,
    ) -> Result<Id, Stop> {
        let same = events.events[from..].iter().take_while(|event| event.0 == height).count();
        let mark = self.mark();
        let mut closed = set;
        loop {
            // Held for the whole round: were it collected, a larger set could get its number, and look as if
            // nothing was new.
            let before = closed;
            self.keep(before);
            let inner = self.mark();
            closed = self.before(closed, inside, events, from + same, height)?;
            for &(_, steps) in &events.events[from..from + same] {
                self.cut(inner);
                self.keep(closed);
                let part = self.pre_image(closed, steps, inside, height)?;
                self.keep(part);
                closed = self.union(closed, part, height)?;
            }
            self.cut(mark);
            if closed == before {
                return Ok(closed);
            }
        }
    }
}
