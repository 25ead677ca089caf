//! Expansion: from a state to its successors, each with its handle and whether it is new.
//!
//! An [`Expander`] is all that a worker needs for that: the model, the packing, its scratch, and the
//! insertion into the store. It knows nothing of the order of a search, of levels, or of what is looked
//! for. Searches, cycle detection and reductions are algorithms over expanders and the handles that they
//! give.
//!
//! The way of a state: [`load`](Expander::load) makes it the *source*; [`ask`](Expander::ask) asks the model
//! for successors; [`pack`](Expander::pack) makes words and a key of each; [`insert`](Expander::insert) looks
//! them up and tells of each one. Successors of several sources are gathered in a *batch* before they are
//! looked up, so that the waits for memory overlap. The caller gives each source a *tag*, which comes back
//! with its successors.
//!
//! All expanders of a search share its [`Space`]. What has no room in the space can only be made room for
//! at a barrier, when nobody uses it. The call then returns [`Halt::Barrier`]. The caller waits at the
//! barrier, calls [`adapt`](Expander::adapt), and calls again: the call goes on where it stopped.
//!
//! Example: state `a` with successors `b` and `c`, of which `b` is known. `load(a, 7)`, `ask()`, `pack()`.
//! The store is full when `insert` comes to `c`: it has told of `b` (its handle, tag 7, not new) and
//! returns `Halt::Barrier`. After the barrier `insert` tells of `c` alone (its handle, tag 7, new).

mod batch;
mod local_steps;
mod recent;
mod space;
mod step_cache;

use base::GroupIx;
use engine::StopReason;
use model::{Stepper, StopSignal, Successor, Successors, Value};

use crate::budget::Exhausted;
use crate::packing::{Packer, wrong_slot};
use crate::store::{Crowded, Store};

use batch::Batch;
use local_steps::LocalSteps;

pub(crate) use space::Space;

/// With more bytes of successors than this a state is expanded group by group …
const LARGE: u64 = 16 << 20;
/// … unless that is not even this part of the memory: asking groups one by one is slow.
const SMALL_PART: u64 = 64;
/// With more than this part of the memory it is so in any case.
const LARGE_PART: u64 = 4;

/// So many groups are asked together then: to ask for each by itself takes longer than most of them do, and
/// limits are looked at in between.
const TOGETHER: usize = 64;

/// Why an expander cannot go on by itself.
pub(crate) enum Halt {
    /// There is no room in the space. It grows at a barrier, after which the same call goes on.
    Barrier,
    /// It cannot go on at all.
    Stop(StopReason),
}

impl From<Exhausted> for Halt {
    fn from(exhausted: Exhausted) -> Self {
        Self::Stop(exhausted.into())
    }
}

impl From<StopReason> for Halt {
    fn from(reason: StopReason) -> Self {
        Self::Stop(reason)
    }
}

/// What came of asking for successors.
pub(crate) struct Asked {
    /// How many there are.
    pub(crate) successors: u64,
    /// States, transitions and groups that were looked at.
    pub(crate) work: u64,
    /// The source has all its successors now.
    pub(crate) end: Option<End>,
}

/// A source that has all its successors.
#[derive(Clone, Copy)]
pub(crate) struct End {
    /// It has none.
    pub(crate) is_deadlock: bool,
    /// A group failed.
    pub(crate) failed: bool,
}

impl End {
    #[inline]
    fn new(successors: u64, failed: bool) -> Self {
        Self { is_deadlock: successors == 0 && !failed, failed }
    }
}

/// A source that does not have all its successors yet.
#[derive(Default)]
struct Unfinished {
    /// The next group, or the next cluster of groups.
    next: usize,
    successors: u64,
    /// Clusters whose steps were not known.
    missed: u32,
    failed: bool,
}

/// A worker's way from a state to its successors.
pub(crate) struct Expander<'s, 't, S: Store> {
    space: &'s Space<'t, S>,
    stepper: Box<dyn Stepper + 't>,
    packer: Packer,
    scratch: S::Scratch,
    batch: Batch,
    /// The source, its words, and what its successors are to be tagged with.
    state: Vec<Value>,
    words: Vec<u64>,
    tag: u64,
    /// The handle of the state that was looked up last.
    handle: Vec<u64>,
    /// All successors of a state at once could take too much memory.
    group_by_group: bool,
    local: LocalSteps,
    unfinished: Option<Unfinished>,
}

impl<'s, 't, S: Store> Expander<'s, 't, S> {
    /// One of so many expanders of a space.
    pub(crate) fn new(space: &'s Space<'t, S>, expanders: usize) -> Self {
        let model = space.model;
        let slots = model.initial().len();
        let layout = space.layout();
        let batch = Batch::new(slots, layout.words(), &space.budget);
        // Few groups have several successors in a state.
        let all = batch.bytes(model.signature().groups.len());
        let group_by_group = all > most_at_once(space.budget.left() / expanders as u64);
        Self {
            space,
            stepper: model.stepper(),
            scratch: space.store.scratch(&layout),
            batch,
            state: space.initial.to_vec(),
            words: vec![0; layout.words()],
            packer: Packer::new(layout),
            tag: 0,
            handle: vec![0; space.store.handle_words()],
            group_by_group,
            local: LocalSteps::new(slots, &space.budget),
            unfinished: None,
        }
    }

