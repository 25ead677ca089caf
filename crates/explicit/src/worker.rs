//! A worker: takes states whose turn it is, asks the model for their successors, looks these up together, and
//! looks at what is new.

mod locally;
mod settle;

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use base::GroupIx;
use engine::StopReason;
use model::{Observer, Stepper, Value};

use crate::Order;
use crate::batch::Batch;
use crate::crew::Mood;
use crate::findings::{Findings, Position, Trail};
use crate::lane::{Lane, Turn};
use crate::pace::Pace;
use crate::packing::{self, Misfit, Packer};
use crate::quest::Quest;
use crate::shared::Shared;
use crate::store::{Crowded, Store};

use locally::Local;

/// With more bytes of successors than this a state is expanded group by group …
const LARGE: u64 = 16 << 20;
/// … unless that is not even this part of the memory: asking groups one by one is slow.
const SMALL_PART: u64 = 64;
/// With more than this part of the memory it is so in any case.
const LARGE_PART: u64 = 4;

/// So many groups are asked together then: to ask for each by itself takes longer than most of them do, and
/// limits are looked at in between.
const TOGETHER: usize = 64;

/// So many states may a worker have expanded before it tells the others.
const OFTEN: u64 = 64;

/// What a worker counted.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Tally {
    pub(crate) deadlocks: u64,
    /// The greatest distance from the initial state.
    pub(crate) deepest: u64,
    pub(crate) group_failed: bool,
    /// What the others have not been told of yet.
    states: u64,
    expanded: u64,
    transitions: u64,
}

impl Tally {
    /// Adds what another counted.
    pub(crate) fn add(&mut self, other: Self) {
        self.deadlocks += other.deadlocks;
        self.deepest = self.deepest.max(other.deepest);
        self.group_failed |= other.group_failed;
    }
}

/// One of those who search.
pub(crate) struct Worker<'s, 't, 'o, S: Store> {
    shared: &'s Shared<'t, S>,
    observer: Option<&'o mut dyn Observer>,
    stepper: Box<dyn Stepper + 't>,
    packer: Packer,
    desk: S::Desk,
    lane: Lane,
    batch: Batch,
    findings: Findings<'t>,
    quest: Option<&'s Quest>,
    pace: Pace,
    tally: Tally,
    /// The turn of the state that is being expanded, or was last.
    turn: Turn,
    /// That state, its words, and a handle of a new one.
    state: Vec<Value>,
    source: Vec<u64>,
    handle: Vec<u64>,
    /// All successors of a state at once could take too much memory.
    group_by_group: bool,
    /// Local steps that are known, as long as that is of use, and what is needed to learn more.
    local: Local,
    /// The state that is being expanded group by group.
    unfinished: Option<Expansion>,
}

/// A state that is being expanded group by group.
#[derive(Default)]
struct Expansion {
    next_group: usize,
    successors: u64,
    failed: bool,
}

/// Where something was found.
struct Here<'a> {
    lane: &'a Lane,
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
        match self.lane {
            Lane::Levels(_) => Trail::Origin(self.origin),
            Lane::Stack(stack) => {
                let mut way = stack.way();
                if !self.is_successor {
                    way.pop();
                }
                Trail::Handles(way)
            }
        }
    }
}

impl<'s, 't, 'o, S: Store> Worker<'s, 't, 'o, S> {
    pub(crate) fn new(
        shared: &'s Shared<'t, S>,
        number: usize,
        findings: Findings<'t>,
        quest: Option<&'s Quest>,
        observer: Option<&'o mut dyn Observer>,
    ) -> Self {
        let model = shared.job.model;
        let slots = model.initial().len();
        let layout = shared.layout();
        let batch = Batch::new(slots, layout.words(), &shared.budget);
        // Few groups have several successors in a state.
        let all = batch.bytes(model.signature().groups.len());
        let group_by_group = all > most_at_once(shared.budget.left() / shared.job.threads as u64);
        Self {
            shared,
            observer,
            stepper: model.stepper(),
            desk: shared.store.desk(&layout),
            lane: Lane::new(number, shared.job.order, shared.store.handle_words(), &shared.budget),
            batch,
            findings,
            quest,
            pace: Pace::new(slots),
            tally: Tally::default(),
            turn: Turn::default(),
            state: shared.job.initial.to_vec(),
            source: vec![0; layout.words()],
            packer: Packer::new(layout),
            handle: vec![0; shared.store.handle_words()],
            group_by_group,
            local: Local::new(slots, &shared.budget),
            unfinished: None,
        }
    }

