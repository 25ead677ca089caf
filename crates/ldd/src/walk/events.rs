//! Events: the relations of a walk, sorted by the level at which they begin, the highest first.
//!
//! An event is a relation that is known, or one that is learned on the way. The latter has variants: the
//! first that has not exceeded its quota of short vectors is applied ([`crate::learning::Replacement`]). A
//! variant with guards cuts the set down to where they all hold, before the source is asked for the steps
//! from there.
//!
//! Invariant: what the cache knows of a walk stays right while more is learned. The answer for a set was made
//! after all its short vectors were asked for, so what is learned later has no step from the set. So walks
//! that follow the same schedule, one after the other, share what the cache knows.

use crate::learning::open::{OpenRelation, OpenRelations};
use crate::learning::{Event, RelationSource, Rows, Schedule};
use crate::relation::Relation;
use crate::store::node::{Id, UNIT};
use crate::store::{Stop, Store};
use crate::worker::Worker;

/// The events of a walk, those that begin highest first.
pub(crate) struct Events<'e> {
    events: Vec<PlacedEvent<'e>>,
    /// Tells these relations from others in the cache.
    number: u32,
    pub source: &'e dyn RelationSource,
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
struct PlacedEvent<'e> {
    /// Of the first level.
    height: u32,
    steps: Steps<'e>,
}

enum Steps<'e> {
    Known(Id),
    /// Learned on the way: the first variant within its quota counts.
    Learned(Vec<Variant<'e>>),
}

/// A relation with its guards.
struct Variant<'e> {
    steps: &'e OpenRelation,
    guards: Vec<&'e OpenRelation>,
    /// The next variant takes over when this one would be asked for so many short vectors.
    quota: u64,
}

impl Variant<'_> {
    /// The first slot that is touched.
    fn top(&self) -> Option<usize> {
        self.guards.iter().copied().chain([self.steps]).filter_map(OpenRelation::top).min()
    }
}

/// For relations that are known.
struct NoSource;

impl RelationSource for NoSource {
    fn steps_from(&self, _: usize, _: &[&[u32]], _: &mut Rows) {
        panic!("BUG: a known relation was asked for");
    }
}

impl<'e> Events<'e> {
    fn new(
        number: u32,
        width: usize,
        mut events: Vec<PlacedEvent<'e>>,
        source: &'e dyn RelationSource,
        until: Until,
    ) -> Self {
        events.sort_by_key(|event| std::cmp::Reverse(event.height));
        Self { events, number, source, width: width as u32, until }
    }

    /// Of relations that are known in full.
    pub fn known(store: &Store, width: usize, relations: &[Relation], until: Until) -> Self {
        let steps = relations.iter().map(|relation| relation.diagram.id).filter(|&steps| steps > UNIT);
        let placed = |steps| PlacedEvent {
            height: store.inner.unique.get(steps).info.height(),
            steps: Steps::Known(steps),
        };
        Self::new(
            store.inner.walk_numbers(relations.len()),
            width,
            steps.map(placed).collect(),
            &NoSource,
            until,
        )
    }

    /// Of relations that are learned on the way, in the order of a schedule.
    pub fn learned(
        schedule: &Schedule,
        width: usize,
        open: &'e OpenRelations<'_>,
        source: &'e dyn RelationSource,
        until: Until,
    ) -> Self {
        let guarded = |event: &Event| Variant {
            steps: open.of(event.relation),
            guards: event.guards.iter().map(|&guard| open.of(guard)).collect(),
            quota: event.replacement.as_ref().map_or(u64::MAX, |replacement| replacement.from),
        };
        let placed = schedule.events.iter().filter_map(|event| {
            let variants: Vec<Variant<'_>> = event.variants().map(guarded).collect();
            // What writes nothing and tests nothing leads nowhere.
            let top = variants.iter().filter_map(Variant::top).min()?;
            Some(PlacedEvent { height: (width - top) as u32, steps: Steps::Learned(variants) })
        });
        Self::new(schedule.number, width, placed.collect(), source, until)
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
            Steps::Learned(variants) => self.apply_learned(set, sum, variants, events.source, height),
        }
    }

    /// The same by the first variant within its quota.
    fn apply_learned(
        &mut self,
        set: Id,
        sum: Id,
        variants: &[Variant<'_>],
        source: &dyn RelationSource,
        height: u32,
    ) -> Result<Id, Stop> {
        for variant in variants {
            if variant.quota != u64::MAX && variant.steps.is_over_quota(variant.quota) {
                continue;
            }
            if let Some(sum) = self.apply_variant(set, sum, variant, source, height)? {
                return Ok(sum);
            }
        }
        panic!("BUG: the last variant has a quota");
    }

    /// The same by this variant, unless that would exceed its quota.
    fn apply_variant(
        &mut self,
        mut set: Id,
        sum: Id,
        variant: &Variant<'_>,
        source: &dyn RelationSource,
        height: u32,
    ) -> Result<Option<Id>, Stop> {
        for guard in &variant.guards {
            let holds = self.rows_for(set, height, guard, source)?;
            set = self.enabled(set, holds, height)?;
            self.keep(set);
        }
        let rows = self.rows_within(set, height, variant.steps, source, variant.quota)?;
        rows.map(|rows| self.image(set, rows, sum, height)).transpose()
    }
}
