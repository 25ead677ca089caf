//! What a worker has of its own for a tree.

use crate::rows::Spare;

/// Nodes whose numbers a worker caches: as many as stay in the nearest caches.
pub(super) const MEMORY: usize = 1 << 11;

/// A worker's own: its *source*, the state that it unfolded last, with the numbers of all words and pairs,
/// and spare numbers for new ones. It belongs to one tree.
pub struct Scratch {
    /// The words of the source.
    pub(super) words: Vec<u64>,
    /// The numbers of its words and pairs.
    pub(super) source: Vec<u32>,
    /// Those of the state that is being folded; between calls, those of the source.
    pub(super) now: Vec<u32>,
    pub(super) spares: Vec<Spare>,
    pub(super) unfolded: bool,
    /// What was looked up cached, each with its table and its number.
    pub(super) cached: Box<[CachedNode; MEMORY]>,
}

/// A word or pair, its table and its number, which stay for ever; no table where there is none.
#[derive(Clone, Copy)]
pub(super) struct CachedNode {
    pub(super) word: u64,
    pub(super) table: u32,
    pub(super) number: u32,
}

impl Scratch {
    /// How many words and pairs were new when they were inserted with this.
    pub fn inserted(&self) -> u64 {
        self.spares.iter().map(Spare::inserted).sum()
    }
}
