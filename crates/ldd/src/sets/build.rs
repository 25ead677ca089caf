//! Diagrams from lists of vectors and rows, from the bottom: sorted, so that each node is made once and
//! nothing is united.

use crate::store::node::{EMPTY, Id, Info, Node, UNIT};
use crate::store::{Ldd, Stop, Store};
use crate::worker::Worker;

impl Store {
    /// { x | x in vectors }, where all have the same width
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vectors([&[2, 1][..], &[1, 1], &[2, 1]])?;
    /// assert_eq!(set, store.union(&store.vector(&[1, 1])?, &store.vector(&[2, 1])?)?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    ///
    /// # Panics
    /// When widths differ.
    pub fn vectors<'v>(&self, vectors: impl IntoIterator<Item = &'v [u32]>) -> Result<Ldd, Stop> {
        // All of them before the worker begins: where they come from may use the store, too.
        let mut vectors: Vec<&[u32]> = vectors.into_iter().collect();
        let same_width = vectors.windows(2).all(|pair| pair[0].len() == pair[1].len());
        assert!(same_width, "BUG: a set of vectors of different widths");
        vectors.sort_unstable();
        vectors.dedup();
        self.run([], |worker| worker.build(&vectors, 0, &|value, _| (value, Info::SET)))
    }
}

impl Worker<'_> {
    /// The diagram of these rows, which ascend and agree before this level; `node` gives an entry's value and
    /// information.
    pub(crate) fn build<E: Copy + Eq>(
        &mut self,
        rows: &[&[E]],
        level: usize,
        node: &impl Fn(E, usize) -> (u32, Info),
    ) -> Result<Id, Stop> {
        let Some(row) = rows.first() else { return Ok(EMPTY) };
        if level == row.len() {
            return Ok(UNIT);
        }
        let mark = self.mark();
        let mut list = EMPTY;
        // The largest entry first: each step is one more node before the list.
        for equal in rows.chunk_by(|a, b| a[level] == b[level]).rev() {
            self.keep(list);
            let down = self.build(equal, level + 1, node)?;
            self.cut(mark);
            let (value, info) = node(equal[0][level], level);
            list = self.node_of(Node { value, down, right: list, info })?;
        }
        Ok(list)
    }
}
