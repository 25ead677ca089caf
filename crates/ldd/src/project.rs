//! Projections: sets of vectors cut down to some of the slots.

use crate::cache::Op;
use crate::node::{EMPTY, Id, UNIT};
use crate::pattern::{Role, Step};
use crate::store::{Ldd, Stop, Store, lock};
use crate::worker::Worker;

impl Store {
    /// { x|kept | x ∈ set }, where `kept` tells of each slot whether it stays; of slots behind its end none does.
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vectors([&[1, 5, 3][..], &[1, 6, 3]])?;
    /// assert_eq!(store.project(&set, &[true, false, true])?, store.vector(&[1, 3])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    ///
    /// # Panics
    /// When a slot is kept that the set does not have.
    pub fn project(&self, set: &Ldd, kept: &[bool]) -> Result<Ldd, Stop> {
        self.project_minus(set, kept, &self.empty())
    }

    /// { x|kept | x ∈ set } ∖ known, without making the projection itself
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vectors([&[1, 5][..], &[2, 5], &[2, 6]])?;
    /// let fresh = store.project_minus(&set, &[true, false], &store.vector(&[2])?)?;
    /// assert_eq!(fresh, store.vector(&[1])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    ///
    /// # Panics
    /// When a slot is kept that the set does not have.
    pub fn project_minus(&self, set: &Ldd, kept: &[bool], known: &Ldd) -> Result<Ldd, Stop> {
        let roles: Vec<Role> = kept.iter().map(|&kept| if kept { Role::Both } else { Role::First }).collect();
        let end = kept.iter().rposition(|&kept| kept).map_or(0, |last| last + 1);
        let steps = lock(&self.inner.patterns).steps(&roles[..end]);
        self.run([set, known], |worker| worker.project(set.id, known.id, &steps))
    }
}

impl Worker<'_> {
    /// { x|kept | x ∈ set } ∖ known, where the slots of both are kept.
    pub fn project(&mut self, set: Id, known: Id, steps: &[Step]) -> Result<Id, Stop> {
        if set == EMPTY {
            return Ok(EMPTY);
        }
        // Nothing is kept below: all that matters is whether there is something.
        let Some((&(role, number), below)) = steps.split_first() else {
            return Ok(if known == EMPTY { UNIT } else { EMPTY });
        };
        assert!(set != UNIT, "BUG: a slot is kept that the set does not have");
        let (question, answer) = self.known(Op::Project, set, known, number);
        if let Some(answer) = answer {
            return Ok(answer);
        }
        let answer = match role {
            Role::Both => self.project_kept(set, known, below)?,
            _ => self.project_dropped(set, known, below)?,
        };
        Ok(self.learn(question, answer))
    }

    fn project_kept(&mut self, mut set: Id, mut known: Id, below: &[Step]) -> Result<Id, Stop> {
        let mark = self.mark();
        while set != EMPTY {
            let entry = self.get(set);
            known = self.skip_smaller(known, entry.value);
            let known_below = self.below(known, entry.value);
            let down = self.project(entry.down, known_below, below)?;
            self.push(entry.value, down, if down == entry.down { set } else { EMPTY });
            set = entry.right;
        }
        self.list(mark, EMPTY)
    }

    fn project_dropped(&mut self, mut set: Id, known: Id, below: &[Step]) -> Result<Id, Stop> {
        let mark = self.mark();
        let mut sum = EMPTY;
        while set != EMPTY {
            let entry = self.get(set);
            let part = self.project(entry.down, known, below)?;
            self.keep(part);
            sum = self.union(sum, part, 0)?;
            self.cut(mark);
            self.keep(sum);
            set = entry.right;
        }
        self.cut(mark);
        Ok(sum)
    }
}
