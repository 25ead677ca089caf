//! Relations that are being learned, by several threads at once.
//!
//! An [`OpenRelation`] takes the place of a [`Learned`] relation while an operation runs. Its rows and the
//! short vectors that were asked for are behind a lock. A worker that needs the steps from a set
//!
//! 1. takes note of both under the lock, and lets the lock go;
//! 2. projects the set to short vectors, without those that were asked for. Mostly none is left: done;
//! 3. locks again, takes away what others asked for meanwhile, asks the source for the rest, and stores the
//!    new rows.
//!
//! For example, let relation x := x + 1 be known for x = 0, and let two workers need it for the sets {0, 1}
//! and {1, 2} of values of x. Both find 1 new. The first that gets the lock asks for 1; the other finds only
//! 2 left then. So nothing is asked twice.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, TryLockError};

use super::{Learned, RelationSource, Rows, Schedule};
use crate::relation::{Relation, Shape};
use crate::sets::members::Vectors;
use crate::store::node::{EMPTY, Id};
use crate::store::patterns::Kept;
use crate::store::{Ldd, Stop, Store, lock};
use crate::sync::{Mutex, MutexGuard};
use crate::worker::Worker;

/// Short vectors that are asked for at a time.
const BATCH: usize = 4096;

/// A learned relation that running operations extend.
pub(crate) struct OpenRelation {
    /// What the source calls it.
    number: usize,
    shape: Arc<Shape>,
    /// How a whole vector is cut down to a short one.
    cut: Vec<Kept>,
    known: Mutex<Known>,
    /// How many short vectors were asked for; changed only by who has locked what is known.
    count: AtomicU64,
    /// A set had so many new short vectors that they were not asked for.
    is_over_quota: AtomicBool,
}

/// What is known of a relation.
struct Known {
    rows: Ldd,
    asked: Option<Ldd>,
}

impl OpenRelation {
    pub fn new(store: &Store, learned: &Learned, number: usize) -> Self {
        let height = |slot| (learned.relation.shape().width() - slot) as u32;
        let heights: Vec<u32> = learned.tested().map(height).collect();
        let known = Known { rows: learned.relation.diagram.clone(), asked: learned.asked.clone() };
        Self {
            number,
            shape: Arc::clone(learned.relation.shape()),
            cut: lock(&store.inner.cuts).steps(&heights),
            known: Mutex::new(known),
            count: AtomicU64::new(learned.count),
            is_over_quota: AtomicBool::new(learned.is_over_quota),
        }
    }

    /// Puts down what was learned.
    pub fn close_into(self, learned: &mut Learned) {
        let known = self.known.into_inner().unwrap_or_else(PoisonError::into_inner);
        learned.relation = Relation::from_parts(known.rows, self.shape);
        learned.asked = known.asked;
        learned.count = self.count.into_inner();
        learned.is_over_quota = self.is_over_quota.into_inner();
    }

    /// The first slot that the relation touches, if it touches any.
    pub fn top(&self) -> Option<usize> {
        self.shape.slots().first().map(|(slot, _)| *slot)
    }

    pub fn width(&self) -> usize {
        self.shape.width()
    }

    /// Whether it was asked for as many short vectors as this, or would have been.
    pub fn is_over_quota(&self, quota: u64) -> bool {
        self.count.load(Ordering::Relaxed) >= quota || self.is_over_quota.load(Ordering::Relaxed)
    }
}

