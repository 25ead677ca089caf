//! Where states are kept: what a search asks of a store, and the stores.
//!
//! All workers share a store: they look states up and add them at the same time. It grows at barriers only,
//! when nobody uses it. Each state in a store has a *handle*: some words by which the state is found again
//! for as long as the search runs. Equal states have equal handles, so a handle can stand for its state in
//! tables of other kinds (colours of a nested search, components, distances).
//!
//! | store | keeps | handle |
//! |---|---|---|
//! | [`Plain`] | whole packed states | number of the state |
//! | [`Tree`] | states folded into pairs of shared parts | root of the state |
//! | [`Single`] | states of one word, as keys of a compact set | the word |
//! | [`Hashes`] | a hash of each state | the packed state |
//! | [`Bitstate`] | a few bits of each state | the packed state |

mod bitstate;
mod compacted;
mod growing;
mod keyed;
mod plain;
mod tree;

use std::sync::Arc;

use base::GroupIx;
pub(crate) use tables::Crowded;

use crate::budget::{Budget, Exhausted};
use crate::packing::Layout;

pub(crate) use bitstate::Bitstate;
pub(crate) use compacted::{Hashes, Single};
pub(crate) use plain::Plain;
pub(crate) use tree::Tree;

/// A set of packed states.
pub(crate) trait Store: Sized + Send + Sync {
    /// What a worker has of its own.
    type Scratch: Send;

    /// What it is between two barriers.
    type View<'a>
    where
        Self: 'a;

    /// What a worker needs, for states that are packed so.
    fn scratch(&self, layout: &Arc<Layout>) -> Self::Scratch;

    /// The layout was widened, and all who have a scratch are told so.
    #[inline]
    fn adapt(&self, _scratch: &mut Self::Scratch, _layout: &Arc<Layout>) {}

    /// At a barrier, with so many states in it: states get more bits.
    fn widen(&self, _layout: &Layout, _states: u64) -> Result<(), Exhausted> {
        Ok(())
    }

    /// How many words a handle has.
    fn handle_words(&self) -> usize;

    /// The state with this handle will be recalled soon: begins to bring what is needed for that near.
    #[inline]
    fn foresee(&self, _handle: &[u64]) {}

    /// The state with this handle. It is the *source* of the scratch from now on.
    fn recall(&self, scratch: &mut Self::Scratch, handle: &[u64], words: &mut [u64]);

    /// The key of a state, under which it can be looked up. The state is a successor of the source by this
    /// group, or, with no group, any state.
    fn key(&self, scratch: &mut Self::Scratch, group: Option<GroupIx>, words: &[u64])
    -> Result<u64, Crowded>;

    /// The store as it is until the next barrier, for who has many states to add.
    fn view(&self) -> Self::View<'_>;

    /// Where a state with this key belongs; begins to bring what is needed to insert it near.
    fn place(view: &Self::View<'_>, key: u64) -> Result<u64, Crowded>;

    /// Adds the state with this key, place and words; says whether it is new. Leaves its handle in `handle`,
    /// whether it is new or was known.
    fn insert(
        view: &Self::View<'_>,
        scratch: &mut Self::Scratch,
        state: (u64, u64, &[u64]),
        handle: &mut [u64],
    ) -> Result<bool, Crowded>;

    /// Whether the state with this key is there.
    fn contains(&self, scratch: &mut Self::Scratch, key: u64, words: &[u64]) -> bool;

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
pub(crate) struct StorePlan<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) budget: &'a Arc<Budget>,
    pub(crate) threads: usize,
}
