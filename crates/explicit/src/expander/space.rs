//! The space that a search finds: how its states are packed, and where they are kept. All workers share it.
//!
//! Between barriers a space is only added to. Who finds no room in it notes that, and at the next barrier the
//! space grows.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use base::SlotIx;
use engine::StopReason;
use model::{Model, Value};

use super::Halt;
use crate::budget::{Account, Budget, Exhausted};
use crate::packing::{Layout, Misfit, Packer};
use crate::store::Store;

/// The states of a model, as far as they are known.
pub(crate) struct Space<'t, S> {
    pub(crate) model: &'t dyn Model,
    /// Where to begin.
    pub(crate) initial: &'t [Value],
    pub(crate) store: S,
    pub(crate) budget: Arc<Budget>,
    /// How states are packed until the next barrier.
    layout: RwLock<Arc<Layout>>,
    /// Leaves that need so many bits.
    narrow: Mutex<Vec<(usize, u8)>>,
    /// The layout to begin anew with, where the words have no room for more bits.
    roomier: Mutex<Option<Layout>>,
    /// What the values of leaves take.
    values: Mutex<Account>,
    /// Somebody found no room in the store.
    crowded: AtomicBool,
}

impl<'t, S: Store> Space<'t, S> {
    /// No state is known.
    pub(crate) fn new(
        model: &'t dyn Model,
        initial: &'t [Value],
        layout: Arc<Layout>,
        store: S,
        budget: Arc<Budget>,
    ) -> Self {
        Self {
            model,
            initial,
            store,
            layout: RwLock::new(layout),
            narrow: Mutex::new(Vec::new()),
            roomier: Mutex::new(None),
            values: Mutex::new(Account::new(&budget)),
            crowded: AtomicBool::new(false),
            budget,
        }
    }

    /// How states are packed now.
    pub(crate) fn layout(&self) -> Arc<Layout> {
        Arc::clone(&self.layout.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// A state cannot be packed: notes what the next barrier has to do, if it can do anything.
    #[cold]
    pub(super) fn note(&self, misfit: Misfit) -> Halt {
        match misfit {
            Misfit::Value(slot, value) => return self.wrong_value(slot, value).into(),
            Misfit::Narrow { leaf, width } => {
                self.narrow.lock().unwrap_or_else(PoisonError::into_inner).push((leaf, width));
            }
            Misfit::Crowded => return self.note_crowded(),
        }
        Halt::Barrier
    }

    /// There was no room: the space has to grow at the next barrier.
    #[cold]
    pub(super) fn note_crowded(&self) -> Halt {
        self.crowded.store(true, Relaxed);
        Halt::Barrier
    }

    /// A defect of a model: a value that its type does not have.
    #[cold]
    pub(super) fn wrong_value(&self, slot: SlotIx, value: Value) -> StopReason {
        let signature = self.model.signature();
        let name = &signature.slots[slot.ix()].name;
        let ty = signature.type_of(slot);
        let value = if ty.is_signed() { value.cast_signed().to_string() } else { value.to_string() };
        StopReason::Internal(format!(
            "slot `{name}` got the value {value}, which its type `{}` cannot hold",
            ty.name
        ))
    }

    /// At a barrier: gives leaves the bits that they need. Says whether the words have room for them; if not,
    /// there is a [roomier](Self::roomier) layout to begin anew with.
    pub(crate) fn widen(&self, states: u64) -> Result<bool, Exhausted> {
        let narrow = std::mem::take(&mut *self.narrow.lock().unwrap_or_else(PoisonError::into_inner));
        if narrow.is_empty() {
            return Ok(true);
        }
        let mut layout = self.layout();
        for &(leaf, width) in &narrow {
            if layout.width(leaf) >= width {
                continue;
            }
            let Some(widened) = layout.widened(leaf, width, states) else {
                let mut widths = layout.widths();
                narrow.iter().for_each(|&(leaf, width)| widths[leaf] = width.max(widths[leaf]));
                *self.roomier.lock().unwrap_or_else(PoisonError::into_inner) = Some(layout.roomier(widths));
                return Ok(false);
            };
            layout = Arc::new(widened);
        }
        self.store.widen(&layout, states)?;
        *self.layout.write().unwrap_or_else(PoisonError::into_inner) = layout;
        Ok(true)
    }

    /// The layout to begin anew with, if the words had no room for all bits.
    pub(crate) fn roomier(&self) -> Option<Layout> {
        self.roomier.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// At a barrier: whether it has to grow, with so many states in it.
    pub(crate) fn has_to_grow(&self, states: u64) -> bool {
        self.crowded.swap(false, Relaxed) || self.store.is_crowded(states)
    }

    /// At a barrier: grows, as far as the budget allows.
    pub(crate) fn grow(&self, states: u64) -> Result<(), Exhausted> {
        self.layout().grow(&mut self.values.lock().unwrap_or_else(PoisonError::into_inner))?;
        self.store.grow(states)
    }

    /// The state with this handle.
    pub(crate) fn state(&self, handle: &[u64]) -> Vec<Value> {
        self.states(std::slice::from_ref(&handle))
    }

    /// The states with these handles, one after the other. All with one scratch: to make one takes a look at
    /// every group.
    pub(crate) fn states(&self, handles: &[impl AsRef<[u64]>]) -> Vec<Value> {
        let layout = self.layout();
        let mut scratch = self.store.scratch(&layout);
        // Slots that no group writes are the same in all states.
        let (mut words, mut state) = (vec![0; layout.words()], self.initial.to_vec());
        let mut packer = Packer::new(layout);
        let mut all = Vec::with_capacity(handles.len() * state.len());
        for handle in handles {
            self.store.recall(&mut scratch, handle.as_ref(), &mut words);
            packer.unpack(&words, &mut state);
            all.extend_from_slice(&state);
        }
        all
    }
}
