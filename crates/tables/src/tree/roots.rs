//! The roots of a tree as they are kept: each as a short key.

use std::sync::atomic::Ordering::Relaxed;

use super::Tree;
use super::squeeze::{Cuts, Squeeze, WORDS};
use crate::compact::View;
use crate::growth::Crowded;
use crate::sync::AtomicU64;

/// How roots become keys, which changes at barriers only.
pub(super) struct SharedSqueeze {
    words: [AtomicU64; WORDS],
    pub(super) unused: AtomicU64,
}

impl SharedSqueeze {
    pub(super) fn new(squeeze: Squeeze) -> Self {
        Self { words: squeeze.0.map(AtomicU64::new), unused: AtomicU64::new(squeeze.unused()) }
    }

    // Relaxed: a barrier orders what comes before and after it.
    pub(super) fn store(&self, squeeze: Squeeze) {
        self.words.iter().zip(squeeze.0).for_each(|(shared, word)| shared.store(word, Relaxed));
        self.unused.store(squeeze.unused(), Relaxed);
    }

    #[inline(always)]
    pub(super) fn load(&self) -> Squeeze {
        Squeeze(std::array::from_fn(|at| self.words[at].load(Relaxed)))
    }
}

/// The roots of a tree between two barriers.
pub struct Roots<'a> {
    pub(super) cuts: Cuts,
    pub(super) unused: u64,
    pub(super) view: View<'a>,
    pub(super) tree: &'a Tree,
}

impl Roots<'_> {
    /// Asks for the place of a root, and says what [`insert`](Self::insert) wants to know of it.
    #[inline(always)]
    pub fn place(&self, root: u64) -> Result<u64, Crowded> {
        if root & self.unused != 0 {
            return Err(self.tree.misfit(root));
        }
        Ok(self.view.place(self.cuts.key(root)))
    }

    /// Puts a state in, by the place of its root; true if it was not there. Of several threads that insert
    /// the same one at the same time, one is told so.
    #[inline(always)]
    pub fn insert(&self, place: u64) -> Result<bool, Crowded> {
        self.view.insert(place)
    }
}
