//! Tree compression of states, shared by threads: recursive indexing, Blom, Lisser, van de Pol & Weber 2008, with one table for all threads after
//! Laarman, van de Pol & Weber, SPIN'11, and the roots in a compact hash table, which Laarman's compact tree (2019) does too.
//!
//! A state is `n` chunks of up to 32 bits, the leaves of a balanced binary tree. Each inner node but the root is a pair of numbers, itself
//! numbered in the table of its position; the root is a pair that is only kept as a key. Neighbouring states share nearly all nodes, so a state
//! costs little more than its root. Differs: each position has a table of its own (numbers stay small, and roots with them), all tables grow, and a
//! successor only looks up nodes above the chunks that its transition may write and that did change.
//!
//! Node numbers are stable for ever, and so is a root, `left << 32 | right`: it stands for the state.

use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

use crate::compact::{Compact, View, Wish};
use crate::growth::{Crowded, Full};
use crate::rows::Rows;
use crate::spare::Spare;
use crate::squeeze::{Cuts, Squeeze, WORDS};
use crate::sync::{AtomicU64, LARGEST, Mutex};

/// Addresses that all node tables together may reserve: many positions have fewer nodes each.
const ADDRESSES: usize = LARGEST * 16;
/// A root table of fewer bytes is built anew when roots get more bits.
const SMALL: usize = 1 << 20;

/// Nodes that a worker remembers: as many as stay in the nearest caches.
const MEMORY: usize = 1 << 11;
/// Nodes of wider trees share tables: each takes some time to make.
const MOST_TABLES: usize = 256;
/// A small table gets room for so many nodes at once.
const FIRST_NODES: usize = 1 << 10;
/// A small tree gets room for so many states at once.
const FIRST_ROOTS: u64 = 1 << 12;
/// Roots grow when there is no room for one part in so many more.
const SLACK_PART: u64 = 64;

/// A set of states in a tree.
///
/// ```
/// let tree = tables::Tree::new(&[32, 8, 32]).expect("addresses");
/// let mut scratch = tree.scratch();
/// let root = tree.fold(&mut scratch, &[70_000, 5, 1]).expect("a new tree has room");
/// assert_eq!((tree.insert(root), tree.insert(root)), (Ok(true), Ok(false)));
///
/// let mut chunks = [0; 3];
/// tree.unfold(root, &mut scratch, &mut chunks);
/// assert_eq!(chunks, [70_000, 5, 1]);
/// // A transition that may write chunk 1.
/// let path = tree.path(&[1]);
/// let next = tree.refold(&mut scratch, &path, |chunk| [70_000, 6, 1][chunk]).expect("room");
/// assert_eq!(Ok(next), tree.fold(&mut scratch, &[70_000, 6, 1]));
/// ```
pub struct Tree {
    chunk_bits: Vec<u8>,
    /// Children before parents. Node `i` is at `leaves + i` where chunks and nodes are counted together.
    nodes: Vec<Node>,
    /// A table for each node; nodes of very wide states share some.
    tables: Vec<Rows>,
    /// The root's children; a single chunk is only the right one.
    root: (Option<usize>, usize),
    roots: Compact,
    squeeze: SharedSqueeze,
    /// What the squeeze will be when the growth of the roots that is under way has ended.
    next: Mutex<Squeeze>,
}

struct Node {
    left: usize,
    right: usize,
    table: usize,
}

/// How roots become keys, which changes at meetings only.
struct SharedSqueeze {
    words: [AtomicU64; WORDS],
    unused: AtomicU64,
}

impl SharedSqueeze {
    fn new(squeeze: Squeeze) -> Self {
        Self { words: squeeze.0.map(AtomicU64::new), unused: AtomicU64::new(squeeze.unused()) }
    }

    // Relaxed: a meeting orders what comes before and after it.
    fn store(&self, squeeze: Squeeze) {
        self.words.iter().zip(squeeze.0).for_each(|(shared, word)| shared.store(word, Relaxed));
        self.unused.store(squeeze.unused(), Relaxed);
    }

