//! Least fixpoints by saturation (Ciardo, Marmorstein & Siminiceanu, STTT 2006): what changes low levels only is repeated there until
//! nothing is new, before anything above is tried. Relations may be learned on the way: a relation is asked for what a set needs just
//! before the set's image is taken.
//!
//! Invariant: what the cache knows of a closure stays right while more is learned. All short vectors of a closed set were asked for, so
//! nothing that is learned later begins in it.

use crate::cache::Op;
use crate::crew::Call;
use crate::learned::{Learned, Lesson, Teacher};
use crate::node::{EMPTY, Id, UNIT};
use crate::relation::Relation;
use crate::store::{Ldd, Stop, Store};
use crate::worker::Worker;

impl Store {
    /// The least set that holds `set` and with each x all y where x → y in one of the relations
    ///
    /// ```
    /// use ldd::{Access, Entry::Value, Shape, Store};
    /// let store = Store::with_memory(1 << 24)?;
    /// let rows = [[Value(0), Value(1)], [Value(1), Value(2)]];
    /// let count = store.relation(Shape::new(1, vec![(0, Access::Both)])).with_rows(rows.iter().map(|row| &row[..]))?;
    /// let reached = store.closure(&store.vector(&[0])?, &[count])?;
    /// assert_eq!(reached, store.vectors([&[0][..], &[1], &[2]])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn closure(&self, set: &Ldd, relations: &[Relation]) -> Result<Ldd, Stop> {
        let Some(width) = relations.first().map(|relation| relation.shape().width()) else { return Ok(set.clone()) };
        let events = Events::known(self, width, relations, Until::NothingIsNew);
        let operands = relations.iter().map(Relation::diagram).chain([set]);
        let saturate = |worker: &mut Worker<'_>| worker.saturate(set.id, &events, 0, width as u32);
        self.with_helpers(self.threads(), width, Some(&events), || self.run(operands, saturate))
    }

    /// The least set that holds `set` and with each x all y where some event leads from x to y. Relations are learned on the way, all that
    /// the answer needs; the teacher knows them by their places.
    ///
    /// ```
    /// use ldd::{Access, Entry::Value, Event, Learned, Rows, Shape, Store, Teacher};
    /// struct UpToThree;
    /// impl Teacher for UpToThree {
    ///     fn teach(&self, _: usize, shorts: &[&[u32]], rows: &mut Rows) {
    ///         let from = shorts.iter().map(|short| short[0]).filter(|value| *value < 3);
    ///         from.for_each(|value| rows.push([Value(value), Value(value + 1)]));
    ///     }
    /// }
    /// let store = Store::with_memory(1 << 24)?;
    /// let mut count = [Learned::nothing(&store, Shape::new(1, vec![(0, Access::Both)]))];
    /// let event = Event::of(0);
    /// let reached = store.saturate(&store.vector(&[0])?, &mut count, &[event], &UpToThree)?;
    /// assert_eq!(reached, store.vectors([&[0][..], &[1], &[2], &[3]])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    ///
    /// What was learned until it stopped is kept, too.
    pub fn saturate(
        &self,
        set: &Ldd,
        learned: &mut [Learned],
        events: &[Event],
        teacher: &dyn Teacher,
    ) -> Result<Ldd, Stop> {
        let Some(width) = learned.first().map(|learned| learned.relation().shape().width()) else {
            return Ok(set.clone());
        };
        let lessons: Vec<Lesson> =
            learned.iter().enumerate().map(|(number, learned)| Lesson::new(self, learned, number)).collect();
        let guarded = |event: &Event| Guarded {
            steps: &lessons[event.relation],
            guards: event.guards.iter().map(|&guard| &lessons[guard]).collect(),
            end: event.later.as_ref().map_or(u64::MAX, |later| later.from),
        };
        let ready = events.iter().filter_map(|event| {
            let forms = std::iter::successors(Some(event), |event| Some(&event.later.as_ref()?.event));
            let forms: Vec<Guarded<'_>> = forms.map(guarded).collect();
            // What writes nothing and tests nothing leads nowhere.
            let top = forms.iter().filter_map(Guarded::top).min()?;
            Some(Ready { height: (width - top) as u32, steps: Steps::Learned(forms) })
        });
        let events = Events::new(self, width, ready.collect(), teacher, Until::NothingIsNew);
        let saturate = |worker: &mut Worker<'_>| worker.saturate(set.id, &events, 0, width as u32);
        let closed = self.with_helpers(self.threads(), width, Some(&events), || self.run([set], saturate));
        drop(events);
        learned.iter_mut().zip(lessons).for_each(|(learned, lesson)| lesson.end(learned));
        closed
    }
}

