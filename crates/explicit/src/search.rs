//! The loop: states get their turn, their successors are gathered, looked up together, and what is new is looked at.

use base::GroupIx;
use engine::{Control, Path, Progress, Report, Statistics, StopReason, Task};
use model::{Model, Observer, Stepper, Value};
use std::time::Instant;

use crate::batch::Batch;
use crate::budget::Budget;
use crate::findings::{Evidence, Findings};
use crate::frontier::{Frontier, Turn};
use crate::pace::Pace;
use crate::packing::{Layout, Misfit};
use crate::store::Store;

/// With more bytes of successors than this a state is expanded group by group …
const LARGE: u64 = 16 << 20;
/// … unless that is not even this part of the memory: asking groups one by one is slow.
const SMALL_PART: u64 = 64;
/// With more than this part of the memory it is so in any case.
const LARGE_PART: u64 = 4;

/// A search that is under way.
pub(crate) struct Search<'t, 'o> {
    task: &'t Task<'t>,
    control: &'t Control,
    observer: Option<&'o mut dyn Observer>,
    model: &'t dyn Model,
    stepper: Box<dyn Stepper + 't>,
    layout: Layout,
    budget: Budget,
    store: Store,
    findings: Findings<'t>,
    batch: Batch,
    pace: Pace,
    started: Instant,
    /// The state that is being expanded.
    state: Vec<Value>,
    /// Numbers of the successors that were looked up last.
    reached: Vec<u32>,
    /// All successors of a state at once could take too much memory.
    group_by_group: bool,
    /// The state that is being expanded group by group.
    unfinished: Option<Expansion>,
    expanded: u64,
    transitions: u64,
    deadlocks: u64,
    group_failed: bool,
}

/// A state that is being expanded group by group.
struct Expansion {
    turn: Turn,
    next_group: usize,
    successors: u64,
    failed: bool,
}

impl<'t, 'o> Search<'t, 'o> {
    /// A search that has not begun.
    pub(crate) fn new(task: &'t Task<'t>, control: &'t Control, observer: Option<&'o mut dyn Observer>) -> Self {
        let started = Instant::now();
        let model = task.model;
        let layout = Layout::new(model.signature(), &model.dependencies().may_write);
        let budget = Budget::new(control.limits.memory);
        let batch = Batch::new(model.initial().len(), layout.words());
        // Few groups have several successors in a state.
        let group_by_group = batch.bytes(model.signature().groups.len()) > most_at_once(budget.left());
        Self {
            task,
            control,
            observer,
            model,
            stepper: model.stepper(),
            budget,
            store: Store::new(layout.words(), control.limits.states),
            findings: Findings::new(task.properties, task.find_all, model.signature()),
            batch,
            pace: Pace::new(model.initial().len()),
            started,
            layout,
            state: model.initial().to_vec(),
            reached: Vec::new(),
            group_by_group,
            unfinished: None,
            expanded: 0,
            transitions: 0,
            deadlocks: 0,
            group_failed: false,
        }
    }

    /// Searches and reports.
    pub(crate) fn report(mut self) -> Report<Path> {
        let (levels, depth, end) = match Frontier::new(self.task.order, self.control.limits.depth, &mut self.budget) {
            Ok(mut frontier) => {
                let end = self.run(&mut frontier);
                let end = end.and(if frontier.is_lacking() { Err(StopReason::Depth) } else { Ok(()) });
                (frontier.levels(self.store.len()), frontier.deepest(self.store.len()), end)
            }
            Err(exhausted) => (None, 0, Err(exhausted.into())),
        };
        let states = u64::from(self.store.len());
        let incomplete = if self.findings.decided() { Some(StopReason::OtherViolation) } else { end.err() };
        let statistics = Statistics {
            states: states.into(),
            transitions: Some(self.transitions.into()),
            levels,
            depth: Some(depth),
            deadlocks: Some(self.deadlocks.into()),
            errors: Some(self.findings.errors().into()),
            memory: self.budget.peak(),
            time: self.started.elapsed(),
            diagrams: None,
        };
        // Paths can be long; all but the states can go.
        self.store.forget_table(&mut self.budget);
        let (store, layout, slots) = (&self.store, &self.layout, self.state.len());
        let answers = self.findings.answers(incomplete.as_ref(), |evidence| path(store, layout, slots, evidence));
        let stopped = incomplete.or(self.group_failed.then_some(StopReason::EvaluationError));
        Report { answers, stopped, statistics }
    }

