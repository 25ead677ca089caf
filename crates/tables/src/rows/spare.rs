//! Numbers that a thread has for itself.

/// The numbers that a thread may give to rows of one table. One belongs to one thread and one table for the
/// table's life: numbers that are left in it when it is dropped are never used.
#[derive(Debug)]
pub struct Spare {
    pub(super) next: u32,
    pub(super) end: u32,
    /// A number that was written to and not published.
    pub(super) lost: Option<u32>,
    pub(super) block: u32,
    pub(super) inserted: u64,
}

impl Spare {
    /// For threads that take so many numbers at a time. With one thread and blocks of one, rows are numbered
    /// densely in the order in which they are found; with `t` threads at most `t * block` numbers below
    /// [`Rows::len`](super::Rows::len) are not in use.
    pub fn new(block: u32) -> Self {
        Self { next: 0, end: 0, lost: None, block: block.max(1), inserted: 0 }
    }

    /// How many rows were new when they were inserted with this: summed over all, how many rows the table
    /// has.
    pub fn inserted(&self) -> u64 {
        self.inserted
    }
}

impl Default for Spare {
    /// For one of many threads.
    fn default() -> Self {
        Self::new(64)
    }
}
