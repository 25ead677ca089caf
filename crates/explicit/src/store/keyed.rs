//! Stores whose handle is the packed state itself, so that all they keep is what tells known from new: a set
//! of keys.

use std::sync::Arc;

use base::GroupIx;

use super::{Crowded, Store, StorePlan};
use crate::budget::Exhausted;
use crate::packing::Layout;

/// A set of keys of packed states.
pub(crate) trait KeySet: Sized + Send + Sync {
    /// What it is between two barriers.
    type View<'a>
    where
        Self: 'a;

    /// The key of a packed state.
    fn key(words: &[u64]) -> u64;

    /// The handle of a state with this key and these words.
    #[inline]
    fn leave_handle(_key: u64, words: &[u64], handle: &mut [u64]) {
        handle.copy_from_slice(words);
    }

    /// The set as it is until the next barrier.
    fn view(&self) -> Self::View<'_>;

    /// Where a key belongs; begins to bring that near.
    fn place(view: &Self::View<'_>, key: u64) -> u64;

    /// Puts a key in; true if it was not there.
    fn insert(view: &Self::View<'_>, key: u64, place: u64) -> Result<bool, Crowded>;

    /// Whether a key is there.
    fn contains(&self, key: u64) -> bool;

    /// At a barrier: keys get as many bits as the layout has.
    fn widen(&self, layout: &Layout, states: u64) -> Result<(), Exhausted>;

    /// Whether it should grow soon, with so many keys in it.
    fn is_crowded(&self, states: u64) -> bool;

    /// Grows, as far as the budget allows.
    fn grow(&self, states: u64) -> Result<(), Exhausted>;

    /// Bytes that it takes.
    fn bytes(&self) -> u64;

    /// See [`Store::omission`].
    fn omission(&self, states: u64) -> Option<f64>;
}

/// States as keys.
pub(crate) struct Keyed<K> {
    /// Words of a packed state.
    words: usize,
    keys: K,
}

impl<K> Keyed<K> {
    /// A store of these keys, which are none yet.
    pub(super) fn of(keys: Option<K>, plan: &StorePlan<'_>) -> Option<Self> {
        Some(Self { words: plan.layout.words(), keys: keys? })
    }
}

impl<K: KeySet> Store for Keyed<K> {
    type Scratch = ();
    type View<'a>
        = K::View<'a>
    where
        K: 'a;

    fn scratch(&self, _: &Arc<Layout>) {}

    fn widen(&self, layout: &Layout, states: u64) -> Result<(), Exhausted> {
        self.keys.widen(layout, states)
    }

    fn handle_words(&self) -> usize {
        self.words
    }

    #[inline]
    fn recall(&self, (): &mut (), handle: &[u64], words: &mut [u64]) {
        match (handle, &mut *words) {
            // No call to copy memory where a state is a word.
            ([from], [to]) => *to = *from,
            _ => words.copy_from_slice(handle),
        }
    }

    #[inline]
    fn key(&self, (): &mut (), _: Option<GroupIx>, words: &[u64]) -> Result<u64, Crowded> {
        Ok(K::key(words))
    }

    #[inline]
    fn view(&self) -> K::View<'_> {
        self.keys.view()
    }

    #[inline]
    fn place(view: &K::View<'_>, key: u64) -> Result<u64, Crowded> {
        Ok(K::place(view, key))
    }

    #[inline]
    fn insert(
        view: &K::View<'_>,
        (): &mut (),
        (key, place, words): (u64, u64, &[u64]),
        handle: &mut [u64],
    ) -> Result<bool, Crowded> {
        K::leave_handle(key, words, handle);
        K::insert(view, key, place)
    }

    fn contains(&self, (): &mut (), key: u64, _: &[u64]) -> bool {
        self.keys.contains(key)
    }

    #[inline]
    fn is_crowded(&self, states: u64) -> bool {
        self.keys.is_crowded(states)
    }

    fn grow(&self, states: u64) -> Result<(), Exhausted> {
        self.keys.grow(states)
    }

    fn bytes(&self) -> u64 {
        self.keys.bytes()
    }

    fn omission(&self, states: u64) -> Option<f64> {
        self.keys.omission(states)
    }
}