    /// Calls of the model that take long ask this whether to stop.
    pub(crate) fn heed(&mut self, stop: &StopSignal) {
        self.stepper.heed(stop);
    }

    /// Stores the initial state, before other expanders begin. Its handle is [`handle`](Self::handle) then.
    pub(crate) fn insert_initial(&mut self) -> Result<(), Halt> {
        let space = self.space;
        self.batch.pay(1)?;
        self.state.copy_from_slice(space.initial);
        // Slots that no group writes are not packed.
        if let Some(slot) = wrong_slot(space.model.signature(), &self.state) {
            return Err(space.wrong_value(slot, self.state[slot.ix()]).into());
        }
        self.words.fill(0);
        self.packer.pack(&self.state, &mut self.words).map_err(|misfit| space.note(misfit))?;
        space.store.grow(0)?;
        let added = space.store.key(&mut self.scratch, None, &self.words);
        let view = space.store.view();
        let added = added.and_then(|key| {
            let place = S::place(&view, key)?;
            S::insert(&view, &mut self.scratch, (key, place, &self.words), &mut self.handle)
        });
        assert_eq!(added, Ok(true), "BUG: no room for the initial state");
        Ok(())
    }

    /// After a barrier: states may be packed in more bits.
    pub(crate) fn adapt(&mut self) {
        let layout = self.space.layout();
        if !std::sync::Arc::ptr_eq(&layout, self.packer.layout()) {
            self.space.store.adapt(&mut self.scratch, &layout);
            self.local.adapt(&layout);
            self.packer.adapt(layout);
        }
    }

    /// The state with this handle will be loaded soon.
    #[inline]
    pub(crate) fn foresee(&self, handle: &[u64]) {
        self.space.store.foresee(handle);
    }

    /// Makes the state with this handle the source. Its successors will have this tag.
    #[inline]
    pub(crate) fn load(&mut self, handle: &[u64], tag: u64) {
        self.space.store.recall(&mut self.scratch, handle, &mut self.words);
        self.tag = tag;
        if !self.local.is_used() {
            self.packer.unpack(&self.words, &mut self.state);
        }
    }

    /// The source (at the beginning the initial state), and who can evaluate labels in it. Where steps are
    /// local it is only right at the end of a source that is a deadlock or in which a group failed.
    #[inline]
    pub(crate) fn source(&mut self) -> (&[Value], &mut (dyn Stepper + 't)) {
        (&self.state, &mut *self.stepper)
    }

    /// The words of the source.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The handle of the state that was looked up last.
    pub(crate) fn handle(&self) -> &[u64] {
        &self.handle
    }

    /// Begins a batch.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.batch.clear();
        // A batch is made in one way: of local steps, or not.
        self.local.give_up_if_useless();
    }

    /// Whether more successors should join the batch before it is looked up.
    #[inline]
    pub(crate) fn has_room(&self) -> bool {
        self.batch.has_room()
    }

    /// Whether there is a source that does not have all its successors yet.
    #[inline]
    pub(crate) fn is_unfinished(&self) -> bool {
        self.unfinished.is_some()
    }

    /// Adds successors of the source to the batch: all of them, or, where they could take too much memory,
    /// some.
    #[inline]
    pub(crate) fn ask(&mut self) -> Result<Asked, Halt> {
        if self.local.is_used() {
            return self.ask_locally();
        }
        if self.group_by_group {
            return self.ask_some_groups();
        }
        let before = self.batch.successors.len();
        let failed = self.stepper.all(&self.state, &mut self.batch.successors).is_err();
        if failed {
            self.ask_what_works();
        }
        let successors = (self.batch.successors.len() - before) as u64;
        Ok(Asked { successors, work: 1 + successors, end: Some(End::new(successors, failed)) })
    }

    /// Asks some groups, for no more successors than there is room for in the batch. What is gathered can be
    /// looked up before the source has all its successors.
    fn ask_some_groups(&mut self) -> Result<Asked, Halt> {
        let mut unfinished = self.unfinished.take().unwrap_or_default();
        let groups = self.space.model.signature().groups.len();
        let (before, room) = (self.batch.successors.len(), self.batch.room());
        self.batch.pay(room)?;
        let asked = unfinished.next..groups.min(unfinished.next + TOGETHER);
        let part = self.stepper.some(asked.clone(), room, &self.state, &mut self.batch.successors);
        self.batch.pay(0)?;
        let successors = (self.batch.successors.len() - before) as u64;
        unfinished.successors += successors;
        unfinished.failed |= part.has_failed;
        unfinished.next = part.next;
        let work = (part.next - asked.start) as u64 + successors;
        let end = (part.next >= groups).then(|| End::new(unfinished.successors, unfinished.failed));
        self.unfinished = end.is_none().then_some(unfinished);
        Ok(Asked { successors, work, end })
    }