    fn run(&mut self, frontier: &mut Frontier) -> Result<(), StopReason> {
        self.store_initial()?;
        while !self.findings.decided()
            && let Some(last) = self.expand_some(frontier)?
        {
            if last.role.stores() {
                self.settle(last, frontier)?;
            } else {
                self.settle_probes(last, frontier)?;
            }
        }
        Ok(())
    }

    fn store_initial(&mut self) -> Result<(), StopReason> {
        self.budget.take(self.layout.bytes() + self.batch.bytes(1))?;
        let mut words = vec![0; self.layout.words()];
        self.layout.pack(&self.state, &mut words).map_err(|misfit| self.internal(misfit))?;
        self.store.insert_initial(&words, &mut self.budget)?;
        self.findings.discovered(0, &self.state, &mut *self.stepper);
        Ok(())
    }

    /// Gathers successors until there are enough to look up; the answer is the last turn, if there was any.
    fn expand_some(&mut self, frontier: &mut Frontier) -> Result<Option<Turn>, StopReason> {
        self.batch.clear();
        let mut last = None;
        while self.batch.has_room() && !self.findings.decided() {
            if let Some(expansion) = self.unfinished.take() {
                last = Some(expansion.turn);
                self.expand_groups(expansion, frontier)?;
                continue;
            }
            let Some(turn) = frontier.next(self.store.len(), last.is_some(), &mut self.budget)? else { break };
            last = Some(turn);
            self.layout.unpack(self.store.state(turn.number), &mut self.state);
            if turn.role.is_first() {
                self.findings.turn(turn.number);
            }
            if self.group_by_group {
                self.unfinished = Some(Expansion { turn, next_group: 0, successors: 0, failed: false });
            } else {
                self.expand(turn, frontier)?;
            }
        }
        self.batch.pay(0, &mut self.budget)?;
        Ok(last)
    }

    /// Adds the successors of a state to the batch.
    fn expand(&mut self, turn: Turn, frontier: &Frontier) -> Result<(), StopReason> {
        let before = self.batch.successors.len();
        let failed = self.stepper.all(&self.state, &mut self.batch.successors).is_err();
        if failed {
            self.expand_what_works();
        }
        let count = self.gather(turn, before)?;
        self.finish(turn, count, failed);
        self.watch(1 + count, frontier)
    }

    /// The same group by group, until there is no room in the batch. What is gathered can be looked up before the
    /// state has all its successors.
    fn expand_groups(&mut self, mut expansion: Expansion, frontier: &Frontier) -> Result<(), StopReason> {
        while expansion.next_group < self.model.signature().groups.len() {
            if !self.batch.has_room() {
                self.unfinished = Some(expansion);
                return Ok(());
            }
            let before = self.batch.successors.len();
            self.batch.pay(1, &mut self.budget)?;
            let group = GroupIx::new(expansion.next_group);
            expansion.failed |= self.stepper.group(group, &self.state, &mut self.batch.successors).is_err();
            self.batch.pay(0, &mut self.budget)?;
            let count = self.gather(expansion.turn, before)?;
            expansion.successors += count;
            expansion.next_group += 1;
            self.watch(1 + count, frontier)?;
        }
        self.finish(expansion.turn, expansion.successors, expansion.failed);
        Ok(())
    }

    /// Packs the successors from this place on, and shows them to those who look at transitions; says how many.
    fn gather(&mut self, turn: Turn, first: usize) -> Result<u64, StopReason> {
        let count = (self.batch.successors.len() - first) as u64;
        if turn.role.is_first() {
            self.transitions += count;
            self.show_transitions(turn.number, first);
        }
        let source = self.store.state(turn.number);
        for at in first..self.batch.successors.len() {
            if let Err(misfit) = self.batch.pack(at, &self.layout, turn.number, source) {
                return Err(self.internal(misfit));
            }
        }
        Ok(count)
    }

    /// A state has all its successors.
    fn finish(&mut self, turn: Turn, successors: u64, failed: bool) {
        if !turn.role.is_first() {
            return;
        }
        self.expanded += 1;
        if failed {
            self.group_failed = true;
            self.findings.group_failed(turn.number, &self.state, &mut *self.stepper);
        } else if successors == 0 {
            self.deadlocks += 1;
            self.findings.deadlock(turn.number);
        }
    }

    /// Where a group fails the model gives no successors at all; those of the other groups are successors still.
    #[cold]
    fn expand_what_works(&mut self) {
        for group in GroupIx::all(self.model.signature().groups.len()) {
            // Which group fails and how is found again when the witness is replayed.
            _ = self.stepper.group(group, &self.state, &mut self.batch.successors);
        }
    }

