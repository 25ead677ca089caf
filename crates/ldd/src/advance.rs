//! One step through many relations, all in one walk down the set: each relation is applied where it begins,
//! not from the root, so that the levels above are walked once and not once for each relation.

use crate::cache::Op;
use crate::crew::Call;
use crate::events::Events;
use crate::node::{EMPTY, Id, UNIT};
use crate::store::Stop;
use crate::worker::Worker;

impl Worker<'_> {
    /// sum ∪ { y | x ∈ set, x → y in one of the relations from number `from` on }, all in one walk: each is
    /// applied where it begins.
    pub fn advance(
        &mut self,
        set: Id,
        sum: Id,
        events: &Events<'_>,
        from: usize,
        height: u32,
    ) -> Result<Id, Stop> {
        if set <= UNIT || events.are_over(from) {
            return Ok(sum);
        }
        let (question, known) = self.known(Op::Advance, set, sum, events.number_from(from));
        if let Some(answer) = known {
            return Ok(answer);
        }
        let answer = if events.height(from) < height {
            self.advance_below(set, sum, events, from, height)?
        } else {
            let lower = events.next_height(from);
            let mark = self.mark();
            let mut sum = self.advance(set, sum, events, lower, height)?;
            for number in from..lower {
                self.cut(mark);
                self.keep(sum);
                sum = self.apply(number, set, sum, events, height)?;
            }
            self.cut(mark);
            sum
        };
        Ok(self.learn(question, answer))
    }

    fn advance_below(
        &mut self,
        mut set: Id,
        mut sum: Id,
        events: &Events<'_>,
        from: usize,
        height: u32,
    ) -> Result<Id, Stop> {
        if self.may_split(height) {
            return self.advance_split(set, sum, events, from, height);
        }
        let mark = self.mark();
        while set != EMPTY {
            let entry = self.get(set);
            sum = self.take_smaller(sum, entry.value);
            let (below, origin) = self.take_equal(&mut sum, entry.value);
            let down = self.advance(entry.down, below, events, from, height - 1)?;
            self.push(entry.value, down, if down == below { origin } else { EMPTY });
            set = entry.right;
        }
        self.list(mark, sum)
    }

    /// The same, in parts that helpers may take over.
    fn advance_split(
        &mut self,
        set: Id,
        mut sum: Id,
        events: &Events<'_>,
        from: usize,
        height: u32,
    ) -> Result<Id, Stop> {
        let mut calls = Vec::new();
        let (mut rest, mut rest_of_sum) = (set, sum);
        while rest != EMPTY {
            let entry = self.get(rest);
            rest_of_sum = self.skip_smaller(rest_of_sum, entry.value);
            calls.push(Call::Advance(entry.down, self.below(rest_of_sum, entry.value), from));
            rest = entry.right;
        }
        let held = self.mark();
        let downs = self.many(calls, Some(events), height - 1)?;
        let mark = self.mark();
        let mut rest = set;
        for down in downs {
            let entry = self.get(rest);
            sum = self.take_smaller(sum, entry.value);
            let (below, origin) = self.take_equal(&mut sum, entry.value);
            self.push(entry.value, down, if down == below { origin } else { EMPTY });
            rest = entry.right;
        }
        let list = self.list(mark, sum);
        self.cut(held);
        list
    }
}
