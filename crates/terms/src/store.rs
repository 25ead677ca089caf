//! The store of nodes: each node is there once, for all threads.
//!
//! Nodes lie in segments of atomic words that never move, so reading takes no lock: whoever has a term got it
//! from a thread that had written the node before. To find or add a node locks one of many shards of the
//! table; each evaluator has a small table of what it met lately in front of that. Nodes are never freed: a
//! state may hold any of them.

pub(crate) mod node;

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::term::{FIRST_NODE, Term};

use node::Header;

const SEGMENT_BITS: u32 = 20;
const SEGMENT: usize = 1 << SEGMENT_BITS;
/// Nodes start at even words: 2³⁰ places are 2³¹ words, 8 GiB.
const SEGMENTS: usize = 1 << (31 - SEGMENT_BITS);
const SHARDS: usize = 64;
/// Words that a shard takes at a time for its nodes.
const CHUNK: usize = 1 << 10;

type Segment = Box<[AtomicU32; SEGMENT]>;

/// There is no room for another node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoreFull;

/// All nodes of the terms of one specification.
pub struct Store {
    segments: Box<[OnceLock<Segment>]>,
    /// The first word that nobody has.
    next: AtomicU64,
    /// No more words than this.
    limit: u64,
    table_bytes: AtomicU64,
    shards: Box<[Mutex<Shard>]>,
}

#[derive(Default)]
struct Shard {
    /// Upper half: hash; lower half: node, or 0.
    table: Vec<u64>,
    len: usize,
    /// Words for the next nodes.
    free: std::ops::Range<usize>,
}

/// What one thread met lately.
pub(crate) struct Recent {
    terms: Box<[u32]>,
}

impl Recent {
    /// For an evaluator.
    pub(crate) fn new() -> Self {
        Self { terms: vec![0; 1 << 14].into() }
    }

    /// For a few terms.
    pub(crate) fn small() -> Self {
        Self { terms: vec![0; 1 << 5].into() }
    }
}

impl Store {
    /// An empty store that takes at most this many bytes for nodes.
    pub fn new(most_bytes: u64) -> Self {
        Self {
            segments: (0..SEGMENTS).map(|_| OnceLock::new()).collect(),
            next: AtomicU64::new(0),
            limit: (most_bytes / 4).min((SEGMENTS * SEGMENT) as u64),
            table_bytes: AtomicU64::new(0),
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
        }
    }

    /// The memory that it takes.
    pub fn bytes(&self) -> u64 {
        let words = self.next.load(Relaxed).next_multiple_of(SEGMENT as u64);
        4 * words + self.table_bytes.load(Relaxed) + (SEGMENTS * size_of::<OnceLock<Segment>>()) as u64
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.shards.iter().map(|shard| lock(shard).len).sum()
    }

    #[inline]
    fn word(&self, at: usize) -> u32 {
        match self.segments[at >> SEGMENT_BITS].get() {
            Some(segment) => segment[at % SEGMENT].load(Relaxed),
            None => panic!("BUG: a term that is no node of this store"),
        }
    }

    #[inline]
    fn place(term: u32) -> usize {
        debug_assert!(crate::term::is_node(term));
        ((term - FIRST_NODE) as usize) << 1
    }

    /// The head of a node.
    #[inline]
    pub(crate) fn header(&self, term: u32) -> Header {
        Header(self.word(Self::place(term)))
    }

    /// Part number `at` of a node with fewer than 63.
    #[inline]
    pub(crate) fn part(&self, term: u32, at: usize) -> u32 {
        let place = Self::place(term);
        match self.segments[place >> SEGMENT_BITS].get() {
            // A node never crosses the end of a segment.
            Some(segment) => segment[(place + 1 + at) % SEGMENT].load(Relaxed),
            None => panic!("BUG: a term that is no node of this store"),
        }
    }

