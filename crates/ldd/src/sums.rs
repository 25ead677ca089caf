//! Sets cut down by sums: the vectors of which a weighted sum of slots is not too large.
//!
//! The recursion carries what is left of the bound. At each node it compares that with the least and the
//! greatest sum below the node ([`extremes`]): if even the greatest is within the bound, the node stays as it
//! is; if even the least is not, it goes. Only between both its list is looked at.
//!
//! For example, of {(0, 1), (0, 2), (4, 1), (4, 9)} the vectors with x + y ≤ 5 are wanted. Below 0 the sums
//! of y are 1 to 2, and 5 are left: all stay. Below 4 they are 1 to 9, and 1 is left: the list is looked at,
//! and 1 stays.
//!
//! The cache knows an answer by the node, the number of the factors from there on, and the distance of the
//! bound from the least sum. So one question serves the next with the same factors, whatever its bound.

mod extremes;

use std::collections::HashMap;

use crate::counting::allowance::Allowance;
use crate::store::cache::Op;
use crate::store::node::{EMPTY, Id};
use crate::store::{Ldd, Stop, Store, lock};
use crate::worker::Worker;
use extremes::{Extremes, up_to_last};

impl Store {
    /// { x ∈ set | Σ factorsᵢ · xᵢ ≤ most }; slots behind the end of `factors` do not count
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vectors([&[1, 5][..], &[2, 3], &[4, 3]])?;
    /// assert_eq!(store.at_most(&set, &[1, 1], 6)?, store.vectors([&[1, 5][..], &[2, 3]])?);
    /// assert_eq!(store.at_most(&set, &[-1], -4)?, store.vector(&[4, 3])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    ///
    /// # Panics
    /// When there are more factors than slots.
    pub fn at_most(&self, set: &Ldd, factors: &[i64], most: i128) -> Result<Ldd, Stop> {
        let factors = lock(&self.inner.factors).steps(up_to_last(factors));
        let extremes = Extremes::new(&self.inner.unique);
        let mut filter = Filter { factors, extremes, wide: HashMap::new() };
        self.run([set], |worker| worker.at_most(set.id, 0, most, &mut filter))
    }
}

/// A sum, while a set is cut down by it.
pub(crate) struct Filter<'s> {
    /// The factor of each slot, and the number of the factors from there on.
    factors: Vec<(i64, u32)>,
    extremes: Extremes<'s>,
    /// Answers for bounds that are further from the least sum than the cache has room for.
    wide: HashMap<(Id, i128), Ldd>,
}

impl Worker<'_> {
    /// { x ∈ set | the sum of x, from the factor with this number on, is at most this }
    pub fn at_most(&mut self, set: Id, at: usize, most: i128, filter: &mut Filter<'_>) -> Result<Id, Stop> {
        if set == EMPTY {
            return Ok(EMPTY);
        }
        let Filter { factors, extremes, wide } = filter;
        let mut go_on = || self.go_on().is_ok();
        let factor = |at: usize| factors.get(at).map(|(factor, _)| *factor);
        let both = extremes.of(set, &factor, at, &mut Allowance::new(&mut go_on));
        let (least, greatest) = both.ok_or(Stop::Interrupted)?;
        if greatest <= most {
            return Ok(set);
        }
        if least > most {
            return Ok(EMPTY);
        }
        let Ok(distance) = u32::try_from(most - least) else {
            if let Some(known) = wide.get(&(set, most)) {
                return Ok(known.id);
            }
            let answer = self.at_most_each(set, at, most, filter)?;
            filter.wide.insert((set, most), self.owner.own(answer));
            return Ok(answer);
        };
        let (question, known) = self.cached(Op::AtMost, set, factors[at].1, distance);
        if let Some(answer) = known {
            return Ok(answer);
        }
        let answer = self.at_most_each(set, at, most, filter)?;
        Ok(self.remember(question, answer))
    }

    fn at_most_each(
        &mut self,
        mut set: Id,
        at: usize,
        most: i128,
        filter: &mut Filter<'_>,
    ) -> Result<Id, Stop> {
        let factor = i128::from(filter.factors[at].0);
        let mark = self.mark();
        while set != EMPTY {
            let entry = self.get(set);
            let down = self.at_most(entry.down, at + 1, most - factor * i128::from(entry.value), filter)?;
            self.push(entry.value, down, if down == entry.down { set } else { EMPTY });
            set = entry.right;
        }
        self.list(mark, EMPTY)
    }
}