    /// Where a group fails the model gives no successors at all; those of the other groups are successors
    /// still.
    #[cold]
    fn ask_what_works(&mut self) {
        for group in GroupIx::all(self.space.model.signature().groups.len()) {
            // Which group fails and how is found again when the witness is replayed.
            _ = self.stepper.group(group, &self.state, &mut self.batch.successors);
        }
    }

    /// The successors of the source that were asked for and are not packed yet, with the source. There are
    /// none where steps are local.
    #[inline]
    pub(crate) fn unpacked(&self) -> (&[Value], impl Iterator<Item = Successor<'_>>) {
        let successors = &self.batch.successors;
        (&self.state, (self.batch.len()..successors.len()).map(|at| successors.get(at)))
    }

    /// Packs the successors that were asked for and finds their keys.
    #[inline]
    pub(crate) fn pack(&mut self) -> Result<(), Halt> {
        for at in self.batch.len()..self.batch.successors.len() {
            let (group, words) = match self.batch.pack(at, &mut self.packer, &self.words) {
                Ok(packed) => packed,
                Err(misfit) => return Err(self.space.note(misfit)),
            };
            match self.space.store.key(&mut self.scratch, Some(group), words) {
                Ok(key) => self.batch.push(key, self.tag),
                Err(Crowded) => return Err(self.space.note_crowded()),
            }
        }
        Ok(())
    }

    /// Tells the budget of buffers that grew.
    #[inline]
    pub(crate) fn pay(&mut self) -> Result<(), Exhausted> {
        self.batch.pay(0)
    }

    /// Looks up the batch and stores what is new. Each state is shown to `visit`, which may stop everything.
    #[inline]
    pub(crate) fn insert(
        &mut self,
        mut visit: impl FnMut(&mut Found<'_, 't>) -> Result<(), StopReason>,
    ) -> Result<(), Halt> {
        let (first, view) = (self.batch.inserted, self.space.store.view());
        if self.batch.find_places(first, |key| S::place(&view, key)).is_err() {
            return Err(self.space.note_crowded());
        }
        let is_packed_only = self.local.is_used();
        for at in first..self.batch.len() {
            match S::insert(&view, &mut self.scratch, self.batch.placed(at), &mut self.handle) {
                Ok(is_new) => {
                    let (_, words, tag) = self.batch.get(at);
                    visit(&mut Found {
                        handle: &self.handle,
                        is_new,
                        words,
                        tag,
                        at,
                        successors: (!is_packed_only).then_some(&self.batch.successors),
                        packer: &mut self.packer,
                        state: &mut self.state,
                        stepper: &mut *self.stepper,
                    })?;
                }
                Err(Crowded) => {
                    self.batch.inserted = at;
                    return Err(self.space.note_crowded());
                }
            }
        }
        self.batch.inserted = self.batch.len();
        Ok(())
    }

    /// Looks up the batch and stores nothing: whether any state of it is not known.
    pub(crate) fn has_unknown(&mut self) -> bool {
        (0..self.batch.len()).any(|at| {
            let (key, words, _) = self.batch.get(at);
            !self.space.store.contains(&mut self.scratch, key, words)
        })
    }
}

/// A successor that was looked up.
pub(crate) struct Found<'a, 't> {
    pub(crate) handle: &'a [u64],
    pub(crate) is_new: bool,
    /// It is packed so.
    pub(crate) words: &'a [u64],
    /// The tag of its source.
    pub(crate) tag: u64,
    at: usize,
    /// None where steps are local.
    successors: Option<&'a Successors>,
    packer: &'a mut Packer,
    state: &'a mut Vec<Value>,
    stepper: &'a mut (dyn Stepper + 't),
}

impl<'a, 't> Found<'a, 't> {
    /// With its group and its action, where the model was asked for it.
    #[inline(always)]
    pub(crate) fn successor(&self) -> Option<Successor<'a>> {
        self.successors.map(|successors| successors.get(self.at))
    }

    /// The state, and who can evaluate labels in it.
    #[inline(always)]
    pub(crate) fn state(&mut self) -> (&[Value], &mut (dyn Stepper + 't)) {
        let state = match self.successor() {
            Some(successor) => successor.state,
            None => {
                self.packer.unpack(self.words, self.state);
                &**self.state
            }
        };
        (state, &mut *self.stepper)
    }
}

/// The most bytes of successors for which all groups are asked at once, with this much memory left.
fn most_at_once(left: u64) -> u64 {
    LARGE.max(left / SMALL_PART).min(left / LARGE_PART)
}

#[cfg(test)]
mod tests;
