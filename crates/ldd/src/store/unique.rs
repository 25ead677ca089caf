//! The unique table: every node once. Nodes live in an array by number; an index finds the number of a node's
//! content.
//!
//! Invariant: numbers, and so the nodes in the index, are fewer than half of its entries, so every search
//! meets an empty one.
//!
//! Open addressing over 32-bit entries: the number in the low bits, as much of the hash as fits in the
//! others, so that a look-up rarely touches a node in vain. Entries are set by compare-and-swap; nothing is
//! removed but by collecting garbage, when no operation runs.

use std::sync::atomic::Ordering;

use crate::store::node::{EMPTY, Id, Node, UNIT};
use crate::sync::{AtomicU32, AtomicU64, AtomicUsize, Reserved};

pub(crate) struct Unique {
    /// Two words a node. Relaxed: who knows a number got it with its node's content, from the index, the
    /// cache or a handle.
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

    /// The rest of a list from the first value that is not smaller.
    #[inline]
    pub fn skip_smaller(&self, mut list: Id, value: u32) -> Id {
        while list != EMPTY && self.get(list).value < value {
            list = self.get(list).right;
        }
        list
    }

    /// The rest of a list of ranges from the first that does not end before the value.
    #[inline]
    pub fn skip_ranges(&self, mut ranges: Id, value: u32) -> Id {
        while ranges != EMPTY && self.get(self.get(ranges).down).value < value {
            ranges = self.get(ranges).right;
        }
        ranges
    }

    /// What the first of the ranges, which does not end before the value, does to it; nothing if it begins
    /// behind it.
    #[inline]
    pub fn change(&self, ranges: Id, value: u32) -> Id {
        if ranges == EMPTY || self.get(ranges).value > value {
            EMPTY
        } else {
            self.get(self.get(ranges).down).down
        }
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

/// Every way in which threads can meet in the table, by loom.
#[cfg(all(loom, test))]
mod interleavings {
    use std::collections::HashMap;
    use std::sync::Arc;

    use super::{Found, Unique};
    use crate::store::gate::Gate;
    use crate::store::node::{Id, Info, Node, UNIT};

    /// An index of so few entries: eight nodes.
    const BITS: usize = 4;

    fn node(value: u32) -> Node {
        Node { value, down: UNIT, right: 0, info: Info::SET }
    }

    /// Two nodes that meet in one entry of the index and look the same there: only their contents differ.
    fn twins() -> [Node; 2] {
        let mut seen = HashMap::new();
        let mut look = |value| {
            let hash = node(value).hash();
            let entry = (hash as u32 & Unique::mask(BITS), Unique::tag(hash, BITS));
            seen.insert(entry, value).map(|other| [node(other), node(value)])
        };
        (0..).find_map(&mut look).expect("numbers do not end")
    }

    /// Makes the node, which is visible as soon as its number is known.
    fn make(unique: &Unique, node: Node, offered: Id) -> Id {
        let id = match unique.insert(node, offered) {
            Found::Old(id) => id,
            Found::New => offered,
        };
        assert_eq!(unique.get(id), node);
        id
    }

    #[test]
    fn loom_threads_agree_on_the_numbers_of_nodes() {
        let [one, other] = twins();
        loom::model(move || {
            let unique = Arc::new(Unique::new(8, BITS).expect("room"));
            let shared = Arc::clone(&unique);
            let thread = loom::thread::spawn(move || {
                let ids = [make(&shared, one, 2), make(&shared, other, 3)];
                (ids, shared.find(one))
            });
            let second = make(&unique, other, 4);
            let ids = [make(&unique, one, 5), second];
            let (others, found) = thread.join().expect("no thread panicked");
            assert_eq!((ids, found), (others, Some(ids[0])), "a node is there twice");
            assert_ne!(ids[0], ids[1]);
            assert_eq!([one, other].map(|node| unique.find(node)), ids.map(Some));
            assert_eq!(unique.index.iter().filter(|entry| unsync(entry) != 0).count(), 2);
        });
    }

    fn unsync(entry: &crate::sync::AtomicU32) -> u32 {
        entry.load(super::Ordering::SeqCst)
    }

    #[test]
    fn loom_three_threads_make_one_node() {
        loom::model(|| {
            let unique = Arc::new(Unique::new(8, BITS).expect("room"));
            let make_it = |offered| {
                let unique = Arc::clone(&unique);
                move || make(&unique, node(7), offered)
            };
            let threads = [2, 3].map(|offered| loom::thread::spawn(make_it(offered)));
            let id = make_it(4)();
            let others = threads.map(|thread| thread.join().expect("no thread panicked"));
            assert_eq!(others, [id; 2]);
        });
    }

    #[test]
    fn loom_what_is_found_is_there() {
        loom::model(|| {
            let unique = Arc::new(Unique::new(8, BITS).expect("room"));
            let shared = Arc::clone(&unique);
            let thread = loom::thread::spawn(move || make(&shared, node(7), 2));
            let found = unique.find(node(7));
            assert!(found.is_none_or(|id| id == 2 && unique.get(id) == node(7)));
            thread.join().expect("no thread panicked");
            assert_eq!(unique.find(node(7)), Some(2));
        });
    }

    /// Each thread makes a node, and the index anew of what both hold.
    #[test]
    fn loom_nodes_that_are_held_stay_where_they_are() {
        loom::model(|| {
            let shared = Arc::new((Gate::default(), Unique::new(8, BITS).expect("room")));
            let work = |value, offered| {
                let shared = Arc::clone(&shared);
                move || {
                    let (gate, unique) = &*shared;
                    gate.enter();
                    let id = make(unique, node(value), offered);
                    gate.alone(&[id], |needed| unique.rebuild(BITS, needed.iter().copied()));
                    assert_eq!(unique.find(node(value)), Some(id));
                    gate.leave();
                }
            };
            let thread = loom::thread::spawn(work(7, 2));
            work(8, 3)();
            thread.join().expect("no thread panicked");
        });
    }
}
