//! Union, difference and intersection of two lists, entry by entry.

use std::cmp::Ordering;

use crate::store::Stop;
use crate::store::cache::Op;
use crate::store::node::{EMPTY, Id};
use crate::worker::Worker;

impl Worker<'_> {
    /// { x | x ∈ a or x ∈ b }; `height` is that of both, or zero where nobody is to help.
    pub fn union(&mut self, a: Id, b: Id, height: u32) -> Result<Id, Stop> {
        if a == b || b == EMPTY {
            return Ok(a);
        }
        if a == EMPTY {
            return Ok(b);
        }
        let (mut a, mut b) = if a < b { (a, b) } else { (b, a) };
        let (question, known) = self.cached(Op::Union, a, b, 0);
        if let Some(answer) = known {
            return Ok(answer);
        }
        if self.may_split(height) {
            let answer = self.union_split(a, b, height)?;
            return Ok(self.remember(question, answer));
        }
        let mark = self.mark();
        let (mut left, mut right) = (self.get(a), self.get(b));
        let tail = loop {
            match left.value.cmp(&right.value) {
                Ordering::Less => {
                    self.push(left.value, left.down, a);
                    a = left.right;
                    if a == EMPTY {
                        break b;
                    }
                    left = self.get(a);
                }
                Ordering::Greater => {
                    self.push(right.value, right.down, b);
                    b = right.right;
                    if b == EMPTY {
                        break a;
                    }
                    right = self.get(b);
                }
                Ordering::Equal => {
                    let down = self.union(left.down, right.down, height.saturating_sub(1))?;
                    let origin = if down == left.down {
                        a
                    } else if down == right.down {
                        b
                    } else {
                        EMPTY
                    };
                    self.push(left.value, down, origin);
                    (a, b) = (left.right, right.right);
                    if a == b || b == EMPTY {
                        break a;
                    }
                    if a == EMPTY {
                        break b;
                    }
                    (left, right) = (self.get(a), self.get(b));
                }
            }
        };
        let answer = self.list(mark, tail)?;
        Ok(self.remember(question, answer))
    }

    /// { x | x ∈ a and x ∉ b }; `height` is that of both, or zero where nobody is to help.
    pub fn minus(&mut self, a: Id, b: Id, height: u32) -> Result<Id, Stop> {
        if a == b || a == EMPTY {
            return Ok(EMPTY);
        }
        if b == EMPTY {
            return Ok(a);
        }
        let (question, known) = self.cached(Op::Minus, a, b, 0);
        if let Some(answer) = known {
            return Ok(answer);
        }
        if self.may_split(height) {
            let answer = self.minus_split(a, b, height)?;
            return Ok(self.remember(question, answer));
        }
        let mark = self.mark();
        let (mut a, mut b) = (a, b);
        let tail = loop {
            if a == b || a == EMPTY {
                break EMPTY;
            }
            if b == EMPTY {
                break a;
            }
            let (left, right) = (self.get(a), self.get(b));
            match left.value.cmp(&right.value) {
                Ordering::Less => {
                    self.push(left.value, left.down, a);
                    a = left.right;
                }
                Ordering::Greater => b = right.right,
                Ordering::Equal => {
                    let down = self.minus(left.down, right.down, height.saturating_sub(1))?;
                    self.push(left.value, down, if down == left.down { a } else { EMPTY });
                    (a, b) = (left.right, right.right);
                }
            }
        };
        let answer = self.list(mark, tail)?;
        Ok(self.remember(question, answer))
    }

    /// { x | x ∈ a and x ∈ b }
    pub fn intersect(&mut self, a: Id, b: Id) -> Result<Id, Stop> {
        if a == b || a == EMPTY {
            return Ok(a);
        }
        if b == EMPTY {
            return Ok(EMPTY);
        }
        let (mut a, mut b) = if a < b { (a, b) } else { (b, a) };
        let (question, known) = self.cached(Op::Intersect, a, b, 0);
        if let Some(answer) = known {
            return Ok(answer);
        }
        let mark = self.mark();
        let tail = loop {
            if a == b {
                break a;
            }
            if a == EMPTY || b == EMPTY {
                break EMPTY;
            }
            let (left, right) = (self.get(a), self.get(b));
            match left.value.cmp(&right.value) {
                Ordering::Less => a = left.right,
                Ordering::Greater => b = right.right,
                Ordering::Equal => {
                    let down = self.intersect(left.down, right.down)?;
                    self.push(left.value, down, if down == left.down { a } else { EMPTY });
                    (a, b) = (left.right, right.right);
                }
            }
        };
        let answer = self.list(mark, tail)?;
        Ok(self.remember(question, answer))
    }
}
