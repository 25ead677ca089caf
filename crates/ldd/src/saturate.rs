//! Least fixpoints by saturation (Ciardo, Marmorstein & Siminiceanu, STTT 2006): what changes low levels only
//! is repeated there until nothing is new, before anything above is tried. Relations may be learned on the
//! way: a relation is asked for what a set needs just before the set's image is taken. With everything tried
//! once only, the same walk is a round of chaining.

use crate::cache::Op;
use crate::crew::Call;
use crate::events::{Events, Until};
use crate::node::{EMPTY, Id, UNIT};
use crate::relation::Relation;
use crate::store::{Ldd, Stop, Store};
use crate::worker::Worker;

impl Store {
    /// The least set that holds `set` and with each x all y where x → y in one of the relations
    ///
    /// ```
    /// use ldd::{Access, Entry::Value, Shape, Store};
    /// let store = Store::with_memory(1 << 24)?;
    /// let rows = [[Value(0), Value(1)], [Value(1), Value(2)]];
    /// let count = store.relation(Shape::new(1, vec![(0, Access::Both)])).with_rows(rows.iter().map(|row| &row[..]))?;
    /// let reached = store.closure(&store.vector(&[0])?, &[count])?;
    /// assert_eq!(reached, store.vectors([&[0][..], &[1], &[2]])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn closure(&self, set: &Ldd, relations: &[Relation]) -> Result<Ldd, Stop> {
        let Some(width) = relations.first().map(|relation| relation.shape().width()) else {
            return Ok(set.clone());
        };
        let events = Events::known(self, width, relations, Until::NothingIsNew);
        let operands = relations.iter().map(Relation::diagram).chain([set]);
        let saturate = |worker: &mut Worker<'_>| worker.saturate(set.id, &events, 0, width as u32);
        self.with_helpers(self.threads(), width, Some(&events), || self.run(operands, saturate))
    }
}

impl Worker<'_> {
    /// The least set that holds `set`, whose vectors are whole, and is closed under all relations. The
    /// teacher hears of it now and then. Slots above the first relation most often have one value each, and
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
            return self.saturate(set, events, 0, events.width);
        }
        let (question, known) = self.known(Op::Saturate, below, 0, events.number_until());
        if let Some(closed) = known {
            return self.under(&values, closed);
        }
        let mark = self.mark();
        loop {
            let closed = self.once_here(below, events, 0, height)?;
            self.cut(mark);
            self.keep(below);
            self.keep(closed);
            let whole = self.under(&values, closed)?;
            self.cut(mark);
            if closed == below {
                self.learn(question, closed);
                return Ok(whole);
            }
            below = closed;
            self.keep(below);
            events.teacher.reached(self.owner.own(whole));
        }
    }

    /// What a set becomes under one value for each slot above it.
    fn under(&mut self, values: &[u32], set: Id) -> Result<Id, Stop> {
        values.iter().rev().try_fold(set, |below, &value| self.node(value, below, EMPTY))
    }

    /// The least set that holds `set` and is closed under the relations from number `from` on.
    pub fn saturate(&mut self, set: Id, events: &Events<'_>, from: usize, height: u32) -> Result<Id, Stop> {
        if set <= UNIT || events.are_over(from) {
            return Ok(set);
        }
        let (question, known) = self.known(Op::Saturate, set, from as Id, events.number_until());
        if let Some(answer) = known {
            return Ok(answer);
        }
        let answer = if events.height(from) < height {
            self.saturate_below(set, events, from, height)?
        } else {
            self.saturate_here(set, events, from, height)?
        };
        Ok(self.learn(question, answer))
    }

    fn saturate_below(
        &mut self,
        mut set: Id,
        events: &Events<'_>,
        from: usize,
        height: u32,
    ) -> Result<Id, Stop> {
        if self.may_split(height) {
            return self.saturate_split(set, events, from, height);
        }
        let mark = self.mark();
        while set > UNIT {
            let entry = self.get(set);
            let down = self.saturate(entry.down, events, from, height - 1)?;
            self.push(entry.value, down, if down == entry.down { set } else { EMPTY });
            set = entry.right;
        }
        self.list(mark, set)
    }

    /// The same, in parts that helpers may take over.
    fn saturate_split(&mut self, set: Id, events: &Events<'_>, from: usize, height: u32) -> Result<Id, Stop> {
        let mut calls = Vec::new();
        let mut rest = set;
        while rest != EMPTY {
            let entry = self.get(rest);
            calls.push(Call::Saturate(entry.down, from));
            rest = entry.right;
        }
        let held = self.mark();
        let downs = self.many(calls, Some(events), height - 1)?;
        let mark = self.mark();
        let mut rest = set;
        for down in downs {
            let entry = self.get(rest);
            self.push(entry.value, down, if down == entry.down { rest } else { EMPTY });
            rest = entry.right;
        }
        let list = self.list(mark, EMPTY);
        self.cut(held);
        list
    }

    fn saturate_here(&mut self, set: Id, events: &Events<'_>, from: usize, height: u32) -> Result<Id, Stop> {
        let mark = self.mark();
        let mut closed = set;
        loop {
            // Held for the whole round: were it collected, a larger set could get its number, and look as if
            // nothing was new.
            let before = closed;
            self.keep(before);
            closed = self.once_here(closed, events, from, height)?;
            self.cut(mark);
            if closed == before || events.until == Until::Once {
                return Ok(closed);
            }
        }
    }

    /// Closes what is below, then applies each relation that begins here once. Whoever asks holds the set.
    fn once_here(&mut self, set: Id, events: &Events<'_>, from: usize, height: u32) -> Result<Id, Stop> {
        let lower = events.next_height(from);
        let mark = self.mark();
        let mut closed = self.saturate(set, events, lower, height)?;
        for number in from..lower {
            self.cut(mark);
            self.keep(closed);
            closed = self.apply(number, closed, closed, events, height)?;
        }
        self.cut(mark);
        Ok(closed)
    }
}
