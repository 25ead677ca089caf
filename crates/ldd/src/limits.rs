//! How large a store may become, and what that takes.

use crate::cache::MOST_NODES;

/// Nodes at first: 256 KiB of them.
const FIRST_NODES: usize = 1 << 14;

/// The cache has this many entries a node of capacity, as a power of two.
const CACHE_BITS: usize = 3;

/// Numbers handed to a worker at a time.
const BATCH: usize = 256;

/// The least height of lists that are split for helpers.
const LEAST_SPLIT: u32 = 4;

/// How large a store is at first and may become, in nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub first: usize,
    pub most: usize,
    /// Numbers handed to a worker at a time.
    pub batch: usize,
    /// Garbage is collected whenever a worker wants numbers, to find what is not held: for tests.
    pub is_eager: bool,
    /// Lower lists are not worth a helper's while.
    pub least_split: u32,
}

impl Limits {
    /// The most nodes that fit into so many bytes; a small store is given what it needs to begin.
    pub fn for_memory(bytes: u64) -> Self {
        let (mut fits, mut exceeds) = (FIRST_NODES, MOST_NODES + 1);
        while exceeds - fits > 1 {
            let nodes = usize::midpoint(fits, exceeds);
            if bytes_for(nodes) <= bytes { fits = nodes } else { exceeds = nodes }
        }
        Self { first: FIRST_NODES, most: fits, batch: BATCH, is_eager: false, least_split: LEAST_SPLIT }
    }

    /// The same with half the nodes, if that is enough to begin.
    pub fn halved(self) -> Option<Self> {
        (self.most / 2 >= self.first).then_some(Self { most: self.most / 2, ..self })
    }

    /// Whether so many live nodes leave room to go on in this capacity. With a few numbers left, each new node would cost a collection: a
    /// sixteenth must be free.
    pub fn has_room(&self, live: usize, capacity: usize) -> bool {
        live + 2 + (capacity / 16).max(2 * self.batch) <= capacity
    }
}

/// The index has at least two entries a node, so that looking for a place always ends, and soon.
pub(crate) fn index_bits(capacity: usize) -> usize {
    (2 * capacity).next_power_of_two().trailing_zeros() as usize
}

/// Rounded down: the cache is the largest part of a store, and the limit of memory is kept.
pub(crate) fn cache_bits(capacity: usize) -> usize {
    capacity.ilog2() as usize + CACHE_BITS
}

/// What a store of this capacity takes: nodes, index and cache, the list of free numbers, a mark a node.
pub(crate) fn bytes_for(capacity: usize) -> u64 {
    let nodes = capacity as u64;
    16 * nodes + (4 << index_bits(capacity)) + (16 << cache_bits(capacity)) + 4 * nodes + nodes / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_used_and_kept() {
        let least = bytes_for(FIRST_NODES);
        for bytes in (0..4000).map(|step| least + step * 1_234_567) {
            let most = Limits::for_memory(bytes).most;
            assert!(bytes_for(most) <= bytes, "{bytes} bytes, {most} nodes");
            assert!(bytes_for(most + 1) > bytes, "{bytes} bytes, {most} nodes");
        }
        assert_eq!(Limits::for_memory(0).most, FIRST_NODES);
        assert_eq!(Limits::for_memory(u64::MAX).most, MOST_NODES);
    }

    #[test]
    fn a_nearly_full_store_has_no_room() {
        let limits = Limits::for_memory(1 << 30);
        let most = limits.most;
        assert!(limits.has_room(most - most / 15, most));
        assert!(!limits.has_room(most - most / 17, most), "each new node would cost a collection");
        assert!(!limits.has_room(FIRST_NODES - BATCH, FIRST_NODES));
        // Where there is room, there are numbers to hand out.
        assert!((1..5000).all(|live| !limits.has_room(live, 5000) || live + 2 + BATCH <= 5000));
    }

    #[test]
    fn a_full_index_is_half_empty() {
        for capacity in (2..3000).chain([MOST_NODES - 1, MOST_NODES]) {
            assert!(1 << index_bits(capacity) >= 2 * capacity);
            assert!(index_bits(capacity) < 32, "an entry holds a number and some of the hash");
        }
    }
}
