//! Tree compression of states, shared by threads: recursive indexing, Blom, Lisser, van de Pol & Weber 2008,
//! with one table for all threads after Laarman, van de Pol & Weber, SPIN'11, and the roots in a compact hash
//! table, which Laarman's compact tree (2019) does too.
//!
//! A state is some words, the leaves of a binary tree. Each word is numbered in the table of its position,
//! and so is each pair of numbers above; the root is a pair that is only kept as a key. Neighbouring states
//! share nearly all words and pairs, so a state costs little more than its root.
//!
//! Example: the state (a, b, c, d). Its words have the numbers 0, 0, 0, 0 of their tables; the pair (0, 0)
//! of the left half gets the number 0, that of the right half too, and the root is (0, 0). A transition
//! that may write the third word leads to (a, b, e, d). Only what is above that word is looked up: `e` gets
//! the number 1, the right pair is (1, 0) and gets the number 1, and the root is (0, 1). The new state took
//! a word, a pair and a root, whatever the width of states.
//!
//! Differs: each position has a table of its own (numbers stay small, and roots with them), all tables grow,
//! and what a transition may write but left as it was is not looked up.
//!
//! Numbers are stable for ever, and so is a root, `left << 32 | right`: it stands for the state.

mod growing;
mod roots;
mod scratch;
mod squeeze;

use std::sync::atomic::Ordering::Relaxed;

use crate::compact::Compact;
use crate::growth::Crowded;
use crate::rows::{Rows, Spare};
use crate::sync::{LARGEST, Mutex};

use roots::SharedSqueeze;
use scratch::{CachedNode, MEMORY};
use squeeze::Squeeze;

pub use roots::Roots;
pub use scratch::Scratch;

/// Addresses that all node tables together may reserve: many positions have fewer nodes each.
const ADDRESSES: usize = LARGEST * 16;

/// Nodes of wider trees share tables: each takes some time to make.
const MOST_TABLES: usize = 256;

/// A set of states in a tree.
///
/// ```
/// let tree = tables::Tree::new(3).expect("addresses");
/// let mut scratch = tree.scratch();
/// let root = tree.fold(&mut scratch, &[70_000, 5, 1 << 40]).expect("a new tree has room");
/// assert_eq!((tree.insert(root), tree.insert(root)), (Ok(true), Ok(false)));
///
/// let mut words = [0; 3];
/// tree.unfold(root, &mut scratch, &mut words);
/// assert_eq!(words, [70_000, 5, 1 << 40]);
/// // A transition that may write word 1.
/// let path = tree.path(&[1]);
/// let next = tree.refold(&mut scratch, &path, &[70_000, 6, 1 << 40]).expect("room");
/// assert_eq!(Ok(next), tree.fold(&mut scratch, &[70_000, 6, 1 << 40]));
/// ```
pub struct Tree {
    leaves: usize,
    /// Pairs, children before parents. Pair `i` is at `leaves + i` where words and pairs are counted
    /// together.
    pairs: Vec<Pair>,
    /// A table for each word and pair; those of very wide states share some.
    tables: Vec<Rows>,
    /// The root's children.
    root: (usize, usize),
    roots: Compact,
    squeeze: SharedSqueeze,
    /// What the squeeze will be when the growth of the roots that is under way has ended.
    next: Mutex<Squeeze>,
}

struct Pair {
    left: usize,
    right: usize,
}

/// The words that a transition may write, and the pairs above them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    words: Box<[u32]>,
    /// Children before parents.
    pairs: Box<[u32]>,
}

impl Tree {
    /// A tree for states of so many words, two at least; `None` where the system has no addresses for it.
    pub fn new(words: usize) -> Option<Self> {
        Self::split_at(words, words / 2)
    }

