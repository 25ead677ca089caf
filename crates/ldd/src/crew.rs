//! Helpers: threads that take over parts of a running operation.
//!
//! While a helper has nothing to do, a worker that comes to a list splits it: the parts become tasks in a
//! queue, of which the worker does itself whatever nobody has taken. As long as nobody wants work nothing is
//! split, and that costs one look at a number.
//!
//! A worker that waits for a task of its own helps with lower ones meanwhile, with the same stack of what it
//! needs. So its own stack never gets deeper than that of one operation, and garbage can be collected while
//! it waits.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::thread::scope;

use crate::STACK_A_SLOT;
use crate::events::Events;
use crate::node::Id;
use crate::store::{Stop, Store, lock};
use crate::sync::{AtomicBool, AtomicIsize, AtomicUsize, Condvar, Mutex, spin_loop};
use crate::worker::Worker;

/// Bytes of stack that a helper has at least.
const LEAST_STACK: usize = 2 << 20;

/// A list is split into so many parts at most: who takes one looks at all that are queued.
const MOST_PARTS: usize = 16;

/// How often a helper looks for work before it sleeps.
const LOOKS: usize = if cfg!(any(loom, miri)) { 1 } else { 2000 };

/// The helpers of a store, and what there is for them to do.
#[derive(Default)]
pub(crate) struct Crew {
    /// Helpers without work and workers that wait for one, less tasks that nobody has taken.
    wanted: AtomicIsize,
    queued: AtomicUsize,
    queue: Mutex<Vec<Arc<Task>>>,
    changed: Condvar,
}

/// A part of an operation. Its operands hang on what the worker that made it holds.
#[derive(Debug)]
pub(crate) enum Call {
    /// The images of sets through the rests of a relation, united with a sum.
    Images(Vec<(Id, Id)>, Id),
    Union(Id, Id),
    Minus(Id, Id),
    /// A closure under the events from this one on.
    Saturate(Id, usize),
    /// A set, a sum, and the events from this one on.
    Advance(Id, Id, usize),
}

struct Task {
    calls: Vec<Call>,
    height: u32,
    /// Which events a closure is about.
    events: Option<u32>,
    answers: Mutex<Option<Answers>>,
    is_done: AtomicBool,
}

/// The answer to each call of a task.
type Answers = Result<Vec<Id>, Stop>;

/// Marks a task as done even if the helper panics, so that nobody waits for it in vain.
struct Done<'t>(&'t Task);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.is_done.store(true, Ordering::Release);
    }
}

impl Store {
    /// Runs `work` while this many threads together run its operations on vectors of this width, the caller's
    /// among them.
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.together(2, 2, || store.vector(&[1, 2]))?;
    /// assert_eq!(store.count(&set), 1u32.into());
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn together<T>(&self, threads: usize, width: usize, work: impl FnOnce() -> T) -> T {
        self.with_helpers(threads, width, None, work)
    }

    /// The same; helpers know of these events.
    pub(crate) fn with_helpers<T>(
        &self,
        threads: usize,
        width: usize,
        events: Option<&Events<'_>>,
        work: impl FnOnce() -> T,
    ) -> T {
        if threads <= 1 {
            return work();
        }
        let is_over = AtomicBool::new(false);
        // A list that is split takes more than one that is not.
        let stack = LEAST_STACK + 4 * STACK_A_SLOT * width;
        scope(|scope| {
            for _ in 1..threads {
                let help = || self.help(events, &is_over);
                let builder = std::thread::Builder::new().stack_size(stack);
                // With fewer helpers it takes longer, that is all.
                let _ = builder.spawn_scoped(scope, help);
            }
            let _over = Over { is_over: &is_over, crew: &self.inner.crew };
            work()
        })
    }

    fn help(&self, events: Option<&Events<'_>>, is_over: &AtomicBool) {
        let crew = &self.inner.crew;
        crew.wanted.fetch_add(1, Ordering::Relaxed);
        while let Some(task) = crew.wait(events, is_over) {
            let mut worker = self.worker();
            worker.run_task(&task, events);
            drop(worker);
            crew.wanted.fetch_add(1, Ordering::Relaxed);
        }
        crew.wanted.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Sends the helpers home, whatever happens.
struct Over<'o> {
    is_over: &'o AtomicBool,
    crew: &'o Crew,
}

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // With the lock: a helper that is about to sleep has looked before, or is woken.
        let _queue = self.crew.queue.lock().unwrap_or_else(PoisonError::into_inner);
        self.crew.changed.notify_all();
    }
}

impl Crew {
    /// Whether a helper has nothing to do.
    #[inline]
    pub fn wants_work(&self) -> bool {
        self.wanted.load(Ordering::Relaxed) > 0
    }

