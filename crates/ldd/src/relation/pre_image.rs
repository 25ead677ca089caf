//! Pre-images inside a domain. Meijer 2014, algorithms 14 and 15.
//!
//! A relation does not say which values its copies and rules lead from, so a pre-image needs a set that it is
//! to be found in. The domain is walked through: at each value the relation is followed as in an image, and
//! what it leads to is looked up in the set.

use std::ops::Range;

use crate::relation::Relation;
use crate::store::cache::Op;
use crate::store::node::{EMPTY, Id, Kind, Node, UNIT};
use crate::store::{Ldd, Stop, Store};
use crate::worker::Worker;

impl Store {
    /// { x ∈ domain | x → y for some y ∈ set }
    ///
    /// ```
    /// use ldd::{Access, Entry::Value, Shape, Store};
    /// let store = Store::with_memory(1 << 24)?;
    /// let step = store.relation(Shape::new(1, vec![(0, Access::Write)])).with_rows([&[Value(1)][..]])?;
    /// let domain = store.vectors([&[3][..], &[4]])?;
    /// assert_eq!(store.pre_image(&store.vector(&[1])?, &step, &domain)?, domain);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn pre_image(&self, set: &Ldd, relation: &Relation, domain: &Ldd) -> Result<Ldd, Stop> {
        let height = relation.shape().width() as u32;
        let rows = &relation.diagram;
        self.run([set, rows, domain], |worker| worker.pre_image(set.id, rows.id, domain.id, height))
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
        let (question, known) = self.cached(Op::PreImage, set, relation, domain);
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
        Ok(self.remember(question, answer))
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
}