    /// Stores the initial state, before the others begin.
    pub(crate) fn begin(&mut self) -> Result<(), StopReason> {
        let shared = self.shared;
        if shared.job.states == Some(0) {
            return Err(StopReason::States);
        }
        self.batch.pay(1)?;
        self.state.copy_from_slice(shared.job.initial);
        let mut words = vec![0; self.source.len()];
        self.pack_first(&mut words)?;
        shared.store.grow(0)?;
        let added = shared.store.key(&mut self.desk, None, &words);
        let view = shared.store.view();
        let added = added.and_then(|key| {
            let place = S::place(&view, key)?;
            S::insert(&view, &mut self.desk, (key, place, &words), &mut self.handle)
        });
        assert_eq!(added, Ok(true), "BUG: no room for the initial state");
        shared.counted.states.store(1, Relaxed);
        self.lane.begin(&self.handle, &shared.levels)?;
        self.source = words;
        let here = Here { lane: &self.lane, depth: 0, origin: crate::levels::NOWHERE, is_successor: true };
        self.findings.discovered(&self.state, &here, &mut *self.stepper);
        if let Some(quest) = self.quest {
            quest.look(&self.source, crate::levels::NOWHERE);
        }
        if self.lane.is_stack() {
            self.findings.turn(u64::MAX);
        }
        Ok(())
    }

    fn pack_first(&mut self, words: &mut [u64]) -> Result<(), StopReason> {
        // Slots that no group writes are not packed.
        if let Some(slot) = packing::wrong_slot(self.shared.job.model.signature(), &self.state) {
            return Err(self.shared.internal(slot, self.state[slot.ix()]));
        }
        loop {
            words.fill(0);
            match self.packer.pack(&self.state, words) {
                Ok(()) => return Ok(()),
                // The others do not work yet.
                Err(misfit) => self.note(misfit)?,
            }
            self.shared.agenda(false);
            self.adapt();
            self.go_on()?;
        }
    }

    /// Works until there is nothing more to do, or enough is known.
    pub(crate) fn run(&mut self) -> Result<(), StopReason> {
        while !self.shared.is_over() {
            if self.findings.decided() || self.quest.is_some_and(Quest::is_done) {
                self.shared.finish();
            } else if self.expand_some()? {
                if self.turn.is_probe {
                    self.settle_probes();
                } else {
                    self.settle()?;
                }
                if self.tally.expanded >= OFTEN {
                    self.publish();
                }
                if self.shared.job.control.has_hearer() {
                    self.findings.tell(self.shared.job.control);
                }
                if self.local.is_open
                    && self.shared.counted.states.load(Relaxed) > self.shared.job.early_states
                {
                    self.open_memory();
                }
                if self.shared.crew.is_called()
                    || self.shared.store.is_crowded(self.shared.counted.states.load(Relaxed))
                {
                    self.meet();
                }
                self.lane.share(&self.shared.crew, &self.shared.gifts)?;
            } else {
                self.rest()?;
            }
        }
        Ok(())
    }

    /// What was learned and counted.
    pub(crate) fn conclude(mut self) -> (Findings<'t>, Tally) {
        self.publish();
        self.lane.hand_over(&self.shared.levels);
        (self.findings, self.tally)
    }

    /// Comes to a meeting in the midst of work.
    fn meet(&mut self) {
        self.publish();
        self.shared.crew.meet(Mood::Busy, || false, |all_at_rest| self.shared.agenda(all_at_rest));
        self.adapt();
    }

    /// After a meeting: states may be packed in more bits.
    fn adapt(&mut self) {
        let layout = self.shared.layout();
        if !Arc::ptr_eq(&layout, self.packer.layout()) {
            self.shared.store.adapt(&mut self.desk, &layout);
            if let Some(memory) = &mut self.local.memory {
                memory.adapt(&layout);
            }
            self.packer.adapt(layout);
        }
    }

