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
    len: usize,
    // What is behind the last successor is room that was used before.
    vectors: Vec<Value>,
    heads: Vec<Head>,
    copied: Vec<u64>,
}

/// What is known of a successor beside its vector: its group, its action, and how many words of copied slots
/// there are up to and with its own. The words between two ends belong to the second of them.
pub type Head = [u32; 3];

/// Room behind the last successor, for a stepper that writes several at once: see [`Successors::spare`].
#[derive(Debug)]
pub struct Spare<'a> {
    /// Room for vectors, one after the other.
    pub vectors: &'a mut [Value],
    /// Room for their heads.
    pub heads: &'a mut [Head],
    /// Room for words of copied slots.
    pub copied: &'a mut [u64],
    /// How many words of copied slots there are already: the ends in heads count on from here.
    pub copied_end: u32,
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
    #[inline]
    pub fn copied_words(&self) -> &[u64] {
        self.copied
    }
}

impl Successors {
    /// An empty buffer for states of this many slots.
    pub fn new(width: usize) -> Self {
        Self { width, len: 0, vectors: Vec::new(), heads: Vec::new(), copied: Vec::new() }
    }

    /// How many slots a state has.
    #[inline]
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many successors there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets all successors, keeping the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Forgets all successors but the first `len`.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Appends a successor that equals `from`; the answer is its vector, to be changed in place.
    #[inline]
    pub fn push(&mut self, group: GroupIx, action: Value, from: &[Value]) -> &mut [Value] {
        debug_assert_eq!(from.len(), self.width);
        let head = [group.ix() as u32, action, self.copied_end() as u32];
        let start = self.len * self.width;
        if self.heads.len() == self.len {
            self.grow(1, self.width, 0);
        }
        self.heads[self.len] = head;
        self.len += 1;
        let vector = &mut self.vectors[start..start + self.width];
        vector.copy_from_slice(from);
        vector
    }

    /// Room behind the last successor: so many heads, cells of vectors and words of copied slots, or more.
    /// What is in it is left over from before. Nothing changes until [`Successors::take`] says how many
    /// successors were written.
    #[inline]
    pub fn spare(&mut self, heads: usize, cells: usize, words: usize) -> Spare<'_> {
        let (start, copied_end) = (self.len * self.width, self.copied_end());
        let enough = self.heads.len() >= self.len + heads
            && self.vectors.len() >= start + cells
            && self.copied.len() >= copied_end + words;
        if !enough {
            self.grow(heads, cells, words);
        }
        Spare {
            vectors: &mut self.vectors[start..],
            heads: &mut self.heads[self.len..],
            copied: &mut self.copied[copied_end..],
            copied_end: copied_end as u32,
        }
    }

    /// Takes over the first `count` successors that were written to [`Successors::spare`].
    ///
    /// # Panics
    /// When there was no room for so many.
    #[inline]
    pub fn take(&mut self, count: usize) {
        let len = self.len + count;
        assert!(
            len <= self.heads.len() && len * self.width <= self.vectors.len(),
            "BUG: more successors than room"
        );
        self.len = len;
    }

    /// Makes room, at least twice of what there was.
    #[cold]
    fn grow(&mut self, heads: usize, cells: usize, words: usize) {
        fn grow<T: Copy>(room: &mut Vec<T>, wanted: usize, nothing: T) {
            if room.len() < wanted {
                room.resize(wanted.max(2 * room.len()), nothing);
            }
        }
        let end = self.copied_end();
        grow(&mut self.heads, self.len + heads, [0; 3]);
        grow(
            &mut self.vectors,
            self.heads.len().saturating_mul(self.width).max(self.len * self.width + cells),
            0,
        );
        grow(&mut self.copied, end + words, 0);
    }

    /// Says which slots the last successor copied: a bit a slot, least slot in the least bit.
    ///
    /// # Panics
    /// When there is no successor.
    #[inline]
    pub fn mark_copied(&mut self, words: &[u64]) {
        assert!(self.len > 0, "BUG: no successor to mark");
        let start = self.copied_end();
        let end = start + words.len();
        if self.copied.len() < end {
            self.grow(0, 0, words.len());
        }
        self.copied[start..end].copy_from_slice(words);
        self.heads[self.len - 1][2] = end as u32;
    }

    /// The vector of a successor.
    #[inline]
    pub fn state(&self, at: usize) -> &[Value] {
        debug_assert!(at < self.len);
        &self.vectors[at * self.width..(at + 1) * self.width]
    }

    /// The group of a successor.
    #[inline]
    pub fn group(&self, at: usize) -> GroupIx {
        GroupIx::new(self.heads[..self.len][at][0] as usize)
    }

    /// A successor.
    #[inline]
    pub fn get(&self, at: usize) -> Successor<'_> {
        let [group, action, copied_end] = self.heads[..self.len][at];
        let start = if at == 0 { 0 } else { self.heads[at - 1][2] };
        Successor {
            group: GroupIx::new(group as usize),
            action,
            state: self.state(at),
            copied: &self.copied[start as usize..copied_end as usize],
        }
    }

    /// All successors.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Successor<'_>> + '_ {
        (0..self.len()).map(|at| self.get(at))
    }

    fn copied_end(&self) -> usize {
        if self.len == 0 { 0 } else { self.heads[self.len - 1][2] as usize }
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
    fn what_is_written_to_spare_room_counts_when_it_is_taken() {
        let mut buffer = Successors::new(2);
        buffer.push(GroupIx::new(0), 7, &[1, 2]);
        buffer.mark_copied(&[0b01]);
        let spare = buffer.spare(2, 4, 1);
        assert_eq!(spare.copied_end, 1);
        spare.vectors[..4].copy_from_slice(&[3, 4, 5, 6]);
        spare.heads[..2].copy_from_slice(&[[1, 8, 1], [2, 9, 2]]);
        spare.copied[0] = 0b10;
        assert_eq!(buffer.len(), 1);
        buffer.take(2);
        buffer.push(GroupIx::new(3), 0, &[7, 8]);
        let all =
            buffer.iter().map(|s| (s.group.ix(), s.action, s.state.to_vec(), s.copied_words().to_vec()));
        let wanted = [
            (0, 7, vec![1, 2], vec![0b01]),
            (1, 8, vec![3, 4], vec![]),
            (2, 9, vec![5, 6], vec![0b10]),
            (3, 0, vec![7, 8], vec![]),
        ];
        assert_eq!(all.collect::<Vec<_>>(), wanted);
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
