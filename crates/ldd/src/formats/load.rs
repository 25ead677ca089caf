//! Diagrams from bytes, as [`super::save`] describes them.
//!
//! A file is not trusted: each node is checked to be one that an operation could have made, before any is
//! made. So what is loaded is as good as what was computed, and a file of noise is an error.

use std::io::{self, BufReader, Read};
use std::sync::Arc;

use crate::counting::sizes::levels;
use crate::formats::save::{Checksum, MAGIC};
use crate::relation::{Relation, Shape};
use crate::store::cache::MOST_NODES;
use crate::store::node::{EMPTY, Id, Info, Kind, Node, UNIT};
use crate::store::{Ldd, Store};

impl Store {
    /// Reads the diagrams that [`Store::save`] wrote, from this or another store. There must be nothing
    /// behind them.
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// assert!(store.load(&b"no diagrams"[..]).is_err());
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    ///
    /// # Errors
    /// What reading answers; `InvalidData` or `UnexpectedEof` for what is no saved file; `OutOfMemory` when
    /// there is no room for the nodes.
    pub fn load(&self, from: impl Read) -> io::Result<Vec<Ldd>> {
        // All of it before the worker begins: a slow reader must not keep others from collecting garbage.
        let (nodes, roots) = Reader::new(from).diagrams()?;
        let out_of_nodes = |error| io::Error::new(io::ErrorKind::OutOfMemory, error);
        let mut worker = self.worker();
        let mut ids: Vec<Id> = vec![EMPTY, UNIT];
        for node in nodes {
            let made = Node { down: ids[node.down as usize], right: ids[node.right as usize], ..node };
            let id = worker.node_of(made).map_err(out_of_nodes)?;
            worker.keep(id);
            ids.push(id);
        }
        Ok(roots.into_iter().map(|root| self.own(ids[root as usize])).collect())
    }

    /// The relation of this shape whose rows are this diagram, for one that was loaded; `None` where it has
    /// another shape.
    ///
    /// ```
    /// use ldd::{Access, Entry::Value, Shape, Store};
    /// let store = Store::with_memory(1 << 24)?;
    /// let shape = Shape::new(3, vec![(1, Access::Read)]);
    /// let steps = store.relation(shape.clone()).with_rows([&[Value(7)][..]])?;
    /// assert!(store.relation_of(shape, steps.diagram()).is_some());
    /// assert!(store.relation_of(Shape::new(3, vec![(2, Access::Read)]), steps.diagram()).is_none());
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn relation_of(&self, shape: Shape, rows: &Ldd) -> Option<Relation> {
        self.assert_owns(rows);
        let levels = levels(&self.inner, rows.id);
        let fits = |(ids, &level): (&Vec<Id>, &Info)| {
            let may_be = |info: Info| {
                info == level
                    || (level.kind() == Kind::Write
                        && info.height() == level.height()
                        && matches!(info.kind(), Kind::Copy | Kind::Add))
            };
            ids.iter().map(|&id| self.inner.unique.get(id).info).all(may_be)
        };
        let is_whole = rows.is_empty() || levels.len() == shape.entries();
        let fits = is_whole && levels.iter().zip(shape.infos()).all(fits);
        fits.then(|| Relation::from_parts(rows.clone(), Arc::new(shape)))
    }
}

/// A node's number in the file: 0 and 1 as in a store, then from 2.
type Number = u32;

struct Reader<R: Read> {
    from: BufReader<R>,
    checksum: Checksum,
    at: u64,
    /// Their children are numbers in the file.
    nodes: Vec<Node>,
    /// How many levels each of the nodes has.
    levels: Vec<u32>,
}

impl<R: Read> Reader<R> {
    fn new(from: R) -> Self {
        let (nodes, levels) = (Vec::new(), Vec::new());
        Self { from: BufReader::new(from), checksum: Checksum::START, at: 0, nodes, levels }
    }