    #[inline(always)]
    fn load(&self) -> Squeeze {
        Squeeze(std::array::from_fn(|at| self.words[at].load(Relaxed)))
    }
}

/// A worker's own: the numbers of all nodes of its *source*, the state that it unfolded last, and spare numbers for new nodes. It belongs to one
/// tree.
pub struct Scratch {
    /// Chunks and nodes of the source.
    source: Vec<u32>,
    /// Those of the state that is being folded; between calls, those of the source.
    now: Vec<u32>,
    spares: Vec<Spare>,
    unfolded: bool,
    /// Nodes that were looked up lately, each with its table and its number.
    lately: Box<[Lately; MEMORY]>,
}

/// A pair, its table and its number, which stay for ever; no table where there is none.
#[derive(Clone, Copy)]
struct Lately {
    pair: u64,
    table: u32,
    number: u32,
}

impl Scratch {
    /// How many nodes were new when they were inserted with this.
    pub fn inserted(&self) -> u64 {
        self.spares.iter().map(Spare::inserted).sum()
    }
}

/// The chunks that a transition may write, and the nodes above them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    leaves: Box<[u32]>,
    /// Children before parents.
    nodes: Box<[u32]>,
}

impl Tree {
    /// A tree for states of chunks of so many bits each, 1 to 32, at least one chunk; `None` where the system has no addresses for it.
    pub fn new(chunk_bits: &[u8]) -> Option<Self> {
        Self::split_at(chunk_bits, chunk_bits.len() / 2)
    }

    /// The same, with so many of the chunks in the left half. States take the least where both halves have about as many values: then there are
    /// few nodes for each root.
    pub fn split_at(chunk_bits: &[u8], middle: usize) -> Option<Self> {
        assert!(!chunk_bits.is_empty(), "BUG: a state without chunks");
        assert!(chunk_bits.iter().all(|bits| (1..=32).contains(bits)), "BUG: a chunk has 1 to 32 bits");
        let leaves = chunk_bits.len();
        let mut nodes = Vec::new();
        let root = match (middle, leaves - middle) {
            (0, _) | (_, 0) if leaves == 1 => (None, 0),
            _ => (Some(subtree(0, middle, leaves, &mut nodes)), subtree(middle, leaves, leaves, &mut nodes)),
        };
        let count = nodes.len().min(MOST_TABLES);
        let most = ADDRESSES / 19 / count.max(1);
        let tables: Option<Vec<Rows>> = (0..count).map(|_| Rows::with_most(1, most)).collect();
        let tables = tables?;
        let bits = |child: usize| match child.checked_sub(leaves) {
            Some(node) => number_bits(tables[nodes[node].table].limit()),
            None => u32::from(chunk_bits[child]),
        };
        let squeeze = Squeeze::new(root.0.map_or(0, bits), bits(root.1));
        Some(Self {
            chunk_bits: chunk_bits.to_vec(),
            nodes,
            tables,
            root,
            roots: Compact::new(squeeze.bits())?,
            squeeze: SharedSqueeze::new(squeeze),
            next: Mutex::new(squeeze),
        })
    }

    fn leaves(&self) -> usize {
        self.chunk_bits.len()
    }

    /// What one worker needs.
    pub fn scratch(&self) -> Scratch {
        let all = vec![0; self.leaves() + self.nodes.len()];
        let spares = self.tables.iter().map(|_| Spare::default()).collect();
        let nothing = Lately { pair: 0, table: u32::MAX, number: 0 };
        Scratch { source: all.clone(), now: all, spares, unfolded: false, lately: Box::new([nothing; MEMORY]) }
    }