    /// The same, with so many of the words in the left half. States take the least where both halves have
    /// about as many values: then there is little below each root.
    pub fn split_at(words: usize, middle: usize) -> Option<Self> {
        assert!(0 < middle && middle < words, "BUG: a root has two halves");
        let mut pairs = Vec::new();
        let root = (subtree(0, middle, words, &mut pairs), subtree(middle, words, words, &mut pairs));
        let count = (words + pairs.len()).min(MOST_TABLES);
        let most = ADDRESSES / 19 / count;
        let tables: Option<Vec<Rows>> = (0..count).map(|_| Rows::with_most(1, most)).collect();
        let tables = tables?;
        let bits = |child: usize| number_bits(tables[child % MOST_TABLES].limit());
        let squeeze = Squeeze::new(bits(root.0), bits(root.1));
        Some(Self {
            leaves: words,
            pairs,
            tables,
            root,
            roots: Compact::new(squeeze.bits())?,
            squeeze: SharedSqueeze::new(squeeze),
            next: Mutex::new(squeeze),
        })
    }

    /// What one worker needs.
    pub fn scratch(&self) -> Scratch {
        let all = vec![0; self.leaves + self.pairs.len()];
        let spares = self.tables.iter().map(|_| Spare::default()).collect();
        let nothing = CachedNode { word: 0, table: u32::MAX, number: 0 };
        let (words, cached) = (vec![0; self.leaves], Box::new([nothing; MEMORY]));
        Scratch { words, source: all.clone(), now: all, spares, unfolded: false, cached }
    }

    /// What is to be looked up again when these words may have changed.
    pub fn path(&self, words: &[usize]) -> Path {
        let mut on = vec![false; self.leaves + self.pairs.len()];
        words.iter().for_each(|&word| on[..self.leaves][word] = true);
        for (at, pair) in (self.leaves..).zip(&self.pairs) {
            on[at] = on[pair.left] || on[pair.right];
        }
        let those = |range: std::ops::Range<usize>| range.filter(|&at| on[at]).map(|at| at as u32).collect();
        Path { words: those(0..self.leaves), pairs: those(self.leaves..on.len()) }
    }

    #[inline(always)]
    fn root(&self, now: &[u32]) -> u64 {
        u64::from(now[self.root.0]) << 32 | u64::from(now[self.root.1])
    }

    /// The table of what is at this place.
    #[inline(always)]
    fn table(&self, at: usize) -> &Rows {
        &self.tables[self.table_number(at)]
    }

    #[inline(always)]
    fn table_number(&self, at: usize) -> usize {
        if at < MOST_TABLES { at } else { at % MOST_TABLES }
    }

    #[inline(always)]
    fn number(
        &self,
        at: usize,
        spares: &mut [Spare],
        cached: &mut [CachedNode; MEMORY],
        word: u64,
    ) -> Result<u32, Crowded> {
        let table = self.table_number(at);
        let rows = &self.tables[table];
        let hash = rows.hash(&[word]);
        // States that are expanded one after the other have much in common.
        let place = &mut cached[(hash as usize).wrapping_add(table) % MEMORY];
        if place.word == word && place.table as usize == table {
            return Ok(place.number);
        }
        let number = rows.insert(&mut spares[table], hash, &[word])?.number;
        *place = CachedNode { word, table: table as u32, number };
        Ok(number)
    }

    /// The root of a whole state, whose words and pairs are put in if they are not there. The source stays.
    /// When it is crowded, do it again after the growth.
    pub fn fold(&self, scratch: &mut Scratch, words: &[u64]) -> Result<u64, Crowded> {
        assert_eq!(words.len(), self.leaves, "BUG: a state of another width");
        let Scratch { source, now, spares, cached, .. } = scratch;
        let mut numbers = || {
            for (at, &word) in words.iter().enumerate() {
                now[at] = self.number(at, spares, cached, word)?;
            }
            for (at, children) in (self.leaves..).zip(&self.pairs) {
                now[at] = self.number(at, spares, cached, pair(now, children))?;
            }
            Ok(self.root(now))
        };
        let root = numbers();
        now.copy_from_slice(source);
        root
    }

    /// The words of a state that was folded. It becomes the source.
    #[inline]
    pub fn unfold(&self, root: u64, scratch: &mut Scratch, words: &mut [u64]) {
        let source = &mut scratch.source[..];
        source[self.root.0] = (root >> 32) as u32;
        source[self.root.1] = root as u32;
        for (index, children) in self.pairs.iter().enumerate().rev() {
            let at = self.leaves + index;
            let pair = self.table(at).word(source[at]);
            source[children.left] = (pair >> 32) as u32;
            source[children.right] = pair as u32;
        }
        for (at, (word, own)) in words.iter_mut().zip(&mut scratch.words).enumerate() {
            *word = self.table(at).word(source[at]);
            *own = *word;
        }
        scratch.now.copy_from_slice(source);
        scratch.unfolded = true;
    }

