//! The queue of tasks: parts of running operations that wait for a helper.
//!
//! `wanted` is the number of threads with nothing to do, less the tasks that nobody has taken. While it is
//! positive, workers split what they do into tasks ([`crate::helpers`]). Otherwise the queue costs a worker
//! one look at a number.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use super::node::Id;
use super::{Stop, lock};
use crate::sync::{AtomicBool, AtomicIsize, AtomicUsize, Condvar, Mutex, spin_loop};

/// How often a helper looks for work before it sleeps.
pub(crate) const LOOKS: usize = if cfg!(any(loom, miri)) { 1 } else { 2000 };

/// The tasks that wait for a helper, and whether more are wanted.
#[derive(Default)]
pub(crate) struct TaskQueue {
    /// Idle helpers and workers that wait for a helper, less tasks that nobody has taken.
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

pub(crate) struct Task {
    pub calls: Vec<Call>,
    pub height: u32,
    /// Which events a closure is about.
    pub events: Option<u32>,
    pub answers: Mutex<Option<Answers>>,
    pub is_done: AtomicBool,
}

/// The answer to each call of a task.
pub(crate) type Answers = Result<Vec<Id>, Stop>;

/// Marks a task as done even if the helper panics, so that nobody waits for it in vain.
pub(crate) struct Done<'t>(pub &'t Task);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.is_done.store(true, Ordering::Release);
    }
}

/// Lets the helpers go when it is dropped, also by a panic.
pub(crate) struct Over<'o> {
    pub is_over: &'o AtomicBool,
    pub tasks: &'o TaskQueue,
}

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // With the lock: a helper that is about to sleep has looked before, or is woken.
        let _queue = self.tasks.queue.lock().unwrap_or_else(PoisonError::into_inner);
        self.tasks.changed.notify_all();
    }
}

impl TaskQueue {
    /// Whether a thread has nothing to do, and no task waits for it.
    #[inline]
    pub fn wants_work(&self) -> bool {
        self.wanted.load(Ordering::Relaxed) > 0
    }

    /// The next task for a helper, which wants one; none when it is all over.
    pub fn wait(&self, events: Option<u32>, is_over: &AtomicBool) -> Option<Arc<Task>> {
        loop {
            for _ in 0..LOOKS {
                if is_over.load(Ordering::Relaxed) {
                    return None;
                }
                if self.has_tasks()
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
    pub fn take(&self, events: Option<u32>, below: u32) -> Option<Arc<Task>> {
        let mut queue = lock(&self.queue);
        let fits =
            |task: &Arc<Task>| task.height < below && task.events.is_none_or(|number| events == Some(number));
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
    pub fn take_back(&self, task: &Arc<Task>) -> bool {
        let mut queue = lock(&self.queue);
        let at = queue.iter().position(|queued| Arc::ptr_eq(queued, task));
        at.map(|at| self.took(&mut queue, at)).is_some()
    }

    pub fn give(&self, tasks: &[Arc<Task>]) {
        let mut queue = lock(&self.queue);
        queue.extend(tasks.iter().cloned());
        self.queued.fetch_add(tasks.len(), Ordering::Relaxed);
        self.wanted.fetch_sub(tasks.len() as isize, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Whether there are tasks that nobody has taken.
    pub fn has_tasks(&self) -> bool {
        self.queued.load(Ordering::Relaxed) > 0
    }

    /// A thread has nothing to do from now on.
    pub fn begin_idle(&self) {
        self.wanted.fetch_add(1, Ordering::Relaxed);
    }

    /// A thread that had nothing to do has something, or ends.
    pub fn end_idle(&self) {
        self.wanted.fetch_sub(1, Ordering::Relaxed);
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
    fn help(queue: &TaskQueue, is_over: &AtomicBool) {
        queue.wanted.fetch_add(1, Ordering::Relaxed);
        while let Some(task) = queue.wait(None, is_over) {
            let done = Done(&task);
            assert_eq!(lock(&task.answers).replace(Ok(vec![task.height])), None, "a task was done twice");
            drop(done);
            queue.wanted.fetch_add(1, Ordering::Relaxed);
        }
        queue.wanted.fetch_sub(1, Ordering::Relaxed);
    }

    /// No task is done twice or never, and no helper sleeps for ever: loom finds who waits in vain.
    fn check<const TASKS: usize>(helpers: usize, takes_back: bool) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = (TASKS + helpers > 2).then_some(2);
        model.check(move || {
            let shared = Arc::new((TaskQueue::default(), AtomicBool::new(false)));
            let spawn = |_| {
                let shared = Arc::clone(&shared);
                loom::thread::spawn(move || help(&shared.0, &shared.1))
            };
            let threads: Vec<_> = (0..helpers).map(spawn).collect();
            let (queue, is_over) = &*shared;
            let over = Over { is_over, tasks: queue };
            let tasks: [Arc<Task>; TASKS] = tasks();
            if !takes_back {
                // Loom does not come to it by itself that the helper may sleep before there is a task.
                loom::thread::yield_now();
            }
            queue.give(&tasks);
            for task in tasks {
                let is_mine = takes_back && queue.take_back(&task);
                while !is_mine && !task.is_done.load(Ordering::Acquire) {
                    spin_loop();
                }
                assert_eq!(*lock(&task.answers), (!is_mine).then_some(Ok(vec![task.height])));
            }
            drop(over);
            threads.into_iter().for_each(|thread| thread.join().expect("no thread panicked"));
            assert_eq!((queue.wanted.load(Ordering::Relaxed), queue.queued.load(Ordering::Relaxed)), (0, 0));
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