    /// The parts of a node.
    #[inline]
    pub(crate) fn parts(&self, term: u32) -> Parts<'_> {
        let place = Self::place(term);
        let segment: &[AtomicU32] = match self.segments[place >> SEGMENT_BITS].get() {
            Some(segment) => &segment[..],
            None => panic!("BUG: a term that is no node of this store"),
        };
        let at = place % SEGMENT;
        let words = match Header(segment[at].load(Relaxed)).short_length() {
            Some(length) => &segment[at + 1..at + 1 + length],
            None => &segment[at + 2..at + 2 + segment[at + 1].load(Relaxed) as usize],
        };
        Parts { words }
    }

    /// The node with this head and these parts.
    #[inline]
    pub(crate) fn node(&self, recent: &mut Recent, head: Header, parts: &[u32]) -> Result<u32, StoreFull> {
        let hash = hash(head, parts);
        let mask = recent.terms.len() - 1;
        let slot = &mut recent.terms[(hash >> 40) as usize & mask];
        if *slot != 0 && self.is(*slot, head, parts) {
            return Ok(*slot);
        }
        let found = self.find_or_add(hash, head, parts)?;
        *slot = found;
        Ok(found)
    }

    #[inline]
    fn is(&self, term: u32, head: Header, parts: &[u32]) -> bool {
        let place = Self::place(term);
        let Some(segment) = self.segments[place >> SEGMENT_BITS].get() else { return false };
        let at = place % SEGMENT;
        if segment[at].load(Relaxed) != head.0 {
            return false;
        }
        let words = match head.short_length() {
            Some(length) => &segment[at + 1..at + 1 + length],
            None => &segment[at + 2..at + 2 + segment[at + 1].load(Relaxed) as usize],
        };
        words.len() == parts.len() && words.iter().zip(parts).all(|(word, part)| word.load(Relaxed) == *part)
    }

    #[inline(never)]
    fn find_or_add(&self, hash: u64, head: Header, parts: &[u32]) -> Result<u32, StoreFull> {
        let number = hash as usize % SHARDS;
        let mut shard = lock(&self.shards[number]);
        // Full when it is half full to three quarters full, each at another time: were all to double at once,
        // memory would be over before anybody has asked for it.
        if shard.len * 4 * SHARDS >= shard.table.len() * (2 * SHARDS + number) {
            let before = shard.table.len();
            shard.grow();
            self.table_bytes.fetch_add(8 * (shard.table.len() - before) as u64, Relaxed);
        }
        let mask = shard.table.len() - 1;
        let tag = hash >> 32;
        let mut at = tag as usize & mask;
        loop {
            let entry = shard.table[at];
            if entry == 0 {
                break;
            }
            if entry >> 32 == tag && self.is(entry as u32, head, parts) {
                return Ok(entry as u32);
            }
            at = (at + 1) & mask;
        }
        let term = self.add(&mut shard.free, head, parts)?;
        shard.table[at] = tag << 32 | u64::from(term);
        shard.len += 1;
        Ok(term)
    }

    fn add(&self, free: &mut std::ops::Range<usize>, head: Header, parts: &[u32]) -> Result<u32, StoreFull> {
        let long = head.short_length().is_none();
        let words = (parts.len() + 1 + usize::from(long)).next_multiple_of(2);
        let at = match words <= free.len() {
            true => free.start,
            false if words > CHUNK / 4 => self.take(words)?,
            false => {
                *free = self.take(CHUNK).map(|at| at..at + CHUNK)?;
                free.start
            }
        };
        if free.start == at {
            free.start += words;
        }
        let make = || -> Segment {
            let words: Box<[AtomicU32]> = (0..SEGMENT).map(|_| AtomicU32::new(0)).collect();
            words.try_into().unwrap_or_else(|_| panic!("BUG: a segment of the wrong size"))
        };
        let segment = self.segments[at >> SEGMENT_BITS].get_or_init(make);
        let mut to = at % SEGMENT;
        let mut put = |word: u32| {
            segment[to].store(word, Relaxed);
            to += 1;
        };
        put(head.0);
        if long {
            put(parts.len() as u32);
        }
        parts.iter().for_each(|&part| put(part));
        Ok(FIRST_NODE + (at >> 1) as u32)
    }

    /// This many words that nobody has, all in one segment.
    fn take(&self, words: usize) -> Result<usize, StoreFull> {
        if words > SEGMENT {
            return Err(StoreFull);
        }
        let mut at = self.next.load(Relaxed);
        loop {
            let from = match at as usize % SEGMENT + words > SEGMENT {
                true => at.next_multiple_of(SEGMENT as u64),
                false => at,
            };
            if from + words as u64 > self.limit {
                return Err(StoreFull);
            }
            match self.next.compare_exchange_weak(at, from + words as u64, Relaxed, Relaxed) {
                Ok(_) => return Ok(from as usize),
                Err(now) => at = now,
            }
        }
    }
}

