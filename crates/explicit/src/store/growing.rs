//! How fast tables grow: by a part of what they hold, as far as the memory allows.

use crate::budget::{Account, Exhausted};

/// Small tables grow to this many entries at once: a barrier costs more than they do.
pub(super) const FIRST: usize = 1 << 12;

/// A table grows by half; with little memory left by less, and at last by this part.
const SMALLEST_PART: usize = 64;

/// Large tables take memory in pages of this size.
const HUGE_PAGE: u64 = 2 << 20;

/// A table of more bytes than this is moved by several threads: to start them takes less time.
const LARGE: u64 = 8 << 20;

/// A table that grows at barriers.
pub(super) trait Table: Sync {
    /// How many entries it has, or so.
    fn len(&self) -> usize;
    /// The bytes that it takes at most with so many more entries, and while it grows to have room for them.
    fn bytes_with(&self, more: usize) -> u64;
    /// Makes room for so many more entries; says whether it could. All threads that call it share the work.
    fn grow(&self, more: usize) -> bool;
}

/// Lets a table grow, as far as its account allows, by so many threads. Nobody uses it at that time.
pub(super) fn grow(table: &impl Table, account: &mut Account, threads: usize) -> Result<(), Exhausted> {
    let len = table.len();
    let mut more = (len / 2).max(FIRST);
    loop {
        let bytes = table.bytes_with(more);
        let last_page = if bytes > HUGE_PAGE { HUGE_PAGE } else { 0 };
        if account.reach(bytes + last_page).is_ok() {
            return if together(threads, bytes, || table.grow(more)) { Ok(()) } else { Err(Exhausted) };
        }
        more /= 2;
        if more < (len / SMALLEST_PART).max(1) {
            return Err(Exhausted);
        }
    }
}

/// Does what so many threads can share, if it is about many bytes; what the first of them says.
pub(super) fn together(threads: usize, bytes: u64, work: impl Fn() -> bool + Sync) -> bool {
    let helpers = if bytes > LARGE { threads - 1 } else { 0 };
    std::thread::scope(|scope| {
        for _ in 0..helpers {
            scope.spawn(&work);
        }
        work()
    })
}
