//! Relations that are learned: a source tells the steps from a short vector when a set first needs them (Blom
//! & van de Pol, ICTAC 2008).
//!
//! A short vector is the part of a vector that the relation tests. It is all that a step depends on, so the
//! source is asked once for it, whatever the other slots are. For example, a relation over three slots tests
//! slot 1 only, and the set is {(7, 0, 5), (8, 0, 5), (8, 1, 5)}: the short vectors are (0) and (1). If (0)
//! was asked for before, only (1) is asked for now. Its row joins the rows that are known, and the image of
//! the set is taken through all of them.
//!
//! All new short vectors of a set are answered together, or none is: an operation that runs out of nodes or
//! is interrupted while it adds the rows forgets these answers. The short vectors then still count as new,
//! and the next operation that needs them asks again.
//!
//! [`open`] has relations while operations extend them, and [`Schedule`] says which relations a walk applies.

pub(crate) mod open;
mod schedule;

pub use schedule::{Event, Replacement, Schedule};

use crate::relation::{Access, Entry, Relation, Shape};
use crate::store::{Ldd, Stop, Store};
use open::OpenRelation;

/// A relation that is known for some short vectors.
#[derive(Clone, Debug)]
pub struct Learned {
    relation: Relation,
    /// The short vectors that were asked for and whose answers are kept; all there can be, where nothing is
    /// to be learned.
    asked: Option<Ldd>,
    /// How many they are.
    count: u64,
    /// A set had so many new short vectors that they were not asked for.
    is_over_quota: bool,
}

/// Tells the steps of relations, from any thread.
pub trait RelationSource: Sync {
    /// Appends a row for each step that the relation with this number has from one of these short vectors.
    ///
    /// None of them was asked for before, unless the answer was lost: an operation that ends with a [`Stop`]
    /// may lose answers, and may ask for the same again itself where several threads run it. One that ends
    /// well asks for nothing twice.
    fn steps_from(&self, relation: usize, shorts: &[&[u32]], rows: &mut Rows);

    /// Is told now and then which part of a closure is known so far. No operation of the store may be called
    /// here.
    fn reached(&self, part: Ldd) {
        drop(part);
    }
}

/// Rows of one shape, one behind the other.
pub struct Rows {
    entries: Vec<Entry>,
    width: usize,
    count: usize,
}

impl Rows {
    fn new(shape: &Shape) -> Self {
        Self { entries: Vec::new(), width: shape.entries(), count: 0 }
    }

    /// One more row.
    ///
    /// # Panics
    /// When it has another number of entries than the shape.
    pub fn push(&mut self, row: impl IntoIterator<Item = Entry>) {
        self.entries.extend(row);
        self.count += 1;
        assert_eq!(self.entries.len(), self.count * self.width, "BUG: a row of another shape");
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn slices(&self) -> Vec<&[Entry]> {
        (0..self.count).map(|row| &self.entries[row * self.width..(row + 1) * self.width]).collect()
    }
}

impl Learned {
    /// A relation of this shape of which nothing is known.
    pub fn nothing(store: &Store, shape: Shape) -> Self {
        Self { relation: store.relation(shape), asked: Some(store.empty()), count: 0, is_over_quota: false }
    }

    /// A relation of which all is known.
    pub fn all(relation: Relation) -> Self {
        Self { relation, asked: None, count: 0, is_over_quota: false }
    }

    /// The steps that are known.
    pub fn relation(&self) -> &Relation {
        &self.relation
    }

    /// The short vectors that were asked for, without those whose answers were lost; `None` where all is
    /// known.
    pub fn asked(&self) -> Option<&Ldd> {
        self.asked.as_ref()
    }

    /// How many short vectors were asked for, without those whose answers were lost.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether [`Store::learn_within`] once did not learn what was wanted, as that would have exceeded the
    /// quota.
    pub fn is_over_quota(&self) -> bool {
        self.is_over_quota
    }

    /// Of each slot up to the last one, whether short vectors have it. Made anew: a vector may have very many
    /// slots.
    pub fn kept(&self) -> Vec<bool> {
        let mut kept = Vec::new();
        for slot in self.tested() {
            kept.resize(slot, false);
            kept.push(true);
        }
        kept
    }

    /// The slots that short vectors have; none where nothing is to be learned.
    fn tested(&self) -> impl Iterator<Item = usize> + '_ {
        let slots = self.relation.shape().slots().iter().filter(|_| self.asked.is_some());
        slots.filter(|(_, access)| *access != Access::Write).map(|(slot, _)| *slot)
    }
}

impl Store {
    /// Learns the steps from all vectors of a set. `number` is what the source calls the relation.
    ///
    /// ```
    /// use ldd::{Access, Entry::Value, Learned, Rows, Shape, Store, RelationSource};
    /// struct Successor;
    /// impl RelationSource for Successor {
    ///     fn steps_from(&self, _: usize, shorts: &[&[u32]], rows: &mut Rows) {
    ///         shorts.iter().for_each(|short| rows.push([Value(short[0]), Value(short[0] + 1)]));
    ///     }
    /// }
    /// let store = Store::with_memory(1 << 24)?;
    /// let mut count = Learned::nothing(&store, Shape::new(2, vec![(1, Access::Both)]));
    /// let set = store.vectors([&[7, 1][..], &[8, 1]])?;
    /// store.learn(&set, &mut count, 0, &Successor)?;
    /// assert_eq!(count.asked(), Some(&store.vector(&[1])?));
    /// let image = store.image(&set, count.relation(), &store.empty())?;
    /// assert_eq!(image, store.vectors([&[7, 2][..], &[8, 2]])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn learn(
        &self,
        set: &Ldd,
        learned: &mut Learned,
        number: usize,
        source: &dyn RelationSource,
    ) -> Result<(), Stop> {
        self.learn_within(set, learned, number, source, u64::MAX).map(drop)
    }

    /// The same if fewer short vectors than the quota were ever asked for then. Otherwise nothing is asked,
    /// and the relation is over its quota from then on. The answer is whether it was learned.
    pub fn learn_within(
        &self,
        set: &Ldd,
        learned: &mut Learned,
        number: usize,
        source: &dyn RelationSource,
        quota: u64,
    ) -> Result<bool, Stop> {
        self.assert_owns(set);
        let open = OpenRelation::new(self, learned, number);
        let mut worker = self.worker();
        let rows = worker.rows_within(set.id, open.width() as u32, &open, source, quota)?;
        drop(worker);
        open.close_into(learned);
        Ok(rows.is_some())
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
