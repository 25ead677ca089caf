//! The oracle knows all relations: it answers what a group or a guard makes of a short vector, from any thread.
//!
//! Relations are numbered: first the groups, then guards and updates that are asked on their own. A guard is a relation that tests
//! and changes nothing.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base::{GroupIx, GuardIx, SlotIx};
use engine::Pattern;
use ldd::{Access, Entry, Ldd, Rows, Teacher};
use model::{EvalError, Model, Successor, Truth, Value};

use crate::caller::Caller;
use crate::sightings::Sightings;

/// Answers short calls, from any thread.
pub(crate) struct Oracle<'m> {
    model: &'m dyn Model,
    relations: Vec<Subject>,
    /// Actions that properties ask for.
    patterns: Vec<Pattern>,
    idle: Mutex<Vec<Asker<'m>>>,
    /// What was seen of each relation since somebody took it.
    sightings: Vec<Mutex<Sightings>>,
    /// Bytes of all of that: memory that the store does not know of.
    pub waiting: Arc<AtomicU64>,
    group_calls: AtomicU64,
    guard_calls: AtomicU64,
    nanoseconds: AtomicU64,
    /// What a closure that is under way has reached.
    reached: Mutex<Option<Ldd>>,
}

/// What a relation is about, and its slots from the top.
pub(crate) struct Subject {
    pub what: What,
    pub levels: Vec<(usize, Access)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum What {
    Group(GroupIx),
    /// A group where all its guards are true.
    Update(GroupIx),
    Guard(GuardIx),
}

/// A caller, with patterns of its own: they remember what they matched.
struct Asker<'m> {
    caller: Caller<'m>,
    patterns: Vec<Pattern>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'m> Oracle<'m> {
    pub fn new(model: &'m dyn Model, relations: Vec<Subject>, patterns: Vec<Pattern>) -> Self {
        Self {
            model,
            sightings: relations.iter().map(|_| Mutex::default()).collect(),
            waiting: Arc::default(),
            relations,
            patterns,
            idle: Mutex::default(),
            group_calls: AtomicU64::new(0),
            guard_calls: AtomicU64::new(0),
            nanoseconds: AtomicU64::new(0),
            reached: Mutex::default(),
        }
    }

    pub fn what(&self, relation: usize) -> What {
        self.relations[relation].what
    }

    /// Takes what was seen of a relation since the last time.
    pub fn take_sightings(&self, relation: usize) -> Sightings {
        let taken = std::mem::take(&mut *lock(&self.sightings[relation]));
        self.waiting.fetch_sub(taken.bytes(), Ordering::Relaxed);
        taken
    }

    /// Takes what a closure had reached before it was broken off, if anything is known of that.
    pub fn take_reached(&self) -> Option<Ldd> {
        lock(&self.reached).take()
    }

    /// How often groups were asked.
    pub fn group_calls(&self) -> u64 {
        self.group_calls.load(Ordering::Relaxed)
    }

    /// How often guards were asked.
    pub fn guard_calls(&self) -> u64 {
        self.guard_calls.load(Ordering::Relaxed)
    }

    /// The time that the model took to answer, of all threads together.
    pub fn time(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }

    /// Notes down what a group did, or that it failed.
    fn note(
        &self,
        result: Result<(), EvalError>,
        subject: &Subject,
        short: &[u32],
        asker: &mut Asker<'m>,
        answer: Answer<'_>,
    ) {
        let Asker { caller, patterns } = asker;
        if result.is_err() {
            // How it fails is found again when a witness is replayed.
            answer.sightings.failed(short);
        }
        // A group that fails and was made of several can have successors nonetheless.
        answer.sightings.succeeded(short, &caller.buffer, patterns, self.model.signature());
        for successor in caller.buffer.iter() {
            answer.rows.push(row(subject, &caller.state, successor));
        }
    }
}

/// Where answers go.
struct Answer<'a> {
    rows: &'a mut Rows,
    sightings: &'a mut Sightings,
}

/// The row of a successor: for each level what is tested, then what is written.
fn row<'r>(subject: &'r Subject, from: &'r [Value], successor: Successor<'r>) -> impl Iterator<Item = Entry> + 'r {
    subject.levels.iter().flat_map(move |&(slot, access)| {
        let is_copied = successor.copied(SlotIx::new(slot));
        let write = if is_copied { Entry::Copy } else { Entry::Value(successor.state[slot]) };
        let test = (access != Access::Write).then_some(Entry::Value(from[slot]));
        test.into_iter().chain((access != Access::Read).then_some(write))
    })
}

impl Teacher for Oracle<'_> {
    fn reached(&self, part: Ldd) {
        *lock(&self.reached) = Some(part);
    }

    fn teach(&self, relation: usize, shorts: &[&[u32]], rows: &mut Rows) {
        let start = Instant::now();
        let subject = &self.relations[relation];
        let tested = subject.levels.iter().filter(|(_, access)| *access != Access::Write);
        let slots: Vec<usize> = tested.map(|(slot, _)| *slot).collect();
        let mut asker = lock(&self.idle)
            .pop()
            .unwrap_or_else(|| Asker { caller: Caller::new(self.model), patterns: self.patterns.clone() });
        let mut sightings = lock(&self.sightings[relation]);
        let before = sightings.bytes();
        for &short in shorts {
            slots.iter().zip(short).for_each(|(&slot, &value)| asker.caller.state[slot] = value);
            let result = match subject.what {
                What::Group(group) => asker.caller.group(group),
                What::Update(group) => asker.caller.update(group),
                What::Guard(guard) => {
                    match asker.caller.guard(guard) {
                        Truth::True => rows.push(short.iter().map(|&value| Entry::Value(value))),
                        Truth::False => {}
                        Truth::Maybe => sightings.failed(short),
                    }
                    continue;
                }
            };
            self.note(result, subject, short, &mut asker, Answer { rows, sightings: &mut sightings });
        }
        self.waiting.fetch_add(sightings.bytes() - before, Ordering::Relaxed);
        drop(sightings);
        lock(&self.idle).push(asker);
        let is_guard = matches!(subject.what, What::Guard(_));
        let calls = if is_guard { &self.guard_calls } else { &self.group_calls };
        calls.fetch_add(shorts.len() as u64, Ordering::Relaxed);
        self.nanoseconds.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
    }
}