impl Worker<'_> {
    /// The relation's steps, with all those from a set of this height, above which the relation tests
    /// nothing. Held until the mark is cut.
    pub fn rows_for(
        &mut self,
        set: Id,
        height: u32,
        open: &OpenRelation,
        source: &dyn RelationSource,
    ) -> Result<Id, Stop> {
        let rows = self.rows_within(set, height, open, source, u64::MAX)?;
        Ok(rows.expect("BUG: a relation without a quota has exceeded it"))
    }

    /// The same, unless that would make as many short vectors as the quota: then nothing is asked, and the
    /// relation is over its quota from then on.
    pub fn rows_within(
        &mut self,
        set: Id,
        height: u32,
        open: &OpenRelation,
        source: &dyn RelationSource,
        quota: u64,
    ) -> Result<Option<Id>, Stop> {
        let (rows, asked) = {
            let known = self.lock(&open.known);
            (known.rows.id, known.asked.as_ref().map(|asked| asked.id))
        };
        // Held: another worker may learn more meanwhile, and let these go.
        self.keep(rows);
        let Some(asked) = asked else { return Ok(Some(rows)) };
        self.keep(asked);
        let fresh = self.project(set, asked, &open.cut, height)?;
        if fresh == EMPTY {
            return Ok(Some(rows));
        }
        self.keep(fresh);
        let mut known = self.lock(&open.known);
        let asked = known.asked.as_ref().map_or(EMPTY, |asked| asked.id);
        let fresh = self.minus(fresh, asked, 0)?;
        self.keep(fresh);
        if quota != u64::MAX
            && !self.has_fewer(fresh, quota.saturating_sub(open.count.load(Ordering::Relaxed)))
        {
            open.is_over_quota.store(true, Ordering::Relaxed);
            return Ok(None);
        }
        let (rows, count) = self.extend(fresh, known.rows.id, open, source)?;
        self.keep(rows);
        let asked = self.union(asked, fresh, 0)?;
        open.count.fetch_add(count, Ordering::Relaxed);
        *known = Known { rows: self.owner.own(rows), asked: Some(self.owner.own(asked)) };
        Ok(Some(rows))
    }

    /// Whether a set has fewer than `end` vectors. No more of them are looked at.
    fn has_fewer(&self, set: Id, end: u64) -> bool {
        let mut walk = Vectors::of(&self.store.unique, set);
        let mut vector = Vec::new();
        !(0..end).all(|_| walk.next(&mut vector))
    }

    /// The rows with those from a set of new short vectors added, and the number of these.
    fn extend(
        &mut self,
        fresh: Id,
        rows: Id,
        open: &OpenRelation,
        source: &dyn RelationSource,
    ) -> Result<(Id, u64), Stop> {
        let mut shorts = ShortVectors { width: open.cut.len(), values: Vec::new(), count: 0 };
        let mark = self.mark();
        self.keep(rows);
        let (mut rows, mut count) = (rows, 0);
        let unique = &self.store.unique;
        let mut vector = Vec::new();
        let mut walk = Vectors::of(unique, fresh);
        while walk.next(&mut vector) {
            shorts.values.extend_from_slice(&vector);
            shorts.count += 1;
            count += 1;
            if shorts.count == BATCH {
                rows = self.ask(&mut shorts, rows, open, source)?;
                self.cut(mark);
                self.keep(rows);
            }
        }
        rows = self.ask(&mut shorts, rows, open, source)?;
        self.cut(mark);
        Ok((rows, count))
    }

    /// Asks the source for these short vectors, which are then forgotten, and adds their rows.
    fn ask(
        &mut self,
        shorts: &mut ShortVectors,
        rows: Id,
        open: &OpenRelation,
        source: &dyn RelationSource,
    ) -> Result<Id, Stop> {
        self.go_on()?;
        let mut answered = Rows::new(&open.shape);
        let vectors: Vec<&[u32]> =
            (0..shorts.count).map(|at| &shorts.values[at * shorts.width..][..shorts.width]).collect();
        source.steps_from(open.number, &vectors, &mut answered);
        shorts.values.clear();
        shorts.count = 0;
        let levels = open.shape.infos();
        let mut slices = answered.slices();
        slices.sort_unstable();
        slices.dedup();
        let new = self.build(&slices, 0, &|entry, level| entry.at(levels[level]))?;
        self.keep(new);
        self.unite_steps(rows, new)
    }

    /// Locks what is known. The worker that has the lock may have to collect garbage, and then waits until
    /// all others stand at the gate. So a worker that waits for the lock goes to the gate when it is closed.
    fn lock<'k>(&mut self, known: &'k Mutex<Known>) -> MutexGuard<'k, Known> {
        loop {
            match known.try_lock() {
                Ok(guard) => return guard,
                Err(TryLockError::Poisoned(_)) => panic!("BUG: learning a relation was broken off"),
                Err(TryLockError::WouldBlock) => {
                    self.give_way();
                    std::thread::yield_now();
                }
            }
        }
    }
}

/// Short vectors, one behind the other.
struct ShortVectors {
    width: usize,
    values: Vec<u32>,
    count: usize,
}

/// The relations of a schedule, open together.
pub(crate) struct OpenRelations<'p> {
    /// Their numbers.
    named: &'p [usize],
    all: Vec<OpenRelation>,
}

impl<'p> OpenRelations<'p> {
    /// Opens all relations that a schedule names.
    pub fn new(store: &Store, schedule: &'p Schedule, learned: &[Learned]) -> Self {
        let open = |&relation: &usize| {
            store.assert_owns(learned[relation].relation().diagram());
            OpenRelation::new(store, &learned[relation], relation)
        };
        Self { named: &schedule.relations, all: schedule.relations.iter().map(open).collect() }
    }

    /// The one with this number, which the schedule names.
    pub fn of(&self, relation: usize) -> &OpenRelation {
        let at =
            self.named.binary_search(&relation).expect("BUG: a relation that the schedule does not name");
        &self.all[at]
    }

    /// Puts down what was learned of each.
    pub fn close_into(self, learned: &mut [Learned]) {
        for (&relation, open) in self.named.iter().zip(self.all) {
            open.close_into(&mut learned[relation]);
        }
    }
}
