//! What a worker does with the states and transitions that its expander finds: they are counted, new states
//! wait for their turn, and all is shown to the properties.

use std::sync::atomic::Ordering::Relaxed;

use engine::StopReason;
use model::Observer;

use super::findings::{Findings, Position, Trail};
use super::pace::Pace;
use super::shared::Shared;
use super::targets::Targets;
use super::{Job, Tally};
use crate::expander::{Asked, End, Expander, Found};
use crate::frontier::{Frontier, NOWHERE, Turn};
use crate::store::Store;

/// A worker's frontier and findings, and what it counts.
pub(super) struct Visitor<'s, 't, 'o, S> {
    pub(super) shared: &'s Shared<'t, S>,
    observer: Option<&'o mut dyn Observer>,
    pub(super) frontier: Frontier,
    pub(super) findings: Findings<'t>,
    pub(super) targets: Option<&'s Targets>,
    pace: Pace,
    pub(super) tally: Tally,
    /// The turn of the state that is being expanded, or was last.
    pub(super) turn: Turn,
}

/// Where something was found.
struct Here<'a> {
    frontier: &'a Frontier,
    depth: u64,
    origin: u64,
    /// The state is a successor of the one that is being expanded.
    is_successor: bool,
}

impl Position for Here<'_> {
    fn depth(&self) -> u64 {
        self.depth
    }

    fn trail(&self) -> Trail {
        match self.frontier.way() {
            None => Trail::Origin(self.origin),
            Some(mut way) => {
                if !self.is_successor {
                    way.pop();
                }
                Trail::Handles(way)
            }
        }
    }
}

impl<'s, 't, 'o, S: Store> Visitor<'s, 't, 'o, S> {
    pub(super) fn new(
        shared: &'s Shared<'t, S>,
        number: usize,
        findings: Findings<'t>,
        targets: Option<&'s Targets>,
        observer: Option<&'o mut dyn Observer>,
    ) -> Self {
        let Job { model, order, .. } = shared.job;
        let space = &shared.space;
        Self {
            shared,
            observer,
            frontier: Frontier::new(number, *order, space.store.handle_words(), &space.budget),
            findings,
            targets,
            pace: Pace::new(model.initial().len()),
            tally: Tally::default(),
            turn: Turn::default(),
        }
    }

    /// The initial state is in the store.
    pub(super) fn begin(&mut self, expander: &mut Expander<'s, 't, S>) -> Result<(), StopReason> {
        let shared = self.shared;
        shared.counters.states.store(1, Relaxed);
        self.frontier.begin(expander.handle(), &shared.levels)?;
        let here = Here { frontier: &self.frontier, depth: 0, origin: NOWHERE, is_successor: true };
        let (state, stepper) = expander.source();
        self.findings.discovered(state, &here, stepper);
        if let Some(targets) = self.targets {
            targets.look(expander.words(), NOWHERE);
        }
        self.batch_ends();
        Ok(())
    }

    /// A batch was looked up.
    #[inline]
    pub(super) fn batch_ends(&mut self) {
        if self.frontier.is_stack() {
            // Without levels there is nothing nearer to wait for.
            self.findings.turn(u64::MAX);
        }
    }

    /// Whether every transition has to be seen.
    pub(super) fn looks_at_transitions(&self) -> bool {
        self.observer.is_some() || self.findings.looks_at_actions()
    }

    /// Successors were asked for, and are not packed yet.
    #[inline]
    pub(super) fn asked(&mut self, asked: &Asked, expander: &Expander<'s, 't, S>) {
        self.tally.transitions += asked.successors;
        if self.looks_at_transitions() {
            self.show_transitions(expander);
        }
    }

    fn show_transitions(&mut self, expander: &Expander<'s, 't, S>) {
        let Turn { depth, own_origin, .. } = self.turn;
        let here = Here { frontier: &self.frontier, depth, origin: own_origin, is_successor: false };
        let (state, successors) = expander.unpacked();
        for successor in successors {
            if let Some(observer) = &mut self.observer {
                observer.transition(state, successor);
            }
            self.findings.transition(state, successor, &here, self.shared.job.model.signature());
        }
    }

    /// A state has all its successors.
    #[inline]
    pub(super) fn expanded(&mut self, end: End, expander: &mut Expander<'s, 't, S>) {
        self.tally.expanded += 1;
        if end.failed || end.is_deadlock {
            self.note_dead_end(end, expander);
        }
    }

    #[cold]
    fn note_dead_end(&mut self, end: End, expander: &mut Expander<'s, 't, S>) {
        let Turn { depth, own_origin, .. } = self.turn;
        let here = Here { frontier: &self.frontier, depth, origin: own_origin, is_successor: false };
        let (state, stepper) = expander.source();
        if end.failed {
            self.tally.group_failed = true;
            self.findings.failed(state, &here, stepper);
        } else {
            self.tally.deadlocks += 1;
            self.findings.deadlock(state, &here, stepper);
        }
    }

    /// A new state.
    // Inlined, so that what was found of known states need not be put together.
    #[inline(always)]
    pub(super) fn discovered(&mut self, found: &mut Found<'_, 't>) -> Result<(), StopReason> {
        let shared = self.shared;
        match shared.job.states {
            None => self.tally.states += 1,
            Some(limit) => {
                if shared.counters.states.fetch_add(1, Relaxed) >= limit {
                    shared.counters.states.fetch_sub(1, Relaxed);
                    return Err(StopReason::States);
                }
            }
        }
        let (depth, origin) = (self.turn.depth + 1, found.tag);
        self.frontier.push(found.handle, origin, depth, &shared.levels)?;
        if let Some(targets) = self.targets {
            targets.look(found.words, origin);
        }
        if self.findings.looks_at_states() {
            let here = Here { frontier: &self.frontier, depth, origin, is_successor: true };
            let (state, stepper) = found.state();
            self.findings.discovered(state, &here, stepper);
            // Labels can be as slow as groups.
            self.watch(1)?;
        }
        Ok(())
    }

    /// To be called after this many more states and transitions.
    #[inline]
    pub(super) fn watch(&mut self, vectors: u64) -> Result<(), StopReason> {
        if self.pace.spend(vectors) { self.shared.report_progress(self.turn.depth) } else { Ok(()) }
    }

    /// Tells the others what was counted.
    #[inline]
    pub(super) fn publish(&mut self) {
        let (tally, counters) = (&mut self.tally, &self.shared.counters);
        counters.states.fetch_add(std::mem::take(&mut tally.states), Relaxed);
        counters.expanded.fetch_add(std::mem::take(&mut tally.expanded), Relaxed);
        counters.transitions.fetch_add(std::mem::take(&mut tally.transitions), Relaxed);
    }
}
