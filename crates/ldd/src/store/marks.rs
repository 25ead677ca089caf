//! Sets of nodes.

use super::node::{Id, UNIT};
use super::unique::Unique;

/// A set of nodes.
pub(crate) struct Marks {
    bits: Vec<u64>,
    pub count: usize,
    stack: Vec<Id>,
}

impl Marks {
    /// Of nodes with numbers below this.
    pub fn new(nodes: usize) -> Self {
        Self { bits: vec![0; nodes.div_ceil(64)], count: 0, stack: Vec::new() }
    }

    pub fn has(&self, id: Id) -> bool {
        self.bits.get(id as usize / 64).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }

    /// Whether the node is new.
    pub fn insert(&mut self, id: Id) -> bool {
        let is_new = !self.has(id);
        self.bits[id as usize / 64] |= 1 << (id % 64);
        self.count += usize::from(is_new);
        is_new
    }

    /// Marks all that is reachable from a node, lists by a loop, what is below by a stack.
    pub fn mark(&mut self, unique: &Unique, id: Id) {
        self.stack.push(id);
        while let Some(mut id) = self.stack.pop() {
            while id > UNIT && self.insert(id) {
                let node = unique.get(id);
                if node.down > UNIT {
                    self.stack.push(node.down);
                }
                id = node.right;
            }
        }
    }

    pub fn live(&self) -> impl Iterator<Item = Id> + '_ {
        self.bits.iter().enumerate().flat_map(|(at, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| (at * 64 + bit) as Id)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Marks;

    #[test]
    fn halves_of_cache_entries_may_ask_for_any_number() {
        let marks = Marks::new(100);
        assert!(!marks.has(u32::MAX) && !marks.has(99));
    }
}
