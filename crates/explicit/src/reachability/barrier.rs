//! The barrier: where workers wait for each other. Tables grow, and a level ends, while nobody works.
//!
//! A worker arrives *busy*, because someone called for the barrier, or *idle*, because it found nothing to
//! do. When all have arrived, the last one does what is to be done, and all go on. An idle worker can be
//! woken before that, when there is work for it. A worker that leaves, be it by a panic, is no longer
//! waited for.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Who has arrived.
#[derive(Default)]
struct Count {
    workers: usize,
    arrived: usize,
    idle: usize,
    /// Grows each time that all have arrived.
    rounds: u64,
}

/// A barrier for some workers.
pub(super) struct Barrier {
    count: Mutex<Count>,
    over: Condvar,
    /// Somebody calls for the barrier.
    called: AtomicBool,
    /// How many are idle, to be looked at without a lock.
    idle: AtomicUsize,
}

/// How a worker arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arrival {
    /// It has work in its hands.
    Busy,
    /// It has none.
    Idle,
}

impl Barrier {
    /// A barrier for so many workers.
    pub(super) fn new(workers: usize) -> Self {
        let count = Count { workers, ..Count::default() };
        Self {
            count: Mutex::new(count),
            over: Condvar::new(),
            called: AtomicBool::new(false),
            idle: AtomicUsize::new(0),
        }
    }

    /// Whether somebody called: every worker is to come soon.
    #[inline]
    pub(super) fn is_called(&self) -> bool {
        self.called.load(Relaxed)
    }

    /// Whether somebody has nothing to do.
    #[inline]
    pub(super) fn has_idle(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    /// Waits until all have arrived and one of them has done `last`, which is told whether all are idle. A
    /// busy worker calls the others. An idle one goes on sooner if it is woken and `is_woken` says that there
    /// is something to do.
    pub(super) fn wait(&self, arrival: Arrival, is_woken: impl Fn() -> bool, last: impl FnOnce(bool)) {
        let mut count = self.lock();
        count.arrived += 1;
        match arrival {
            Arrival::Busy => self.called.store(true, Relaxed),
            Arrival::Idle => {
                count.idle += 1;
                self.idle.fetch_add(1, Relaxed);
            }
        }
        let round = count.rounds;
        if count.arrived == count.workers {
            self.open(&mut count, last);
        }
        while count.rounds == round {
            if arrival == Arrival::Idle && is_woken() {
                count.arrived -= 1;
                count.idle -= 1;
                break;
            }
            count = self.over.wait(count).unwrap_or_else(PoisonError::into_inner);
        }
        if arrival == Arrival::Idle {
            self.idle.fetch_sub(1, Relaxed);
        }
    }

    /// Wakes those who are idle.
    pub(super) fn wake(&self) {
        drop(self.lock());
        self.over.notify_all();
    }

    /// Is no longer waited for. If all others wait for this one, they go on.
    pub(super) fn leave(&self, last: impl FnOnce(bool)) {
        let mut count = self.lock();
        count.workers -= 1;
        if count.arrived == count.workers && count.workers > 0 {
            self.open(&mut count, last);
        }
    }

    fn open(&self, count: &mut Count, last: impl FnOnce(bool)) {
        let all_idle = count.idle == count.workers;
        count.arrived = 0;
        count.idle = 0;
        count.rounds += 1;
        self.called.store(false, Relaxed);
        // They go on when the lock is free: when all is done, be it by a panic.
        self.over.notify_all();
        last(all_idle);
    }

    fn lock(&self) -> MutexGuard<'_, Count> {
        // What is counted here is right at any time, also after a panic.
        self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;
    use std::thread::scope;

    use super::*;

    /// Workers with different amounts of work, one of which calls for the barrier: nobody works while it is
    /// being opened.
    #[test]
    fn nobody_works_while_the_barrier_opens() {
        const MEMBERS: usize = 4;
        let barrier = Barrier::new(MEMBERS);
        let (working, rounds, ends) = (AtomicUsize::new(0), AtomicU64::new(0), AtomicU64::new(0));
        let done = AtomicBool::new(false);
        scope(|scope| {
            for worker in 0..MEMBERS {
                let (barrier, working, rounds, ends, done) = (&barrier, &working, &rounds, &ends, &done);
                scope.spawn(move || {
                    let last = |all_idle: bool| {
                        assert_eq!(working.load(Relaxed), 0);
                        rounds.fetch_add(1, Relaxed);
                        if all_idle {
                            ends.fetch_add(1, Relaxed);
                            done.store(true, Relaxed);
                        }
                    };
                    for round in 0..100 * (worker + 1) {
                        if barrier.is_called() || (worker == 2 && round % 7 == 0) {
                            barrier.wait(Arrival::Busy, || false, last);
                        }
                        working.fetch_add(1, Relaxed);
                        std::hint::black_box((0..100).sum::<u64>());
                        working.fetch_sub(1, Relaxed);
                    }
                    while !done.load(Relaxed) {
                        barrier.wait(Arrival::Idle, || false, last);
                    }
                    barrier.leave(last);
                });
            }
        });
        assert_eq!(ends.load(Relaxed), 1);
        assert!(rounds.load(Relaxed) > 40);
        assert!(!barrier.has_idle());
    }

    #[test]
    fn a_worker_that_leaves_is_not_waited_for() {
        let barrier = Barrier::new(2);
        let opened = AtomicU64::new(0);
        scope(|scope| {
            scope.spawn(|| barrier.wait(Arrival::Busy, || false, |_| _ = opened.fetch_add(1, Relaxed)));
            while !barrier.is_called() {
                std::thread::yield_now();
            }
            barrier.leave(|_| _ = opened.fetch_add(1, Relaxed));
        });
        assert_eq!(opened.load(Relaxed), 1);
    }

    #[test]
    fn an_idle_worker_is_woken_for_work() {
        let barrier = Barrier::new(2);
        let work = AtomicBool::new(false);
        scope(|scope| {
            scope
                .spawn(|| barrier.wait(Arrival::Idle, || work.load(Relaxed), |_| panic!("nobody else came")));
            while !barrier.has_idle() {
                std::thread::yield_now();
            }
            work.store(true, Relaxed);
            barrier.wake();
        });
        assert!(!barrier.has_idle());
    }
}
