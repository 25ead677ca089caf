//! Relations that are learned: a step is known only once somebody asked where its short vector leads to.
//!
//! A short vector has the slots that the relation tests. It is asked for once, when a set first has a vector
//! that it is a part of (Blom & van de Pol, ICTAC 2008).
//!
//! An answer that cannot be put down, since no nodes are left or the operation is interrupted, is lost, and
//! with it that it was asked for: all of a set's short vectors are put down together or none. Who needs them
//! next asks again: a later operation, or the same one, whose other parts go on until it is known that it
//! fails.

pub(crate) mod open;
mod plan;

pub use plan::{Event, Later, Plan};

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
    /// More were wanted than may be asked for.
    is_left: bool,
}

/// Knows the steps of relations.
pub trait Teacher: Sync {
    /// Appends a row for each step that the relation with this number has from one of these short vectors.
    ///
    /// None of them was asked for before, unless the answer was lost: an operation that ends with a [`Stop`]
    /// may lose answers, and may ask for the same again itself where several threads run it. One that ends
    /// well asks for nothing twice.
    fn teach(&self, relation: usize, shorts: &[&[u32]], rows: &mut Rows);

    /// Hears now and then which part of a closure is known so far. No operation of the store may be called
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
        Self { relation: store.relation(shape), asked: Some(store.empty()), count: 0, is_left: false }
    }

    /// A relation of which all is known.
    pub fn all(relation: Relation) -> Self {
        Self { relation, asked: None, count: 0, is_left: false }
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

    /// Whether [`Store::learn_below`] did not learn what was wanted, because it was too much.
    pub fn is_left(&self) -> bool {
        self.is_left
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
    /// Learns the steps from all vectors of a set. `number` is what the teacher calls the relation.
    ///
    /// ```
    /// use ldd::{Access, Entry::Value, Learned, Rows, Shape, Store, Teacher};
    /// struct Successor;
    /// impl Teacher for Successor {
    ///     fn teach(&self, _: usize, shorts: &[&[u32]], rows: &mut Rows) {
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
        teacher: &dyn Teacher,
    ) -> Result<(), Stop> {
        self.learn_below(set, learned, number, teacher, u64::MAX).map(drop)
    }

    /// The same if that makes fewer than `end` short vectors that were ever asked for; else nothing is asked,
    /// and the relation is left so. The answer is whether it was learned.
    pub fn learn_below(
        &self,
        set: &Ldd,
        learned: &mut Learned,
        number: usize,
        teacher: &dyn Teacher,
        end: u64,
    ) -> Result<bool, Stop> {
        self.assert_owns(set);
        let open = OpenRelation::new(self, learned, number);
        let mut worker = self.worker();
        let rows = worker.rows_below(set.id, open.width() as u32, &open, teacher, end)?;
        drop(worker);
        open.close_into(learned);
        Ok(rows.is_some())
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