    /// Waits for work.
    fn rest(&mut self) -> Result<(), StopReason> {
        let shared = self.shared;
        self.lane.hand_over(&shared.levels);
        if !self.lane.accept(&shared.gifts)? {
            shared.crew.meet(
                Mood::AtRest,
                || !shared.gifts.is_empty(),
                |all_at_rest| shared.agenda(all_at_rest),
            );
            self.adapt();
        }
        if shared.job.order == Order::BreadthFirst {
            self.findings.turn(shared.levels.level() - 1);
        }
        Ok(())
    }

    /// Gathers successors until there are enough to look up; says whether any state had its turn.
    fn expand_some(&mut self) -> Result<bool, StopReason> {
        self.batch.clear();
        // A batch is made in one way: of local steps, or not.
        self.local.memory.take_if(|memory| !memory.is_of_use());
        let mut any = false;
        while self.batch.has_room() && !self.findings.decided() {
            if let Some(expansion) = self.unfinished.take() {
                any = true;
                self.expand_groups(expansion)?;
                continue;
            }
            // On a stack the successors of a state have their turn before what waits below it.
            if any && self.lane.is_stack() {
                break;
            }
            let Some(turn) = self.next_turn()? else { break };
            any = true;
            self.turn = turn;
            self.tally.deepest = self.tally.deepest.max(turn.depth);
            if self.local.memory.is_some() {
                self.expand_locally()?;
                continue;
            }
            self.packer.unpack(&self.source, &mut self.state);
            if self.group_by_group {
                self.unfinished = Some(Expansion::default());
            } else {
                self.expand()?;
            }
        }
        self.batch.pay(0)?;
        Ok(any)
    }

    /// The next state is the source.
    #[inline]
    fn next_turn(&mut self) -> Result<Option<Turn>, StopReason> {
        let Some(turn) = self.lane.next(&self.shared.levels, self.shared.job.depth)? else { return Ok(None) };
        self.shared.store.recall(&mut self.desk, self.lane.handle(), &mut self.source);
        if let Some(handle) = self.lane.handle_ahead() {
            self.shared.store.foresee(handle);
        }
        Ok(Some(turn))
    }

    /// Adds the successors of a state to the batch.
    fn expand(&mut self) -> Result<(), StopReason> {
        let before = self.batch.successors.len();
        let failed = self.stepper.all(&self.state, &mut self.batch.successors).is_err();
        if failed {
            self.expand_what_works();
        }
        let count = self.gather(before)?;
        self.finish(count, failed);
        self.watch(1 + count)
    }

    /// The same group by group, until there is no room in the batch. What is gathered can be looked up before
    /// the state has all its successors.
    fn expand_groups(&mut self, mut expansion: Expansion) -> Result<(), StopReason> {
        let groups = self.shared.job.model.signature().groups.len();
        while expansion.next_group < groups {
            let room = self.batch.room();
            if room == 0 {
                self.unfinished = Some(expansion);
                return Ok(());
            }
            let before = self.batch.successors.len();
            self.batch.pay(room)?;
            let asked = expansion.next_group..groups.min(expansion.next_group + TOGETHER);
            let part = self.stepper.some(asked.clone(), room, &self.state, &mut self.batch.successors);
            self.batch.pay(0)?;
            let count = self.gather(before)?;
            expansion.successors += count;
            expansion.failed |= part.has_failed;
            expansion.next_group = part.next;
            self.watch((part.next - asked.start) as u64 + count)?;
        }
        self.finish(expansion.successors, expansion.failed);
        Ok(())
    }

