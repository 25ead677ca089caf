//! The operations on sets and relations that a user meets, each with its definition. Vectors of both operands
//! have the same width.

use crate::node::{EMPTY, Id, UNIT};
use crate::relation::Relation;
use crate::store::{Ldd, Stop, Store};
use crate::worker::Worker;

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

    /// sum ∪ { y | x ∈ set, x → y }
    ///
    /// ```
    /// use ldd::{Access, Entry::Value, Shape, Store};
    /// let store = Store::with_memory(1 << 24)?;
    /// let step = store.relation(Shape::new(2, vec![(1, Access::Both)])).with_rows([&[Value(0), Value(1)][..]])?;
    /// let image = store.image(&store.vector(&[5, 0])?, &step, &store.empty())?;
    /// assert_eq!(image, store.vector(&[5, 1])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn image(&self, set: &Ldd, relation: &Relation, sum: &Ldd) -> Result<Ldd, Stop> {
        let height = relation.shape().width() as u32;
        let rows = &relation.diagram;
        self.run([set, rows, sum], |worker| worker.image(set.id, rows.id, sum.id, height))
    }

    /// { x ∈ domain | x → y for some y ∈ set }
    ///
    /// ```
    /// use ldd::{Access, Entry::Value, Shape, Store};
    /// let store = Store::with_memory(1 << 24)?;
    /// let step = store.relation(Shape::new(1, vec![(0, Access::Write)])).with_rows([&[Value(1)][..]])?;
    /// let domain = store.vectors([&[3][..], &[4]])?;
    /// assert_eq!(store.pre_image(&store.vector(&[1])?, &step, &domain)?, domain);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn pre_image(&self, set: &Ldd, relation: &Relation, domain: &Ldd) -> Result<Ldd, Stop> {
        let height = relation.shape().width() as u32;
        let rows = &relation.diagram;
        self.run([set, rows, domain], |worker| worker.pre_image(set.id, rows.id, domain.id, height))
    }

    /// { x ∈ set | x → y for some y }
    ///
    /// ```
    /// use ldd::{Access, Entry::Value, Shape, Store};
    /// let store = Store::with_memory(1 << 24)?;
    /// let step = store.relation(Shape::new(1, vec![(0, Access::Read)])).with_rows([&[Value(1)][..]])?;
    /// let set = store.vectors([&[1][..], &[2]])?;
    /// assert_eq!(store.enabled(&set, &step)?, store.vector(&[1])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn enabled(&self, set: &Ldd, relation: &Relation) -> Result<Ldd, Stop> {
        let height = relation.shape().width() as u32;
        let rows = &relation.diagram;
        self.run([set, rows], |worker| worker.enabled(set.id, rows.id, height))
    }

    /// Runs an operation on these operands.
    ///
    /// # Panics
    /// When an operand is of another store, where the same number is another node.
    pub(crate) fn run<'o>(
        &self,
        operands: impl IntoIterator<Item = &'o Ldd>,
        operation: impl FnOnce(&mut Worker<'_>) -> Result<Id, Stop>,
    ) -> Result<Ldd, Stop> {
        operands.into_iter().for_each(|operand| self.assert_owns(operand));
        let mut worker = self.worker();
        let id = operation(&mut worker)?;
        // Held before the worker ends: nothing is collected in between.
        Ok(self.own(id))
    }
}