    /// The next task for a helper, which wants one; none when it is all over.
    fn wait(&self, events: Option<&Events<'_>>, is_over: &AtomicBool) -> Option<Arc<Task>> {
        loop {
            for _ in 0..LOOKS {
                if is_over.load(Ordering::Relaxed) {
                    return None;
                }
                if self.queued.load(Ordering::Relaxed) > 0
                    && let Some(task) = self.take(events, u32::MAX)
                {
                    self.wanted.fetch_sub(1, Ordering::Relaxed);
                    return Some(task);
                }
                spin_loop();
            }
            let queue = lock(&self.queue);
            if !is_over.load(Ordering::Relaxed) && queue.is_empty() {
                // Whatever wakes it, it looks again.
                drop(self.changed.wait(queue));
            }
        }
    }

    /// A task that was queued, lower than this, that one with these events can run.
    fn take(&self, events: Option<&Events<'_>>, below: u32) -> Option<Arc<Task>> {
        let mut queue = lock(&self.queue);
        let fits = |task: &Arc<Task>| {
            task.height < below
                && task.events.is_none_or(|number| events.is_some_and(|events| events.number() == number))
        };
        // The highest first: it is the largest, as a rule.
        let best =
            queue.iter().enumerate().filter(|(_, task)| fits(task)).max_by_key(|(_, task)| task.height);
        let at = best.map(|(at, _)| at)?;
        Some(self.took(&mut queue, at))
    }

    fn took(&self, queue: &mut Vec<Arc<Task>>, at: usize) -> Arc<Task> {
        self.queued.fetch_sub(1, Ordering::Relaxed);
        self.wanted.fetch_add(1, Ordering::Relaxed);
        queue.swap_remove(at)
    }

    /// Takes a task of one's own back, unless another has it.
    fn take_back(&self, task: &Arc<Task>) -> bool {
        let mut queue = lock(&self.queue);
        let at = queue.iter().position(|queued| Arc::ptr_eq(queued, task));
        at.map(|at| self.took(&mut queue, at)).is_some()
    }

    fn give(&self, tasks: &[Arc<Task>]) {
        let mut queue = lock(&self.queue);
        queue.extend(tasks.iter().cloned());
        self.queued.fetch_add(tasks.len(), Ordering::Relaxed);
        self.wanted.fetch_sub(tasks.len() as isize, Ordering::Relaxed);
        self.changed.notify_all();
    }
}

impl Worker<'_> {
    /// Whether an operation at this height is to be split.
    #[inline]
    pub fn may_split(&self, height: u32) -> bool {
        self.store.crew.wants_work() && height >= self.store.limits.least_split
    }

    /// The answers to some calls, in their order. They are held until the mark is cut.
    pub fn many(
        &mut self,
        calls: Vec<Call>,
        events: Option<&Events<'_>>,
        height: u32,
    ) -> Result<Vec<Id>, Stop> {
        let has_events = |call: &Call| matches!(call, Call::Saturate(..) | Call::Advance(..));
        let number = events.filter(|_| calls.iter().any(has_events)).map(Events::number);
        let task = |calls| {
            let (answers, is_done) = (Mutex::default(), AtomicBool::new(false));
            Arc::new(Task { calls, height, events: number, answers, is_done })
        };
        let (mut parts, size) = (Vec::with_capacity(MOST_PARTS), calls.len().div_ceil(MOST_PARTS).max(1));
        let mut calls = calls.into_iter();
        while calls.len() > 0 {
            parts.push(task(calls.by_ref().take(size).collect()));
        }
        self.store.crew.give(parts.get(1..).unwrap_or_default());
        let mut answers: Vec<Option<Answers>> = vec![None; parts.len()];
        for (at, task) in parts.iter().enumerate() {
            if at == 0 || self.store.crew.take_back(task) {
                answers[at] = Some(self.run_calls(task, events));
            }
        }
        // What was not taken back another has. All of it is waited for, even after an error: its operands
        // must stay.
        for (task, answers) in parts.iter().zip(&mut answers).filter(|(_, answers)| answers.is_none()) {
            self.wait_for(task, events);
            let found = lock(&task.answers).take().expect("BUG: a helper broke a task off");
            // The helper held them for us.
            found.iter().flatten().for_each(|&id| {
                self.keep(id);
                self.store.release(id);
            });
            *answers = Some(found);
        }
        let mut all = Vec::new();
        for found in answers.into_iter().flatten() {
            all.extend(found?);
        }
        Ok(all)
    }

    /// Does other things until a task, which another took, is done. Who has it is asked for parts of it
    /// meanwhile, as by any helper without work: otherwise one would look on while the other does it all.
    fn wait_for(&mut self, task: &Task, events: Option<&Events<'_>>) {
        let crew = &self.store.crew;
        crew.wanted.fetch_add(1, Ordering::Relaxed);
        let mut looks = 0_usize;
        while !task.is_done.load(Ordering::Acquire) {
            looks += 1;
            if crew.queued.load(Ordering::Relaxed) > 0
                && let Some(other) = crew.take(events, task.height)
            {
                crew.wanted.fetch_sub(1, Ordering::Relaxed);
                self.run_task(&other, events);
                crew.wanted.fetch_add(1, Ordering::Relaxed);
            } else if self.store.gate.is_closed() {
                self.give_way();
            } else if looks.is_multiple_of(LOOKS) {
                // Who has the task may wait for this processor.
                std::thread::yield_now();
            } else {
                spin_loop();
            }
        }
        crew.wanted.fetch_sub(1, Ordering::Relaxed);
    }

    /// Runs another's task. The answers are held for the other.
    fn run_task(&mut self, task: &Task, events: Option<&Events<'_>>) {
        let _done = Done(task);
        let mark = self.mark();
        let answers = self.run_calls(task, events);
        answers.iter().flatten().for_each(|&id| self.store.hold(id));
        self.cut(mark);
        *lock(&task.answers) = Some(answers);
    }

    /// Runs the calls of a task, one after the other. The answers are kept.
    fn run_calls(&mut self, task: &Task, events: Option<&Events<'_>>) -> Answers {
        let mut answers = Vec::with_capacity(task.calls.len());
        for call in &task.calls {
            let answer = self.run_call(call, events, task.height)?;
            self.keep(answer);
            answers.push(answer);
        }
        Ok(answers)
    }

    /// Leaves the stacks as they were, even where it fails.
    fn run_call(&mut self, call: &Call, events: Option<&Events<'_>>, height: u32) -> Result<Id, Stop> {
        let (mark, parts) = (self.mark(), self.scratch.parts.len());
        let answer = match *call {
            Call::Images(ref parts, sum) => parts.iter().try_fold(sum, |sum, &(set, relation)| {
                self.cut(mark);
                self.keep(sum);
                self.image(set, relation, sum, height)
            }),
            Call::Union(a, b) => self.union(a, b, height),
            Call::Minus(a, b) => self.minus(a, b, height),
            Call::Saturate(set, from) => {
                let events = events.expect("BUG: a closure without events");
                self.saturate(set, events, from, height)
            }
            Call::Advance(set, sum, from) => {
                let events = events.expect("BUG: steps without events");
                self.advance(set, sum, events, from, height)
            }
        };
        self.cut(mark);
        self.scratch.parts.truncate(parts);
        answer
    }
}