    /// The nodes to be looked up again when these chunks may have changed.
    pub fn path(&self, chunks: &[usize]) -> Path {
        let mut on = vec![false; self.leaves() + self.nodes.len()];
        chunks.iter().for_each(|&chunk| on[..self.leaves()][chunk] = true);
        for (at, node) in (self.leaves()..).zip(&self.nodes) {
            on[at] = on[node.left] || on[node.right];
        }
        let those = |range: std::ops::Range<usize>| range.filter(|&at| on[at]).map(|at| at as u32).collect();
        Path { leaves: those(0..self.leaves()), nodes: those(self.leaves()..on.len()) }
    }

    #[inline(always)]
    fn root(&self, now: &[u32]) -> u64 {
        let left = self.root.0.map_or(0, |left| now[left]);
        u64::from(left) << 32 | u64::from(now[self.root.1])
    }

    #[inline(always)]
    fn number(
        &self,
        table: usize,
        spares: &mut [Spare],
        lately: &mut [Lately; MEMORY],
        pair: u64,
    ) -> Result<u32, Crowded> {
        let rows = &self.tables[table];
        let hash = rows.hash(&[pair]);
        // States that are expanded one after the other have much in common.
        let place = &mut lately[(hash as usize).wrapping_add(table) % MEMORY];
        if place.pair == pair && place.table as usize == table {
            return Ok(place.number);
        }
        let number = rows.insert(&mut spares[table], hash, &[pair])?.number;
        *place = Lately { pair, table: table as u32, number };
        Ok(number)
    }

    /// The root of a whole state, whose nodes are put in if they are not there. The source stays. When it is crowded, do it again after the
    /// growth.
    pub fn fold(&self, scratch: &mut Scratch, chunks: &[u32]) -> Result<u64, Crowded> {
        let now = &mut scratch.now;
        now[..self.leaves()].copy_from_slice(chunks);
        let mut root = Ok(());
        for (at, node) in self.nodes.iter().enumerate() {
            match self.number(node.table, &mut scratch.spares, &mut scratch.lately, pair(now, node)) {
                Ok(number) => now[chunks.len() + at] = number,
                Err(crowded) => {
                    root = Err(crowded);
                    break;
                }
            }
        }
        let root = root.map(|()| self.root(now));
        now.copy_from_slice(&scratch.source);
        root
    }