/// A relation, and others that must lead somewhere for it to count: a group with its guards. All by their places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The relation.
    pub relation: usize,
    /// Relations of which each must have a step from a vector for this one to have its own.
    pub guards: Vec<usize>,
    /// Another way to say the same, for when this one takes too long to learn.
    pub later: Option<Box<Later>>,
}

/// An event that takes the place of another, which leads the same way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Later {
    /// It does so once the other's relation was asked for so many short vectors, or would be by the next set.
    pub from: u64,
    /// The event.
    pub event: Event,
}

impl Event {
    /// A relation without guards.
    pub fn of(relation: usize) -> Self {
        Self { relation, guards: Vec::new(), later: None }
    }
}

/// Relations, highest first, as the fixpoint needs them.
pub(crate) struct Events<'e> {
    events: Vec<Ready<'e>>,
    /// Tells these relations from others in the cache.
    number: u32,
    teacher: &'e dyn Teacher,
    /// Slots of a whole vector.
    width: u32,
    until: Until,
}

/// How often events are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Until {
    /// Once, those that begin lower first, each on what the ones before it found: a round of chaining.
    Once,
    /// Until nothing is new.
    NothingIsNew,
}

/// An event, and where it begins.
struct Ready<'e> {
    /// Of the first level.
    height: u32,
    steps: Steps<'e>,
}

enum Steps<'e> {
    Known(Id),
    /// Learned on the way: the first form that is not left.
    Learned(Vec<Guarded<'e>>),
}

/// A relation with its guards.
struct Guarded<'e> {
    steps: &'e Lesson,
    guards: Vec<&'e Lesson>,
    /// It is left for the next form when it would be asked for so many short vectors.
    end: u64,
}

impl Guarded<'_> {
    /// The first slot that is touched.
    fn top(&self) -> Option<usize> {
        self.guards.iter().copied().chain([self.steps]).filter_map(Lesson::top).min()
    }
}

/// For relations that are known.
struct NoTeacher;

impl Teacher for NoTeacher {
    fn teach(&self, _: usize, _: &[&[u32]], _: &mut crate::learned::Rows) {
        panic!("BUG: a known relation was asked for");
    }
}

impl<'e> Events<'e> {
    fn new(store: &Store, width: usize, mut events: Vec<Ready<'e>>, teacher: &'e dyn Teacher, until: Until) -> Self {
        events.sort_by_key(|event| std::cmp::Reverse(event.height));
        // A number for each place to begin at: what the cache knows of one is of no use to another.
        let number = store.inner.closures.fetch_add(1 + events.len() as u32, std::sync::atomic::Ordering::Relaxed);
        Self { events, number, teacher, width: width as u32, until }
    }

    /// Of relations that are known in full.
    pub fn known(store: &Store, width: usize, relations: &[Relation], until: Until) -> Self {
        let steps = relations.iter().map(|relation| relation.diagram.id).filter(|&steps| steps > UNIT);
        let ready = |steps| Ready { height: store.inner.unique.get(steps).info.height(), steps: Steps::Known(steps) };
        Self::new(store, width, steps.map(ready).collect(), &NoTeacher, until)
    }

    /// Tells these events from others.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Whether there is none from number `from` on.
    pub fn are_over(&self, from: usize) -> bool {
        from == self.events.len()
    }

    /// Where the relation of this number begins.
    pub fn height(&self, from: usize) -> u32 {
        self.events[from].height
    }

    /// The diagrams of some relations.
    ///
    /// # Panics
    /// When one of them is learned on the way.
    pub fn steps(&self, numbers: std::ops::Range<usize>) -> impl Iterator<Item = Id> + '_ {
        self.events[numbers].iter().map(|event| match event.steps {
            Steps::Known(steps) => steps,
            Steps::Learned(_) => panic!("BUG: what is learned has no diagram yet"),
        })
    }

    /// What the cache calls the relations from number `from` on.
    pub fn number_from(&self, from: usize) -> u32 {
        self.number.wrapping_add(from as u32)
    }

    /// The first relation behind `from` that begins lower.
    pub fn next_height(&self, from: usize) -> usize {
        let height = self.events[from].height;
        from + self.events[from..].iter().take_while(|event| event.height == height).count()
    }
}

