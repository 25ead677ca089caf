//! Reads Sylvan's dumps of transition systems: an initial set and relations, as `lddmc` reads them.
//!
//! A dump is: the number of slots; a set; the number of relations; for each, how many slots it reads and
//! writes and which; then for each its diagram. A diagram is the number of its nodes and the nodes, sixteen
//! bytes each, children first, numbered from 2.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::relation::{Access, Relation, Shape};
use crate::store::node::{EMPTY, Id, Info, Kind, Node, UNIT};
use crate::store::{Ldd, Stop, Store};
use crate::worker::Worker;

/// Slots that a dump may have: reading recurses twice a slot, and must not use up a thread's stack whatever
/// the bytes are.
const MOST_SLOTS: usize = 2048;

/// A transition system in diagrams.
pub struct Dump {
    /// Slots of a state.
    pub width: usize,
    /// The initial states.
    pub initial: Ldd,
    /// The relations.
    pub relations: Vec<Relation>,
}

/// Why bytes are no dump.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DumpError {
    /// They end, or say something impossible, at this byte.
    Malformed(usize),
    /// The store has no room for the nodes, or was interrupted.
    Stopped(Stop),
}

impl std::fmt::Display for DumpError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Malformed(at) => write!(f, "byte {at}: this is no dump of decision diagrams"),
            Self::Stopped(stop) => stop.fmt(f),
        }
    }
}

impl std::error::Error for DumpError {}

/// A node as the dump has it.
#[derive(Clone, Copy)]
struct Raw {
    value: u32,
    down: usize,
    right: usize,
    is_copy: bool,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Nodes so far; the first two stand for the empty set and the empty vector.
    nodes: Vec<Raw>,
}

impl<'a> Reader<'a> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], DumpError> {
        let bytes = self.bytes.get(self.at..self.at + N).ok_or(DumpError::Malformed(self.at))?;
        self.at += N;
        Ok(bytes.try_into().expect("BUG: N bytes were taken"))
    }

    fn int(&mut self) -> Result<i32, DumpError> {
        Ok(i32::from_le_bytes(self.take()?))
    }

    fn count(&mut self, most: usize) -> Result<usize, DumpError> {
        let at = self.at;
        usize::try_from(self.int()?).ok().filter(|&count| count <= most).ok_or(DumpError::Malformed(at))
    }

    fn slots(&mut self, count: usize, width: usize) -> Result<Vec<usize>, DumpError> {
        let most = width.checked_sub(1).ok_or(DumpError::Malformed(self.at));
        (0..count).map(|_| self.count(most.clone()?)).collect()
    }

    fn long(&mut self) -> Result<u64, DumpError> {
        Ok(u64::from_le_bytes(self.take()?))
    }

    /// A diagram; the answer is its number among the nodes read so far.
    fn diagram(&mut self) -> Result<usize, DumpError> {
        let count = self.long()?;
        for _ in 0..count {
            let at = self.at;
            let (a, b) = (self.long()?, self.long()?);
            let raw = Raw {
                value: (a >> 48) as u32 | (b as u32 & 0xFFFF) << 16,
                right: ((a & 0xFFFF_FFFF_FFFF) >> 1) as usize,
                down: (b >> 17) as usize,
                is_copy: b & 0x1_0000 != 0,
            };
            if raw.right >= self.nodes.len() || raw.down >= self.nodes.len() {
                return Err(DumpError::Malformed(at));
            }
            self.nodes.push(raw);
        }
        let at = self.at;
        usize::try_from(self.long()?)
            .ok()
            .filter(|&root| root < self.nodes.len())
            .ok_or(DumpError::Malformed(at))
    }
}

/// The shape of a relation that reads and writes these slots.
fn shape(read: Vec<usize>, write: Vec<usize>, width: usize) -> Shape {
    let mut slots: BTreeMap<usize, Access> = read.into_iter().map(|slot| (slot, Access::Read)).collect();
    for slot in write {
        let access = slots.entry(slot).or_insert(Access::Write);
        *access = if *access == Access::Write { Access::Write } else { Access::Both };
    }
    Shape::new(width, slots.into_iter().collect())
}

