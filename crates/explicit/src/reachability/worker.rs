//! A worker: takes states whose turn it is, lets its expander find their successors, and shows what comes to
//! its visitor.

use std::sync::atomic::Ordering::Relaxed;

use engine::StopReason;

use super::Tally;
use super::barrier::Arrival;
use super::findings::Findings;
use super::shared::Shared;
use super::targets::Targets;
use super::visitor::Visitor;
use crate::Order;
use crate::expander::{Expander, Halt};
use crate::store::Store;

/// So many states may a worker have expanded before it tells the others.
const OFTEN: u64 = 64;

/// One of those who search.
pub(super) struct Worker<'s, 't, 'o, S: Store> {
    shared: &'s Shared<'t, S>,
    expander: Expander<'s, 't, S>,
    visitor: Visitor<'s, 't, 'o, S>,
    /// The model is not known well enough yet to keep local steps.
    is_early: bool,
}

impl<'s, 't, 'o, S: Store> Worker<'s, 't, 'o, S> {
    pub(super) fn new(visitor: Visitor<'s, 't, 'o, S>) -> Self {
        let shared = visitor.shared;
        let mut expander = Expander::new(&shared.space, shared.job.threads);
        expander.heed(&shared.job.control.stop_signal());
        Self { shared, expander, visitor, is_early: true }
    }

    /// Stores the initial state, before the others begin.
    pub(super) fn begin(&mut self) -> Result<(), StopReason> {
        if self.shared.job.states == Some(0) {
            return Err(StopReason::States);
        }
        while let Err(halt) = self.expander.insert_initial() {
            match halt {
                Halt::Stop(reason) => return Err(reason),
                Halt::Barrier => {
                    // The others do not work yet.
                    self.shared.at_barrier(false);
                    self.expander.adapt();
                    self.check_over()?;
                }
            }
        }
        self.visitor.begin(&mut self.expander)
    }

    /// Works until there is nothing more to do, or enough is known.
    pub(super) fn run(&mut self) -> Result<(), StopReason> {
        let shared = self.shared;
        while !shared.is_over() {
            if self.visitor.findings.decided() || self.visitor.targets.is_some_and(Targets::is_done) {
                shared.finish();
            } else if self.expand_some()? {
                if self.visitor.turn.is_probe {
                    self.probe();
                } else {
                    self.insert()?;
                }
                if self.visitor.tally.expanded >= OFTEN {
                    self.visitor.publish();
                }
                if shared.job.control.has_hearer() {
                    self.visitor.findings.tell(shared.job.control);
                }
                if self.is_early && shared.states() > shared.job.early_states {
                    self.is_early = false;
                    if !self.visitor.looks_at_transitions() {
                        self.expander.keep_local_steps();
                    }
                }
                if shared.barrier.is_called() || shared.space.store.is_crowded(shared.states()) {
                    self.meet();
                }
                self.share()?;
            } else {
                self.rest()?;
            }
        }
        Ok(())
    }

    /// What was learned and counted.
    pub(super) fn conclude(mut self) -> (Findings<'t>, Tally) {
        self.visitor.publish();
        self.visitor.frontier.hand_over(&self.shared.levels);
        (self.visitor.findings, self.visitor.tally)
    }

    /// Waits at the barrier in the midst of work.
    fn meet(&mut self) {
        self.visitor.publish();
        self.shared.barrier.wait(Arrival::Busy, || false, |all_idle| self.shared.at_barrier(all_idle));
        self.expander.adapt();
    }

    /// Leaves work to those who have none.
    #[inline]
    fn share(&mut self) -> Result<(), StopReason> {
        if self.shared.barrier.has_idle() && self.visitor.frontier.share(&self.shared.pool)? {
            self.shared.barrier.wake();
        }
        Ok(())
    }

    /// Waits for work.
    fn rest(&mut self) -> Result<(), StopReason> {
        let shared = self.shared;
        self.visitor.frontier.hand_over(&shared.levels);
        if !self.visitor.frontier.accept(&shared.pool)? {
            shared.barrier.wait(
                Arrival::Idle,
                || !shared.pool.is_empty(),
                |all_idle| shared.at_barrier(all_idle),
            );
            self.expander.adapt();
        }
        if shared.job.order == Order::BreadthFirst {
            self.visitor.findings.turn(shared.levels.level() - 1);
        }
        Ok(())
    }

    /// Gathers successors until there are enough to look up; says whether any state had its turn.
    fn expand_some(&mut self) -> Result<bool, StopReason> {
        self.expander.clear();
        let mut any = false;
        while self.expander.has_room() && !self.visitor.findings.decided() {
            if !self.expander.is_unfinished() {
                // On a stack the successors of a state have their turn before what waits below it.
                if any && self.visitor.frontier.is_stack() || !self.load_next()? {
                    break;
                }
            }
            any = true;
            self.expand()?;
        }
        self.expander.pay()?;
        Ok(any)
    }

    /// The next state becomes the source; says whether there is one.
    #[inline]
    fn load_next(&mut self) -> Result<bool, StopReason> {
        let (visitor, job) = (&mut self.visitor, self.shared.job);
        let Some(turn) = visitor.frontier.next(&self.shared.levels, job.depth)? else { return Ok(false) };
        self.expander.load(visitor.frontier.handle(), turn.origin);
        if let Some(handle) = visitor.frontier.handle_ahead() {
            self.expander.foresee(handle);
        }
        visitor.turn = turn;
        visitor.tally.deepest = visitor.tally.deepest.max(turn.depth);
        Ok(true)
    }

    /// Adds successors of the source to the batch.
    #[inline]
    fn expand(&mut self) -> Result<(), StopReason> {
        let asked = loop {
            match self.expander.ask() {
                Ok(asked) => break asked,
                Err(halt) => self.overcome(halt)?,
            }
        };
        self.visitor.asked(&asked, &self.expander);
        while let Err(halt) = self.expander.pack() {
            self.overcome(halt)?;
        }
        if let Some(end) = asked.end {
            self.visitor.expanded(end, &mut self.expander);
        }
        self.visitor.watch(asked.work)
    }

    /// Looks the batch up, and shows what is new to the visitor.
    fn insert(&mut self) -> Result<(), StopReason> {
        while let Err(halt) =
            self.expander.insert(|found| if found.is_new { self.visitor.discovered(found) } else { Ok(()) })
        {
            self.overcome(halt)?;
        }
        self.visitor.batch_ends();
        Ok(())
    }

    /// Looks the successors of states at the depth limit up, and stores none.
    fn probe(&mut self) {
        let beyond = &self.shared.is_beyond_depth;
        // When one successor is beyond the limit, no other one makes a difference.
        if !beyond.load(Relaxed) && self.expander.has_unknown() {
            beyond.store(true, Relaxed);
        }
    }

    /// Where the space has to grow, that is done with all others waiting.
    #[cold]
    fn overcome(&mut self, halt: Halt) -> Result<(), StopReason> {
        match halt {
            Halt::Stop(reason) => Err(reason),
            Halt::Barrier => {
                self.meet();
                self.check_over()
            }
        }
    }

    /// Unless everyone is to stop.
    fn check_over(&self) -> Result<(), StopReason> {
        if self.shared.is_over() {
            return Err(self.shared.reason().unwrap_or(StopReason::OtherViolation));
        }
        Ok(())
    }
}