    /// The root of a state that differs from the source at most in the words of the path. When it is crowded,
    /// do it again after the growth.
    #[inline]
    pub fn refold(&self, scratch: &mut Scratch, path: &Path, words: &[u64]) -> Result<u64, Crowded> {
        assert!(scratch.unfolded, "BUG: no state was unfolded that this one could differ from");
        let Scratch { words: before, source, now, spares, cached, .. } = scratch;
        let mut numbers = || {
            for &at in &path.words {
                let at = at as usize;
                if words[at] != before[at] {
                    now[at] = self.number(at, spares, cached, words[at])?;
                }
            }
            for &at in &path.pairs {
                let at = at as usize;
                let children = &self.pairs[at - self.leaves];
                let pair_now = pair(now, children);
                if pair_now != pair(source, children) {
                    now[at] = self.number(at, spares, cached, pair_now)?;
                }
            }
            Ok(self.root(now))
        };
        let root = numbers();
        for &at in path.words.iter().chain(&path.pairs) {
            now[at as usize] = source[at as usize];
        }
        root
    }

    /// Asks for the place of a root ahead of its insertion.
    #[inline]
    pub fn prefetch(&self, root: u64) {
        self.roots.prefetch(self.squeeze.load().key(root));
    }

    /// Asks for the topmost words or pairs of a state ahead of its unfolding.
    #[inline]
    pub fn prefetch_halves(&self, root: u64) {
        self.table(self.root.0).prefetch_row((root >> 32) as u32);
        self.table(self.root.1).prefetch_row(root as u32);
    }

    /// Puts a state in, by its root; true if it was not there. Of several threads that insert the same one at
    /// the same time, one is told so.
    #[inline]
    pub fn insert(&self, root: u64) -> Result<bool, Crowded> {
        if root & self.squeeze.unused.load(Relaxed) != 0 {
            return Err(self.misfit(root));
        }
        self.roots.insert(self.squeeze.load().key(root))
    }

    /// The roots as they are until the next barrier, for who has many to insert.
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

    /// A root with more bits than roots have: the tables grew and the roots could not, or it never was a
    /// root.
    #[cold]
    fn misfit(&self, root: u64) -> Crowded {
        let (left, right) = self.halves(Rows::limit);
        assert_eq!(root & Squeeze::new(left, right).unused(), 0, "BUG: a root that no state has");
        Crowded
    }

    /// Bits that the halves of a root have where tables have such limits.
    fn halves(&self, limit: impl Fn(&Rows) -> usize) -> (u32, u32) {
        let bits = |child: usize| number_bits(limit(self.table(child)));
        (bits(self.root.0), bits(self.root.1))
    }

    /// The bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.tables.iter().map(Rows::bytes).sum::<usize>() + self.roots.bytes()
    }

    /// Nodes of all positions, without the roots. As [`Rows::len`] it counts numbers that workers took and
    /// have not used yet; [`Scratch::inserted`] summed is exact.
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

/// The place of the subtree over these words, whose pairs are added.
fn subtree(start: usize, end: usize, leaves: usize, pairs: &mut Vec<Pair>) -> usize {
    if end - start == 1 {
        return start;
    }
    let middle = start + (end - start) / 2;
    let left = subtree(start, middle, leaves, pairs);
    let right = subtree(middle, end, leaves, pairs);
    pairs.push(Pair { left, right });
    leaves + pairs.len() - 1
}

/// The pair of children that have these numbers.
#[inline(always)]
fn pair(numbers: &[u32], children: &Pair) -> u64 {
    u64::from(numbers[children.left]) << 32 | u64::from(numbers[children.right])
}

/// Bits of the numbers below.
fn number_bits(limit: usize) -> u32 {
    (usize::BITS - limit.saturating_sub(1).leading_zeros()).max(1)
}
