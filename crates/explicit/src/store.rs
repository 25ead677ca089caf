//! Where states are kept: what the search asks of a store, and the stores.
//!
//! A store is shared by all workers, who look states up and add them at the same time. It grows at meetings
//! only, when nobody does. A state in a store has a *handle*, by which it is found again for as long as the
//! search runs.

mod approximate;
mod plain;
mod single;
mod tree;

use std::sync::Arc;

use base::GroupIx;
pub(crate) use tables::Crowded;

use crate::budget::{Budget, Exhausted};
use crate::packing::Layout;

pub(crate) use approximate::{Bitstate, Hashes};
pub(crate) use plain::Plain;
pub(crate) use single::Single;
pub(crate) use tree::Tree;

/// A set of packed states.
pub(crate) trait Store: Sized + Send + Sync {
    /// What a worker has of its own.
    type Desk: Send;

    /// What it is between two meetings.
    type View<'a>
    where
        Self: 'a;

    /// A new desk, for states that are packed so.
    fn desk(&self, layout: &Arc<Layout>) -> Self::Desk;

    /// The layout was widened, and all who have a desk are told so.
    #[inline]
    fn adapt(&self, _desk: &mut Self::Desk, _layout: &Arc<Layout>) {}

    /// At a meeting, with so many states in it: states get more bits.
    fn widen(&self, _layout: &Layout, _states: u64) -> Result<(), Exhausted> {
        Ok(())
    }

    /// How many words a handle has.
    fn handle_words(&self) -> usize;

    /// The state with this handle will be recalled soon: begins to bring what is needed for that near.
    #[inline]
    fn foresee(&self, _handle: &[u64]) {}

    /// The state with this handle. It is the *source* on the desk from now on.
    fn recall(&self, desk: &mut Self::Desk, handle: &[u64], words: &mut [u64]);

    /// The key of a state, under which it can be looked up. The state is a successor of the source by this
    /// group, or, with no group, any state.
    fn key(&self, desk: &mut Self::Desk, group: Option<GroupIx>, words: &[u64]) -> Result<u64, Crowded>;

    /// The store as it is until the next meeting, for who has many states to add.
    fn view(&self) -> Self::View<'_>;

    /// Where a state with this key belongs; begins to bring what is needed to insert it near.
    fn place(view: &Self::View<'_>, key: u64) -> Result<u64, Crowded>;

    /// Adds the state with this key and this place; says whether it is new, and if so leaves its handle in
    /// `handle`.
    fn insert(
        view: &Self::View<'_>,
        desk: &mut Self::Desk,
        successor: (u64, u64, &[u64]),
        handle: &mut [u64],
    ) -> Result<bool, Crowded>;

    /// Whether the state with this key is there.
    fn contains(&self, desk: &mut Self::Desk, key: u64, words: &[u64]) -> bool;

    /// Whether it should grow soon, with so many states in it.
    fn is_crowded(&self, states: u64) -> bool;

    /// Grows, as far as the budget allows. Nobody else uses the store at that time.
    fn grow(&self, states: u64) -> Result<(), Exhausted>;

    /// Bytes that it takes.
    fn bytes(&self) -> u64;

    /// The probability that a state was taken for another one and left out, where states are not kept whole.
    fn omission(&self, _states: u64) -> Option<f64> {
        None
    }
}

/// What a store is made for.
pub(crate) struct Blueprint<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) budget: &'a Arc<Budget>,
    pub(crate) threads: usize,
}