    /// The chunks of a state that was folded. It becomes the source.
    pub fn unfold(&self, root: u64, scratch: &mut Scratch, chunks: &mut [u32]) {
        let (leaves, source) = (self.leaves(), &mut scratch.source);
        if let Some(left) = self.root.0 {
            source[left] = (root >> 32) as u32;
        }
        source[self.root.1] = root as u32;
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let pair = self.tables[node.table].word(source[leaves + at]);
            source[node.left] = (pair >> 32) as u32;
            source[node.right] = pair as u32;
        }
        chunks.copy_from_slice(&source[..leaves]);
        scratch.now.copy_from_slice(source);
        scratch.unfolded = true;
    }

    /// The root of a state that differs from the source at most in the chunks of the path. When it is crowded, do it again after the growth.
    #[inline]
    pub fn refold(&self, scratch: &mut Scratch, path: &Path, chunk: impl Fn(usize) -> u32) -> Result<u64, Crowded> {
        assert!(scratch.unfolded, "BUG: no state was unfolded that this one could differ from");
        let (source, now) = (&scratch.source[..], &mut scratch.now[..]);
        for &leaf in &path.leaves {
            now[leaf as usize] = chunk(leaf as usize);
        }
        let mut crowded = None;
        for &at in &path.nodes {
            let index = at as usize - self.chunk_bits.len();
            let node = &self.nodes[index];
            let pair_now = pair(now, node);
            if pair_now == pair(source, node) {
                continue;
            }
            match self.number(node.table, &mut scratch.spares, &mut scratch.lately, pair_now) {
                Ok(number) => now[at as usize] = number,
                Err(full) => {
                    crowded = Some(full);
                    break;
                }
            }
        }
        let root = self.root(now);
        for &at in path.leaves.iter().chain(&path.nodes) {
            now[at as usize] = source[at as usize];
        }
        crowded.map_or(Ok(root), Err)
    }

    /// Asks for the place of a root ahead of its insertion.
    #[inline]
    pub fn prefetch(&self, root: u64) {
        self.roots.prefetch(self.squeeze.load().key(root));
    }

    /// Asks for the topmost nodes of a state ahead of its unfolding.
    #[inline]
    pub fn prefetch_nodes(&self, root: u64) {
        let leaves = self.leaves();
        let children = [(self.root.0, (root >> 32) as u32), (Some(self.root.1), root as u32)];
        for (child, number) in children {
            if let Some(node) = child.and_then(|child| child.checked_sub(leaves)) {
                self.tables[self.nodes[node].table].prefetch_row(number);
            }
        }
    }

    /// Puts a state in, by its root; true if it was not there. Of several threads that insert the same one at the same time, one is told so.
    #[inline]
    pub fn insert(&self, root: u64) -> Result<bool, Crowded> {
        if root & self.squeeze.unused.load(Relaxed) != 0 {
            return Err(self.misfit(root));
        }
        self.roots.insert(self.squeeze.load().key(root))
    }

    /// The roots as they are until the next meeting, for who has many to insert.
    pub fn view(&self) -> Roots<'_> {
        Roots {
            cuts: self.squeeze.load().cuts(),
            unused: self.squeeze.unused.load(Relaxed),
            view: self.roots.view(),
            tree: self,
        }
    }

    /// The state with this root is there.
    pub fn contains(&self, root: u64) -> bool {
        root & self.squeeze.unused.load(Relaxed) == 0 && self.roots.contains(self.squeeze.load().key(root))
    }

    /// A root with more bits than roots have: the nodes grew and the roots could not, or it never was a root.
    #[cold]
    fn misfit(&self, root: u64) -> Crowded {
        let (left, right) = self.halves(Rows::limit);
        assert_eq!(root & Squeeze::new(left, right).unused(), 0, "BUG: a chunk has more bits than it was said to have");
        Crowded
    }

    /// Bits that the halves of a root have where node tables have such limits.
    fn halves(&self, limit: impl Fn(&Rows) -> usize) -> (u32, u32) {
        let bits = |child: usize| match child.checked_sub(self.leaves()) {
            Some(node) => number_bits(limit(&self.tables[self.nodes[node].table])),
            None => u32::from(self.chunk_bits[child]),
        };
        (self.root.0.map_or(0, bits), bits(self.root.1))
    }

    /// With `len` states in it, there is no room for so many more, or something was turned away.
    pub fn is_crowded(&self, len: u64, more: usize) -> bool {
        self.roots.is_crowded(len, more as u64)
            || self.tables.iter().any(|rows| rows.is_crowded(least_room(rows)))
            || self.halves(Rows::limit) != self.squeeze.load().halves()
    }

    /// With `len` states in it, the root table is fuller than it should be. (Node tables turn away what they have no room for.)
    #[inline]
    pub fn roots_are_crowded(&self, len: u64) -> bool {
        self.roots.is_crowded(len, 0)
    }

    /// At a meeting: makes room for so many more states than the `len` that there are, wherever there is none. Every thread that calls it takes
    /// part in the work. It may still be crowded before so many came, as no one knows how many nodes they need.
    pub fn grow(&self, len: u64, more: usize) -> Result<(), Full> {
        for rows in &self.tables {
            rows.grow(node_room(rows, more))?;
        }
        let next = || self.next.lock().unwrap_or_else(PoisonError::into_inner);
        self.roots.regrow(
            || {
                let (wish, squeeze) = self.wish(len, more, self.halves(Rows::limit));
                *next() = squeeze;
                wish
            },
            || self.squeeze.store(*next()),
        )
    }

    /// What becomes of the roots when their halves have so many bits.
    fn wish(&self, len: u64, more: usize, (left, right): (u32, u32)) -> (Wish, Squeeze) {
        let now = self.squeeze.load();
        let (had_left, had_right) = now.halves();
        let (left, right) = (left.max(had_left), right.max(had_right));
        let keep = now.halves() == (left, right) && !self.roots.is_crowded(len, len / SLACK_PART);
        let most = Compact::next_room(len, FIRST_ROOTS);
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
        (Wish { entries, bits: squeeze.bits(), map }, squeeze)
    }

    /// The bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.tables.iter().map(Rows::bytes).sum::<usize>() + self.roots.bytes()
    }

    /// The bytes that it takes at most while and after [`grow`](Self::grow) does as it is told.
    pub fn bytes_after_growth(&self, len: u64, more: usize) -> usize {
        let rows = self.tables.iter().map(|rows| rows.bytes_after_growth(node_room(rows, more)));
        let halves = self.halves(|rows| rows.limit_after_growth(node_room(rows, more)));
        rows.sum::<usize>() + self.roots.bytes_after(&self.wish(len, more, halves).0)
    }

    /// Nodes of all positions, without the roots. As [`Rows::len`] it counts numbers that workers took and have not used yet;
    /// [`Scratch::inserted`] summed is exact.
    pub fn nodes(&self) -> usize {
        self.tables.iter().map(Rows::len).sum()
    }

    /// Bits of a root as it is kept.
    pub fn root_bits(&self) -> u32 {
        self.roots.bits()
    }

    /// Every root, in no order that means anything.
    pub fn for_each(&self, mut each: impl FnMut(u64)) {
        let squeeze = self.squeeze.load();
        self.roots.for_each(|key| each(squeeze.pair(key)));
    }
}

