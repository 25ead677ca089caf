//! What can be seen of a set without making nodes: its members.
//!
//! Nothing here passes the gate. The nodes of a set that someone holds stay where they are and as they are,
//! whatever is collected meanwhile; so what is called for each vector may itself use the store.

use crate::node::{Id, UNIT};
use crate::store::{Ldd, Store};
use crate::unique::Unique;

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
        walk(&self.inner.unique, set.id, &mut Vec::new(), &mut visit);
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

fn walk(unique: &Unique, id: Id, vector: &mut Vec<u32>, visit: &mut impl FnMut(&[u32]) -> bool) -> bool {
    if id == UNIT {
        return visit(vector);
    }
    let mut rest = id;
    while rest > UNIT {
        let entry = unique.get(rest);
        vector.push(entry.value);
        let go_on = walk(unique, entry.down, vector, visit);
        vector.pop();
        if !go_on {
            return false;
        }
        rest = entry.right;
    }
    true
}
