//! The part of a set from which a relation leads anywhere. What is written makes no difference, so where a
//! list has several writes, their domains are united first ([`super::domain`]), and followed once.

use crate::relation::Relation;
use crate::store::cache::Op;
use crate::store::node::{EMPTY, Id, Kind, UNIT};
use crate::store::{Ldd, Stop, Store};
use crate::worker::Worker;

impl Store {
    /// { x ∈ set | x → y for some y }
    ///
    /// ```
    /// use ldd::{Access, Entry::Value, Shape, Store};
    /// let store = Store::with_memory(1 << 24)?;
    /// let step = store.relation(Shape::new(1, vec![(0, Access::Read)])).with_rows([&[Value(1)][..]])?;
    /// let set = store.vectors([&[1][..], &[2]])?;
    /// assert_eq!(store.enabled(&set, &step)?, store.vector(&[1])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn enabled(&self, set: &Ldd, relation: &Relation) -> Result<Ldd, Stop> {
        let height = relation.shape().width() as u32;
        let rows = &relation.diagram;
        self.run([set, rows], |worker| worker.enabled(set.id, rows.id, height))
    }
}

impl Worker<'_> {
    /// { x ∈ set | some y with x → y }; `height` is that of the set.
    pub fn enabled(&mut self, set: Id, relation: Id, height: u32) -> Result<Id, Stop> {
        if set == EMPTY || relation == EMPTY {
            return Ok(EMPTY);
        }
        if relation == UNIT {
            return Ok(set);
        }
        let (question, known) = self.cached(Op::Enabled, set, relation, 0);
        if let Some(answer) = known {
            return Ok(answer);
        }
        let info = self.get(relation).info;
        let mut tests = relation;
        let answer = if info.height() < height {
            self.enabled_at(set, height, |_, _| Some((relation, false)))?
        } else {
            match info.kind() {
                kind @ (Kind::Read | Kind::Test) => self.enabled_at(set, height, |worker, value| {
                    tests = worker.skip_smaller(tests, value);
                    (tests != EMPTY).then(|| (worker.below(tests, value), kind == Kind::Test))
                })?,
                Kind::Least => self.enabled_at(set, height, |worker, value| {
                    tests = worker.skip_ranges(tests, value);
                    (tests != EMPTY).then(|| (worker.change(tests, value), true))
                })?,
                _ => self.enabled_at(set, height, |_, _| Some((relation, true)))?,
            }
        };
        Ok(self.remember(question, answer))
    }

    /// `rest` tells what of the relation is left for a value, and whether the value is written; nothing where
    /// no greater value leads anywhere.
    fn enabled_at(
        &mut self,
        mut set: Id,
        height: u32,
        mut rest: impl FnMut(&Self, u32) -> Option<(Id, bool)>,
    ) -> Result<Id, Stop> {
        let mark = self.mark();
        while set != EMPTY {
            let entry = self.get(set);
            let Some((rest, is_written)) = rest(self, entry.value) else { break };
            let down = if is_written {
                self.enabled_by_writes(entry.down, rest, height)?
            } else {
                self.enabled(entry.down, rest, height - 1)?
            };
            self.push(entry.value, down, if down == entry.down { set } else { EMPTY });
            set = entry.right;
        }
        self.list(mark, EMPTY)
    }

    /// Any of the writes will do, and what they write makes no difference.
    fn enabled_by_writes(&mut self, below: Id, writes: Id, height: u32) -> Result<Id, Stop> {
        if writes == EMPTY {
            return Ok(EMPTY);
        }
        let write = self.get(writes);
        if write.right == EMPTY {
            return self.enabled(below, write.down, height - 1);
        }
        let mark = self.mark();
        let rest = self.domain_of_writes(writes)?;
        self.keep(rest);
        let enabled = self.enabled(below, rest, height - 1);
        self.cut(mark);
        enabled
    }
}
