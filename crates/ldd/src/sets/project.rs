//! Projections: sets of vectors cut down to some of the slots.

use crate::store::cache::Op;
use crate::store::node::{EMPTY, Id, UNIT};
use crate::store::patterns::Kept;
use crate::store::{Ldd, Stop, Store, lock};
use crate::worker::Worker;

impl Store {
    /// { x|kept | x ∈ set }, where `kept` tells of each slot whether it stays; of slots behind its end none
    /// does.
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
        self.assert_owns(set);
        let height = self.worker().height(set.id);
        assert!(set.is_empty() || !kept.iter().skip(height as usize).any(|&kept| kept), "{LACKS}");
        let cut = self.cut(kept, height);
        self.run([set, known], |worker| worker.project(set.id, known.id, &cut, height))
    }

    /// The cut that leaves these slots of vectors of a height; of slots behind the end of `kept` none stays.
    pub(crate) fn cut(&self, kept: &[bool], height: u32) -> Vec<Kept> {
        let slots = kept.iter().zip((1..=height).rev()).filter(|(kept, _)| **kept);
        let heights: Vec<u32> = slots.map(|(_, height)| height).collect();
        lock(&self.inner.cuts).steps(&heights)
    }
}

const LACKS: &str = "BUG: a slot is kept that the set does not have";

impl Worker<'_> {
    /// { x|kept | x ∈ set } ∖ known, where the slots of both are kept; `height` is that of the set.
    pub fn project(&mut self, set: Id, known: Id, cut: &[Kept], height: u32) -> Result<Id, Stop> {
        if set == EMPTY {
            return Ok(EMPTY);
        }
        // Nothing is kept below: all that matters is whether there is something.
        let Some((&(kept, number), below)) = cut.split_first() else {
            return Ok(if known == EMPTY { UNIT } else { EMPTY });
        };
        assert!(set != UNIT, "{LACKS}");
        let (question, answer) = self.cached(Op::Project, set, known, number);
        if let Some(answer) = answer {
            return Ok(answer);
        }
        let answer = if kept == height {
            self.project_kept(set, known, below, height)?
        } else {
            self.project_dropped(set, known, cut, height)?
        };
        Ok(self.remember(question, answer))
    }

    fn project_kept(&mut self, mut set: Id, mut known: Id, below: &[Kept], height: u32) -> Result<Id, Stop> {
        let mark = self.mark();
        while set != EMPTY {
            let entry = self.get(set);
            known = self.skip_smaller(known, entry.value);
            let known_below = self.below(known, entry.value);
            let down = self.project(entry.down, known_below, below, height - 1)?;
            self.push(entry.value, down, if down == entry.down { set } else { EMPTY });
            set = entry.right;
        }
        self.list(mark, EMPTY)
    }

    fn project_dropped(&mut self, mut set: Id, known: Id, cut: &[Kept], height: u32) -> Result<Id, Stop> {
        let mark = self.mark();
        let mut sum = EMPTY;
        while set != EMPTY {
            let entry = self.get(set);
            let part = self.project(entry.down, known, cut, height - 1)?;
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
