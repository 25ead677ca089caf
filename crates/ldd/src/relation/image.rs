//! Images. Meijer 2014, algorithms 12 and 13, extended by copy nodes.
//!
//! An image is a set, and its lists must be sorted by value and united with others. To make an image first
//! and unite it then costs two passes and nodes that nobody needs. So the set that the image is united with,
//! `sum`, is carried along: image(S, R, sum) = sum ∪ { y | x ∈ S, (x, y) ∈ R }, one level after the other.
//!
//! Where a level is written, the list of the image has other values than the list of the set. It is made of
//! *parts*: each is a value that is written, what is below the old value in the set, and what is left of the
//! relation. For example, let the set be {(0, a), (1, b)} and the relation write 5 for 0, and 5 or 3 for 1.
//! The parts are (5, a), (5, b) and (3, b). Sorted and put together by value they are the list 3 ↦ b, 5 ↦ a ∪
//! b, and each union is again an image with a sum.

use crate::relation::Relation;
use crate::store::cache::Op;
use crate::store::node::{EMPTY, Id, Kind, UNIT};
use crate::store::tasks::Call;
use crate::store::{Ldd, Stop, Store};
use crate::worker::Worker;

/// So many images of what is below a value by what follows a write are worth a union of two sets.
const FOLLOWED_FOR_A_UNION: usize = 8;

impl Store {
    /// sum ∪ { y | x ∈ set, x → y }
    ///
    /// ```
    /// use ldd::{Access, Entry::Value, Shape, Store};
    /// let store = Store::with_memory(1 << 24)?;
    /// let shape = Shape::new(2, vec![(1, Access::Both)]);
    /// let step = store.relation(shape).with_rows([&[Value(0), Value(1)][..]])?;
    /// let image = store.image(&store.vector(&[5, 0])?, &step, &store.empty())?;
    /// assert_eq!(image, store.vector(&[5, 1])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn image(&self, set: &Ldd, relation: &Relation, sum: &Ldd) -> Result<Ldd, Stop> {
        let height = relation.shape().width() as u32;
        let rows = &relation.diagram;
        self.run([set, rows, sum], |worker| worker.image(set.id, rows.id, sum.id, height))
    }
}

