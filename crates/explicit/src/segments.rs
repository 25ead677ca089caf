//! A growing array of rows in segments of fixed size. Differs from a vector: growing copies nothing and never holds
//! the content twice, and each new segment is asked of the budget.

use crate::budget::{Budget, Exhausted, reserve};

/// Small enough that memory grows smoothly, large enough that the list of segments is short.
const SEGMENT_BYTES: usize = 1 << 20;

/// Rows of equal length, numbered from zero.
pub(crate) struct Segments<T> {
    row_len: usize,
    /// log₂ of the rows in a segment.
    rows_log2: u32,
    segments: Vec<Vec<T>>,
    rows: usize,
}

impl<T: Copy> Segments<T> {
    /// No rows yet, of this length each.
    pub(crate) fn new(row_len: usize) -> Self {
        assert!(row_len > 0, "BUG: rows without content");
        let rows_log2 = (SEGMENT_BYTES / (row_len * size_of::<T>())).max(1).ilog2();
        Self { row_len, rows_log2, segments: Vec::new(), rows: 0 }
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.rows
    }

    /// Bytes that a row takes.
    pub(crate) fn row_bytes(&self) -> u64 {
        (self.row_len * size_of::<T>()) as u64
    }

    /// A row.
    #[inline]
    pub(crate) fn row(&self, at: usize) -> &[T] {
        let start = (at & ((1 << self.rows_log2) - 1)) * self.row_len;
        &self.segments[at >> self.rows_log2][start..start + self.row_len]
    }

    /// A row, to be changed.
    #[inline]
    pub(crate) fn row_mut(&mut self, at: usize) -> &mut [T] {
        let start = (at & ((1 << self.rows_log2) - 1)) * self.row_len;
        &mut self.segments[at >> self.rows_log2][start..start + self.row_len]
    }

    /// Appends a row.
    #[inline]
    pub(crate) fn push(&mut self, row: &[T], budget: &mut Budget) -> Result<(), Exhausted> {
        debug_assert_eq!(row.len(), self.row_len);
        let segment = self.rows >> self.rows_log2;
        if segment == self.segments.len() {
            self.add_segment(budget)?;
        }
        self.segments[segment].extend_from_slice(row);
        self.rows += 1;
        Ok(())
    }

    #[cold]
    fn add_segment(&mut self, budget: &mut Budget) -> Result<(), Exhausted> {
        let items = self.row_len << self.rows_log2;
        budget.take((items * size_of::<T>()) as u64)?;
        let mut segment = Vec::new();
        reserve(&mut segment, items)?;
        self.segments.push(segment);
        Ok(())
    }
}

impl<T: Copy> Segments<T> {
    /// Takes the last row's first item off; its segment is kept for the next push.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<T> {
        debug_assert_eq!(self.row_len, 1);
        let last = self.rows.checked_sub(1)?;
        self.rows = last;
        self.segments[last >> self.rows_log2].pop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_across_segments() {
        for row_len in [1, 3, 1000, 300_000] {
            let mut budget = Budget::new(None);
            let mut rows = Segments::<u64>::new(row_len);
            let count = 3 * (1 << rows.rows_log2) + 1;
            for at in 0..count {
                rows.push(&vec![at as u64; row_len], &mut budget).unwrap();
            }
            assert_eq!(rows.len(), count);
            assert!((0..count).all(|at| rows.row(at).iter().all(|&item| item == at as u64)));
        }
    }

    #[test]
    fn a_stack_pops_what_it_pushed() {
        let mut budget = Budget::new(None);
        let mut stack = Segments::<u32>::new(1);
        for round in [600_000, 10, 300_000u32] {
            (0..round).for_each(|item| stack.push(&[item], &mut budget).unwrap());
            (0..round).rev().for_each(|item| assert_eq!(stack.pop(), Some(item)));
        }
        assert_eq!(stack.pop(), None);
    }

    #[test]
    fn without_memory_nothing_changes() {
        let mut budget = Budget::new(Some(0));
        let mut rows = Segments::<u32>::new(1);
        assert_eq!(rows.push(&[1], &mut budget), Err(Exhausted));
        assert_eq!(rows.len(), 0);
    }
}
