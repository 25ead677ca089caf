//! Joins: the vectors that two sets over some of the slots agree on. Meijer 2014, algorithm 20. Differs: the
//! cache knows which set has which slot by the number of one pattern ([`crate::store::patterns`]), instead of
//! a diagram for each set.

use std::cmp::Ordering;

use crate::store::cache::Op;
use crate::store::node::{EMPTY, Id, UNIT};
use crate::store::patterns::{Kept, Role, Step};
use crate::store::{Ldd, Stop, Store, lock};
use crate::worker::Worker;

impl Store {
    /// a ⋈ b = { x over slots_a ∪ slots_b | x|slots_a ∈ a, x|slots_b ∈ b }, where slots ascend
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let a = store.vectors([&[1, 2][..], &[1, 3]])?;
    /// let b = store.vectors([&[2, 7][..], &[4, 8]])?;
    /// assert_eq!(store.join(&a, &[0, 5], &b, &[5, 6])?, store.vector(&[1, 2, 7])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    ///
    /// # Panics
    /// When slots do not ascend, or a set has more slots than are named.
    pub fn join(&self, a: &Ldd, slots_a: &[usize], b: &Ldd, slots_b: &[usize]) -> Result<Ldd, Stop> {
        let ascend = |slots: &[usize]| slots.windows(2).all(|pair| pair[0] < pair[1]);
        assert!(ascend(slots_a) && ascend(slots_b), "BUG: slots of a set must ascend");
        self.join_by(a, b, &roles(slots_a, slots_b))
    }

    /// { x ∈ set | x|tested ∈ part }, where `tested` tells of each slot whether the part has it; of slots
    /// behind its end it has none
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vectors([&[1, 5][..], &[2, 5], &[2, 6]])?;
    /// assert_eq!(store.select(&set, &store.vector(&[6])?, &[false, true])?, store.vector(&[2, 6])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    ///
    /// # Panics
    /// When the part has more slots than are tested.
    pub fn select(&self, set: &Ldd, part: &Ldd, tested: &[bool]) -> Result<Ldd, Stop> {
        self.assert_owns(set);
        let height = self.worker().height(set.id);
        let cut = self.cut(tested, height);
        self.run([set, part], |worker| worker.select(set.id, part.id, &cut, height))
    }

    fn join_by(&self, a: &Ldd, b: &Ldd, roles: &[Role]) -> Result<Ldd, Stop> {
        let steps = lock(&self.inner.patterns).steps(roles);
        self.run([a, b], |worker| worker.join(a.id, b.id, &steps))
    }
}

/// Which of two sets has each slot that one of them has.
fn roles(mut a: &[usize], mut b: &[usize]) -> Vec<Role> {
    let mut roles = Vec::with_capacity(a.len() + b.len());
    while let (Some(left), Some(right)) = (a.first(), b.first()) {
        let order = left.cmp(right);
        roles.push(match order {
            Ordering::Less => Role::First,
            Ordering::Greater => Role::Second,
            Ordering::Equal => Role::Both,
        });
        a = &a[usize::from(order.is_le())..];
        b = &b[usize::from(order.is_ge())..];
    }
    roles.extend(a.iter().map(|_| Role::First));
    roles.extend(b.iter().map(|_| Role::Second));
    roles
}

impl Worker<'_> {
    /// { x ∈ set | x|tested ∈ part }, where the cut tells what is tested; `height` is that of the set.
    fn select(&mut self, mut set: Id, mut part: Id, cut: &[Kept], height: u32) -> Result<Id, Stop> {
        if set == EMPTY || part == EMPTY {
            return Ok(EMPTY);
        }
        let Some((&(tested, number), below)) = cut.split_first() else {
            assert!(part == UNIT, "BUG: a part has more slots than are tested");
            return Ok(set);
        };
        let (question, known) = self.cached(Op::Select, set, part, number);
        if let Some(answer) = known {
            return Ok(answer);
        }
        let mark = self.mark();
        while set != EMPTY && part != EMPTY {
            let entry = self.get(set);
            let down = if tested == height {
                part = self.skip_smaller(part, entry.value);
                let rest = self.below(part, entry.value);
                self.select(entry.down, rest, below, height - 1)?
            } else {
                self.select(entry.down, part, cut, height - 1)?
            };
            self.push(entry.value, down, if down == entry.down { set } else { EMPTY });
            set = entry.right;
        }
        let answer = self.list(mark, EMPTY)?;
        Ok(self.remember(question, answer))
    }

    /// a ⋈ b, where the pattern tells which set has which slot.
    pub fn join(&mut self, a: Id, b: Id, steps: &[Step]) -> Result<Id, Stop> {
        if a == EMPTY || b == EMPTY {
            return Ok(EMPTY);
        }
        // One of them has no slot any more: what is below is the other's.
        if b == UNIT {
            return Ok(a);
        }
        if a == UNIT {
            return Ok(b);
        }
        let Some((&(role, number), below)) = steps.split_first() else {
            panic!("BUG: a set with more slots than are named");
        };
        let (question, known) = self.cached(Op::Join, a, b, number);
        if let Some(answer) = known {
            return Ok(answer);
        }
        let answer = match role {
            Role::Both => self.join_both(a, b, below)?,
            Role::First => self.join_each(a, |worker, down| worker.join(down, b, below))?,
            Role::Second => self.join_each(b, |worker, down| worker.join(a, down, below))?,
        };
        Ok(self.remember(question, answer))
    }

    fn join_both(&mut self, mut a: Id, mut b: Id, below: &[Step]) -> Result<Id, Stop> {
        let mark = self.mark();
        while a != EMPTY && b != EMPTY {
            let (left, right) = (self.get(a), self.get(b));
            match left.value.cmp(&right.value) {
                Ordering::Less => a = left.right,
                Ordering::Greater => b = right.right,
                Ordering::Equal => {
                    let down = self.join(left.down, right.down, below)?;
                    self.push(left.value, down, if down == left.down { a } else { EMPTY });
                    (a, b) = (left.right, right.right);
                }
            }
        }
        self.list(mark, EMPTY)
    }

    /// The list with what `join_below` makes of each diagram below it.
    fn join_each(
        &mut self,
        mut list: Id,
        mut join_below: impl FnMut(&mut Self, Id) -> Result<Id, Stop>,
    ) -> Result<Id, Stop> {
        let mark = self.mark();
        while list != EMPTY {
            let entry = self.get(list);
            let down = join_below(self, entry.down)?;
            self.push(entry.value, down, if down == entry.down { list } else { EMPTY });
            list = entry.right;
        }
        self.list(mark, EMPTY)
    }
}