    #[inline]
    fn show_transitions(&mut self, number: u32, first: usize) {
        if self.observer.is_none() && !self.findings.looks_at_actions() {
            return;
        }
        for at in first..self.batch.successors.len() {
            let successor = self.batch.successors.get(at);
            if let Some(observer) = &mut self.observer {
                observer.transition(&self.state, successor);
            }
            self.findings.transition(number, successor, self.model.signature());
        }
    }

    /// Looks the batch up, stores what is new and shows it to the properties.
    fn settle(&mut self, last: Turn, frontier: &mut Frontier) -> Result<(), StopReason> {
        for lot in 0..self.batch.lots() {
            let (first, incoming) = self.batch.lot(lot);
            let unseen = self.store.len();
            self.reached.clear();
            let end = self.store.insert(incoming, &mut self.reached, &mut self.budget);
            // Also when the store is full: what came in before is there and counts.
            if self.findings.looks_at_states() {
                self.look_at_new(frontier, first, unseen)?;
            }
            end?;
            if self.control.limits.depth.is_some() {
                self.shorten_paths(last, frontier);
            }
            frontier.reached(&self.reached, &mut self.budget)?;
        }
        Ok(())
    }

    /// A state that is opened after it was probed is to be shown on the way that led to it now: else a run through it
    /// would be longer than the depth limit. A closed state is no one's parent, so no path becomes a circle.
    fn shorten_paths(&mut self, last: Turn, frontier: &Frontier) {
        for &number in self.reached.iter().filter(|&&number| frontier.comes_nearer(number)) {
            self.store.set_parent(number, last.number);
        }
    }

    /// Looks the successors of probed states up.
    fn settle_probes(&mut self, last: Turn, frontier: &mut Frontier) -> Result<(), StopReason> {
        // When one successor is cut off for good, no other one makes a difference.
        if frontier.is_lacking() || (0..self.batch.lots()).all(|lot| self.store.holds_all(self.batch.lot(lot).1)) {
            return Ok(());
        }
        Ok(frontier.cut_off(last, &mut self.budget)?)
    }

    /// Shows the new ones among the successors reached last to the properties. New numbers are handed out in order,
    /// so the first mention of a new state is where its number is the next `unseen` one.
    fn look_at_new(&mut self, frontier: &Frontier, first: usize, mut unseen: u32) -> Result<(), StopReason> {
        for at in 0..self.reached.len() {
            if self.reached[at] == unseen {
                let state = self.batch.successors.state(first + at);
                self.findings.discovered(unseen, state, &mut *self.stepper);
                unseen += 1;
                // Labels can be as slow as groups.
                self.watch(1, frontier)?;
            }
        }
        Ok(())
    }

    /// To be called after this many more states and transitions.
    #[inline]
    fn watch(&mut self, vectors: u64, frontier: &Frontier) -> Result<(), StopReason> {
        if self.pace.spend(vectors) { self.look_up(frontier) } else { Ok(()) }
    }

    /// Tells how far the search is and hears whether to stop.
    #[cold]
    fn look_up(&self, frontier: &Frontier) -> Result<(), StopReason> {
        let states = u64::from(self.store.len());
        let progress = Progress {
            states,
            transitions: self.transitions,
            frontier: states - self.expanded,
            level: frontier.level(),
            memory: self.budget.used(),
            elapsed: self.started.elapsed(),
            ..Progress::default()
        };
        match self.control.check(progress) {
            // The store keeps this limit to the state: having just as many states as allowed is no reason to stop.
            None | Some(StopReason::States) => Ok(()),
            Some(reason) => Err(reason),
        }
    }

    fn internal(&self, misfit: Misfit) -> StopReason {
        let signature = self.model.signature();
        let name = &signature.slots[misfit.slot.ix()].name;
        let ty = &signature.type_of(misfit.slot).name;
        StopReason::Internal(format!("slot `{name}` got the value {}, which its type `{ty}` cannot hold", misfit.value))
    }
}

/// The most bytes of successors for which all groups are asked at once, with this much memory left.
fn most_at_once(left: u64) -> u64 {
    LARGE.max(left / SMALL_PART).min(left / LARGE_PART)
}

/// The run that shows a violation.
fn path(store: &Store, layout: &Layout, slots: usize, evidence: &Evidence) -> Path {
    let (last, target) = match evidence {
        Evidence::State(number) => (*number, None),
        Evidence::Step { from, to } => (*from, Some(to.clone())),
    };
    let unpacked = |number: u32| {
        let mut state = vec![0; slots];
        layout.unpack(store.state(number), &mut state);
        state
    };
    Path { states: store.path(last).into_iter().map(unpacked).chain(target).collect() }
}
