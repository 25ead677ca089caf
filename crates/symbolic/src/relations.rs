//! The relations of a model's groups.
//!
//! A group's relation is known from the start where the model tells its effect slot by slot
//! ([`model::Effect`]). All others are learned: the model is asked for the steps from a short vector when a
//! set first has it. There are up to three relations for such a group. They say the same of all states that
//! they were asked for, and each takes over from the one before when that was asked for many short vectors
//! ([`ldd::Replacement`]):
//!
//! 1. *Tested.* All slots that the group writes are tested, also those that it does not read.
//! 2. *Written only.* Slots that are not read are not tested either (Meijer 2014).
//! 3. *Split.* Guards are relations of their own, and the update is asked only where all of them hold (Meijer
//!    2014, algorithms 18 and 19).
//!
//! A group whose effect is known but tests much is learned at first, too, and then its effect takes over.
//!
//! Why test what is not read? For example, a group reads slot 2 and writes it to slot 0, which is far above.
//! Let both have the values 0 to 9. The written-only relation has the writes 0 to 9 at slot 0 and tests slot
//! 2 below. At slot 0 an image follows each of the ten writes from each of the ten values, and finds only at
//! slot 2 which one is right: a hundred ways down. If slot 0 has the value of slot 2 already, or one less,
//! the tested relation knows these pairs only: twenty ways. It costs a row for each pair, but no call of the
//! model: the model is asked once for what the group reads ([`memo`]). Where pairs are too many, the second
//! relation is the better one.

mod memo;
mod observations;
mod oracle;
mod subject;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base::{BitMatrix, GroupIx, GuardIx};
use engine::Pattern;
use ldd::{Access, Change, Event, Ldd, Learned, Replacement, Rule, Schedule, Shape, Stop, Store};
use model::{Dependencies, Effect, Model};

use crate::options::Options;
use memo::{MOST_ANSWERS, Memo};
use observations::ObservedSets;
use oracle::Oracle;
use subject::Subject;
pub(crate) use subject::What;

/// Observations become sets when they take so many bytes together.
const MANY_BYTES: u64 = 1 << 20;

/// An effect with different rules for different values of so many slots tests much.
const MUCH_TESTED: usize = 4;

/// The relations of a model, as far as they are known.
pub(crate) struct Relations<'m> {
    pub store: Store,
    pub oracle: Oracle<'m>,
    /// The groups' relations, then those of guards and updates that may be asked on their own.
    learned: Vec<Learned>,
    /// What was observed of each.
    observed: Vec<ObservedSets>,
    /// How each group is to be asked.
    schedule: Schedule,
}

