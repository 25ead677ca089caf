//! The relations of a model's groups, and of its guards where they are asked on their own (Meijer 2014, algorithms 18 and 19): known
//! from the start where a group has a separable effect, else learned as far as sets need them.

use base::{GroupIx, GuardIx};
use engine::Pattern;
use ldd::{Access, Change, Event, Ldd, Learned, Rule, Shape, Stop, Store};
use model::{Effect, Model};

use crate::oracle::{Oracle, Subject, What};
use crate::reach::Options;
use crate::sightings::Seen;

/// The relations of a model.
pub(crate) struct Relations<'m> {
    pub store: Store,
    pub oracle: Oracle<'m>,
    /// The groups' relations, then the guards'.
    learned: Vec<Learned>,
    /// What was seen of each.
    seen: Vec<Seen>,
    /// A group with its guards each, by the groups' numbers.
    events: Vec<Event>,
}

impl<'m> Relations<'m> {
    /// Relations of which nothing was asked yet.
    pub fn new(
        model: &'m dyn Model,
        store: &Store,
        options: Options,
        patterns: Vec<Pattern>,
    ) -> Result<Relations<'m>, Stop> {
        let signature = model.signature();
        // An effect does not tell which action happens.
        let may_use_effects = options.use_effects && options.separate && patterns.is_empty();
        let width = signature.slots.len();
        let (mut subjects, mut learned) = (Vec::new(), Vec::new());
        for group in signature.group_ixs() {
            let levels = levels_of_group(model, group, options);
            learned.push(match &signature.groups[group.ix()].effect {
                Some(effect) if may_use_effects => Learned::all(store.rules(width, &rules(effect))?),
                _ => Learned::nothing(store, Shape::new(width, levels.clone())),
            });
            subjects.push(Subject { what: What::Group(group), levels });
        }
        let groups = learned.len();
        if options.split_guards {
            for guard in signature.guard_ixs() {
                let levels = levels_of_guard(model, guard);
                learned.push(Learned::nothing(store, Shape::new(width, levels.clone())));
                subjects.push(Subject { what: What::Guard(guard), levels });
            }
        }
        let event = |(relation, group): (usize, &model::Group)| {
            let is_asked = options.split_guards && learned[relation].asked().is_some();
            let guards = group.guards.iter().filter(|_| is_asked).map(|guard| groups + guard.ix());
            Event { relation, guards: guards.collect() }
        };
        let events = signature.groups.iter().enumerate().map(event).collect();
        Ok(Self {
            store: store.clone(),
            seen: learned.iter().map(|_| Seen::nothing(store)).collect(),
            oracle: Oracle::new(model, subjects, options.split_guards, patterns),
            learned,
            events,
        })
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.events.len()
    }

    /// What is known of a group or guard.
    pub fn known(&self, relation: usize) -> &Learned {
        &self.learned[relation]
    }

    /// The relations of groups and guards.
    pub fn all(&self) -> &[Learned] {
        &self.learned
    }

    /// The guards of a group that are asked on their own.
    pub fn guards(&self, group: usize) -> &[usize] {
        &self.events[group].guards
    }

    /// What was seen of a relation so far.
    pub fn seen(&mut self, relation: usize) -> Result<&Seen, Stop> {
        let mut sightings = self.oracle.take_sightings(relation);
        self.seen[relation].settle(&self.store, &mut sightings)?;
        Ok(&self.seen[relation])
    }

    /// The height of the first slot that a group or its guards touch: groups with a low one are about the end of a state only.
    pub fn top(&self, group: usize) -> usize {
        let event = &self.events[group];
        let shapes =
            event.guards.iter().chain([&event.relation]).map(|&relation| self.learned[relation].relation().shape());
        shapes.filter_map(|shape| Some(shape.width() - shape.slots().first()?.0)).max().unwrap_or(0)
    }

    /// The states of a set in which all guards of a group that are asked on their own are true.
    pub fn enabled(&mut self, group: usize, set: &Ldd) -> Result<Ldd, Stop> {
        let mut enabled = set.clone();
        for &guard in &self.events[group].guards {
            if enabled.is_empty() {
                break;
            }
            self.store.learn(&enabled, &mut self.learned[guard], guard, &self.oracle)?;
            enabled = self.store.enabled(&enabled, self.learned[guard].relation())?;
        }
        Ok(enabled)
    }

    /// Learns all steps of a group, whatever its guards, or of a guard, from a set.
    pub fn learn_relation(&mut self, relation: usize, set: &Ldd) -> Result<(), Stop> {
        self.store.learn(set, &mut self.learned[relation], relation, &self.oracle)
    }

    /// Learns all steps of a group from a set; answers the part of the set in which its guards are true.
    pub fn learn(&mut self, group: usize, set: &Ldd) -> Result<Ldd, Stop> {
        let enabled = self.enabled(group, set)?;
        self.store.learn(&enabled, &mut self.learned[group], group, &self.oracle)?;
        Ok(enabled)
    }

    /// sum ∪ the successors of a set through a group.
    pub fn step(&mut self, group: usize, set: &Ldd, sum: &Ldd) -> Result<Ldd, Stop> {
        let enabled = self.learn(group, set)?;
        self.store.image(&enabled, self.learned[group].relation(), sum)
    }

    /// The successors of a set through all groups, which so many threads share.
    pub fn step_all(&mut self, set: &Ldd, threads: usize) -> Result<Ldd, Stop> {
        // What guards say is shared by groups, so it is learned before.
        let enabled: Vec<Ldd> = (0..self.groups()).map(|group| self.enabled(group, set)).collect::<Result<_, _>>()?;
        let width = self.learned.first().map_or(0, |learned| learned.relation().shape().width());
        let (store, oracle, groups) = (&self.store, &self.oracle, self.events.len());
        let next = std::sync::Mutex::new(self.learned[..groups].iter_mut().enumerate());
        let part = || {
            let mut sum = store.empty();
            loop {
                let mut queue = next.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                let Some((group, learned)) = queue.next() else { return Ok::<Ldd, Stop>(sum) };
                drop(queue);
                store.learn(&enabled[group], learned, group, oracle)?;
                sum = store.image(&enabled[group], learned.relation(), &sum)?;
            }
        };
        let stack = (2 << 20) + width * ldd::STACK_A_SLOT;
        let parts: Vec<Result<Ldd, Stop>> = std::thread::scope(|scope| {
            let spawn = |_| std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, &part).ok();
            let others: Vec<_> = (1..threads).filter_map(spawn).collect();
            let own = part();
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            others.into_iter().map(join).chain([own]).collect()
        });
        parts.into_iter().try_fold(self.store.empty(), |sum, part| self.store.union(&sum, &part?))
    }

    /// The least set that holds this one and with each state its successors. All steps from it are learned on the way.
    pub fn saturate(&mut self, set: &Ldd) -> Result<Ldd, Stop> {
        self.store.saturate(set, &mut self.learned, &self.events, &self.oracle)
    }

    /// The same with the steps that are known; none are learned.
    pub fn saturate_known(&mut self, set: &Ldd) -> Result<Ldd, Stop> {
        let mut known: Vec<Learned> =
            self.learned.iter().map(|learned| Learned::all(learned.relation().clone())).collect();
        self.store.saturate(set, &mut known, &self.events, &self.oracle)
    }
}

/// The slots of a group's relation. Where guards are asked on their own, only what its update reads is read.
fn levels_of_group(model: &dyn Model, group: GroupIx, options: Options) -> Vec<(usize, Access)> {
    let dependencies = model.dependencies();
    let reads = if options.split_guards { &dependencies.update_read } else { &dependencies.read };
    let access = |slot: usize| {
        let (is_read, is_written) = (reads.get(group.ix(), slot), dependencies.may_write.get(group.ix(), slot));
        match (is_read, is_written) {
            (false, false) => None,
            _ if !options.separate => Some(Access::Both),
            (true, false) => Some(Access::Read),
            (false, true) => Some(Access::Write),
            (true, true) => Some(Access::Both),
        }
    };
    (0..reads.columns()).filter_map(|slot| Some((slot, access(slot)?))).collect()
}

fn levels_of_guard(model: &dyn Model, guard: GuardIx) -> Vec<(usize, Access)> {
    let tests = &model.dependencies().tests;
    (0..tests.columns()).filter(|&slot| tests.get(guard.ix(), slot)).map(|slot| (slot, Access::Read)).collect()
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
