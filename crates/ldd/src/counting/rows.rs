//! How many rows a relation has for the values that it tests, whatever it writes.
//!
//! Steps could be counted row by row. But where many values are written above a test, each write would be
//! followed from each value of the set down to that test. So the writes are added up first: a relation
//! becomes a diagram of tests only, with numbers of rows at the bottom. For example, the rows "x := 1 if y =
//! 2", "x := 3 if y = 2" and "x := 3 if y = 4" become "2 rows if y = 2, 1 row if y = 4".
//!
//! Nodes of such a diagram have ranges of values in their lists, as rules test ranges.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::counting::allowance::Allowance;
use crate::counting::numbers::{Tally, Uncounted, step, take};
use crate::store::by_node::{ByHash, ByNode};
use crate::store::node::{EMPTY, Id, Kind, UNIT};
use crate::store::unique::Unique;

/// The number of a node of such a diagram.
pub(crate) type RowsIx = u32;

/// Numbers of rows by what is tested.
pub(crate) struct RowCounts<'s, T> {
    unique: &'s Unique,
    nodes: Vec<Tested<T>>,
    /// Nodes by a hash of what they are. Two with the same hash are two nodes, and nothing is lost but what
    /// they share.
    by_hash: ByHash<RowsIx>,
    /// What became of lists of rows.
    known: ByNode<RowsIx>,
}

/// What is left to test.
#[derive(PartialEq, Eq, Hash)]
pub(crate) enum Tested<T> {
    /// Nothing, and so many rows.
    Rows(T),
    /// The slot at this height: the least and the greatest value of each range, which ascend, and what is
    /// left below.
    Slot(u32, Vec<(u32, u32, RowsIx)>),
}

impl<'s, T: Tally> RowCounts<'s, T> {
    pub fn new(unique: &'s Unique) -> Self {
        Self { unique, nodes: Vec::new(), by_hash: ByHash::default(), known: ByNode::default() }
    }

    pub fn get(&self, rows: RowsIx) -> &Tested<T> {
        &self.nodes[rows as usize]
    }

    /// Those of a relation that is not empty.
    pub fn of(&mut self, rows: Id, allowance: &mut Allowance<'_>) -> Result<RowsIx, Uncounted> {
        if rows == UNIT {
            return Ok(self.node(Tested::Rows(T::from(1))));
        }
        if let Some(&known) = self.known.get(&rows) {
            return Ok(known);
        }
        let info = self.unique.get(rows).info;
        let kind = info.kind();
        let (mut ranges, mut written, mut rest) = (Vec::new(), Vec::new(), rows);
        while rest != EMPTY {
            step(allowance)?;
            take::<(u32, u32, RowsIx)>(allowance)?;
            let entry = self.unique.get(rest);
            match kind {
                Kind::Read | Kind::Test => {
                    ranges.push((entry.value, entry.value, self.of(entry.down, allowance)?))
                }
                Kind::Least => {
                    let most = self.unique.get(entry.down);
                    ranges.push((entry.value, most.value, self.of(most.down, allowance)?));
                }
                Kind::Write | Kind::Copy | Kind::Add | Kind::Most => {
                    written.push(self.of(entry.down, allowance)?)
                }
            }
            rest = entry.right;
        }
        let made = if ranges.is_empty() {
            self.sum(written, allowance)?
        } else {
            self.node(Tested::Slot(info.height(), ranges))
        };
        take::<(Id, RowsIx)>(allowance)?;
        self.known.insert(rows, made);
        Ok(made)
    }

    /// The rows of all of them, which test the same slots.
    fn sum(&mut self, parts: Vec<RowsIx>, allowance: &mut Allowance<'_>) -> Result<RowsIx, Uncounted> {
        if let [one] = parts[..] {
            return Ok(one);
        }
        let (mut count, mut slot, mut ranges) = (T::from(0), 0, Vec::new());
        for part in parts {
            step(allowance)?;
            match self.get(part) {
                Tested::Rows(more) => count.add(more)?,
                Tested::Slot(height, more) => {
                    slot = *height;
                    ranges.extend_from_slice(more);
                }
            }
        }
        if ranges.is_empty() {
            return Ok(self.node(Tested::Rows(count)));
        }
        ranges.sort_unstable();
        let mut sums: Vec<(u32, u32, RowsIx)> = Vec::new();
        for equal in ranges.chunk_by(|a, b| a.0 == b.0) {
            let (least, most, _) = equal[0];
            // Rules say one thing of a value, so that where several things are written values are tested one
            // by one.
            assert!(equal.len() == 1 || least == most, "BUG: ranges that overlap");
            take::<(u32, u32, RowsIx)>(allowance)?;
            sums.push((least, most, self.sum(equal.iter().map(|range| range.2).collect(), allowance)?));
        }
        Ok(self.node(Tested::Slot(slot, sums)))
    }

    fn node(&mut self, node: Tested<T>) -> RowsIx {
        let mut hasher = DefaultHasher::new();
        node.hash(&mut hasher);
        let next = self.nodes.len() as RowsIx;
        let known = *self.by_hash.entry(hasher.finish()).or_insert(next);
        if known < next && self.nodes[known as usize] == node {
            return known;
        }
        self.nodes.push(node);
        next
    }
}
