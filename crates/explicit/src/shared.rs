//! What all workers of a search share.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

use base::SlotIx;
use engine::{Control, Progress, StopReason};
use model::{Model, Value};

use crate::Order;
use crate::budget::{Account, Budget, Exhausted};
use crate::crew::Crew;
use crate::levels::{Keep, Levels};
use crate::packing::{Layout, Packer};
use crate::stacks::Gifts;
use crate::store::Store;

/// Early is up to so many times what is the earliest: later it takes longer to come so far again than is
/// gained.
const STILL_EARLY: u64 = 16;

/// What is to be explored, and how.
pub(crate) struct Job<'t> {
    pub(crate) model: &'t dyn Model,
    pub(crate) control: &'t Control,
    /// Where to begin.
    pub(crate) initial: &'t [Value],
    pub(crate) order: Order,
    pub(crate) threads: usize,
    /// No more states than this are stored.
    pub(crate) states: Option<u64>,
    /// States so many steps away are looked at, and what is beyond is not stored.
    pub(crate) depth: Option<u64>,
    /// Levels to keep, in a search by levels.
    pub(crate) keep: Keep,
    /// With so many states enough is known of a model to search it better.
    pub(crate) early_states: u64,
    pub(crate) started: Instant,
}

/// States stored, those expanded and transitions seen, as far as workers have told. They change all the time,
/// and nothing else is to lie near.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Counted {
    pub(crate) states: AtomicU64,
    pub(crate) expanded: AtomicU64,
    pub(crate) transitions: AtomicU64,
}

/// A search that is under way, as all its workers see it.
pub(crate) struct Shared<'t, S> {
    pub(crate) job: &'t Job<'t>,
    /// How states are packed until the next meeting.
    layout: RwLock<Arc<Layout>>,
    /// Leaves that need so many bits.
    narrow: Mutex<Vec<(usize, u8)>>,
    /// The layout to begin anew with, where the words have no room for more bits.
    cramped: Mutex<Option<Layout>>,
    /// It is time to begin anew with a better layout.
    untidy: AtomicBool,
    /// What the values of leaves take.
    values: Mutex<Account>,
    /// What the model takes beside its states.
    model: Mutex<Account>,
    /// The search may begin anew to have a better layout.
    is_first: bool,
    pub(crate) store: S,
    pub(crate) budget: Arc<Budget>,
    pub(crate) crew: Crew,
    pub(crate) levels: Levels,
    pub(crate) gifts: Gifts,
    pub(crate) counted: Counted,
    /// A successor lies beyond the depth limit.
    pub(crate) lacking: AtomicBool,
    /// Somebody found no room in the store.
    crowded: AtomicBool,
    over: AtomicBool,
    reason: Mutex<Option<StopReason>>,
}

impl<'t, S: Store> Shared<'t, S> {
    pub(crate) fn new(
        job: &'t Job<'t>,
        layout: Arc<Layout>,
        store: S,
        budget: Arc<Budget>,
        is_first: bool,
    ) -> Self {
        Self {
            crew: Crew::new(job.threads),
            levels: Levels::new(job.threads, store.handle_words(), job.keep, &budget),
            gifts: Gifts::default(),
            job,
            layout: RwLock::new(layout),
            narrow: Mutex::new(Vec::new()),
            cramped: Mutex::new(None),
            untidy: AtomicBool::new(false),
            values: Mutex::new(Account::new(&budget)),
            model: Mutex::new(Account::new(&budget)),
            is_first,
            store,
            budget,
            counted: Counted::default(),
            lacking: AtomicBool::new(false),
            crowded: AtomicBool::new(false),
            over: AtomicBool::new(false),
            reason: Mutex::new(None),
        }
    }

    /// Whether everyone is to stop.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// Everyone is to stop: there is nothing more to do, or enough is known.
    pub(crate) fn finish(&self) {
        self.over.store(true, Relaxed);
    }

    /// Everyone is to stop for a reason; of several reasons the first one counts.
    pub(crate) fn stop(&self, reason: StopReason) {
        self.reason.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
        self.finish();
    }

