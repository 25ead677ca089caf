//! Relations that are learned: a step is known only once somebody asked where its short vector leads to.
//!
//! A short vector has the slots that the relation tests. It is asked for once, when a set first has a vector
//! that it is a part of (Blom & van de Pol, ICTAC 2008).
//!
//! An answer that cannot be put down, since no nodes are left or the operation is interrupted, is lost, and
//! with it that it was asked for: all of a set's short vectors are put down together or none. Who needs them
//! next asks again: a later operation, or the same one, whose other parts go on until it is known that it
//! fails.

use std::sync::TryLockError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::node::{EMPTY, Id, UNIT};
use crate::pattern::Kept;
use crate::relation::{Access, Entry, Relation, Shape};
use crate::store::{Ldd, Stop, Store, lock};
use crate::sync::{Mutex, MutexGuard};
use crate::unique::Unique;
use crate::worker::Worker;

/// Short vectors that are asked for at a time.
const BATCH: usize = 4096;

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
        let lesson = Lesson::new(self, learned, number);
        let mut worker = self.worker();
        let rows = worker.rows_below(set.id, lesson.width() as u32, &lesson, teacher, end)?;
        drop(worker);
        lesson.end(learned);
        Ok(rows.is_some())
    }
}

/// A relation while operations run that learn more of it.
pub(crate) struct Lesson {
    /// What the teacher calls it.
    number: usize,
    shape: std::sync::Arc<Shape>,
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

impl Lesson {
    pub fn new(store: &Store, learned: &Learned, number: usize) -> Self {
        let height = |slot| (learned.relation.shape().width() - slot) as u32;
        let heights: Vec<u32> = learned.tested().map(height).collect();
        let known = Known { rows: learned.relation.diagram.clone(), asked: learned.asked.clone() };
        Self {
            number,
            shape: std::sync::Arc::clone(learned.relation.shape()),
            cut: lock(&store.inner.cuts).steps(&heights),
            known: Mutex::new(known),
            count: AtomicU64::new(learned.count),
            is_left: AtomicBool::new(learned.is_left),
        }
    }

    /// Puts down what was learned.
    pub fn end(self, learned: &mut Learned) {
        let known = self.known.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
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
        lesson: &Lesson,
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
        lesson: &Lesson,
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
        let mut walk = Walk { unique: &self.store.unique, trail: vec![set] };
        let mut vector = Vec::new();
        !(0..end).all(|_| walk.next(&mut vector))
    }

