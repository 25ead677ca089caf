//! The size of diagrams: how many nodes they have, and at which levels.

use crate::node::{Id, UNIT};
use crate::store::{Inner, Ldd, Store};

impl Store {
    /// How many nodes the diagram has, not counting those of ∅ and of the empty vector.
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vectors([&[1, 5][..], &[2, 5]])?;
    /// assert_eq!(store.node_count(&set), 3);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn node_count(&self, set: &Ldd) -> usize {
        self.assert_owns(set);
        let mut marks = self.inner.marks();
        marks.mark(&self.inner.unique, set.id);
        marks.count
    }

    /// How many nodes the diagram has at each level, from the top: at the first slot, at the second, and so on.
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vectors([&[1, 5][..], &[2, 5]])?;
    /// assert_eq!(store.nodes_per_level(&set), [2, 1]);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn nodes_per_level(&self, set: &Ldd) -> Vec<usize> {
        self.assert_owns(set);
        levels(&self.inner, set.id).iter().map(Vec::len).collect()
    }
}

/// The nodes of a diagram by level.
pub(crate) fn levels(store: &Inner, root: Id) -> Vec<Vec<Id>> {
    let mut marks = store.marks();
    let mut levels = Vec::new();
    let mut heads = vec![root];
    while heads.iter().any(|&head| head > UNIT) {
        let (mut level, mut below) = (Vec::new(), Vec::new());
        for mut id in heads {
            while id > UNIT && marks.insert(id) {
                level.push(id);
                let node = store.unique.get(id);
                below.push(node.down);
                id = node.right;
            }
        }
        levels.push(level);
        heads = below;
    }
    levels
}
