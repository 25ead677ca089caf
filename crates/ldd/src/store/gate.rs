//! The gate: operations run together, the collection of garbage runs alone.
//!
//! A worker that needs room asks for it here. It waits until every other worker stands still, at the gate or
//! outside, and then has the store for itself. A worker that stands at the gate has told which nodes it
//! needs.
//!
//! Invariant: what a worker at the gate needs is told to every collection until the worker counts as running
//! again. That is why the collector itself counts the others as running when it opens the gate. If each did
//! so when it wakes up, a second collection could come before, and free what a slow one needs.
//!
//! A thread must not begin a second worker while it has one: it would wait at the gate for itself.

use std::sync::atomic::Ordering;

use crate::store::node::Id;
use crate::sync::{AtomicBool, Condvar, Mutex, MutexGuard};

#[derive(Default)]
pub(crate) struct Gate {
    state: Mutex<State>,
    changed: Condvar,
    /// The same as in the state, for those who only want to look.
    is_closed: AtomicBool,
}

#[derive(Default)]
struct State {
    /// Workers that may touch nodes now.
    running: usize,
    /// Workers that stand at the gate while someone else collects.
    waiting: usize,
    /// Someone collects, or waits until it can.
    closed: bool,
    /// How often the gate was opened again.
    openings: u64,
    /// What the workers that stand at the gate need.
    needed: Vec<Id>,
}

/// Wakes the others, whatever happens: a collection that panics must not leave them waiting.
struct Wake<'g>(&'g Condvar);

impl Drop for Wake<'_> {
    fn drop(&mut self) {
        self.0.notify_all();
    }
}

const BROKEN_OFF: &str = "BUG: a collection of garbage was broken off";

impl Gate {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Only a collection can panic with the lock, and what it leaves behind is no store any more.
        self.state.lock().expect(BROKEN_OFF)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).expect(BROKEN_OFF)
    }

    /// A worker begins.
    pub fn enter(&self) {
        let mut state = self.lock();
        while state.closed {
            state = self.wait(state);
        }
        state.running += 1;
    }

    /// A worker ends; it needs nothing any more.
    pub fn leave(&self) {
        // Workers leave while they panic, too; after a broken collection nobody counts any more.
        if let Ok(mut state) = self.state.lock() {
            state.running -= 1;
            self.changed.notify_all();
        }
    }

    /// Runs `collect` alone, with all that running workers need; `own` is what the caller needs. If someone
    /// else collects meanwhile, waits for that and answers `None`: there may be room now.
    pub fn alone<T>(&self, own: &[Id], collect: impl FnOnce(&[Id]) -> T) -> Option<T> {
        let _wake = Wake(&self.changed);
        let mut state = self.lock();
        state.needed.extend_from_slice(own);
        if state.closed {
            self.stand(state);
            return None;
        }
        state.closed = true;
        self.is_closed.store(true, Ordering::Relaxed);
        while state.running > 1 {
            state = self.wait(state);
        }
        let result = collect(&state.needed);
        state.needed.clear();
        state.running += std::mem::take(&mut state.waiting);
        state.openings += 1;
        state.closed = false;
        self.is_closed.store(false, Ordering::Relaxed);
        Some(result)
    }
}

impl Gate {
    /// Whether someone collects or wants to.
    #[inline]
    pub fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    /// If someone collects or wants to, waits until that is done; `own` tells what the caller needs.
    pub fn give_way(&self, own: impl FnOnce() -> Vec<Id>) {
        let mut state = self.lock();
        if state.closed {
            state.needed.extend(own());
            self.stand(state);
        }
    }