impl Worker<'_> {
    /// image(set, relation) ∪ sum; `height` is that of the set.
    pub fn image(&mut self, set: Id, relation: Id, sum: Id, height: u32) -> Result<Id, Stop> {
        if set == EMPTY || relation == EMPTY {
            return Ok(sum);
        }
        if relation == UNIT {
            return self.union(set, sum, height);
        }
        let info = self.get(relation).info;
        if height == 1 {
            // The last slot: done sooner than looked up.
            return match info.kind() {
                Kind::Read => self.image_read(set, relation, sum, height),
                _ => self.image_write(set, relation, sum, height),
            };
        }
        let (question, known) = self.cached(Op::Image, set, relation, sum);
        if let Some(answer) = known {
            return Ok(answer);
        }
        let answer = if self.may_split(height) {
            self.image_split(set, relation, sum, height)?
        } else if info.height() < height {
            self.image_below(set, relation, sum, height)?
        } else if info.kind() == Kind::Read {
            self.image_read(set, relation, sum, height)?
        } else {
            self.image_write(set, relation, sum, height)?
        };
        Ok(self.remember(question, answer))
    }

    /// The relation does nothing at this level.
    fn image_below(&mut self, mut set: Id, relation: Id, mut sum: Id, height: u32) -> Result<Id, Stop> {
        let mark = self.mark();
        while set != EMPTY {
            let from = self.get(set);
            sum = self.take_smaller(sum, from.value);
            let (below, origin) = self.take_equal(&mut sum, from.value);
            let down = self.image(from.down, relation, below, height - 1)?;
            self.push(from.value, down, if down == below { origin } else { EMPTY });
            set = from.right;
        }
        self.list(mark, sum)
    }

    /// The relation tests the value, which stays.
    fn image_read(&mut self, mut set: Id, mut relation: Id, mut sum: Id, height: u32) -> Result<Id, Stop> {
        let mark = self.mark();
        while set != EMPTY && relation != EMPTY {
            let (from, test) = (self.get(set), self.get(relation));
            match from.value.cmp(&test.value) {
                std::cmp::Ordering::Less => set = from.right,
                std::cmp::Ordering::Greater => relation = test.right,
                std::cmp::Ordering::Equal => {
                    sum = self.take_smaller(sum, from.value);
                    let (below, origin) = self.take_equal(&mut sum, from.value);
                    let down = self.image(from.down, test.down, below, height - 1)?;
                    self.push(from.value, down, if down == below { origin } else { EMPTY });
                    (set, relation) = (from.right, test.right);
                }
            }
        }
        self.list(mark, sum)
    }

    /// The relation changes the value: its parts are collected, sorted, and united value by value.
    fn image_write(&mut self, set: Id, relation: Id, mut sum: Id, height: u32) -> Result<Id, Stop> {
        let parts = self.scratch.parts.len();
        let held = self.mark();
        self.collect_parts(set, relation, height)?;
        self.scratch.parts[parts..].sort_unstable_by_key(|part| part.0);
        let mark = self.mark();
        let mut at = parts;
        while at < self.scratch.parts.len() {
            let value = self.scratch.parts[at].0;
            sum = self.take_smaller(sum, value);
            let (before, origin) = self.take_equal(&mut sum, value);
            let mut down = before;
            while let Some(&(_, below, rest)) = self.scratch.parts.get(at).filter(|part| part.0 == value) {
                // What was united so far is held by nobody else.
                self.keep(down);
                let united = self.image(below, rest, down, height - 1);
                self.scratch.pending.pop();
                down = united?;
                at += 1;
            }
            self.push(value, down, if down == before { origin } else { EMPTY });
        }
        self.scratch.parts.truncate(parts);
        let list = self.list(mark, sum);
        self.cut(held);
        list
    }

    /// The image, in parts that helpers may take over.
    fn image_split(&mut self, set: Id, relation: Id, mut sum: Id, height: u32) -> Result<Id, Stop> {
        let parts = self.scratch.parts.len();
        let held = self.mark();
        let info = self.get(relation).info;
        if info.height() < height {
            let mut rest = set;
            while rest != EMPTY {
                let from = self.get(rest);
                self.scratch.parts.push((from.value, from.down, relation));
                rest = from.right;
            }
        } else {
            self.collect_parts(set, relation, height)?;
        }
        self.scratch.parts[parts..].sort_unstable_by_key(|part| part.0);
        let (mut values, mut calls, mut rest) = (Vec::new(), Vec::new(), sum);
        for equal in self.scratch.parts[parts..].chunk_by(|a, b| a.0 == b.0) {
            let images = equal.iter().map(|&(_, below, rest)| (below, rest)).collect();
            values.push(equal[0].0);
            rest = self.skip_smaller(rest, equal[0].0);
            calls.push(Call::Images(images, self.below(rest, equal[0].0)));
        }
        self.scratch.parts.truncate(parts);
        let downs = self.many(calls, None, height - 1)?;
        let mark = self.mark();
        for (value, down) in values.into_iter().zip(downs) {
            sum = self.take_smaller(sum, value);
            let (before, origin) = self.take_equal(&mut sum, value);
            self.push(value, down, if down == before { origin } else { EMPTY });
        }
        let list = self.list(mark, sum);
        self.cut(held);
        list
    }

    /// What is kept on the way is to be cut off by who asked.
    fn collect_parts(&mut self, mut set: Id, mut relation: Id, height: u32) -> Result<(), Stop> {
        let kind = self.get(relation).info.kind();
        if kind == Kind::Least {
            while set != EMPTY && relation != EMPTY {
                let from = self.get(set);
                relation = self.skip_ranges(relation, from.value);
                let change = self.change(relation, from.value);
                self.collect_writes(from.value, from.down, change);
                set = from.right;
            }
            return Ok(());
        }
        if !matches!(kind, Kind::Test | Kind::Read) {
            let (values, writes) = (self.length(set), self.length(relation));
            if values * writes > FOLLOWED_FOR_A_UNION * (values + writes) {
                return self.collect_written_only(set, relation, height);
            }
            while set != EMPTY {
                let from = self.get(set);
                self.collect_writes(from.value, from.down, relation);
                set = from.right;
            }
            return Ok(());
        }
        while set != EMPTY && relation != EMPTY {
            let (from, test) = (self.get(set), self.get(relation));
            match from.value.cmp(&test.value) {
                std::cmp::Ordering::Less => set = from.right,
                std::cmp::Ordering::Greater => relation = test.right,
                std::cmp::Ordering::Equal if kind == Kind::Read => {
                    self.scratch.parts.push((from.value, from.down, test.down));
                    (set, relation) = (from.right, test.right);
                }
                std::cmp::Ordering::Equal => {
                    self.collect_writes(from.value, from.down, test.down);
                    (set, relation) = (from.right, test.right);
                }
            }
        }
        Ok(())
    }

    /// Several values are written whatever there was: what is below is united first, so that each is followed
    /// once and not from each value.
    fn collect_written_only(&mut self, set: Id, mut writes: Id, height: u32) -> Result<(), Stop> {
        let mut below = EMPTY;
        while writes != EMPTY {
            let write = self.get(writes);
            if write.info.kind() == Kind::Write {
                if below == EMPTY {
                    below = self.union_below(set, height)?;
                }
                self.scratch.parts.push((write.value, below, write.down));
            } else {
                let mut rest = set;
                while rest != EMPTY {
                    let from = self.get(rest);
                    self.scratch.parts.push((write.makes_of(from.value), from.down, write.down));
                    rest = from.right;
                }
            }
            writes = write.right;
        }
        Ok(())
    }

    /// The number of entries of a list.
    fn length(&self, mut list: Id) -> usize {
        let mut length = 0;
        while list != EMPTY {
            length += 1;
            list = self.get(list).right;
        }
        length
    }

    /// The union of all that is below a list, which is kept.
    fn union_below(&mut self, mut set: Id, height: u32) -> Result<Id, Stop> {
        let mark = self.mark();
        while set != EMPTY {
            let entry = self.get(set);
            set = entry.right;
            self.unite_next(mark, entry.down, set == EMPTY, |worker, a, b| worker.union(a, b, height - 1))?;
        }
        Ok(self.scratch.pending[mark].down)
    }

    #[inline]
    fn collect_writes(&mut self, value: u32, down: Id, mut writes: Id) {
        while writes != EMPTY {
            let write = self.get(writes);
            self.scratch.parts.push((write.makes_of(value), down, write.down));
            writes = write.right;
        }
    }
}
