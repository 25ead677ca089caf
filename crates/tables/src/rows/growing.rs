//! How a table of rows grows: what it takes, and who moves what.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use super::Rows;
use super::index::IndexShape;
use crate::growth::Full;
use crate::hashing::hash;

/// Entries of the index that a thread moves at a time when it grows: a huge page of them.
const BLOCK: usize = (2 << 20) / size_of::<u32>();
/// How many entries ahead a growth asks for words.
const AHEAD: usize = 32;

/// From one index to the other.
pub(super) struct Move {
    from: IndexShape,
    to: IndexShape,
}

impl Rows {
    /// The bytes that it takes at most while it grows to have room for so many new rows and when they are
    /// there.
    pub fn bytes_after_growth(&self, more: usize) -> usize {
        let index = match self.grown(more) {
            Ok(Some(shape)) => shape.size + BLOCK.min(self.size.load(Relaxed)),
            _ => self.size.load(Relaxed),
        };
        self.bytes_of_words(more) + index * size_of::<u32>()
    }

    pub(super) fn bytes_of_words(&self, more: usize) -> usize {
        self.len().saturating_add(more).min(self.most()) * self.width * size_of::<u64>()
    }

    fn grown(&self, more: usize) -> Result<Option<IndexShape>, Full> {
        if !self.is_crowded(more) {
            return Ok(None);
        }
        let need = self.len().saturating_add(more);
        if need > self.most() {
            return Err(Full);
        }
        Ok(Some(IndexShape::holding(need, 1 - self.shape().side)))
    }

    /// All numbers are below when it has grown to have room for so many new rows.
    pub fn limit_after_growth(&self, more: usize) -> usize {
        self.grown(more).ok().flatten().map_or(self.limit(), |shape| shape.limit)
    }

    /// At a barrier: makes room for so many new rows and no more, if there is none. Every thread that calls
    /// it takes part in the work. With few more than there are, it grows all the time: half as many again are
    /// a good number.
    pub fn grow(&self, more: usize) -> Result<(), Full> {
        self.growth.share(
            || {
                let Some(to) = self.grown(more)? else { return Ok(None) };
                let from = self.shape();
                self.index[to.side].prefer_huge_pages(to.size);
                self.words.prefer_huge_pages(to.limit * self.width);
                Ok(Some((Move { from, to }, from.size.div_ceil(BLOCK))))
            },
            |plan, block| self.rehash(plan, block),
            |plan| {
                self.side.store(plan.to.side, Relaxed);
                self.size.store(plan.to.size, Relaxed);
                self.limit.store(plan.to.limit, Relaxed);
            },
        )
    }

    /// Moves a block of the index. Homes are monotone in the hash, so a walk through the old index is one
    /// through the new one too.
    fn rehash(&self, plan: &Move, block: usize) {
        let (from, to) = (&plan.from, &plan.to);
        let (old, new) = (&self.index[from.side], &self.index[to.side][..to.size]);
        let range = block * BLOCK..((block + 1) * BLOCK).min(from.size);
        let mut words = vec![0; self.width];
        for at in range.clone() {
            if at + AHEAD < range.end {
                let ahead = old[at + AHEAD].load(Relaxed);
                if ahead != 0 {
                    self.prefetch_row(from.number_of(ahead));
                }
            }
            let entry = old[at].load(Acquire);
            if entry == 0 {
                continue;
            }
            let number = from.number_of(entry);
            self.read(number, &mut words);
            let hash = hash(&words);
            let mut at = to.home(hash);
            while new[at].load(Relaxed) != 0
                || new[at].compare_exchange(0, to.tag(hash) | (number + 1), Release, Relaxed).is_err()
            {
                at += 1;
                if at == new.len() {
                    at = 0;
                }
            }
        }
        old.release(range);
    }
}
