//! Sets of vectors: the operations that a user meets, each with its definition. Vectors of both operands have
//! the same width.

mod algebra;
mod build;
mod join;
pub(crate) mod members;
mod project;
mod split;

use crate::store::node::{EMPTY, UNIT};
use crate::store::{Ldd, Stop, Store};

impl Store {
    /// ∅
    pub fn empty(&self) -> Ldd {
        self.own(EMPTY)
    }

    /// { x }
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.union(&store.vector(&[1, 2])?, &store.vector(&[1, 3])?)?;
    /// assert_eq!(store.count(&set), 2u32.into());
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn vector(&self, vector: &[u32]) -> Result<Ldd, Stop> {
        self.run([], |worker| {
            let mut below = UNIT;
            for &value in vector.iter().rev() {
                below = worker.node(value, below, EMPTY)?;
            }
            Ok(below)
        })
    }

    /// a ∪ b = { x | x ∈ a or x ∈ b }
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let (a, b) = (store.vector(&[1])?, store.vector(&[2])?);
    /// assert_eq!(store.union(&a, &b)?, store.vectors([&[1][..], &[2]])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn union(&self, a: &Ldd, b: &Ldd) -> Result<Ldd, Stop> {
        self.run([a, b], |worker| worker.union(a.id, b.id, worker.height(a.id)))
    }

    /// a ∖ b = { x | x ∈ a and x ∉ b }
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let (a, b) = (store.vectors([&[1][..], &[2]])?, store.vector(&[2])?);
    /// assert_eq!(store.minus(&a, &b)?, store.vector(&[1])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn minus(&self, a: &Ldd, b: &Ldd) -> Result<Ldd, Stop> {
        self.run([a, b], |worker| worker.minus(a.id, b.id, worker.height(a.id)))
    }

    /// a ∩ b = { x | x ∈ a and x ∈ b }
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let (a, b) = (store.vectors([&[1][..], &[2]])?, store.vectors([&[2][..], &[3]])?);
    /// assert_eq!(store.intersect(&a, &b)?, store.vector(&[2])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn intersect(&self, a: &Ldd, b: &Ldd) -> Result<Ldd, Stop> {
        self.run([a, b], |worker| worker.intersect(a.id, b.id))
    }
}