/// Every way in which a worker and its helpers can meet, by loom.
#[cfg(all(loom, test))]
mod interleavings {
    use super::*;

    fn tasks<const COUNT: usize>() -> [Arc<Task>; COUNT] {
        std::array::from_fn(|at| {
            let (calls, height) = (vec![Call::Union(0, 0)], at as u32);
            Arc::new(Task {
                calls,
                height,
                events: None,
                answers: Mutex::default(),
                is_done: AtomicBool::new(false),
            })
        })
    }

    /// What a helper does, with an answer that tells which task it had.
    fn help(crew: &Crew, is_over: &AtomicBool) {
        crew.wanted.fetch_add(1, Ordering::Relaxed);
        while let Some(task) = crew.wait(None, is_over) {
            let done = Done(&task);
            assert_eq!(lock(&task.answers).replace(Ok(vec![task.height])), None, "a task was done twice");
            drop(done);
            crew.wanted.fetch_add(1, Ordering::Relaxed);
        }
        crew.wanted.fetch_sub(1, Ordering::Relaxed);
    }

    /// No task is done twice or never, and no helper sleeps for ever: loom finds who waits in vain.
    fn check<const TASKS: usize>(helpers: usize, takes_back: bool) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = (TASKS + helpers > 2).then_some(2);
        model.check(move || {
            let shared = Arc::new((Crew::default(), AtomicBool::new(false)));
            let spawn = |_| {
                let shared = Arc::clone(&shared);
                loom::thread::spawn(move || help(&shared.0, &shared.1))
            };
            let threads: Vec<_> = (0..helpers).map(spawn).collect();
            let (crew, is_over) = &*shared;
            let over = Over { is_over, crew };
            let tasks: [Arc<Task>; TASKS] = tasks();
            if !takes_back {
                // Loom does not come to it by itself that the helper may sleep before there is a task.
                loom::thread::yield_now();
            }
            crew.give(&tasks);
            for task in tasks {
                let is_mine = takes_back && crew.take_back(&task);
                while !is_mine && !task.is_done.load(Ordering::Acquire) {
                    spin_loop();
                }
                assert_eq!(*lock(&task.answers), (!is_mine).then_some(Ok(vec![task.height])));
            }
            drop(over);
            threads.into_iter().for_each(|thread| thread.join().expect("no thread panicked"));
            assert_eq!((crew.wanted.load(Ordering::Relaxed), crew.queued.load(Ordering::Relaxed)), (0, 0));
        });
    }

    #[test]
    fn loom_a_task_is_done_once() {
        check::<1>(1, true);
    }

    #[test]
    fn loom_tasks_are_done_once() {
        check::<2>(1, true);
    }

    #[test]
    fn loom_helpers_share_tasks() {
        check::<1>(2, true);
    }

    #[test]
    fn loom_a_helper_that_sleeps_is_woken() {
        check::<1>(1, false);
    }
}
