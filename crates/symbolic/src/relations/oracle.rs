//! The oracle answers what a group or a guard makes of a short vector, from any thread.
//!
//! Relations are numbered: first the groups, then guards and updates that are asked on their own. A guard is
//! a relation that tests and changes nothing.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use engine::Pattern;
use ldd::{Access, Entry, Ldd, RelationSource, Rows};
use model::{Model, Signature, StopSignal, Truth};

use super::memo::Memo;
use super::observations::{Failure, Observations};
use super::subject::{Subject, What, written};
use crate::caller::Caller;

/// So many steps of a group from a state may be duplicates of others, if steps are to be counted.
const MOST_DUPLICATES: usize = 256;

/// Answers short calls, from any thread.
pub(crate) struct Oracle<'m> {
    /// Calls of the model that take long ask this whether to stop.
    pub stop: StopSignal,
    model: &'m dyn Model,
    relations: Vec<Subject>,
    /// For groups that are asked for slots which they do not read.
    memos: Vec<Option<Mutex<Memo>>>,
    /// Actions that properties ask for.
    patterns: Vec<Pattern>,
    idle: Mutex<Vec<ModelCaller<'m>>>,
    /// What was observed of each relation since it was taken.
    observations: Vec<Mutex<Observations>>,
    /// Bytes of all observations: memory that the store does not know of.
    pub waiting: Arc<AtomicU64>,
    pub group_calls: Arc<AtomicU64>,
    guard_calls: AtomicU64,
    nanoseconds: AtomicU64,
    /// Steps are to be counted: duplicates are observed.
    pub counts_steps: bool,
    /// A state had more duplicates than are kept.
    has_lost_count: AtomicBool,
    /// What a closure that is under way has reached.
    reached: Mutex<Option<Ldd>>,
}

/// A caller of the model, with patterns of its own: they remember what they matched.
struct ModelCaller<'m> {
    caller: Caller<'m>,
    patterns: Vec<Pattern>,
    /// Which of them match what was done last.
    matching: Vec<bool>,
}

