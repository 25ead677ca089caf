//! The size of diagrams: how many nodes they have, and at which levels.

use crate::counting::allowance::Allowance;
use crate::store::by_node::ByNode;
use crate::store::marks::Marks;
use crate::store::node::{Id, UNIT};
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

    /// The same, or nothing if `go_on`, which is asked now and then, says no.
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vectors([&[1, 5][..], &[2, 5]])?;
    /// assert_eq!(store.node_count_while(&set, || true), Some(3));
    /// assert_eq!(store.node_count_while(&set, || false), None);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn node_count_while(&self, set: &Ldd, go_on: impl FnMut() -> bool) -> Option<usize> {
        Some(self.nodes_per_level_while(set, go_on)?.iter().sum())
    }

    /// How many nodes the diagram has at each level, from the top: at the first slot, at the second, and so
    /// on.
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vectors([&[1, 5][..], &[2, 5]])?;
    /// assert_eq!(store.nodes_per_level(&set), [2, 1]);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn nodes_per_level(&self, set: &Ldd) -> Vec<usize> {
        self.nodes_per_level_while(set, || true).expect("BUG: nobody broke it off")
    }

    /// The same, or nothing if `go_on`, which is asked now and then, says no.
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vectors([&[1, 5][..], &[2, 5]])?;
    /// assert_eq!(store.nodes_per_level_while(&set, || true), Some(vec![2, 1]));
    /// assert_eq!(store.nodes_per_level_while(&set, || false), None);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn nodes_per_level_while(&self, set: &Ldd, mut go_on: impl FnMut() -> bool) -> Option<Vec<usize>> {
        self.assert_owns(set);
        let levels = levels_while(&self.inner, set.id, &mut Allowance::new(&mut go_on))?;
        Some(levels.iter().map(Vec::len).collect())
    }
}

/// The nodes of a diagram by level.
pub(crate) fn levels(store: &Inner, root: Id) -> Vec<Vec<Id>> {
    levels_while(store, root, &mut Allowance::new(&mut || true)).expect("BUG: nobody broke it off")
}

pub(crate) fn levels_while(store: &Inner, root: Id, allowance: &mut Allowance<'_>) -> Option<Vec<Vec<Id>>> {
    let mut seen = Seen { store, few: ByNode::default(), many: None };
    let mut levels = Vec::new();
    let mut heads = vec![root];
    while heads.iter().any(|&head| head > UNIT) {
        let (mut level, mut below) = (Vec::new(), Vec::new());
        for mut id in heads {
            while id > UNIT && seen.insert(id) {
                if !allowance.goes_on() {
                    return None;
                }
                level.push(id);
                let node = store.unique.get(id);
                below.push(node.down);
                id = node.right;
            }
        }
        levels.push(level);
        heads = below;
    }
    Some(levels)
}

/// So many nodes are few: to write them down takes less than a mark for each node that there is.
const FEW: usize = 1 << 12;

/// Nodes that were met.
struct Seen<'s> {
    store: &'s Inner,
    few: ByNode<()>,
    many: Option<Marks>,
}

impl Seen<'_> {
    /// Whether the node is new.
    fn insert(&mut self, id: Id) -> bool {
        if let Some(many) = &mut self.many {
            return many.insert(id);
        }
        let is_new = self.few.insert(id, ()).is_none();
        if self.few.len() >= FEW {
            let mut many = self.store.marks();
            self.few.drain().for_each(|(id, ())| _ = many.insert(id));
            self.many = Some(many);
        }
        is_new
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use crate::counting::allowance::BETWEEN_LOOKS;
    use crate::store::Store;

    #[test]
    fn long_walks_ask_now_and_then() {
        let store = Store::with_memory(1 << 26).expect("room");
        let most = 10 * BETWEEN_LOOKS;
        let vectors: Vec<[u32; 1]> = (0..most).map(|value| [value]).collect();
        let set = store.vectors(vectors.iter().map(|vector| &vector[..])).expect("room");
        let mut asked = 0;
        let mut up_to = |end| {
            asked = 0;
            let go_on = || {
                asked += 1;
                asked < end
            };
            (store.count_while(&set, go_on).is_some(), asked)
        };
        assert_eq!(up_to(3), (false, 3));
        assert_eq!(up_to(u32::MAX), (true, 10));
        let mut asked = 0;
        let mut go_on = || {
            asked += 1;
            asked < 3
        };
        assert_eq!(store.nodes_per_level_while(&set, &mut go_on), None);
        assert_eq!(asked, 3);
        assert_eq!(store.node_count_while(&set, || true), Some(most as usize));
    }
}