impl<'m> Relations<'m> {
    /// Relations of which nothing was asked yet. What is remembered of groups may take so many bytes.
    pub fn new(
        model: &'m dyn Model,
        store: &Store,
        options: Options,
        patterns: Vec<Pattern>,
        memo_bytes: u64,
    ) -> Result<Relations<'m>, Stop> {
        let signature = model.signature();
        let width = signature.slots.len();
        let (mut subjects, mut learned) = (Vec::new(), Vec::new());
        let mut add = |what, levels: Vec<(usize, Access)>, known: Option<Learned>| {
            learned.push(known.unwrap_or_else(|| Learned::nothing(store, Shape::new(width, levels.clone()))));
            subjects.push(Subject { what, levels });
            learned.len() - 1
        };
        let dependencies = model.dependencies();
        // An effect does not tell which action happens.
        let use_effects = options.use_effects && options.separate && patterns.is_empty();
        let effect = |group: GroupIx| signature.groups[group.ix()].effect.as_ref().filter(|_| use_effects);
        let is_known = |group: GroupIx| effect(group).is_some_and(|effect| !tests_much(effect));
        let all = |effect: &Effect| Ok(Learned::all(store.rules(width, &rules(effect))?));
        let mut events = Vec::with_capacity(signature.groups.len());
        let mut written_only = Vec::with_capacity(signature.groups.len());
        for group in signature.group_ixs() {
            let levels = levels(dependencies, &dependencies.read, group, options.separate);
            let known = effect(group).filter(|_| is_known(group)).map(all).transpose()?;
            events.push(Event::of(add(What::Group(group), tested(&levels), known)));
            written_only.push(levels);
        }
        let is_asked = |group: &GroupIx| !is_known(*group);
        for group in
            signature.group_ixs().filter(is_asked).filter(|group| writes_unread(&written_only[group.ix()]))
        {
            let event = Event::of(add(What::Group(group), written_only[group.ix()].clone(), None));
            events[group.ix()].replacement = Some(Box::new(Replacement { from: MOST_ANSWERS, event }));
        }
        let may_split = |group: &GroupIx| !signature.groups[group.ix()].guards.is_empty();
        if let Some(from) = options.split_guards.from(model) {
            let tests = &dependencies.tests;
            let of_guard = |guard: GuardIx| tests.ones(guard.ix()).map(|slot| (slot, Access::Read)).collect();
            let guards: Vec<usize> =
                signature.guard_ixs().map(|guard| add(What::Guard(guard), of_guard(guard), None)).collect();
            for group in signature.group_ixs().filter(is_asked).filter(may_split) {
                let levels = levels(dependencies, &dependencies.update_read, group, options.separate);
                let relation = add(What::Update(group), levels, None);
                let own =
                    signature.groups[group.ix()].guards.iter().map(|guard| guards[guard.ix()]).collect();
                let event = Event { relation, guards: own, replacement: None };
                let first = &mut events[group.ix()];
                let last = match &mut first.replacement {
                    Some(replacement) if replacement.from < from => &mut replacement.event,
                    _ => first,
                };
                last.replacement = Some(Box::new(Replacement { from, event }));
            }
        }
        for group in signature.group_ixs().filter(is_asked) {
            let Some(known) = effect(group).map(all).transpose()? else { continue };
            let event = Event::of(add(What::Group(group), tested(&written_only[group.ix()]), Some(known)));
            events[group.ix()].replacement = Some(Box::new(Replacement { from: MOST_ANSWERS, event }));
        }
        let slots = |matrix: &BitMatrix, at| matrix.ones(at).collect();
        let room = Arc::new(AtomicU64::new(memo_bytes));
        let memo = |at| Memo::new(slots(&dependencies.read, at), slots(&dependencies.may_write, at), &room);
        let has_memo = |group: &GroupIx| is_asked(group) && writes_unread(&written_only[group.ix()]);
        let memos = signature.group_ixs().map(|group| has_memo(&group).then(|| memo(group.ix())));
        Ok(Self {
            store: store.clone(),
            observed: learned.iter().map(|_| ObservedSets::nothing(store)).collect(),
            oracle: Oracle::new(model, subjects, memos.collect(), patterns),
            learned,
            schedule: store.schedule(events),
        })
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.schedule.events().len()
    }

    /// How a group is asked now.
    fn event(&self, group: usize) -> &Event {
        let mut event = &self.schedule.events()[group];
        while let Some(replacement) = &event.replacement {
            let known = &self.learned[event.relation];
            if known.count() < replacement.from && !known.is_over_quota() {
                break;
            }
            event = &replacement.event;
        }
        event
    }

    /// The number of the relation by which a group is asked now.
    pub fn relation_of(&self, group: usize) -> usize {
        self.event(group).relation
    }

    /// Whether all steps of a group are known from the start.
    pub fn is_known(&self, group: usize) -> bool {
        let first = &self.schedule.events()[group];
        self.learned[first.relation].asked().is_none() && first.guards.is_empty()
    }

    /// The guards of a group that are asked on their own now.
    pub fn guards(&self, group: usize) -> &[usize] {
        &self.event(group).guards
    }

    /// What is known of a relation.
    pub fn known(&self, relation: usize) -> &Learned {
        &self.learned[relation]
    }

    /// All relations.
    pub fn all(&self) -> &[Learned] {
        &self.learned
    }

    /// What was observed of a relation so far.
    pub fn observed(&mut self, relation: usize) -> Result<&ObservedSets, Stop> {
        let mut observations = self.oracle.take_sightings(relation);
        self.observed[relation].settle(&self.store, &mut observations)?;
        Ok(&self.observed[relation])
    }

    /// Whether many observations are not sets yet: to make sets of them takes as much memory again for a
    /// moment.
    pub fn waits_for_memory(&self) -> bool {
        self.oracle.waiting.load(Ordering::Relaxed) >= MANY_BYTES
    }

    /// Makes sets of observations, if they are many: lists take memory that the store does not know of.
    fn settle_many(&mut self) -> Result<(), Stop> {
        if self.waits_for_memory() {
            for relation in 0..self.learned.len() {
                self.observed(relation)?;
            }
        }
        Ok(())
    }

    /// The height of the first slot that a group or its guards touch: groups with a low one are about the end
    /// of a state only.
    pub fn top(&self, group: usize) -> usize {
        let event = self.event(group);
        let relations = event.guards.iter().chain([&event.relation]);
        let shapes = relations.map(|&relation| self.learned[relation].relation().shape());
        shapes.filter_map(|shape| Some(shape.width() - shape.slots().first()?.0)).max().unwrap_or(0)
    }

    /// Learns all steps of a relation from a set, whatever guards there are.
    pub fn learn_relation(&mut self, relation: usize, set: &Ldd) -> Result<(), Stop> {
        self.store.learn(set, &mut self.learned[relation], relation, &self.oracle)
    }

    /// The states of a set in which all guards of a group that are asked on their own are true.
    fn enabled(&mut self, group: usize, set: &Ldd) -> Result<Ldd, Stop> {
        let mut enabled = set.clone();
        for guard in self.event(group).guards.clone() {
            if enabled.is_empty() {
                break;
            }
            self.learn_relation(guard, &enabled)?;
            enabled = self.store.enabled(&enabled, self.learned[guard].relation())?;
        }
        Ok(enabled)
    }

    /// Learns all steps of a group from a set, by the relation by which it is asked afterwards; answers the
    /// part of the set in which its guards, where they are asked on their own, are true.
    pub fn learn(&mut self, group: usize, set: &Ldd) -> Result<Ldd, Stop> {
        if self.is_known(group) {
            return Ok(set.clone());
        }
        loop {
            let relation = self.relation_of(group);
            let quota =
                self.event(group).replacement.as_ref().map_or(u64::MAX, |replacement| replacement.from);
            let enabled = self.enabled(group, set)?;
            self.store.learn_within(&enabled, &mut self.learned[relation], relation, &self.oracle, quota)?;
            self.settle_many()?;
            if relation == self.relation_of(group) {
                return Ok(enabled);
            }
        }
    }

    /// sum ∪ the successors of a set through all groups.
    pub fn advance(&mut self, set: &Ldd, sum: &Ldd) -> Result<Ldd, Stop> {
        let next = self.store.advance(set, sum, &mut self.learned, &self.schedule, &self.oracle);
        self.settle_many()?;
        next
    }

    /// The set and what the groups make of it one after the other, each of all that the ones before it found.
    pub fn round(&mut self, set: &Ldd) -> Result<Ldd, Stop> {
        let next = self.store.round(set, &mut self.learned, &self.schedule, &self.oracle);
        self.settle_many()?;
        next
    }

    /// The least set that holds this one and with each state its successors. All steps from it are learned on
    /// the way.
    pub fn saturate(&mut self, set: &Ldd) -> Result<Ldd, Stop> {
        self.store.saturate(set, &mut self.learned, &self.schedule, &self.oracle)
    }

    /// A schedule of some groups.
    pub fn schedule_of(&self, groups: &[usize]) -> Schedule {
        self.store.schedule(groups.iter().map(|&group| self.schedule.events()[group].clone()).collect())
    }

    /// The least set that holds this one and with each state its successors through the groups of a schedule,
    /// which are learned on the way.
    pub fn close(&mut self, set: &Ldd, schedule: &Schedule) -> Result<Ldd, Stop> {
        let closed = self.store.saturate(set, &mut self.learned, schedule, &self.oracle);
        self.settle_many()?;
        closed
    }

    /// The same with the steps that are known; none are learned.
    pub fn saturate_known(&mut self, set: &Ldd) -> Result<Ldd, Stop> {
        let known = self.learned.iter().map(|learned| Learned::all(learned.relation().clone()));
        let mut known: Vec<Learned> = known.collect();
        let now = |group| Event { replacement: None, ..self.event(group).clone() };
        // What was not asked for is not known, so this is another schedule each time.
        let schedule = self.store.schedule((0..self.groups()).map(now).collect());
        self.store.saturate(set, &mut known, &schedule, &self.oracle)
    }
}

