//! Helpers: threads that take over parts of a running operation.
//!
//! While a helper is idle, a worker that comes to a list splits the operation: what is below the values
//! becomes tasks in a queue ([`crate::store::tasks`]). Helpers steal tasks from the queue. The worker itself
//! does what nobody has stolen, then waits for the others. As long as nobody is idle nothing is split.
//!
//! For example, a union of two lists that share the values 1, 2 and 3 becomes three unions of what is below
//! them. A helper steals the second. The worker does the first and the third, waits for the second, and makes
//! the list.
//!
//! A worker that waits for a stolen task helps with lower tasks meanwhile. They recurse less deep than the
//! operation that it waits in, so its stack never gets deeper than that of one operation. It stands at the
//! gate when garbage is to be collected.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::scope;

use crate::STACK_A_SLOT;
use crate::store::node::{EMPTY, Id};
use crate::store::tasks::{Answers, Call, Done, LOOKS, Over, Task};
use crate::store::{Stop, Store, lock};
use crate::sync::{AtomicBool, Mutex, spin_loop};
use crate::walk::{Advance, Saturation, events::Events};
use crate::worker::Worker;

/// Bytes of stack that a helper has at least.
const LEAST_STACK: usize = 2 << 20;

/// A list is split into so many parts at most: who takes one looks at all that are queued.
const MOST_PARTS: usize = 16;

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
            let _over = Over { is_over: &is_over, tasks: &self.inner.tasks };
            work()
        })
    }

    fn help(&self, events: Option<&Events<'_>>, is_over: &AtomicBool) {
        let tasks = &self.inner.tasks;
        tasks.begin_idle();
        while let Some(task) = tasks.wait(events.map(Events::number), is_over) {
            let mut worker = self.worker();
            worker.run_task(&task, events);
            drop(worker);
            tasks.begin_idle();
        }
        tasks.end_idle();
    }
}

impl Worker<'_> {
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
        self.store.tasks.give(parts.get(1..).unwrap_or_default());
        let mut answers: Vec<Option<Answers>> = vec![None; parts.len()];
        for (at, task) in parts.iter().enumerate() {
            if at == 0 || self.store.tasks.take_back(task) {
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
        let tasks = &self.store.tasks;
        tasks.begin_idle();
        let mut looks = 0_usize;
        while !task.is_done.load(Ordering::Acquire) {
            looks += 1;
            if tasks.has_tasks()
                && let Some(other) = tasks.take(events.map(Events::number), task.height)
            {
                tasks.end_idle();
                self.run_task(&other, events);
                tasks.begin_idle();
            } else if self.store.gate.is_closed() {
                self.give_way();
            } else if looks.is_multiple_of(LOOKS) {
                // Who has the task may wait for this processor.
                std::thread::yield_now();
            } else {
                spin_loop();
            }
        }
        tasks.end_idle();
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
                self.walk::<Saturation>(set, EMPTY, events, from, height)
            }
            Call::Advance(set, sum, from) => {
                let events = events.expect("BUG: steps without events");
                self.walk::<Advance>(set, sum, events, from, height)
            }
        };
        self.cut(mark);
        self.scratch.parts.truncate(parts);
        answer
    }
}
