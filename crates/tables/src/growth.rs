//! Growth that several threads share.
//!
//! A table grows at a barrier: nobody looks anything up or inserts, and one or more threads call the table's
//! `grow`. The first of them makes the plan; all who come while it is under way take blocks of the work; all
//! leave when it has ended. Who comes later finds nothing to do.

use std::sync::PoisonError;
use std::sync::atomic::Ordering::{AcqRel, Relaxed};

use crate::sync::{Arc, AtomicUsize, Condvar, Mutex, MutexGuard};

/// A table may not become as large as was asked for: its numbers or the addresses that it reserved are used
/// up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// There is no room for one more: the table must grow first, at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crowded;

/// The growth that is under way, if one is.
pub(crate) struct Growth<P> {
    state: Mutex<State<P>>,
    ended: Condvar,
}

struct State<P> {
    work: Option<Arc<Work<P>>>,
    /// How many growths have ended.
    ended: u64,
}

struct Work<P> {
    plan: P,
    blocks: usize,
    /// The next block that nobody has taken.
    next: AtomicUsize,
    done: AtomicUsize,
}

impl<P> Growth<P> {
    pub fn new() -> Self {
        Self { state: Mutex::new(State { work: None, ended: 0 }), ended: Condvar::new() }
    }

    /// Takes part in the growth that is under way, or begins the one that `plan` says is needed (the plan and
    /// its number of blocks) until none is. `block` does one block of it, `finish` comes after the last and
    /// before anybody leaves.
    pub fn share(
        &self,
        plan: impl Fn() -> Result<Option<(P, usize)>, Full>,
        block: impl Fn(&P, usize),
        finish: impl Fn(&P),
    ) -> Result<(), Full> {
        loop {
            let (work, before) = {
                let mut state = self.lock();
                if state.work.is_none() {
                    let Some((plan, blocks)) = plan()? else { return Ok(()) };
                    let blocks = blocks.max(1);
                    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
                    state.work = Some(Arc::new(Work { plan, blocks, next, done }));
                }
                (state.work.clone().expect("BUG: a growth has just been planned"), state.ended)
            };
            loop {
                let at = work.next.fetch_add(1, Relaxed);
                if at >= work.blocks {
                    break;
                }
                block(&work.plan, at);
                // Acquire and release: who does the last block has seen all that the others did, and with the
                // lock so have all.
                if work.done.fetch_add(1, AcqRel) + 1 == work.blocks {
                    let mut state = self.lock();
                    finish(&work.plan);
                    state.work = None;
                    state.ended += 1;
                    self.ended.notify_all();
                }
            }
            let mut state = self.lock();
            while state.ended == before {
                state = self.ended.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<P>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
