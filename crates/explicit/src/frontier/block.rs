//! Blocks of rows: states that wait for their turn, a few hundred at a time, as workers hand them to each
//! other.
//!
//! A row is the handle of a state, by which the store finds it, and one word more, its *origin*: which row it
//! came from.

use std::sync::Arc;

use crate::budget::{Account, Budget, Exhausted};

/// Rows of a full block.
pub(crate) const BLOCK_ROWS: usize = 512;

/// Bytes that a block takes besides: its counters, what the allocator keeps of it and of its words, its
/// places in lists that grow by doubling, and the size of a level. Where each level has one row, that is more
/// than the row.
const BESIDES: usize = 80;

/// Some rows, and what they take of the budget.
pub(crate) struct Block {
    /// No two blocks of a search have the same number.
    pub(crate) number: u64,
    row_words: usize,
    words: Vec<u64>,
    account: Account,
}

impl Block {
    /// An empty block with room for rows of handles of this many words.
    pub(crate) fn new(number: u64, handle_words: usize, budget: &Arc<Budget>) -> Result<Self, Exhausted> {
        let row_words = handle_words + 1;
        let mut account = Account::new(budget);
        account.reach(Self::bytes(row_words * BLOCK_ROWS))?;
        let mut words = Vec::new();
        words.try_reserve_exact(row_words * BLOCK_ROWS).map_err(|_| Exhausted)?;
        Ok(Self { number, row_words, words, account })
    }

    fn bytes(words: usize) -> u64 {
        (words * size_of::<u64>() + size_of::<Self>() + BESIDES) as u64
    }

    /// Gives back what it has no rows for: no more will come. Levels may be as many as states, with one row
    /// each.
    pub(crate) fn close(&mut self) {
        self.words.shrink_to_fit();
        self.account.fall(Self::bytes(self.words.capacity()));
    }

    /// How many rows it has.
    pub(crate) fn rows(&self) -> usize {
        self.words.len() / self.row_words
    }

    pub(crate) fn is_full(&self) -> bool {
        self.rows() == BLOCK_ROWS
    }

    #[inline]
    pub(crate) fn push(&mut self, handle: &[u64], origin: u64) {
        debug_assert!(handle.len() + 1 == self.row_words && !self.is_full());
        self.words.extend_from_slice(handle);
        self.words.push(origin);
    }

    /// The handle of a row.
    #[inline]
    pub(crate) fn handle(&self, row: usize) -> &[u64] {
        &self.words[row * self.row_words..(row + 1) * self.row_words - 1]
    }

    /// The origin of a row.
    #[inline]
    pub(crate) fn origin(&self, row: usize) -> u64 {
        self.words[(row + 1) * self.row_words - 1]
    }

    /// What a row says when it is the origin of others.
    #[inline]
    pub(crate) fn place(&self, row: usize) -> u64 {
        self.number * BLOCK_ROWS as u64 + row as u64
    }

    /// The block and the row that a place says.
    pub(crate) fn split(place: u64) -> (u64, usize) {
        (place / BLOCK_ROWS as u64, (place % BLOCK_ROWS as u64) as usize)
    }

    /// Forgets all rows but the first so many.
    #[inline]
    pub(crate) fn truncate(&mut self, rows: usize) {
        self.words.truncate(rows * self.row_words);
    }

    /// Moves the rows from this one on to another block that is empty.
    pub(crate) fn move_rows(&mut self, first: usize, to: &mut Self) {
        to.words.extend(self.words.drain(first * self.row_words..));
    }
}
