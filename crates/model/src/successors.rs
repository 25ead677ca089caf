//! The buffer of successors: filled by a stepper, read by an engine, used again for the next state.

use base::{GroupIx, SlotIx};

use crate::Value;

/// Successors of one state.
///
/// The target vectors stand one after the other in one block, so that a layer can pass them on and an
/// engine can hash them without an allocation per successor.
#[derive(Clone, Debug)]
pub struct Successors {
    width: usize,
    vectors: Vec<Value>,
    heads: Vec<Head>,
    copied: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Head {
    group: GroupIx,
    action: Value,
    copied_end: u32,
}

/// One successor.
#[derive(Clone, Copy, Debug)]
pub struct Successor<'a> {
    /// The group that leads here.
    pub group: GroupIx,
    /// The action of the transition.
    pub action: Value,
    /// The state that is reached.
    pub state: &'a [Value],
    copied: &'a [u64],
}

impl Successor<'_> {
    /// Whether a slot that the group may write was left as it was, whatever its value.
    ///
    /// Says no of all slots that the group does not write or always writes.
    pub fn copied(&self, slot: SlotIx) -> bool {
        self.copied.get(slot.ix() / 64).is_some_and(|word| word >> (slot.ix() % 64) & 1 == 1)
    }

    /// The set of copied slots as words; empty when there is none.
    pub fn copied_words(&self) -> &[u64] {
        self.copied
    }
}

impl Successors {
    /// An empty buffer for states of this many slots.
    pub fn new(width: usize) -> Self {
        Self { width, vectors: Vec::new(), heads: Vec::new(), copied: Vec::new() }
    }

    /// How many slots a state has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many successors there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Forgets all successors, keeping the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.vectors.clear();
        self.heads.clear();
        self.copied.clear();
    }

    /// Forgets all successors but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        if len < self.heads.len() {
            self.vectors.truncate(len * self.width);
            self.heads.truncate(len);
            self.copied.truncate(self.copied_end());
        }
    }

    /// Appends a successor that equals `from`; the answer is its vector, to be changed in place.
    #[inline]
    pub fn push(&mut self, group: GroupIx, action: Value, from: &[Value]) -> &mut [Value] {
        debug_assert_eq!(from.len(), self.width);
        let start = self.vectors.len();
        self.vectors.extend_from_slice(from);
        let copied_end = self.copied_end() as u32;
        self.heads.push(Head { group, action, copied_end });
        &mut self.vectors[start..]
    }

    /// Says which slots the last successor copied: a bit a slot, least slot in the least bit.
    ///
    /// # Panics
    /// When there is no successor.
    pub fn mark_copied(&mut self, words: &[u64]) {
        self.copied.extend_from_slice(words);
        let end = self.copied.len() as u32;
        self.heads.last_mut().expect("BUG: no successor to mark").copied_end = end;
    }

    /// The vector of a successor.
    #[inline]
    pub fn state(&self, at: usize) -> &[Value] {
        &self.vectors[at * self.width..(at + 1) * self.width]
    }

    /// A successor.
    pub fn get(&self, at: usize) -> Successor<'_> {
        let head = self.heads[at];
        let start = if at == 0 { 0 } else { self.heads[at - 1].copied_end };
        Successor {
            group: head.group,
            action: head.action,
            state: self.state(at),
            copied: &self.copied[start as usize..head.copied_end as usize],
        }
    }

    /// All successors.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Successor<'_>> + '_ {
        (0..self.len()).map(|at| self.get(at))
    }

    fn copied_end(&self) -> usize {
        self.heads.last().map_or(0, |head| head.copied_end as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truncated_buffer_forgets_vectors_and_copies() {
        let (first, second) = (GroupIx::new(0), GroupIx::new(1));
        let mut buffer = Successors::new(2);
        buffer.push(first, 7, &[1, 2])[0] = 9;
        buffer.mark_copied(&[0b10]);
        buffer.push(second, 8, &[3, 4]);
        buffer.mark_copied(&[0b01]);
        buffer.truncate(1);
        buffer.push(second, 5, &[5, 6]);
        let all: Vec<_> = buffer.iter().map(|s| (s.group, s.action, s.state.to_vec())).collect();
        assert_eq!(all, [(first, 7, vec![9, 2]), (second, 5, vec![5, 6])]);
        assert!(buffer.get(0).copied(SlotIx::new(1)) && !buffer.get(0).copied(SlotIx::new(0)));
        assert!(buffer.get(1).copied_words().is_empty());
    }

    #[test]
    fn states_without_slots_are_states_too() {
        let mut buffer = Successors::new(0);
        buffer.push(GroupIx::new(0), 0, &[]);
        buffer.push(GroupIx::new(0), 0, &[]);
        assert_eq!(buffer.len(), 2);
        assert_eq!(buffer.get(1).state, &[] as &[Value]);
    }
}
