//! The least and the greatest of a set: of sums of its slots, and of each slot.
//!
//! Nothing here passes the gate, as nothing makes a node. All vectors from a node down have the same length,
//! so a node always stands for the same slots: what is known of it serves wherever it is met.

use crate::counting::{allowance::Allowance, sizes::levels_while};
use crate::store::by_node::ByNode;
use crate::store::node::{EMPTY, Id, UNIT};
use crate::store::unique::Unique;
use crate::store::{Ldd, Stop, Store};

impl Store {
    /// min { Σ factorsᵢ · xᵢ | x ∈ set }, if there is an x; slots behind the end of `factors` do not count
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vectors([&[1, 5][..], &[2, 3]])?;
    /// assert_eq!(store.least(&set, &[1, 1]), Some(5));
    /// assert_eq!(store.least(&store.empty(), &[1, 1]), None);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    ///
    /// # Panics
    /// When there are more factors than slots.
    pub fn least(&self, set: &Ldd, factors: &[i64]) -> Option<i128> {
        self.extremes_while(set, factors, || true).expect("BUG: nobody broke it off").map(|(least, _)| least)
    }

    /// max { Σ factorsᵢ · xᵢ | x ∈ set }, if there is an x; slots behind the end of `factors` do not count
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vectors([&[1, 5][..], &[2, 3]])?;
    /// assert_eq!(store.greatest(&set, &[1, 1]), Some(6));
    /// assert_eq!(store.greatest(&set, &[1, -1]), Some(-1));
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    ///
    /// # Panics
    /// When there are more factors than slots.
    pub fn greatest(&self, set: &Ldd, factors: &[i64]) -> Option<i128> {
        self.extremes_while(set, factors, || true)
            .expect("BUG: nobody broke it off")
            .map(|(_, greatest)| greatest)
    }

    /// Both at once, or an interruption if `go_on`, which is asked now and then, says no.
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vectors([&[1, 5][..], &[2, 3]])?;
    /// assert_eq!(store.extremes_while(&set, &[0, 2], || true), Ok(Some((6, 10))));
    /// assert_eq!(store.extremes_while(&set, &[0, 2], || false), Err(ldd::Stop::Interrupted));
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    ///
    /// # Panics
    /// When there are more factors than slots.
    pub fn extremes_while(
        &self,
        set: &Ldd,
        factors: &[i64],
        mut go_on: impl FnMut() -> bool,
    ) -> Result<Option<(i128, i128)>, Stop> {
        self.assert_owns(set);
        if set.is_empty() {
            return Ok(None);
        }
        let mut allowance = Allowance::new(&mut go_on);
        let factors = up_to_last(factors);
        let both =
            Extremes::new(&self.inner.unique).of(set.id, &|at| factors.get(at).copied(), 0, &mut allowance);
        both.map(Some).ok_or(Stop::Interrupted)
    }

    /// For each slot i: ( min { xᵢ | x ∈ set }, max { xᵢ | x ∈ set } ); nothing for the empty set
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vectors([&[1, 5][..], &[2, 3]])?;
    /// assert_eq!(store.ranges(&set), [(1, 2), (3, 5)]);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn ranges(&self, set: &Ldd) -> Vec<(u32, u32)> {
        self.ranges_while(set, || true).expect("BUG: nobody broke it off")
    }

    /// The same, or nothing if `go_on`, which is asked now and then, says no.
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vectors([&[1, 5][..], &[2, 3]])?;
    /// assert_eq!(store.ranges_while(&set, || false), None);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn ranges_while(&self, set: &Ldd, mut go_on: impl FnMut() -> bool) -> Option<Vec<(u32, u32)>> {
        self.assert_owns(set);
        let levels = levels_while(&self.inner, set.id, &mut Allowance::new(&mut go_on))?;
        let wider = |(least, greatest): (u32, u32), value: u32| (least.min(value), greatest.max(value));
        let range = |level: &Vec<Id>| {
            level.iter().map(|&id| self.inner.unique.get(id).value).fold((u32::MAX, 0), wider)
        };
        Some(levels.iter().map(range).collect())
    }
}

/// Without the zeros at the end: what is below the last slot that counts need not be looked at.
pub(crate) fn up_to_last(factors: &[i64]) -> &[i64] {
    &factors[..factors.iter().rposition(|&factor| factor != 0).map_or(0, |last| last + 1)]
}

/// The least and the greatest sum below nodes, as far as asked for.
pub(crate) struct Extremes<'s> {
    unique: &'s Unique,
    known: ByNode<(i128, i128)>,
}

impl<'s> Extremes<'s> {
    pub fn new(unique: &'s Unique) -> Self {
        Self { unique, known: ByNode::default() }
    }

    /// Of a set that is not empty, whose first slot has the factor with this number; there is none behind the
    /// last that counts.
    pub fn of(
        &mut self,
        id: Id,
        factor: &impl Fn(usize) -> Option<i64>,
        at: usize,
        allowance: &mut Allowance<'_>,
    ) -> Option<(i128, i128)> {
        let Some(times) = factor(at) else { return Some((0, 0)) };
        assert!(id != UNIT, "BUG: a factor for a slot that the set does not have");
        if let Some(&known) = self.known.get(&id) {
            return Some(known);
        }
        let mut both: Option<(i128, i128)> = None;
        let mut rest = id;
        while rest != EMPTY {
            if !allowance.goes_on() {
                return None;
            }
            let entry = self.unique.get(rest);
            let (least, greatest) = self.of(entry.down, factor, at + 1, allowance)?;
            let own = i128::from(times) * i128::from(entry.value);
            let (low, high) = both.unwrap_or((least + own, greatest + own));
            both = Some((low.min(least + own), high.max(greatest + own)));
            rest = entry.right;
        }
        let both = both.expect("BUG: the empty set below a node");
        self.known.insert(id, both);
        Some(both)
    }
}
