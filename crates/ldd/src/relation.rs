//! Relations: sets of steps, each over some slots of a vector. All other slots stay as they are.
//!
//! A step's row has an entry for each level of the relation's [`Shape`], from the top: the value that a slot
//! must have, the value that it gets, or that it is left as it is. The last of these needs no value (copy
//! nodes), so a slot that is sometimes written need not be read. For example, "x := 1 if y = 0, and nothing
//! if y = 1" over the slots (x, y) is the two rows (1, 0) and (copy, 1) of the shape (x: write, y: read).

mod domain;
mod enabled;
mod image;
mod pre_image;
mod rules;

pub use rules::{Change, Rule};

use std::cmp::Ordering;
use std::sync::Arc;

use crate::store::node::{EMPTY, Id, Info, Kind, Node};
use crate::store::scratch::Pending;
use crate::store::{Ldd, Stop, Store};
use crate::worker::Worker;

/// What a relation does to a slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// Tests its value, and leaves it.
    Read,
    /// Gives it a value, or leaves it as it is, whatever it was.
    Write,
    /// Tests its value, and gives it another one or leaves it.
    Both,
    /// Follows [`Rule`](crate::Rule)s. Only [`Store::rules`] makes such relations.
    Rules,
}

/// The slots of a relation, and what it does to them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    width: usize,
    slots: Vec<(usize, Access)>,
    infos: Vec<Info>,
}

/// One entry of a row. In the order of a diagram's lists: the copy stands before all values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Entry {
    /// The slot is left as it is.
    Copy,
    /// The value that is tested, or that is written.
    Value(u32),
}

/// A set of steps of one shape.
#[derive(Clone, Debug)]
pub struct Relation {
    pub(crate) diagram: Ldd,
    shape: Arc<Shape>,
}

impl Shape {
    /// The shape of relations over vectors of this width. Slots ascend.
    ///
    /// # Panics
    /// When slots do not ascend or are outside the vector.
    pub fn new(width: usize, slots: Vec<(usize, Access)>) -> Self {
        assert!(slots.windows(2).all(|pair| pair[0].0 < pair[1].0), "BUG: slots of a relation must ascend");
        assert!(slots.iter().all(|(slot, _)| *slot < width), "BUG: a slot of a relation outside the vector");
        let mut infos = Vec::new();
        for &(slot, access) in &slots {
            let height = (width - slot) as u32;
            match access {
                Access::Read => infos.push(Info::new(height, Kind::Read)),
                Access::Write => infos.push(Info::new(height, Kind::Write)),
                Access::Both => infos.extend([Info::new(height, Kind::Test), Info::new(height, Kind::Write)]),
                Access::Rules => {
                    infos.extend([Kind::Least, Kind::Most, Kind::Write].map(|kind| Info::new(height, kind)))
                }
            }
        }
        Self { width, slots, infos }
    }

    /// Slots of a whole vector.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The slots that the relation touches, and how.
    pub fn slots(&self) -> &[(usize, Access)] {
        &self.slots
    }

    /// How many entries a row has: one for a slot that is read or written, two for one that is both, the test
    /// first.
    pub fn entries(&self) -> usize {
        self.infos.len()
    }

    pub(crate) fn infos(&self) -> &[Info] {
        &self.infos
    }
}

impl Relation {
    pub(crate) fn from_parts(diagram: Ldd, shape: Arc<Shape>) -> Self {
        Self { diagram, shape }
    }

    /// Its shape.
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// Its rows, as a diagram.
    pub fn diagram(&self) -> &Ldd {
        &self.diagram
    }

    /// Whether it has no step.
    pub fn is_empty(&self) -> bool {
        self.diagram.is_empty()
    }

    /// The same relation with these rows added.
    ///
    /// # Panics
    /// When a row does not have the shape's number of entries, or leaves a slot as it is at a place where it
    /// is tested; when the relation has rules, of which no row tells.
    pub fn with_rows<'r>(&self, rows: impl IntoIterator<Item = &'r [Entry]>) -> Result<Self, Stop> {
        let levels = self.shape.infos();
        let has_rules = self.shape.slots().iter().any(|(_, access)| *access == Access::Rules);
        assert!(!has_rules, "BUG: a row for a relation of rules");
        // All of them before the worker begins: where they come from may use the store, too.
        let mut rows: Vec<&[Entry]> = rows.into_iter().collect();
        for row in &rows {
            assert_eq!(row.len(), levels.len(), "BUG: a row of another shape");
            let is_legal =
                |(entry, level): (&Entry, &Info)| *entry != Entry::Copy || level.kind() == Kind::Write;
            assert!(row.iter().zip(levels).all(is_legal), "BUG: a test cannot be left open");
        }
        rows.sort_unstable();
        rows.dedup();
        let diagram = self.diagram.store.run([&self.diagram], |worker| {
            let steps = worker.build(&rows, 0, &|entry, level| entry.at(levels[level]))?;
            worker.keep(steps);
            worker.unite_steps(self.diagram.id, steps)
        })?;
        Ok(Self { diagram, shape: Arc::clone(&self.shape) })
    }
}

impl Entry {
    /// The value and the information of the entry's node at this level.
    pub(crate) fn at(self, level: Info) -> (u32, Info) {
        match self {
            Self::Value(value) => (value, level),
            Self::Copy => (0, Info::new(level.height(), Kind::Copy)),
        }
    }
}

impl Store {
    /// The relation of this shape without a step.
    pub fn relation(&self, shape: Shape) -> Relation {
        Relation { diagram: self.own(EMPTY), shape: Arc::new(shape) }
    }
}

impl Worker<'_> {
    /// Both relations' steps. Not cached: one of them has few rows.
    pub(crate) fn unite_steps(&mut self, mut a: Id, mut b: Id) -> Result<Id, Stop> {
        let mark = self.mark();
        let mut infos = Vec::new();
        let tail = loop {
            if a == b || b == EMPTY {
                break a;
            }
            if a == EMPTY {
                break b;
            }
            let (left, right) = (self.get(a), self.get(b));
            let entry = match left.rank().cmp(&right.rank()) {
                Ordering::Less => {
                    a = left.right;
                    left
                }
                Ordering::Greater => {
                    b = right.right;
                    right
                }
                Ordering::Equal => {
                    let down = self.unite_steps(left.down, right.down)?;
                    (a, b) = (left.right, right.right);
                    Node { down, ..left }
                }
            };
            self.push(entry.value, entry.down, EMPTY);
            infos.push(entry.info);
        };
        let mut list = tail;
        while let Some(info) = infos.pop() {
            // Popped only when it is in the list: making a node may collect what nobody holds.
            let Pending { value, down, .. } = self.scratch.pending[self.mark() - 1];
            list = self.node_of(Node { value, down, right: list, info })?;
            self.scratch.pending.pop();
        }
        debug_assert_eq!(self.mark(), mark);
        Ok(list)
    }
}