    /// Why everyone stopped, if it was not by itself.
    pub(crate) fn reason(&self) -> Option<StopReason> {
        self.reason.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How states are packed now.
    pub(crate) fn layout(&self) -> Arc<Layout> {
        Arc::clone(&self.layout.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// A leaf needs so many bits: it gets them at the next meeting.
    pub(crate) fn is_narrow(&self, leaf: usize, width: u8) {
        self.narrow.lock().unwrap_or_else(PoisonError::into_inner).push((leaf, width));
    }

    /// The layout to begin anew with, if the words had no room for all bits.
    pub(crate) fn cramped(&self) -> Option<Layout> {
        self.cramped.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Gives leaves the bits that they need.
    fn widen(&self, states: u64) -> Result<(), Exhausted> {
        let narrow = std::mem::take(&mut *self.narrow.lock().unwrap_or_else(PoisonError::into_inner));
        if narrow.is_empty() {
            return Ok(());
        }
        let mut layout = self.layout();
        for &(leaf, width) in &narrow {
            if layout.width(leaf) >= width {
                continue;
            }
            let Some(widened) = layout.widened(leaf, width, states) else {
                let mut widths = layout.widths();
                narrow.iter().for_each(|&(leaf, width)| widths[leaf] = width.max(widths[leaf]));
                *self.cramped.lock().unwrap_or_else(PoisonError::into_inner) = Some(layout.roomier(widths));
                self.finish();
                return Ok(());
            };
            layout = Arc::new(widened);
        }
        self.store.widen(&layout, states)?;
        *self.layout.write().unwrap_or_else(PoisonError::into_inner) = layout;
        Ok(())
    }

    /// Early in a search that goes on for long it is worth to begin anew once, with all that is known of the
    /// leaves by then.
    fn tidy(&self, states: u64) {
        let layout = self.layout();
        let early = self.job.early_states;
        let is_early = states > early && states <= early.saturating_mul(STILL_EARLY);
        if self.is_first && is_early && layout.is_ragged() && !self.is_over() {
            self.untidy.store(true, Relaxed);
            self.finish();
        }
    }

    /// Whether the search is to begin anew with a better layout.
    pub(crate) fn is_untidy(&self) -> bool {
        self.untidy.load(Relaxed)
    }

    /// Some of the states that wait, one after the other.
    pub(crate) fn some_states(&self, most: usize) -> Vec<Value> {
        self.unpack_all(&self.levels.some(most))
    }

    /// The state with this handle.
    pub(crate) fn unpacked(&self, handle: &[u64]) -> Vec<Value> {
        self.unpack_all(std::slice::from_ref(&handle))
    }

    /// The states with these handles, one after the other. All at one desk: to lay one out takes a look at
    /// every group.
    fn unpack_all(&self, handles: &[impl AsRef<[u64]>]) -> Vec<Value> {
        let layout = self.layout();
        let mut desk = self.store.desk(&layout);
        // Slots that no group writes are the same in all states.
        let (mut words, mut state) = (vec![0; layout.words()], self.job.initial.to_vec());
        let mut packer = Packer::new(layout);
        let mut all = Vec::with_capacity(handles.len() * state.len());
        for handle in handles {
            self.store.recall(&mut desk, handle.as_ref(), &mut words);
            packer.unpack(&words, &mut state);
            all.extend_from_slice(&state);
        }
        all
    }

    /// There was no room in the store: it has to grow at the next meeting.
    pub(crate) fn is_crowded(&self) {
        self.crowded.store(true, Relaxed);
    }

    /// What a meeting is for: leaves get more bits if they need them, the store grows if it should, and if
    /// nobody has anything to do the next level begins, or the search is over.
    pub(crate) fn agenda(&self, all_at_rest: bool) {
        let states = self.counted.states.load(Relaxed);
        if let Err(exhausted) = self.widen(states) {
            return self.stop(exhausted.into());
        }
        self.tidy(states);
        if self.crowded.swap(false, Relaxed) || self.store.is_crowded(states) {
            let grow = || {
                self.layout().grow(&mut self.values.lock().unwrap_or_else(PoisonError::into_inner))?;
                self.store.grow(states)
            };
            let mut grown = grow();
            if grown.is_err() && self.levels.stop_keeping() {
                grown = grow();
            }
            if let Err(exhausted) = grown {
                return self.stop(exhausted.into());
            }
        }
        if !all_at_rest || self.is_over() {
            return;
        }
        let goes_on = match self.job.order {
            Order::BreadthFirst => self.levels.advance(),
            Order::DepthFirst => Ok(!self.gifts.is_empty()),
        };
        match goes_on {
            Ok(true) => {}
            Ok(false) => self.finish(),
            Err(exhausted) => self.stop(exhausted.into()),
        }
    }

    /// Tells how far the search is and hears whether to stop.
    #[cold]
    pub(crate) fn look_up(&self, depth: u64) -> Result<(), StopReason> {
        let states = self.counted.states.load(Relaxed);
        self.model.lock().unwrap_or_else(PoisonError::into_inner).reach(self.job.model.bytes())?;
        let progress = Progress {
            states,
            transitions: self.counted.transitions.load(Relaxed),
            frontier: states.saturating_sub(self.counted.expanded.load(Relaxed)),
            level: depth + 1,
            memory: self.budget.used(),
            elapsed: self.job.started.elapsed(),
            ..Progress::default()
        };
        self.job.control.check(progress).map_or(Ok(()), Err)
    }

    /// A defect of a model: a value that its type does not have.
    #[cold]
    pub(crate) fn internal(&self, slot: SlotIx, value: Value) -> StopReason {
        let signature = self.job.model.signature();
        let name = &signature.slots[slot.ix()].name;
        let ty = signature.type_of(slot);
        let value = if ty.is_signed() { value.cast_signed().to_string() } else { value.to_string() };
        StopReason::Internal(format!(
            "slot `{name}` got the value {value}, which its type `{}` cannot hold",
            ty.name
        ))
    }
}
