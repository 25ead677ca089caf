//! How large a store may become, and what that takes.

use crate::store::cache::MOST_NODES;

/// Nodes at first: 256 KiB of them.
const FIRST_NODES: usize = 1 << 14;

/// The cache has this many entries a node of capacity, as a power of two, where there is room for them.
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
    /// Nodes, index and cache are not to take more than this, if more than what they begin with.
    pub bytes: u64,
    /// Numbers handed to a worker at a time.
    pub batch: usize,
    /// Garbage is collected whenever a worker wants numbers, to find what is not held: for tests.
    pub is_eager: bool,
    /// Lower lists are not worth a helper's while.
    pub least_split: u32,
}

impl Limits {
    /// The most nodes that fit into so many bytes, beside the smallest cache; a small store is given what it
    /// needs to begin.
    pub fn for_memory(bytes: u64) -> Self {
        let (mut fits, mut exceeds) = (FIRST_NODES, MOST_NODES + 1);
        while exceeds - fits > 1 {
            let nodes = usize::midpoint(fits, exceeds);
            if bytes_for(nodes, least_cache_bits(nodes)) <= bytes { fits = nodes } else { exceeds = nodes }
        }
        Self {
            first: FIRST_NODES,
            most: fits,
            bytes,
            batch: BATCH,
            is_eager: false,
            least_split: LEAST_SPLIT,
        }
    }

    /// The size of the cache of a store of this capacity, as a power of two. Where memory ends, the cache
    /// gives way to nodes: without a place in it an answer is found again, without a node there is none.
    pub fn cache_bits(&self, capacity: usize) -> usize {
        let (least, wanted) = (least_cache_bits(capacity), capacity.ilog2() as usize + CACHE_BITS);
        (least..=wanted).rev().find(|&bits| bytes_for(capacity, bits) <= self.bytes).unwrap_or(least)
    }

    /// The size of the largest cache on the way to the most nodes.
    pub fn largest_cache_bits(&self) -> usize {
        let mut largest = self.cache_bits(self.most);
        let mut capacity = self.first;
        while capacity < self.most {
            largest = largest.max(self.cache_bits(capacity));
            capacity *= 2;
        }
        largest
    }

    /// The capacity to go on with, if one that has so many live nodes is to grow: where less than half of it
    /// is free, or less than a quarter if the cache has to give way.
    pub fn larger(&self, live: usize, capacity: usize) -> Option<usize> {
        let larger = (2 * capacity).min(self.most);
        let gives_way = self.cache_bits(larger) < self.cache_bits(capacity);
        let enough = if gives_way { capacity / 4 * 3 } else { capacity / 2 };
        (larger > capacity && live + self.batch > enough).then_some(larger)
    }

    /// What a store of this capacity takes.
    pub fn bytes_for(&self, capacity: usize) -> u64 {
        bytes_for(capacity, self.cache_bits(capacity))
    }

    /// The same with half the nodes, if that is enough to begin.
    pub fn halved(self) -> Option<Self> {
        (self.most / 2 >= self.first).then_some(Self { most: self.most / 2, ..self })
    }

    /// Whether so many live nodes leave room to go on in this capacity. With a few numbers left, each new
    /// node would cost a collection: a sixteenth must be free.
    pub fn has_room(&self, live: usize, capacity: usize) -> bool {
        live + 2 + (capacity / 16).max(2 * self.batch) <= capacity
    }
}

/// The index has at least two entries a node, so that looking for a place always ends, and soon.
pub(crate) fn index_bits(capacity: usize) -> usize {
    (2 * capacity).next_power_of_two().trailing_zeros() as usize
}

/// One entry a node at least: with fewer, what was found is lost before it is asked for again.
fn least_cache_bits(capacity: usize) -> usize {
    capacity.ilog2() as usize + 1
}

/// What a store of this capacity takes with a cache of this size: nodes, index and cache, the list of free
/// numbers, a mark a node.
fn bytes_for(capacity: usize, cache_bits: usize) -> u64 {
    let nodes = capacity as u64;
    16 * nodes + (4 << index_bits(capacity)) + (16 << cache_bits) + 4 * nodes + nodes / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_used_and_kept() {
        let least = Limits::for_memory(u64::MAX).bytes_for(FIRST_NODES);
        for bytes in (0..4000).map(|step| least + step * 1_234_567) {
            let limits = Limits::for_memory(bytes);
            let most = limits.most;
            assert!(limits.bytes_for(most) <= bytes, "{bytes} bytes, {most} nodes");
            assert!(bytes_for(most + 1, least_cache_bits(most + 1)) > bytes, "{bytes} bytes, {most} nodes");
            let doubled = (0..).map(|times| FIRST_NODES << times).take_while(|&capacity| capacity < most);
            for capacity in doubled.clone() {
                assert!(limits.bytes_for(capacity) <= bytes, "{bytes} bytes, {capacity} nodes");
                assert!(limits.cache_bits(capacity) <= limits.largest_cache_bits());
            }
            // What is left of the memory is less than another step would take.
            assert!(10 * limits.bytes_for(most) > 7 * bytes, "{bytes} bytes, {most} nodes");
        }
        assert_eq!(Limits::for_memory(0).most, FIRST_NODES);
        assert_eq!(Limits::for_memory(u64::MAX).most, MOST_NODES);
    }

    #[test]
    fn the_cache_gives_way_where_memory_ends() {
        let limits = Limits::for_memory(1 << 30);
        let entries_a_node = |capacity: usize| (1 << limits.cache_bits(capacity)) / capacity;
        assert_eq!(entries_a_node(FIRST_NODES), 8);
        assert_eq!(entries_a_node(limits.most.next_power_of_two() / 4), 8);
        assert!((1..8).contains(&entries_a_node(limits.most)), "{}", entries_a_node(limits.most));
        let roomy = Limits::for_memory(1 << 34);
        assert_eq!((1 << roomy.cache_bits(1 << 22)) >> 22, 8);
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
