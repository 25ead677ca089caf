//! Unions and differences in parts that helpers may take over: one for each value that both lists have.

use crate::store::Stop;
use crate::store::node::{EMPTY, Id};
use crate::store::tasks::Call;
use crate::worker::Worker;

impl Worker<'_> {
    /// { x | x ∈ a or x ∈ b }
    pub fn union_split(&mut self, a: Id, b: Id, height: u32) -> Result<Id, Stop> {
        let held = self.mark();
        let downs = self.many(self.pairs(a, b, Call::Union), None, height - 1)?;
        let mut downs = downs.into_iter();
        let mark = self.mark();
        let (mut a, mut b) = (a, b);
        while a != EMPTY && b != EMPTY {
            b = self.take_smaller(b, self.get(a).value);
            let left = self.get(a);
            let (below, origin) = self.take_equal(&mut b, left.value);
            if origin == EMPTY {
                self.push(left.value, left.down, a);
            } else {
                let down = downs.next().expect("BUG: a part for each value that both have");
                let same = [(left.down, a), (below, origin)].into_iter().find(|(other, _)| *other == down);
                self.push(left.value, down, same.map_or(EMPTY, |(_, origin)| origin));
            }
            a = left.right;
        }
        let list = self.list(mark, if a == EMPTY { b } else { a });
        self.cut(held);
        list
    }

    /// { x | x ∈ a and x ∉ b }
    pub fn minus_split(&mut self, a: Id, b: Id, height: u32) -> Result<Id, Stop> {
        let held = self.mark();
        let downs = self.many(self.pairs(a, b, Call::Minus), None, height - 1)?;
        let mut downs = downs.into_iter();
        let mark = self.mark();
        let (mut a, mut b) = (a, b);
        while a != EMPTY {
            let left = self.get(a);
            b = self.skip_smaller(b, left.value);
            let is_common = b != EMPTY && self.get(b).value == left.value;
            let down = if is_common {
                downs.next().expect("BUG: a part for each value that both have")
            } else {
                left.down
            };
            self.push(left.value, down, if down == left.down { a } else { EMPTY });
            a = left.right;
        }
        let list = self.list(mark, EMPTY);
        self.cut(held);
        list
    }

    /// A call for each value that both lists have.
    fn pairs(&self, mut a: Id, mut b: Id, call: fn(Id, Id) -> Call) -> Vec<Call> {
        let mut calls = Vec::new();
        while a != EMPTY && b != EMPTY {
            let (left, right) = (self.get(a), self.get(b));
            if left.value == right.value {
                calls.push(call(left.down, right.down));
            }
            (a, b) = (
                if left.value <= right.value { left.right } else { a },
                if right.value <= left.value { right.right } else { b },
            );
        }
        calls
    }
}
