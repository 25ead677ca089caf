//! Events: relations in the order in which one walk down a set comes to them, the highest first. Each is
//! applied where it begins, not from the root. Closures, rounds of chaining, steps through all relations and
//! the search for dead ends are such walks.
//!
//! Invariant: what the cache knows of a walk stays right while more is learned. All short vectors of the set
//! it was about were asked for, by one form of each event or another, so nothing that is learned later begins
//! in it. So walks that follow the same plan, one after the other, share what the cache knows.

use crate::learning::open::{OpenRelation, OpenRelations};
use crate::learning::{Event, Plan, Rows, Teacher};
use crate::relation::Relation;
use crate::store::node::{Id, UNIT};
use crate::store::{Stop, Store};
use crate::worker::Worker;

/// Relations, highest first, as walks need them.
pub(crate) struct Events<'e> {
    events: Vec<Ready<'e>>,
    /// Tells these relations from others in the cache.
    number: u32,
    pub teacher: &'e dyn Teacher,
    /// Slots of a whole vector.
    pub width: u32,
    pub until: Until,
}

/// How often events are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Until {
    /// Once, those that begin lower first, each on what the ones before it found: a round of chaining.
    Once,
    /// Until nothing is new.
    Fixpoint,
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
    steps: &'e OpenRelation,
    guards: Vec<&'e OpenRelation>,
    /// It is left for the next form when it would be asked for so many short vectors.
    end: u64,
}

impl Guarded<'_> {
    /// The first slot that is touched.
    fn top(&self) -> Option<usize> {
        self.guards.iter().copied().chain([self.steps]).filter_map(OpenRelation::top).min()
    }
}

/// For relations that are known.
struct NoTeacher;

impl Teacher for NoTeacher {
    fn teach(&self, _: usize, _: &[&[u32]], _: &mut Rows) {
        panic!("BUG: a known relation was asked for");
    }
}

impl<'e> Events<'e> {
    fn new(
        number: u32,
        width: usize,
        mut events: Vec<Ready<'e>>,
        teacher: &'e dyn Teacher,
        until: Until,
    ) -> Self {
        events.sort_by_key(|event| std::cmp::Reverse(event.height));
        Self { events, number, teacher, width: width as u32, until }
    }

    /// Of relations that are known in full.
    pub fn known(store: &Store, width: usize, relations: &[Relation], until: Until) -> Self {
        let steps = relations.iter().map(|relation| relation.diagram.id).filter(|&steps| steps > UNIT);
        let ready =
            |steps| Ready { height: store.inner.unique.get(steps).info.height(), steps: Steps::Known(steps) };
        Self::new(
            store.inner.walk_numbers(relations.len()),
            width,
            steps.map(ready).collect(),
            &NoTeacher,
            until,
        )
    }

    /// Of relations that are learned on the way, in the order of a plan.
    pub fn learned(
        plan: &Plan,
        width: usize,
        open: &'e OpenRelations<'_>,
        teacher: &'e dyn Teacher,
        until: Until,
    ) -> Self {
        let guarded = |event: &Event| Guarded {
            steps: open.of(event.relation),
            guards: event.guards.iter().map(|&guard| open.of(guard)).collect(),
            end: event.later.as_ref().map_or(u64::MAX, |later| later.from),
        };
        let ready = plan.events.iter().filter_map(|event| {
            let forms: Vec<Guarded<'_>> = event.forms().map(guarded).collect();
            // What writes nothing and tests nothing leads nowhere.
            let top = forms.iter().filter_map(Guarded::top).min()?;
            Some(Ready { height: (width - top) as u32, steps: Steps::Learned(forms) })
        });
        Self::new(plan.number, width, ready.collect(), teacher, until)
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

    /// The diagram of a relation.
    ///
    /// # Panics
    /// When it is learned on the way.
    pub fn diagram(&self, number: usize) -> Id {
        match self.events[number].steps {
            Steps::Known(steps) => steps,
            Steps::Learned(_) => panic!("BUG: what is learned has no diagram yet"),
        }
    }

    /// What the cache calls closures under these relations, or rounds through them.
    pub fn number_until(&self) -> u32 {
        self.number.wrapping_add(u32::from(self.until == Until::Once))
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
    /// sum ∪ { y | x ∈ set, x → y by the event with this number }. Whoever asks holds the set and the sum.
    pub fn apply(
        &mut self,
        number: usize,
        set: Id,
        sum: Id,
        events: &Events<'_>,
        height: u32,
    ) -> Result<Id, Stop> {
        match &events.events[number].steps {
            Steps::Known(steps) => self.image(set, *steps, sum, height),
            Steps::Learned(forms) => self.first_form(set, sum, forms, events.teacher, height),
        }
    }

    /// The same by the first form that is not left.
    fn first_form(
        &mut self,
        set: Id,
        sum: Id,
        forms: &[Guarded<'_>],
        teacher: &dyn Teacher,
        height: u32,
    ) -> Result<Id, Stop> {
        for form in forms {
            if form.end != u64::MAX && form.steps.is_left(form.end) {
                continue;
            }
            if let Some(sum) = self.form(set, sum, form, teacher, height)? {
                return Ok(sum);
            }
        }
        panic!("BUG: the last form was left");
    }

    /// The same by this form, unless there is too much to learn for it.
    fn form(
        &mut self,
        mut set: Id,
        sum: Id,
        form: &Guarded<'_>,
        teacher: &dyn Teacher,
        height: u32,
    ) -> Result<Option<Id>, Stop> {
        for guard in &form.guards {
            let holds = self.rows_for(set, height, guard, teacher)?;
            set = self.enabled(set, holds, height)?;
            self.keep(set);
        }
        let rows = self.rows_below(set, height, form.steps, teacher, form.end)?;
        rows.map(|rows| self.image(set, rows, sum, height)).transpose()
    }
}