    /// The rows, and those from the short vectors of a set; and how many short vectors that are.
    fn lessons(
        &mut self,
        fresh: Id,
        rows: Id,
        lesson: &Lesson,
        teacher: &dyn Teacher,
    ) -> Result<(Id, u64), Stop> {
        let mut shorts = Shorts { width: lesson.cut.len(), values: Vec::new(), count: 0 };
        let mark = self.mark();
        self.keep(rows);
        let (mut rows, mut count) = (rows, 0);
        let unique = &self.store.unique;
        let mut vector = Vec::new();
        let mut walk = Walk { unique, trail: vec![fresh] };
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
        lesson: &Lesson,
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

/// A walk through a set that can be left and gone on with.
struct Walk<'u> {
    unique: &'u Unique,
    /// For each slot the rest of the list that is being walked through.
    trail: Vec<Id>,
}

impl Walk<'_> {
    /// The next vector, if there is one.
    fn next(&mut self, vector: &mut Vec<u32>) -> bool {
        while let Some(list) = self.trail.pop() {
            vector.truncate(self.trail.len());
            if list == UNIT {
                return true;
            }
            if list != EMPTY {
                let entry = self.unique.get(list);
                vector.push(entry.value);
                self.trail.extend([entry.right, entry.down]);
            }
        }
        false
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::Mutex;

    use super::{Learned, Rows, Teacher};
    use crate::plan::{Event, Later};
    use crate::relation::{Access, Entry, Shape};
    use crate::store::{Stop, Store};

    /// Adds one, up to a hundred; remembers how many short vectors each relation was asked for.
    #[derive(Default)]
    struct Counter {
        asked: [Mutex<usize>; 3],
    }

    impl Teacher for Counter {
        fn teach(&self, relation: usize, shorts: &[&[u32]], rows: &mut Rows) {
            *self.asked[relation].lock().expect("no test panicked") += shorts.len();
            for short in shorts.iter().filter(|short| short[0] < 100) {
                rows.push([Entry::Value(short[0]), Entry::Value(short[0] + 1)]);
            }
        }
    }

    fn shape() -> Shape {
        Shape::new(2, vec![(1, Access::Both)])
    }

    fn asked(teacher: &Counter) -> [usize; 3] {
        [0, 1, 2].map(|at| *teacher.asked[at].lock().expect("no test panicked"))
    }

    #[test]
    fn what_is_too_much_is_not_asked_for() {
        let (store, teacher) = (Store::with_memory(1 << 24).expect("room"), Counter::default());
        let mut learned = Learned::nothing(&store, shape());
        let ten: Vec<[u32; 2]> = (0..10).map(|value| [value % 2, value]).collect();
        let ten = store.vectors(ten.iter().map(|vector| &vector[..])).expect("room");
        let three = store.vectors([&[7, 0][..], &[7, 1], &[8, 1], &[8, 2]]).expect("room");
        assert_eq!(store.learn_below(&three, &mut learned, 0, &teacher, 4), Ok(true));
        assert_eq!((learned.count(), learned.is_left(), asked(&teacher)[0]), (3, false, 3));
        assert_eq!(store.learn_below(&ten, &mut learned, 0, &teacher, 11), Ok(true));
        assert_eq!((learned.count(), learned.is_left(), asked(&teacher)[0]), (10, false, 10));
        let more = store.vectors([&[1, 10][..], &[1, 11]]).expect("room");
        assert_eq!(store.learn_below(&more, &mut learned, 0, &teacher, 12), Ok(false));
        assert_eq!(
            (learned.count(), learned.is_left(), asked(&teacher)[0]),
            (10, true, 10),
            "nothing was asked"
        );
        // What is known already is not too much.
        assert_eq!(store.learn_below(&ten, &mut learned, 0, &teacher, 11), Ok(true));
    }

    /// Relation 0 has one step; relation 1 has more than the store has room for, but only when it is asked
    /// for the first time.
    struct TooMuchAtFirst(Mutex<usize>);

    impl Teacher for TooMuchAtFirst {
        fn teach(&self, relation: usize, shorts: &[&[u32]], rows: &mut Rows) {
            let mut asked = self.0.lock().expect("no test panicked");
            *asked += usize::from(relation == 1);
            let steps = if relation == 1 && *asked == 1 { 1000 } else { 1 };
            shorts
                .iter()
                .for_each(|short| (0..steps).for_each(|to| rows.push([short[0], to].map(Entry::Value))));
        }
    }

    /// Only what was lost is asked for again, and it does not count.
    #[test]
    fn lost_answers_are_asked_for_again() {
        for saturates in [false, true] {
            let (store, teacher) =
                (Store::under_stress(16, 64, 1).expect("room"), TooMuchAtFirst(Mutex::default()));
            let mut learned = [0; 2].map(|_| Learned::nothing(&store, shape()));
            let set = store.vector(&[0, 0]).expect("room");
            let plan = store.plan([0, 1].map(Event::of).to_vec());
            let learn = |learned: &mut [Learned; 2]| match saturates {
                true => store.saturate(&set, learned, &plan, &teacher).map(drop),
                false => (0..2).try_for_each(|at| store.learn(&set, &mut learned[at], at, &teacher)),
            };
            assert_eq!(learn(&mut learned), Err(Stop::OutOfNodes));
            assert_eq!([&learned[0], &learned[1]].map(Learned::count), [1, 0]);
            assert_eq!(learned[1].asked(), Some(&store.empty()));
            for _ in 0..2 {
                assert_eq!(learn(&mut learned), Ok(()));
                assert_eq!([&learned[0], &learned[1]].map(Learned::count), [1, 1]);
                assert_eq!(
                    *teacher.0.lock().expect("no test panicked"),
                    2,
                    "asked once more, and then never again"
                );
            }
        }
    }

    /// Three forms of one event: each takes over from the one before, also where one set has too much to
    /// learn for two of them.
    #[test]
    fn forms_take_over() {
        let forms = |first, second| {
            let later = |from, event| Some(Box::new(Later { from, event }));
            let last = Event::of(2);
            let middle = Event { later: later(second, last), ..Event::of(1) };
            Event { later: later(first, middle), ..Event::of(0) }
        };
        for (first, second, wanted) in [(5, 20, [4, 19, 100]), (0, 3, [0, 2, 100]), (200, 0, [100, 0, 0])] {
            let (store, teacher) = (Store::with_memory(1 << 24).expect("room"), Counter::default());
            let mut learned = [0; 3].map(|_| Learned::nothing(&store, shape()));
            let set = store.vectors([&[0, 1][..], &[1, 1]]).expect("room");
            let plan = store.plan(vec![forms(first, second)]);
            let closed = store.saturate(&set, &mut learned, &plan, &teacher).expect("room");
            assert_eq!(store.count(&closed), 200u32.into());
            assert_eq!(asked(&teacher), wanted, "from {first} and {second}");
        }
        let (store, teacher) = (Store::with_memory(1 << 24).expect("room"), Counter::default());
        let mut learned = [0; 3].map(|_| Learned::nothing(&store, shape()));
        let many: Vec<[u32; 2]> = (1..=50).map(|value| [0, value]).collect();
        let many = store.vectors(many.iter().map(|vector| &vector[..])).expect("room");
        store.saturate(&many, &mut learned, &store.plan(vec![forms(10, 40)]), &teacher).expect("room");
        assert_eq!(asked(&teacher), [0, 0, 100], "what is left is not asked for first");
    }
}
