//! Relations that running operations extend, from several threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, TryLockError};

use super::{Learned, Plan, Rows, Teacher};
use crate::relation::{Relation, Shape};
use crate::sets::members::Vectors;
use crate::store::node::{EMPTY, Id};
use crate::store::patterns::Kept;
use crate::store::{Ldd, Stop, Store, lock};
use crate::sync::{Mutex, MutexGuard};
use crate::worker::Worker;

/// Short vectors that are asked for at a time.
const BATCH: usize = 4096;

/// A relation while operations run that learn more of it.
pub(crate) struct OpenRelation {
    /// What the teacher calls it.
    number: usize,
    shape: Arc<Shape>,
    /// How a whole vector is cut down to a short one.
    cut: Vec<Kept>,
    known: Mutex<Known>,
    /// How many short vectors were asked for; changed only by who has locked what is known.
    count: AtomicU64,
    /// More were wanted than may be asked for.
    is_left: AtomicBool,
}

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
            is_left: AtomicBool::new(learned.is_left),
        }
    }

    /// Puts down what was learned.
    pub fn close_into(self, learned: &mut Learned) {
        let known = self.known.into_inner().unwrap_or_else(PoisonError::into_inner);
        learned.relation = Relation::from_parts(known.rows, self.shape);
        learned.asked = known.asked;
        learned.count = self.count.into_inner();
        learned.is_left = self.is_left.into_inner();
    }

    /// The first slot that the relation touches, if it touches any.
    pub fn top(&self) -> Option<usize> {
        self.shape.slots().first().map(|(slot, _)| *slot)
    }

    pub fn width(&self) -> usize {
        self.shape.width()
    }

    /// Whether it was asked for so many short vectors, or would have been.
    pub fn is_left(&self, end: u64) -> bool {
        self.count.load(Ordering::Relaxed) >= end || self.is_left.load(Ordering::Relaxed)
    }
}

impl Worker<'_> {
    /// The relation's steps, with all those from a set of this height, above which the relation tests
    /// nothing. Held until the mark is cut.
    pub fn rows_for(
        &mut self,
        set: Id,
        height: u32,
        lesson: &OpenRelation,
        teacher: &dyn Teacher,
    ) -> Result<Id, Stop> {
        let rows = self.rows_below(set, height, lesson, teacher, u64::MAX)?;
        Ok(rows.expect("BUG: what has no end was left"))
    }

    /// The same, unless that would make `end` short vectors or more: then nothing is asked, and the relation
    /// is left.
    pub fn rows_below(
        &mut self,
        set: Id,
        height: u32,
        lesson: &OpenRelation,
        teacher: &dyn Teacher,
        end: u64,
    ) -> Result<Option<Id>, Stop> {
        let (rows, asked) = {
            let known = self.lock(&lesson.known);
            (known.rows.id, known.asked.as_ref().map(|asked| asked.id))
        };
        // Held: another worker may learn more meanwhile, and let these go.
        self.keep(rows);
        let Some(asked) = asked else { return Ok(Some(rows)) };
        self.keep(asked);
        let fresh = self.project(set, asked, &lesson.cut, height)?;
        if fresh == EMPTY {
            return Ok(Some(rows));
        }
        self.keep(fresh);
        let mut known = self.lock(&lesson.known);
        let asked = known.asked.as_ref().map_or(EMPTY, |asked| asked.id);
        let fresh = self.minus(fresh, asked, 0)?;
        self.keep(fresh);
        if end != u64::MAX && !self.has_fewer(fresh, end.saturating_sub(lesson.count.load(Ordering::Relaxed)))
        {
            lesson.is_left.store(true, Ordering::Relaxed);
            return Ok(None);
        }
        let (rows, count) = self.lessons(fresh, known.rows.id, lesson, teacher)?;
        self.keep(rows);
        let asked = self.union(asked, fresh, 0)?;
        lesson.count.fetch_add(count, Ordering::Relaxed);
        *known = Known { rows: self.owner.own(rows), asked: Some(self.owner.own(asked)) };
        Ok(Some(rows))
    }

    /// Whether a set has fewer vectors. No more of them are looked at.
    fn has_fewer(&self, set: Id, end: u64) -> bool {
        let mut walk = Vectors::of(&self.store.unique, set);
        let mut vector = Vec::new();
        !(0..end).all(|_| walk.next(&mut vector))
    }

    /// The rows, and those from the short vectors of a set; and how many short vectors that are.
    fn lessons(
        &mut self,
        fresh: Id,
        rows: Id,
        lesson: &OpenRelation,
        teacher: &dyn Teacher,
    ) -> Result<(Id, u64), Stop> {
        let mut shorts = Shorts { width: lesson.cut.len(), values: Vec::new(), count: 0 };
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
                rows = self.lesson(&mut shorts, rows, lesson, teacher)?;
                self.cut(mark);
                self.keep(rows);
            }
        }
        rows = self.lesson(&mut shorts, rows, lesson, teacher)?;
        self.cut(mark);
        Ok((rows, count))
    }

    fn lesson(
        &mut self,
        shorts: &mut Shorts,
        rows: Id,
        lesson: &OpenRelation,
        teacher: &dyn Teacher,
    ) -> Result<Id, Stop> {
        self.go_on()?;
        let mut taught = Rows::new(&lesson.shape);
        let vectors: Vec<&[u32]> =
            (0..shorts.count).map(|at| &shorts.values[at * shorts.width..][..shorts.width]).collect();
        teacher.teach(lesson.number, &vectors, &mut taught);
        shorts.values.clear();
        shorts.count = 0;
        let levels = lesson.shape.infos();
        let mut slices = taught.slices();
        slices.sort_unstable();
        slices.dedup();
        let new = self.build(&slices, 0, &|entry, level| entry.at(levels[level]))?;
        self.keep(new);
        self.unite_steps(rows, new)
    }

    /// Locks what other workers lock too. Whoever has it may wait for all others to stand still, to collect
    /// garbage: so one who waits here goes to the gate when it is closed.
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
struct Shorts {
    width: usize,
    values: Vec<u32>,
    count: usize,
}

/// The relations of a plan while operations run that learn more of them.
pub(crate) struct OpenRelations<'p> {
    /// Their numbers.
    named: &'p [usize],
    all: Vec<OpenRelation>,
}

impl<'p> OpenRelations<'p> {
    /// Opens all relations that a plan names.
    pub fn new(store: &Store, plan: &'p Plan, learned: &[Learned]) -> Self {
        let open = |&relation: &usize| {
            store.assert_owns(learned[relation].relation().diagram());
            OpenRelation::new(store, &learned[relation], relation)
        };
        Self { named: &plan.relations, all: plan.relations.iter().map(open).collect() }
    }

    /// The one with this number, which the plan names.
    pub fn of(&self, relation: usize) -> &OpenRelation {
        let at = self.named.binary_search(&relation).expect("BUG: a relation that the plan does not name");
        &self.all[at]
    }

    /// Puts down what was learned of each.
    pub fn close_into(self, learned: &mut [Learned]) {
        for (&relation, open) in self.named.iter().zip(self.all) {
            open.close_into(&mut learned[relation]);
        }
    }
}
