//! Images and pre-images. Meijer 2014, algorithms 12 to 15, extended by copy nodes, with the set that the
//! image is united with carried along, so that no image stands alone.

use std::ops::Range;

use crate::cache::Op;
use crate::crew::Call;
use crate::node::{EMPTY, Id, Kind, Node, UNIT};
use crate::store::Stop;
use crate::worker::Worker;

/// A part of an image: the value it gets, what is below it in the set, the rest of the relation.
pub(crate) type Part = (u32, Id, Id);

/// So many images of what is below a value by what follows a write are worth a union of two sets.
const FOLLOWED_FOR_A_UNION: usize = 8;

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
        let (question, known) = self.known(Op::Image, set, relation, sum);
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
        Ok(self.learn(question, answer))
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

    /// Moves the entries with smaller values to the list that is being built; the answer is the rest.
    #[inline]
    pub(crate) fn take_smaller(&mut self, mut list: Id, value: u32) -> Id {
        while list != EMPTY {
            let entry = self.get(list);
            if entry.value >= value {
                break;
            }
            self.push(entry.value, entry.down, list);
            list = entry.right;
        }
        list
    }

    /// What is below the first entry if it has this value, and the entry, which is taken off.
    #[inline]
    pub(crate) fn take_equal(&mut self, list: &mut Id, value: u32) -> (Id, Id) {
        if *list != EMPTY {
            let entry = self.get(*list);
            if entry.value == value {
                let origin = std::mem::replace(list, entry.right);
                return (entry.down, origin);
            }
        }
        (EMPTY, EMPTY)
    }
}

impl Worker<'_> {
    /// { x ∈ domain | some y ∈ set with x → y }; both sets have this height.
    pub fn pre_image(&mut self, set: Id, relation: Id, domain: Id, height: u32) -> Result<Id, Stop> {
        if set == EMPTY || relation == EMPTY || domain == EMPTY {
            return Ok(EMPTY);
        }
        if relation == UNIT {
            return self.intersect(set, domain);
        }
        let (question, known) = self.known(Op::PreImage, set, relation, domain);
        if let Some(answer) = known {
            return Ok(answer);
        }
        let info = self.get(relation).info;
        let answer = if info.height() < height {
            self.pre_image_same(set, None, relation, domain, height)?
        } else if info.kind() == Kind::Read {
            self.pre_image_same(set, Some(relation), relation, domain, height)?
        } else {
            self.pre_image_write(set, relation, domain, height)?
        };
        Ok(self.learn(question, answer))
    }

    /// The value stays; where there are tests, it is tested, and the rest of the relation is below the test.
    fn pre_image_same(
        &mut self,
        mut set: Id,
        mut tests: Option<Id>,
        relation: Id,
        mut domain: Id,
        height: u32,
    ) -> Result<Id, Stop> {
        let mark = self.mark();
        while domain != EMPTY {
            let entry = self.get(domain);
            set = self.skip_smaller(set, entry.value);
            tests = tests.map(|tests| self.skip_smaller(tests, entry.value));
            let rest = tests.map_or(relation, |tests| self.below(tests, entry.value));
            let below = self.below(set, entry.value);
            let down = self.pre_image(below, rest, entry.down, height - 1)?;
            self.push(entry.value, down, if down == entry.down { domain } else { EMPTY });
            domain = entry.right;
        }
        self.list(mark, EMPTY)
    }

    /// The value changes: the set's list is laid out, so that what is below a written value is found by
    /// halving.
    fn pre_image_write(&mut self, set: Id, relation: Id, mut domain: Id, height: u32) -> Result<Id, Stop> {
        let kind = self.get(relation).info.kind();
        let targets = self.scratch.parts.len();
        let mut rest = set;
        while rest != EMPTY {
            let entry = self.get(rest);
            self.scratch.parts.push((entry.value, entry.down, EMPTY));
            rest = entry.right;
        }
        let end = self.scratch.parts.len();
        let mark = self.mark();
        let mut tests = relation;
        while domain != EMPTY {
            let entry = self.get(domain);
            let mut writes = relation;
            if kind == Kind::Test {
                tests = self.skip_smaller(tests, entry.value);
                writes = self.below(tests, entry.value);
            } else if kind == Kind::Least {
                tests = self.skip_ranges(tests, entry.value);
                writes = self.change(tests, entry.value);
            }
            let down = self.before_writes(targets..end, writes, entry, height)?;
            self.push(entry.value, down, if down == entry.down { domain } else { EMPTY });
            domain = entry.right;
        }
        self.scratch.parts.truncate(targets);
        self.list(mark, EMPTY)
    }

    /// What of the domain below an entry is led by one of the writes to one of the targets, which are laid
    /// out among the parts.
    fn before_writes(
        &mut self,
        targets: Range<usize>,
        mut writes: Id,
        entry: Node,
        height: u32,
    ) -> Result<Id, Stop> {
        let mark = self.mark();
        let mut sum = EMPTY;
        while writes != EMPTY {
            let write = self.get(writes);
            let to = write.makes_of(entry.value);
            let targets = &self.scratch.parts[targets.clone()];
            if let Ok(at) = targets.binary_search_by_key(&to, |target| target.0) {
                let part = self.pre_image(targets[at].1, write.down, entry.down, height - 1)?;
                self.keep(part);
                sum = self.union(sum, part, height - 1)?;
                self.cut(mark);
                self.keep(sum);
            }
            writes = write.right;
        }
        self.cut(mark);
        Ok(sum)
    }

    /// The rest of a list from the first value that is not smaller.
    #[inline]
    pub(crate) fn skip_smaller(&self, list: Id, value: u32) -> Id {
        self.store.unique.skip_smaller(list, value)
    }

    /// The rest of a list of ranges from the first that does not end before the value.
    #[inline]
    pub(crate) fn skip_ranges(&self, ranges: Id, value: u32) -> Id {
        self.store.unique.skip_ranges(ranges, value)
    }

    /// What the first of the ranges, which does not end before the value, does to it; nothing if it begins
    /// behind it.
    #[inline]
    pub(crate) fn change(&self, ranges: Id, value: u32) -> Id {
        self.store.unique.change(ranges, value)
    }

    /// What is below a value in a list.
    pub(crate) fn below(&self, list: Id, value: u32) -> Id {
        self.store.unique.below(list, value)
    }
}