impl Shard {
    fn grow(&mut self) {
        let new = (self.table.len() * 2).max(1 << 7);
        let old = std::mem::replace(&mut self.table, vec![0; new]);
        for entry in old.into_iter().filter(|&entry| entry != 0) {
            let mut at = (entry >> 32) as usize & (new - 1);
            while self.table[at] != 0 {
                at = (at + 1) & (new - 1);
            }
            self.table[at] = entry;
        }
    }
}

fn lock(shard: &Mutex<Shard>) -> std::sync::MutexGuard<'_, Shard> {
    // Nothing in a shard is half done when a thread ends early: entries are written last.
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

#[inline]
fn hash(head: Header, parts: &[u32]) -> u64 {
    const K: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut hash = u64::from(head.0).wrapping_mul(K);
    for &part in parts {
        hash = (hash.rotate_left(23) ^ u64::from(part)).wrapping_mul(K);
    }
    hash ^ hash >> 29
}

/// The parts of a node.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'s> {
    words: &'s [AtomicU32],
}

impl<'s> Parts<'s> {
    #[inline]
    pub(crate) fn len(self) -> usize {
        self.words.len()
    }

    #[inline]
    pub(crate) fn get(self, at: usize) -> u32 {
        self.words[at].load(Relaxed)
    }

    #[inline]
    pub(crate) fn iter(self) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + use<'s> {
        self.words.iter().map(|word| word.load(Relaxed))
    }
}

impl From<u32> for Term {
    fn from(term: u32) -> Self {
        Self(term)
    }
}

#[cfg(test)]
mod tests {
    use super::node::Shape;
    use super::*;

    #[test]
    fn every_node_is_there_once_and_stays() {
        let store = Store::new(1 << 30);
        let (mut recent, mut other) = (Recent::new(), Recent::small());
        // Short and long ones, many alike but for one part.
        let parts = |number: u32| -> Vec<u32> {
            let mut parts = vec![5; if number.is_multiple_of(100) { 70 } else { 2 + number as usize % 3 }];
            let at = number as usize % parts.len();
            parts[at] = number;
            parts
        };
        let head = |parts: &[u32]| Header::new(Shape::Set, 0, parts.len(), 0);
        let count = 200_000;
        let mut made = Vec::new();
        for number in 0..count {
            let parts = parts(number);
            made.push(store.node(&mut recent, head(&parts), &parts).unwrap());
        }
        for (number, &term) in (0..).zip(&made) {
            let parts = parts(number);
            assert_eq!(store.node(&mut other, head(&parts), &parts), Ok(term));
            assert_eq!(store.parts(term).iter().collect::<Vec<u32>>(), parts);
        }
        // Only those with all parts 5 are the same for several numbers; here there is one.
        assert_eq!(store.nodes(), made.iter().collect::<std::collections::HashSet<_>>().len());
        assert_eq!(store.nodes(), count as usize);
        assert!(store.bytes() > 4 * 3 * u64::from(count));
    }

    #[test]
    fn a_full_store_says_so_and_keeps_what_it_has() {
        let store = Store::new(1 << 16);
        let mut recent = Recent::small();
        let head = Header::new(Shape::Set, 0, 2, 0);
        let mut made = Vec::new();
        let full = loop {
            let parts = [made.len() as u32, 7];
            match store.node(&mut recent, head, &parts) {
                Ok(term) => made.push(term),
                Err(full) => break full,
            }
        };
        assert_eq!(full, StoreFull);
        for (number, &term) in made.iter().enumerate() {
            assert_eq!(store.node(&mut recent, head, &[number as u32, 7]), Ok(term));
        }
        let huge = vec![0; SEGMENT + 1];
        assert_eq!(store.node(&mut recent, Header::new(Shape::Set, 0, huge.len(), 0), &huge), Err(StoreFull));
    }
}
