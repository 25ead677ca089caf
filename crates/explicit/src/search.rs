//! The loop: states get their turn, their successors are gathered, looked up together, and what is new is looked at.

use base::GroupIx;
use engine::{Control, Path, Progress, Report, Statistics, StopReason, Task};
use model::{Model, Observer, Stepper, Value};
use std::time::Instant;

use crate::batch::Batch;
use crate::budget::Budget;
use crate::findings::{Evidence, Findings};
use crate::frontier::Frontier;
use crate::pace::Pace;
use crate::packing::{Layout, Misfit};
use crate::store::Store;

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
    expanded: u64,
    transitions: u64,
    deadlocks: u64,
    group_failed: bool,
}

impl<'t, 'o> Search<'t, 'o> {
    /// A search that has not begun.
    pub(crate) fn new(task: &'t Task<'t>, control: &'t Control, observer: Option<&'o mut dyn Observer>) -> Self {
        let started = Instant::now();
        let model = task.model;
        let layout = Layout::new(model.signature(), &model.dependencies().may_write);
        Self {
            task,
            control,
            observer,
            model,
            stepper: model.stepper(),
            budget: Budget::new(control.limits.memory),
            store: Store::new(layout.words(), control.limits.states),
            findings: Findings::new(task.properties, task.find_all, model.signature()),
            batch: Batch::new(model.initial().len(), layout.words()),
            pace: Pace::new(),
            started,
            layout,
            state: model.initial().to_vec(),
            reached: Vec::new(),
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
                (frontier.levels(self.store.len()), frontier.deepest(self.store.len()), end)
            }
            Err(exhausted) => (None, 0, Err(exhausted.into())),
        };
        let states = u64::from(self.store.len());
        let incomplete = if self.findings.decided() {
            Some(StopReason::OtherViolation)
        } else if let Err(reason) = end {
            Some(reason)
        } else {
            // Only the depth limit lets a search end with states that had no turn.
            (self.expanded < states).then_some(StopReason::Depth)
        };
        let statistics = Statistics {
            states,
            transitions: self.transitions,
            levels,
            depth,
            deadlocks: self.deadlocks,
            errors: self.findings.errors(),
            memory: self.budget.peak(),
            time: self.started.elapsed(),
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
        while !self.findings.decided() && self.expand_some(frontier)? {
            self.settle(frontier)?;
        }
        Ok(())
    }

    fn store_initial(&mut self) -> Result<(), StopReason> {
        let mut words = vec![0; self.layout.words()];
        self.layout.pack(&self.state, &mut words).map_err(|misfit| self.internal(misfit))?;
        self.store.insert_initial(&words, &mut self.budget)?;
        self.findings.discovered(0, &self.state, &mut *self.stepper);
        Ok(())
    }

    /// Gathers successors until there are enough to look up; says whether a state had its turn at all.
    fn expand_some(&mut self, frontier: &mut Frontier) -> Result<bool, StopReason> {
        self.batch.clear();
        let mut any = false;
        while self.batch.has_room() && !self.findings.decided() {
            let Some(number) = frontier.next(self.store.len(), any, &mut self.budget)? else { break };
            let work = 1 + self.expand(number)?;
            any = true;
            if self.pace.spend(work) {
                self.look_up(frontier)?;
            }
        }
        self.batch.pay(&mut self.budget)?;
        Ok(any)
    }

    /// Adds the successors of a state to the batch; the answer is how many.
    fn expand(&mut self, number: u32) -> Result<u64, StopReason> {
        self.layout.unpack(self.store.state(number), &mut self.state);
        self.findings.turn(number);
        let before = self.batch.successors.len();
        let failed = self.stepper.all(&self.state, &mut self.batch.successors).is_err();
        if failed {
            self.expand_what_works();
            self.group_failed = true;
            self.findings.group_failed(number, &self.state, &mut *self.stepper);
        }
        let count = (self.batch.successors.len() - before) as u64;
        if count == 0 && !failed {
            self.deadlocks += 1;
            self.findings.deadlock(number);
        }
        self.expanded += 1;
        self.transitions += count;
        self.show_transitions(number, before);
        let source = self.store.state(number);
        for at in before..self.batch.successors.len() {
            if let Err(misfit) = self.batch.pack(at, &self.layout, number, source) {
                return Err(self.internal(misfit));
            }
        }
        Ok(count)
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

    /// Looks the batch up and shows new states to the properties.
    fn settle(&mut self, frontier: &mut Frontier) -> Result<(), StopReason> {
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
            frontier.reached(&self.reached, &mut self.budget)?;
        }
        Ok(())
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
                if self.pace.spend(1) {
                    self.look_up(frontier)?;
                }
            }
        }
        Ok(())
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
