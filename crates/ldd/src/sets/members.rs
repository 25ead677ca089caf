//! The members of a set, seen without making nodes.
//!
//! Nothing here passes the gate. The nodes of a set that someone holds stay where they are and as they are,
//! whatever is collected meanwhile. So what is called for each vector may itself use the store.

use crate::store::node::{EMPTY, Id, UNIT};
use crate::store::unique::Unique;
use crate::store::{Ldd, Store};

impl Store {
    /// x ∈ set
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vector(&[1, 2])?;
    /// assert!(store.contains(&set, &[1, 2]) && !store.contains(&set, &[2, 1]));
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn contains(&self, set: &Ldd, vector: &[u32]) -> bool {
        self.assert_owns(set);
        let below = |list, &value| self.inner.unique.below(list, value);
        vector.iter().fold(set.id, below) == UNIT
    }

    /// Calls `visit` on every vector, in ascending order, until it answers `false`.
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vectors([&[2, 1][..], &[1, 7]])?;
    /// let mut seen = Vec::new();
    /// store.for_each(&set, |vector| {
    ///     seen.push(vector.to_vec());
    ///     true
    /// });
    /// assert_eq!(seen, [[1, 7], [2, 1]]);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn for_each(&self, set: &Ldd, mut visit: impl FnMut(&[u32]) -> bool) {
        self.assert_owns(set);
        let (mut vectors, mut vector) = (Vectors::of(&self.inner.unique, set.id), Vec::new());
        while vectors.next(&mut vector) && visit(&vector) {}
    }

    /// The least vector, if there is one.
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vectors([&[2, 1][..], &[1, 7]])?;
    /// assert_eq!(store.first(&set), Some(vec![1, 7]));
    /// assert_eq!(store.first(&store.empty()), None);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn first(&self, set: &Ldd) -> Option<Vec<u32>> {
        let mut first = None;
        self.for_each(set, |vector| {
            first = Some(vector.to_vec());
            false
        });
        first
    }
}

/// The vectors of a set in ascending order, one after the other.
pub(crate) struct Vectors<'u> {
    unique: &'u Unique,
    /// For each slot the rest of the list that is being walked through.
    trail: Vec<Id>,
}

impl<'u> Vectors<'u> {
    pub fn of(unique: &'u Unique, set: Id) -> Self {
        Self { unique, trail: vec![set] }
    }

    /// Puts the next vector in the place of the one before; says whether there is one.
    pub fn next(&mut self, vector: &mut Vec<u32>) -> bool {
        while let Some(list) = self.trail.pop() {
            vector.truncate(self.trail.len());
            if list == UNIT {
                return true;
            }
            if list != EMPTY {
                let entry = self.unique.get(list);
                vector.push(entry.value);
                self.trail.extend([entry.right, entry.down]);
            }
        }
        false
    }
}