    /// Packs the successors from this place on and finds their keys, and shows them to those who look at
    /// transitions; says how many.
    #[inline]
    fn gather(&mut self, first: usize) -> Result<u64, StopReason> {
        let count = (self.batch.successors.len() - first) as u64;
        self.tally.transitions += count;
        self.show_transitions(first);
        for at in first..self.batch.successors.len() {
            loop {
                let (group, words) = match self.batch.pack(at, &mut self.packer, &self.source) {
                    Ok(packed) => packed,
                    Err(misfit) => {
                        self.note(misfit)?;
                        self.come_together()?;
                        continue;
                    }
                };
                match self.shared.store.key(&mut self.desk, Some(group), words) {
                    Ok(key) => break self.batch.push(key, self.turn.origin),
                    Err(Crowded) => self.make_room()?,
                }
            }
        }
        Ok(count)
    }

    /// A state cannot be packed: says what the next meeting has to do, if it can do anything.
    #[cold]
    fn note(&mut self, misfit: Misfit) -> Result<(), StopReason> {
        match misfit {
            Misfit::Value(slot, value) => return Err(self.shared.internal(slot, value)),
            Misfit::Narrow { leaf, width } => self.shared.is_narrow(leaf, width),
            Misfit::Crowded => self.shared.is_crowded(),
        }
        Ok(())
    }

    /// There is no room in the store: it grows, with all others waiting.
    #[cold]
    fn make_room(&mut self) -> Result<(), StopReason> {
        self.shared.is_crowded();
        self.come_together()
    }

    fn come_together(&mut self) -> Result<(), StopReason> {
        self.meet();
        self.go_on()
    }

    /// Unless everyone is to stop.
    fn go_on(&self) -> Result<(), StopReason> {
        if self.shared.is_over() {
            return Err(self.shared.reason().unwrap_or(StopReason::OtherViolation));
        }
        Ok(())
    }

    /// A state has all its successors.
    #[inline]
    fn finish(&mut self, successors: u64, failed: bool) {
        self.tally.expanded += 1;
        if failed || successors == 0 {
            self.finish_badly(failed);
        }
    }

    #[cold]
    fn finish_badly(&mut self, failed: bool) {
        let Turn { depth, own_origin, .. } = self.turn;
        let here = Here { lane: &self.lane, depth, origin: own_origin, is_successor: false };
        if failed {
            self.tally.group_failed = true;
            self.findings.failed(&self.state, &here, &mut *self.stepper);
        } else {
            self.tally.deadlocks += 1;
            self.findings.deadlock(&self.state, &here, &mut *self.stepper);
        }
    }

    /// Where a group fails the model gives no successors at all; those of the other groups are successors
    /// still.
    #[cold]
    fn expand_what_works(&mut self) {
        for group in GroupIx::all(self.shared.job.model.signature().groups.len()) {
            // Which group fails and how is found again when the witness is replayed.
            _ = self.stepper.group(group, &self.state, &mut self.batch.successors);
        }
    }

    #[inline]
    fn show_transitions(&mut self, first: usize) {
        if self.observer.is_none() && !self.findings.looks_at_actions() {
            return;
        }
        let Turn { depth, own_origin, .. } = self.turn;
        let here = Here { lane: &self.lane, depth, origin: own_origin, is_successor: false };
        for at in first..self.batch.successors.len() {
            let successor = self.batch.successors.get(at);
            if let Some(observer) = &mut self.observer {
                observer.transition(&self.state, successor);
            }
            self.findings.transition(&self.state, successor, &here, self.shared.job.model.signature());
        }
    }

    /// To be called after this many more states and transitions.
    #[inline]
    fn watch(&mut self, vectors: u64) -> Result<(), StopReason> {
        if self.pace.spend(vectors) { self.shared.look_up(self.turn.depth) } else { Ok(()) }
    }

    /// Tells the others what was counted.
    #[inline]
    fn publish(&mut self) {
        let tally = &mut self.tally;
        self.shared.counted.states.fetch_add(std::mem::take(&mut tally.states), Relaxed);
        self.shared.counted.expanded.fetch_add(std::mem::take(&mut tally.expanded), Relaxed);
        self.shared.counted.transitions.fetch_add(std::mem::take(&mut tally.transitions), Relaxed);
    }
}

/// The most bytes of successors for which all groups are asked at once, with this much memory left.
fn most_at_once(left: u64) -> u64 {
    LARGE.max(left / SMALL_PART).min(left / LARGE_PART)
}