impl ModelCaller<'_> {
    /// Finds out which patterns match what was done last. None do where nothing was.
    fn find_matching(&mut self, signature: &Signature) {
        let Self { caller, patterns, matching } = self;
        let did = &caller.buffer;
        matching.clear();
        if !did.is_empty() {
            let matches =
                |pattern: &mut Pattern| did.iter().any(|step| pattern.matches(step.action, signature));
            matching.extend(patterns.iter_mut().map(matches));
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'m> Oracle<'m> {
    pub fn new(
        model: &'m dyn Model,
        relations: Vec<Subject>,
        memos: Vec<Option<Memo>>,
        patterns: Vec<Pattern>,
    ) -> Self {
        Self {
            stop: Arc::new(|_| false),
            model,
            observations: relations.iter().map(|_| Mutex::default()).collect(),
            waiting: Arc::default(),
            relations,
            memos: memos.into_iter().map(|memo| memo.map(Mutex::new)).collect(),
            patterns,
            idle: Mutex::default(),
            group_calls: Arc::default(),
            guard_calls: AtomicU64::new(0),
            nanoseconds: AtomicU64::new(0),
            counts_steps: false,
            has_lost_count: AtomicBool::new(false),
            reached: Mutex::default(),
        }
    }

    pub fn what(&self, relation: usize) -> What {
        self.relations[relation].what
    }

    /// Takes what was observed of a relation since the last time.
    pub fn take_sightings(&self, relation: usize) -> Observations {
        let taken = std::mem::take(&mut *lock(&self.observations[relation]));
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

    /// Whether all duplicates were noted down.
    pub fn has_count(&self) -> bool {
        self.counts_steps && !self.has_lost_count.load(Ordering::Relaxed)
    }

    /// How many of the steps that were done last are duplicates of others.
    fn duplicates(&self, subject: &Subject, caller: &Caller<'m>) -> usize {
        let did = &caller.buffer;
        if did.len() < 2 {
            return 0;
        }
        let row =
            |successor| subject.writes().map(move |slot| written(successor, slot)).collect::<Vec<Entry>>();
        let mut rows: Vec<Vec<Entry>> = did.iter().map(row).collect();
        rows.sort_unstable();
        rows.dedup();
        let duplicates = did.len() - rows.len();
        if duplicates > MOST_DUPLICATES {
            self.has_lost_count.store(true, Ordering::Relaxed);
        }
        duplicates.min(MOST_DUPLICATES)
    }

    /// Notes down what a group does from a short vector, which stands in the caller's state. Says whether the
    /// model had to be asked.
    fn ask_group(
        &self,
        subject: &Subject,
        short: &[u32],
        model_caller: &mut ModelCaller<'m>,
        mut memo: Option<&mut Memo>,
        answer: Answer<'_>,
    ) -> bool {
        if let Some(outcome) = memo.as_mut().and_then(|memo| memo.get(&model_caller.caller.state)) {
            if let Some(failure) = outcome.failure {
                answer.observations.failed(short, failure);
            }
            answer.observations.matched(short, &outcome.matching);
            answer.observations.repeated(short, outcome.duplicates);
            outcome.push_rows(subject, &model_caller.caller.state, answer.rows);
            return false;
        }
        let result = match subject.what {
            What::Update(group) => model_caller.caller.update(group),
            What::Group(group) => model_caller.caller.group(group),
            What::Guard(_) => panic!("BUG: a guard is no group"),
        };
        model_caller.find_matching(self.model.signature());
        let failure = result.err().as_ref().map(Failure::of);
        if let Some(failure) = failure {
            answer.observations.failed(short, failure);
        }
        // A group that fails and was made of several can have successors nonetheless.
        answer.observations.matched(short, &model_caller.matching);
        let duplicates = if self.counts_steps { self.duplicates(subject, &model_caller.caller) } else { 0 };
        answer.observations.repeated(short, duplicates);
        let ModelCaller { caller, matching, .. } = model_caller;
        for successor in caller.buffer.iter() {
            let written = subject.writes().map(|slot| written(successor, slot));
            answer.rows.push(subject.row(&caller.state, written));
        }
        if let Some(memo) = memo {
            memo.put(failure, matching.as_slice().into(), duplicates, &caller.buffer);
        }
        true
    }
}

/// Where answers go.
struct Answer<'a> {
    rows: &'a mut Rows,
    observations: &'a mut Observations,
}

impl RelationSource for Oracle<'_> {
    fn reached(&self, part: Ldd) {
        *lock(&self.reached) = Some(part);
    }

    fn steps_from(&self, relation: usize, shorts: &[&[u32]], rows: &mut Rows) {
        let start = Instant::now();
        let subject = &self.relations[relation];
        let tested = subject.levels.iter().filter(|(_, access)| *access != Access::Write);
        let slots: Vec<usize> = tested.map(|(slot, _)| *slot).collect();
        let mut model_caller = lock(&self.idle).pop().unwrap_or_else(|| ModelCaller {
            caller: Caller::new(self.model, &self.stop),
            patterns: self.patterns.clone(),
            matching: Vec::new(),
        });
        let mut observations = lock(&self.observations[relation]);
        let mut memo = match subject.what {
            What::Group(group) => self.memos[group.ix()].as_ref().map(lock),
            _ => None,
        };
        let (before, mut calls) = (observations.bytes(), 0);
        for &short in shorts {
            slots.iter().zip(short).for_each(|(&slot, &value)| model_caller.caller.state[slot] = value);
            if let What::Guard(guard) = subject.what {
                calls += 1;
                match model_caller.caller.guard(guard) {
                    Truth::True => rows.push(short.iter().map(|&value| Entry::Value(value))),
                    Truth::False => {}
                    Truth::Maybe => observations.failed(short, Failure::Error),
                }
                continue;
            }
            let answer = Answer { rows, observations: &mut observations };
            calls +=
                u64::from(self.ask_group(subject, short, &mut model_caller, memo.as_deref_mut(), answer));
        }
        drop(memo);
        self.waiting.fetch_add(observations.bytes() - before, Ordering::Relaxed);
        drop(observations);
        lock(&self.idle).push(model_caller);
        let is_guard = matches!(subject.what, What::Guard(_));
        let all_calls = if is_guard { &self.guard_calls } else { &self.group_calls };
        all_calls.fetch_add(calls, Ordering::Relaxed);
        self.nanoseconds.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
    }
}