/// The slots of a group's relation, of which it reads these.
fn levels(
    dependencies: &Dependencies,
    reads: &BitMatrix,
    group: GroupIx,
    separate: bool,
) -> Vec<(usize, Access)> {
    let mut levels: Vec<(usize, Access)> = reads.ones(group.ix()).map(|slot| (slot, Access::Read)).collect();
    for slot in dependencies.may_write.ones(group.ix()) {
        match levels.binary_search_by_key(&slot, |&(slot, _)| slot) {
            Ok(place) => levels[place].1 = Access::Both,
            Err(place) => levels.insert(place, (slot, Access::Write)),
        }
    }
    if !separate {
        levels.iter_mut().for_each(|(_, access)| *access = Access::Both);
    }
    levels
}

/// The same levels, and what is written is tested, too.
fn tested(levels: &[(usize, Access)]) -> Vec<(usize, Access)> {
    let test = |&(slot, access): &(usize, Access)| {
        (slot, if access == Access::Write { Access::Both } else { access })
    };
    levels.iter().map(test).collect()
}

/// Whether a slot is written that is not read.
fn writes_unread(levels: &[(usize, Access)]) -> bool {
    levels.iter().any(|(_, access)| *access == Access::Write)
}

/// Whether an effect fails often and late: an image by it goes through all that the slots above allow, and
/// one by a relation that was learned has no rows for what comes to nothing. So such a group is learned as
/// long as that is cheap.
fn tests_much(effect: &Effect) -> bool {
    effect.slots.iter().filter(|(_, rules)| rules.len() > 1).count() >= MUCH_TESTED
}

/// The rules of an effect, in the words of diagrams.
fn rules(effect: &Effect) -> Vec<(usize, Vec<Rule>)> {
    let rule = |rule: &model::Rule| Rule {
        least: rule.least,
        most: rule.most,
        change: match rule.change {
            model::Change::Keep => Change::Keep,
            model::Change::Set(value) => Change::Set(value),
            model::Change::Add(amount) => Change::Add(amount),
        },
    };
    effect.slots.iter().map(|(slot, rules)| (slot.ix(), rules.iter().map(rule).collect())).collect()
}