impl Store {
    /// Reads a dump.
    pub fn read_dump(&self, bytes: &[u8]) -> Result<Dump, DumpError> {
        let nothing = Raw { value: 0, down: 0, right: 0, is_copy: false };
        let mut reader = Reader { bytes, at: 0, nodes: vec![nothing; 2] };
        let width = reader.count(MOST_SLOTS)?;
        if reader.int()? != -1 {
            return Err(DumpError::Malformed(reader.at));
        }
        let root = reader.diagram()?;
        let plain = vec![Info::SET; width];
        let initial = self.import(&reader.nodes, root, &plain, reader.at)?;
        let count = reader.count(1 << 20)?;
        let mut shapes = Vec::new();
        for _ in 0..count {
            let (reads, writes) = (reader.count(width)?, reader.count(width)?);
            let (read, write) = (reader.slots(reads, width)?, reader.slots(writes, width)?);
            shapes.push(shape(read, write, width));
        }
        let mut relations = Vec::new();
        for shape in shapes {
            let root = reader.diagram()?;
            let diagram = self.import(&reader.nodes, root, shape.infos(), reader.at)?;
            relations.push(Relation::from_parts(diagram, Arc::new(shape)));
        }
        Ok(Dump { width, initial, relations })
    }

    /// The diagram with these levels.
    fn import(&self, nodes: &[Raw], root: usize, levels: &[Info], at: usize) -> Result<Ldd, DumpError> {
        let mut import = Import { worker: self.worker(), nodes, known: HashMap::new() };
        let id = import.list(root, levels).map_err(|error| match error {
            Unusable::Malformed => DumpError::Malformed(at),
            Unusable::Stopped(stop) => DumpError::Stopped(stop),
        })?;
        Ok(self.own(id))
    }
}

/// Why a diagram cannot be imported.
enum Unusable {
    Malformed,
    Stopped(Stop),
}

/// A diagram on its way into a store.
struct Import<'a> {
    worker: Worker<'a>,
    nodes: &'a [Raw],
    /// What was made of a node so far, by its number and how many levels it has. All of it is held: dumps are
    /// small.
    known: HashMap<(usize, usize), Id>,
}

impl Import<'_> {
    /// The list that begins with this node, which has these levels.
    fn list(&mut self, raw: usize, levels: &[Info]) -> Result<Id, Unusable> {
        let Some((&level, below)) = levels.split_first() else {
            // Behind the slots may stand the action of the transition, which plays no part here.
            let is_end = raw == 1 || self.nodes[raw].down == 1;
            return match raw {
                0 => Ok(EMPTY),
                _ if is_end => Ok(UNIT),
                _ => Err(Unusable::Malformed),
            };
        };
        let (fresh, mut list) = self.unknown(raw, level, levels.len())?;
        for raw in fresh.into_iter().rev() {
            let Raw { value, down, is_copy, .. } = self.nodes[raw];
            let down = self.list(down, below)?;
            let info = if is_copy { Info::new(level.height(), Kind::Copy) } else { level };
            list = self.worker.node_of(Node { value, down, right: list, info }).map_err(Unusable::Stopped)?;
            self.worker.keep(list);
            self.known.insert((raw, levels.len()), list);
        }
        Ok(list)
    }

    /// The nodes of a list up to the first that is known, and what that one is.
    fn unknown(&self, mut raw: usize, level: Info, height: usize) -> Result<(Vec<usize>, Id), Unusable> {
        let may_copy = level != Info::SET && level.kind() == Kind::Write;
        let mut fresh = Vec::new();
        let mut last = None;
        while raw != 0 {
            let node = self.nodes[raw];
            // A copy stands before all values, with none of its own.
            let rank = (!node.is_copy, node.value);
            let is_legal = raw != 1 && (!node.is_copy || (may_copy && node.value == 0));
            if !is_legal || last.is_some_and(|last| last >= rank) {
                return Err(Unusable::Malformed);
            }
            if let Some(&id) = self.known.get(&(raw, height)) {
                return Ok((fresh, id));
            }
            fresh.push(raw);
            (last, raw) = (Some(rank), node.right);
        }
        Ok((fresh, EMPTY))
    }
}