    /// Waits until the gate, which is closed, is opened. What the caller needs was told.
    fn stand(&self, mut state: MutexGuard<'_, State>) {
        state.running -= 1;
        state.waiting += 1;
        self.changed.notify_all();
        let openings = state.openings;
        while state.openings == openings {
            state = self.wait(state);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
    use std::thread::scope;

    use super::Gate;

    #[test]
    fn what_a_waiting_worker_needs_is_told_until_it_runs_again() {
        for _ in 0..if cfg!(miri) { 2 } else { 50 } {
            let gate = Gate::default();
            let (entered, runs_again) = (AtomicBool::new(false), AtomicBool::new(false));
            gate.enter();
            scope(|scope| {
                scope.spawn(|| {
                    gate.enter();
                    entered.store(true, SeqCst);
                    gate.alone(&[7], |needed| assert!(needed.contains(&7)));
                    runs_again.store(true, SeqCst);
                    gate.leave();
                });
                // One collection right behind the other, so that the other thread is still waking up.
                while !runs_again.load(SeqCst) {
                    gate.alone(&[3], |needed| {
                        assert!(needed.contains(&3));
                        let is_told = needed.contains(&7) || !entered.load(SeqCst) || runs_again.load(SeqCst);
                        assert!(is_told, "the other worker's needs were forgotten");
                    });
                }
                gate.leave();
            });
        }
    }

    #[test]
    fn a_collection_is_alone() {
        let (gate, inside) = (Gate::default(), AtomicUsize::new(0));
        let step = |round: usize| {
            gate.enter();
            inside.fetch_add(1, SeqCst);
            if round.is_multiple_of(7) {
                inside.fetch_sub(1, SeqCst);
                gate.alone(&[], |_| assert_eq!(inside.load(SeqCst), 0));
                inside.fetch_add(1, SeqCst);
            }
            inside.fetch_sub(1, SeqCst);
            gate.leave();
        };
        scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..if cfg!(miri) { 20 } else { 500 }).for_each(step));
            }
        });
        assert_eq!(gate.lock().running, 0);
    }

    #[test]
    fn a_collection_that_panics_wakes_the_others() {
        let (gate, both_entered) = (Gate::default(), Barrier::new(2));
        let is_broken_off = || {
            gate.enter();
            both_entered.wait();
            let result = catch_unwind(AssertUnwindSafe(|| gate.alone(&[], |_| panic!("BUG: for this test"))));
            gate.leave();
            result.is_err()
        };
        scope(|scope| {
            let other = scope.spawn(is_broken_off);
            assert!(is_broken_off() && other.join().is_ok_and(|broken_off| broken_off));
        });
    }
}

/// Every way in which workers can meet at the gate, by loom.
#[cfg(all(loom, test))]
mod interleavings {
    use std::sync::Arc;
    use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

    use super::Gate;
    use crate::store::node::Id;
    use crate::sync::{AtomicBool, spin_loop};

    /// A gate, and what its workers are doing. Only the gate orders what they see of each other.
    #[derive(Default)]
    struct Yard {
        gate: Gate,
        /// The worker touches nodes.
        is_busy: [AtomicBool; 2],
        /// The worker needs a node, which has its number.
        needs: [AtomicBool; 2],
        is_done: AtomicBool,
    }

    impl Yard {
        fn work(&self, worker: usize) {
            self.is_busy[worker].store(true, Relaxed);
            self.is_busy[worker].store(false, Relaxed);
        }

        /// What a collection must find.
        fn assert_alone(&self, needed: &[Id]) {
            for worker in 0..2 {
                assert!(!self.is_busy[worker].load(Relaxed), "a collection is not alone");
                let is_told = needed.contains(&(worker as Id)) || !self.needs[worker].load(Relaxed);
                assert!(is_told, "what a worker needs was forgotten");
            }
        }

        /// Collects so often.
        fn collects(&self, worker: usize, times: usize) {
            self.gate.enter();
            self.needs[worker].store(true, Relaxed);
            for _ in 0..times {
                self.work(worker);
                self.gate.alone(&[worker as Id], |needed| self.assert_alone(needed));
            }
            self.needs[worker].store(false, Relaxed);
            self.work(worker);
            self.gate.leave();
        }

        /// Waits for another worker to be done, as for a task that it took.
        fn waits(&self, worker: usize) {
            self.gate.enter();
            self.needs[worker].store(true, Relaxed);
            while !self.is_done.load(Acquire) {
                if self.gate.is_closed() {
                    self.gate.give_way(|| vec![worker as Id]);
                }
                spin_loop();
            }
            self.needs[worker].store(false, Relaxed);
            self.work(worker);
            self.gate.leave();
        }
    }

    fn check(
        first: impl Fn(&Yard) + Sync + Send + Copy + 'static,
        second: impl Fn(&Yard) + Sync + Send + 'static,
    ) {
        loom::model(move || {
            let yard = Arc::new(Yard::default());
            let shared = Arc::clone(&yard);
            let thread = loom::thread::spawn(move || first(&shared));
            second(&yard);
            thread.join().expect("no thread panicked");
            let state = yard.gate.lock();
            assert_eq!((state.running, state.waiting, state.closed), (0, 0, false));
        });
    }

    /// The second collection may come while the other worker is still waking up.
    #[test]
    fn loom_collections_are_alone_and_told() {
        check(|yard| yard.collects(0, 2), |yard| yard.collects(1, 1));
    }

    #[test]
    fn loom_one_who_waits_for_another_gives_way() {
        check(
            |yard| {
                yard.collects(0, 1);
                yard.is_done.store(true, Release);
            },
            |yard| yard.waits(1),
        );
    }
}