/// The roots of a tree between two meetings.
pub struct Roots<'a> {
    cuts: Cuts,
    unused: u64,
    view: View<'a>,
    tree: &'a Tree,
}

impl Roots<'_> {
    /// Asks for the place of a root, and says what [`insert`](Self::insert) wants to know of it.
    #[inline(always)]
    pub fn place(&self, root: u64) -> Result<u64, Crowded> {
        if root & self.unused != 0 {
            return Err(self.tree.misfit(root));
        }
        Ok(self.view.place(self.cuts.key(root)))
    }

    /// Puts a state in, by the place of its root; true if it was not there. Of several threads that insert the same one at the same time, one is
    /// told so.
    #[inline(always)]
    pub fn insert(&self, place: u64) -> Result<bool, Crowded> {
        self.view.insert(place)
    }
}

/// The place of the subtree over these chunks, whose nodes are added.
fn subtree(start: usize, end: usize, leaves: usize, nodes: &mut Vec<Node>) -> usize {
    assert!(start < end, "BUG: half a tree without chunks");
    if end - start == 1 {
        return start;
    }
    let middle = start + (end - start) / 2;
    let left = subtree(start, middle, leaves, nodes);
    let right = subtree(middle, end, leaves, nodes);
    nodes.push(Node { left, right, table: nodes.len() % MOST_TABLES });
    leaves + nodes.len() - 1
}

/// The pair of a node whose children have these numbers.
#[inline(always)]
fn pair(numbers: &[u32], node: &Node) -> u64 {
    u64::from(numbers[node.left]) << 32 | u64::from(numbers[node.right])
}

/// Bits of the numbers below.
fn number_bits(limit: usize) -> u32 {
    (usize::BITS - limit.saturating_sub(1).leading_zeros()).max(1)
}

/// New nodes that a table should have room for.
fn least_room(rows: &Rows) -> usize {
    rows.limit() / 16 + 1
}

/// New nodes that a table is to have room for when so many new states come: no more than half of what it has, as states are many and nodes
/// are few. None if it has room enough.
fn node_room(rows: &Rows, more: usize) -> usize {
    let least = least_room(rows);
    if rows.is_crowded(least) { more.min(rows.len() / 2 + FIRST_NODES).max(least) } else { 0 }
}
