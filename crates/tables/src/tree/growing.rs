//! How a tree grows: its node tables as nodes come, its roots as states come and as their halves get more
//! bits.

use std::sync::PoisonError;

use super::Tree;
use super::squeeze::Squeeze;
use crate::compact::Request;
use crate::growth::Full;
use crate::rows::Rows;

/// A root table of fewer bytes is built anew when roots get more bits.
const SMALL: usize = 1 << 20;
/// A small table gets room for so many nodes at once.
const FIRST_NODES: usize = 1 << 10;
/// A small tree gets room for so many states at once.
const FIRST_ROOTS: u64 = 1 << 12;
/// Roots grow when there is no room for one part in so many more.
const SLACK_PART: u64 = 64;

impl Tree {
    /// With `len` states in it, there is no room for so many more, or something was turned away.
    pub fn is_crowded(&self, len: u64, more: usize) -> bool {
        self.roots.is_crowded(len, more as u64)
            || self.tables.iter().any(|rows| rows.is_crowded(least_room(rows)))
            || self.halves(Rows::limit) != self.squeeze.load().halves()
    }

    /// With `len` states in it, the root table is fuller than it should be. (Node tables turn away what they
    /// have no room for.)
    #[inline]
    pub fn roots_are_crowded(&self, len: u64) -> bool {
        self.roots.is_crowded(len, 0)
    }

    /// At a barrier: makes room for so many more states than the `len` that there are, wherever there is
    /// none. Every thread that calls it takes part in the work. It may still be crowded before so many came,
    /// as no one knows how many nodes they need.
    pub fn grow(&self, len: u64, more: usize) -> Result<(), Full> {
        for rows in &self.tables {
            rows.grow(node_room(rows, more))?;
        }
        let next = || self.next.lock().unwrap_or_else(PoisonError::into_inner);
        self.roots.regrow(
            || {
                let (request, squeeze) = self.request(len, more, self.halves(Rows::limit));
                *next() = squeeze;
                request
            },
            || self.squeeze.store(*next()),
        )
    }

    /// What becomes of the roots when their halves have so many bits.
    fn request(&self, len: u64, more: usize, (left, right): (u32, u32)) -> (Request, Squeeze) {
        let now = self.squeeze.load();
        let (had_left, had_right) = now.halves();
        let (left, right) = (left.max(had_left), right.max(had_right));
        let keep = now.halves() == (left, right) && !self.roots.is_crowded(len, len / SLACK_PART);
        let most = self.roots.next_room(len, FIRST_ROOTS);
        let entries = if keep { len } else { most.min(len.saturating_add(more.max(1) as u64)) };
        let longer = now.longer(left, right).filter(|_| self.roots.bytes() >= SMALL);
        let (squeeze, map) = match longer {
            _ if now.halves() == (left, right) => (now, None),
            Some(longer) => (longer, None),
            None => {
                let fresh = Squeeze::new(left, right);
                (fresh, Some(Box::new(move |key| fresh.key(now.pair(key))) as Box<_>))
            }
        };
        (Request { entries, bits: squeeze.bits(), map }, squeeze)
    }

    /// The bytes that it takes at most while and after [`grow`](Self::grow) does as it is told.
    pub fn bytes_after_growth(&self, len: u64, more: usize) -> usize {
        let rows = self.tables.iter().map(|rows| rows.bytes_after_growth(node_room(rows, more)));
        let halves = self.halves(|rows| rows.limit_after_growth(node_room(rows, more)));
        rows.sum::<usize>() + self.roots.bytes_after(&self.request(len, more, halves).0)
    }
}

/// New nodes that a table should have room for.
fn least_room(rows: &Rows) -> usize {
    rows.limit() / 16 + 1
}

/// New nodes that a table is to have room for when so many new states come: no more than half of what it has,
/// as states are many and nodes are few. None if it has room enough.
fn node_room(rows: &Rows, more: usize) -> usize {
    let least = least_room(rows);
    if rows.is_crowded(least) { more.min(rows.len() / 2 + FIRST_NODES).max(least) } else { 0 }
}