impl Worker<'_> {
    /// The least set that holds `set` and is closed under the relations from number `from` on.
    pub fn saturate(&mut self, set: Id, events: &Events<'_>, from: usize, height: u32) -> Result<Id, Stop> {
        if set <= UNIT || from == events.events.len() {
            return Ok(set);
        }
        let (question, known) = self.known(Op::Saturate, set, from as Id, events.number);
        if let Some(answer) = known {
            return Ok(answer);
        }
        let answer = if events.events[from].height < height {
            self.saturate_below(set, events, from, height)?
        } else {
            self.saturate_here(set, events, from, height)?
        };
        Ok(self.learn(question, answer))
    }

    fn saturate_below(&mut self, mut set: Id, events: &Events<'_>, from: usize, height: u32) -> Result<Id, Stop> {
        if self.may_split(height) {
            return self.saturate_split(set, events, from, height);
        }
        let mark = self.mark();
        while set > UNIT {
            let entry = self.get(set);
            let down = self.saturate(entry.down, events, from, height - 1)?;
            self.push(entry.value, down, if down == entry.down { set } else { EMPTY });
            set = entry.right;
        }
        self.list(mark, set)
    }

    /// The same, in parts that helpers may take over.
    fn saturate_split(&mut self, set: Id, events: &Events<'_>, from: usize, height: u32) -> Result<Id, Stop> {
        let mut calls = Vec::new();
        let mut rest = set;
        while rest != EMPTY {
            let entry = self.get(rest);
            calls.push(Call::Saturate(entry.down, from));
            rest = entry.right;
        }
        let held = self.mark();
        let downs = self.many(calls, Some(events), height - 1)?;
        let mark = self.mark();
        let mut rest = set;
        for down in downs {
            let entry = self.get(rest);
            self.push(entry.value, down, if down == entry.down { rest } else { EMPTY });
            rest = entry.right;
        }
        let list = self.list(mark, EMPTY);
        self.cut(held);
        list
    }

    fn saturate_here(&mut self, set: Id, events: &Events<'_>, from: usize, height: u32) -> Result<Id, Stop> {
        let lower = events.next_height(from);
        let is_whole = height == events.width && from == 0;
        let mark = self.mark();
        let mut closed = set;
        loop {
            // Held for the whole round: were it collected, a larger set could get its number, and look as if nothing was new.
            let before = closed;
            self.keep(before);
            let inner = self.mark();
            closed = self.saturate(closed, events, lower, height)?;
            for event in &events.events[from..lower] {
                self.cut(inner);
                self.keep(closed);
                closed = match &event.steps {
                    Steps::Known(steps) => self.image(closed, *steps, closed, height)?,
                    Steps::Learned(forms) => self.first_form(closed, forms, events, height)?,
                };
            }
            if is_whole {
                events.teacher.reached(self.owner.own(closed));
            }
            self.cut(mark);
            if closed == before || events.until == Until::Once {
                return Ok(closed);
            }
        }
    }

    /// The set and what an event makes of it, by the first form that is not left. Whoever asks holds the set.
    fn first_form(&mut self, set: Id, forms: &[Guarded<'_>], events: &Events<'_>, height: u32) -> Result<Id, Stop> {
        for form in forms {
            if form.end != u64::MAX && form.steps.is_left(form.end) {
                continue;
            }
            if let Some(closed) = self.event(set, form, events, height)? {
                return Ok(closed);
            }
        }
        panic!("BUG: the last form was left");
    }

    /// The same by this form, unless there is too much to learn for it.
    fn event(&mut self, set: Id, event: &Guarded<'_>, events: &Events<'_>, height: u32) -> Result<Option<Id>, Stop> {
        let mut from = set;
        for guard in &event.guards {
            let holds = self.rows_for(from, height, guard, events.teacher)?;
            from = self.enabled(from, holds, height)?;
            self.keep(from);
        }
        let rows = self.rows_below(from, height, event.steps, events.teacher, event.end)?;
        rows.map(|rows| self.image(from, rows, set, height)).transpose()
    }
}