    fn diagrams(mut self) -> io::Result<(Vec<Node>, Vec<Number>)> {
        for expected in MAGIC {
            if self.byte()? != expected {
                return Err(self.malformed("these are no saved diagrams, or of another version"));
            }
        }
        for _ in 0..self.number(MOST_NODES as u64)? {
            let node = self.node()?;
            let levels =
                self.levels_of(node).ok_or_else(|| self.malformed("this is no node of a diagram"))?;
            self.nodes.push(node);
            self.levels.push(levels);
        }
        let mut roots = Vec::new();
        for _ in 0..self.number(u64::MAX)? {
            roots.push(self.reference()?);
        }
        let checksum = self.checksum.0;
        for expected in checksum.to_le_bytes() {
            if self.byte()? != expected {
                return Err(self.malformed("the checksum differs"));
            }
        }
        match self.from.read(&mut [0])? {
            0 => Ok((self.nodes, roots)),
            _ => Err(self.malformed("something stands behind the diagrams")),
        }
    }

    fn malformed(&self, what: &str) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, format!("byte {}: {what}", self.at))
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.from.read_exact(&mut byte)?;
        self.checksum.add(byte[0]);
        self.at += 1;
        Ok(byte[0])
    }

    fn number(&mut self, most: u64) -> io::Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return if number <= most { Ok(number) } else { Err(self.malformed("too large a number")) };
            }
        }
        Err(self.malformed("too long a number"))
    }

    fn reference(&mut self) -> io::Result<Number> {
        let read = self.nodes.len() as u64;
        Ok(match self.number(read + 1)? {
            terminal @ (0 | 1) => terminal as Number,
            back => (read + 3 - back) as Number,
        })
    }

    fn node(&mut self) -> io::Result<Node> {
        let head = self.number(u64::from(u32::MAX) << 1 | 1)?;
        let info = if head & 1 == 1 { self.number(u32::MAX.into())? } else { 0 };
        let (down, right) = (self.reference()?, self.reference()?);
        Ok(Node { value: (head >> 1) as u32, down, right, info: Info(info as u32) })
    }

    /// How many levels a node has, if it is one.
    fn levels_of(&self, node: Node) -> Option<u32> {
        let known = |number: Number| {
            number.checked_sub(2).map(|at| (self.nodes[at as usize], self.levels[at as usize]))
        };
        let below = known(node.down);
        let levels = below.map_or(0, |(_, levels)| levels) + 1;
        let is_list = match known(node.right) {
            Some((right, others)) => {
                others == levels && is_same_level(node.info, right.info) && node.rank() < right.rank()
            }
            None => node.right == EMPTY,
        };
        let is_above = node.down != EMPTY && is_above(node.info, below.map(|(below, _)| below.info));
        let is_copy = node.info != Info::SET && node.info.kind() == Kind::Copy;
        // What stands below the beginning of a range stands alone.
        let is_alone = node.info != Info::SET && matches!(node.info.kind(), Kind::Most | Kind::Add);
        (is_list && is_above && (!is_alone || node.right == EMPTY) && (!is_copy || node.value == 0))
            .then_some(levels)
    }
}

/// Whether nodes with this information may stand in one list.
fn is_same_level(a: Info, b: Info) -> bool {
    let is_written = |info: Info| matches!(info.kind(), Kind::Write | Kind::Copy);
    a == b || (a != Info::SET && b != Info::SET && a.height() == b.height() && is_written(a) && is_written(b))
}

/// Whether a node with this information may stand above one with that, or above the end.
fn is_above(info: Info, below: Option<Info>) -> bool {
    if info == Info::SET {
        return below.is_none_or(|below| below == Info::SET);
    }
    let is_written = |below: Info| matches!(below.kind(), Kind::Write | Kind::Copy);
    info.height() > 0
        && match (info.kind(), below) {
            (Kind::Test, below) => {
                below.is_some_and(|below| below.height() == info.height() && is_written(below))
            }
            (Kind::Least, below) => below == Some(Info::new(info.height(), Kind::Most)),
            (Kind::Most, below) => below.is_some_and(|below| {
                below.height() == info.height() && (is_written(below) || below.kind() == Kind::Add)
            }),
            (_, below) => below.is_none_or(|below| below != Info::SET && below.height() < info.height()),
        }
}
