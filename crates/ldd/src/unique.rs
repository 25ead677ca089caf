//! The unique table: every node once. Nodes live in an array by number; an index finds the number of a node's content.
//!
//! Invariant: numbers, and so the nodes in the index, are fewer than half of its entries, so every search meets an empty one.
//!
//! Open addressing over 32-bit entries: the number in the low bits, as much of the hash as fits in the others, so that a
//! look-up rarely touches a node in vain. Entries are set by compare-and-swap; nothing is removed but by
//! collecting garbage, when no operation runs.

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use tables::Reserved;

use crate::node::{EMPTY, Id, Node, UNIT};

pub(crate) struct Unique {
    /// Two words a node. Relaxed: who knows a number got it with its node's content, from the index, the cache or a handle.
    nodes: Reserved<AtomicU64>,
    index: Reserved<AtomicU32>,
    /// The index is used up to this power of two.
    bits: AtomicUsize,
}

/// What looking for a node found.
pub(crate) enum Found {
    Old(Id),
    /// The node was not there; it is now, with the number that was offered.
    New,
}

impl Unique {
    /// Room for `most` nodes, reserved, not touched. `None` where the system refuses.
    pub fn new(most: usize, bits: usize) -> Option<Self> {
        let index = Reserved::new((2 * most).next_power_of_two())?;
        Some(Self { nodes: Reserved::new(2 * most)?, index, bits: AtomicUsize::new(bits) })
    }

    #[inline]
    pub fn get(&self, id: Id) -> Node {
        let at = 2 * id as usize;
        Node::unpack([self.nodes[at].load(Ordering::Relaxed), self.nodes[at + 1].load(Ordering::Relaxed)])
    }

    /// What is below a value in a list.
    #[inline]
    pub fn below(&self, mut list: Id, value: u32) -> Id {
        while list > UNIT {
            let entry = self.get(list);
            if entry.value >= value {
                return if entry.value == value { entry.down } else { EMPTY };
            }
            list = entry.right;
        }
        EMPTY
    }

    #[inline]
    fn put(&self, id: Id, node: Node) {
        let [high, low] = node.pack();
        let at = 2 * id as usize;
        self.nodes[at].store(high, Ordering::Relaxed);
        self.nodes[at + 1].store(low, Ordering::Relaxed);
    }

    /// The part of the hash that an entry holds.
    #[inline]
    fn tag(hash: u64, bits: usize) -> u32 {
        ((hash >> 32) as u32) & !Self::mask(bits)
    }

    /// The part of an entry that is the number, which is below half of the index's size.
    #[inline]
    fn mask(bits: usize) -> u32 {
        (1u32 << bits) - 1
    }

    /// Looks for a node without offering one.
    #[inline]
    pub fn find(&self, node: Node) -> Option<Id> {
        let bits = self.bits.load(Ordering::Relaxed);
        let hash = node.hash();
        let (mask, tag) = (Self::mask(bits), Self::tag(hash, bits));
        let mut at = hash as usize & mask as usize;
        loop {
            // Acquire: the content of a node is visible to whoever sees its number.
            let entry = self.index[at].load(Ordering::Acquire);
            if entry == 0 {
                return None;
            }
            if entry & !mask == tag && self.get(entry & mask) == node {
                return Some(entry & mask);
            }
            at = (at + 1) & mask as usize;
        }
    }

    /// The number of the node, which is the offered one if the node was not there.
    #[inline]
    pub fn insert(&self, node: Node, offered: Id) -> Found {
        let bits = self.bits.load(Ordering::Relaxed);
        let hash = node.hash();
        let (mask, tag) = (Self::mask(bits), Self::tag(hash, bits));
        let mut at = hash as usize & mask as usize;
        self.put(offered, node);
        loop {
            let slot = &self.index[at];
            let mut entry = slot.load(Ordering::Acquire);
            if entry == 0 {
                match slot.compare_exchange(0, offered | tag, Ordering::Release, Ordering::Acquire) {
                    Ok(_) => return Found::New,
                    Err(other) => entry = other,
                }
            }
            if entry & !mask == tag && self.get(entry & mask) == node {
                return Found::Old(entry & mask);
            }
            at = (at + 1) & mask as usize;
        }
    }

    /// Makes the index anew, for these nodes, in this size. No operation may run.
    pub fn rebuild(&self, bits: usize, live: impl Iterator<Item = Id>) {
        let old = self.bits.swap(bits, Ordering::Relaxed);
        self.index.prefer_huge_pages(1 << bits);
        // There are at least two entries a node of two words.
        self.nodes.prefer_huge_pages(1 << bits);
        for entry in &self.index[..1 << old.max(bits)] {
            entry.store(0, Ordering::Relaxed);
        }
        let mask = Self::mask(bits);
        for id in live {
            let hash = self.get(id).hash();
            let mut at = hash as usize & mask as usize;
            while self.index[at].load(Ordering::Relaxed) != 0 {
                at = (at + 1) & mask as usize;
            }
            self.index[at].store(id | Self::tag(hash, bits), Ordering::Release);
        }
    }
}
