//! Packing: a state vector as few 64-bit words. Each slot gets as many bits as its type needs, in one word, so that
//! reading and writing it is a shift and a mask.
//!
//! Invariant: unpacking what was packed gives the same vector. A value that does not fit its slot is refused with a
//! [`Misfit`]; it never touches a neighbour.

use std::ops::Range;

use base::{BitMatrix, GroupIx, SlotIx};
use model::{Signature, Type, Value};

/// Where a slot lives.
#[derive(Clone, Copy, Debug)]
struct Field {
    slot: u32,
    word: u32,
    shift: u32,
    mask: u32,
    /// The field's upper bit where values are signed, else zero: `(bits ^ sign) - sign` extends it.
    sign: u32,
}

impl Field {
    /// The field of a slot; `place` says where so many bits stand.
    fn new(slot: SlotIx, ty: &Type, place: impl FnOnce(u32) -> (u32, u32)) -> Self {
        let bits = ty.bits();
        // A slot without bits takes no room: it may be said to stand anywhere.
        let (word, shift) = if bits == 0 { (0, 0) } else { place(bits) };
        let mask = u32::MAX.checked_shr(u32::BITS - bits).unwrap_or(0);
        let sign = if ty.is_signed() { mask ^ mask >> 1 } else { 0 };
        Self { slot: slot.ix() as u32, word, shift, mask, sign }
    }

    #[inline]
    fn read(self, words: &[u64]) -> Value {
        self.extend((words[self.word as usize] >> self.shift) as u32 & self.mask)
    }

    /// Writes the value's lower bits; the answer is zero if these are all of it.
    #[inline]
    fn write(self, value: Value, words: &mut [u64]) -> u32 {
        let bits = value & self.mask;
        let word = &mut words[self.word as usize];
        *word = *word & !(u64::from(self.mask) << self.shift) | u64::from(bits) << self.shift;
        self.extend(bits) ^ value
    }

    #[inline]
    fn extend(self, bits: u32) -> Value {
        (bits ^ self.sign).wrapping_sub(self.sign)
    }
}

/// The words that are being filled. Best fit: a slot goes where the least room is left, found by the room and not by
/// a look at every word.
struct Words {
    count: u32,
    /// The words with this many bits left, for each number of bits.
    by_room: [Vec<u32>; Self::ROOMS],
}

impl Default for Words {
    fn default() -> Self {
        Self { count: 0, by_room: [const { Vec::new() }; Self::ROOMS] }
    }
}

impl Words {
    const ROOMS: usize = u64::BITS as usize + 1;

    fn place(&mut self, bits: u32) -> (u32, u32) {
        let fitting = (bits as usize..Self::ROOMS).find_map(|room| Some((self.by_room[room].pop()?, room)));
        let (word, room) = fitting.unwrap_or_else(|| {
            self.count += 1;
            (self.count - 1, u64::BITS as usize)
        });
        self.by_room[room - bits as usize].push(word);
        (word, u64::BITS - room as u32)
    }
}

/// A value that its slot's type says cannot be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Misfit {
    /// The slot.
    pub(crate) slot: SlotIx,
    /// The value.
    pub(crate) value: Value,
}

/// Chunks that are being filled, one after the other.
#[derive(Default)]
struct Chunks {
    bits: Vec<u8>,
}

impl Chunks {
    fn place(&mut self, bits: u32) -> (u32, u32) {
        if self.bits.last().is_none_or(|&used| u32::from(used) + bits > u32::BITS) {
            self.bits.push(0);
        }
        let at = self.bits.len() - 1;
        let shift = u32::from(self.bits[at]);
        self.bits[at] += bits as u8;
        (at as u32 / 2, at as u32 % 2 * u32::BITS + shift)
    }

    /// The next slot begins a new half, with so many chunks before it at least.
    fn end_half(&mut self, least: usize) -> usize {
        // A chunk has a bit at least, used or not.
        while self.bits.len() < least {
            self.bits.push(1);
        }
        let middle = self.bits.len();
        self.bits.push(0);
        middle
    }
}

/// With no more bits than this, states are pairs of chunks and nothing else.
const FEW_BITS: u32 = 40;

/// How the states of a model are packed.
pub(crate) struct Layout {
    words: usize,
    /// For a tree: the bits of each chunk, two to a word, and how many of them are the left half.
    chunk_bits: Vec<u8>,
    middle: usize,
    slots: usize,
    /// The fields of all slots, then those that each group can change, for groups that have a list of their own.
    fields: Vec<Field>,
    /// For each group its part of the fields.
    written: Vec<Range<usize>>,
}

/// All lists together have no more fields than this, 20 MiB, …
const FEW_FIELDS: usize = 1 << 20;
/// … but a group that writes less than this part of the slots has its own in any case: the matrices of such a model
/// take about as much.
const SMALL_PART: usize = 32;
/// A group that writes more than this part of the slots needs none in any case.
const LARGE_PART: usize = 2;

impl Layout {
    /// The layout for the slots of a model, and for the groups that may write them: as few words as possible.
    pub(crate) fn new(signature: &Signature, may_write: &BitMatrix) -> Self {
        let mut words = Words::default();
        let field = |slot| Field::new(slot, signature.type_of(slot), |bits| words.place(bits));
        let fields = signature.slot_ixs().map(field).collect();
        Self::with_fields(fields, words.count.max(1) as usize, (Vec::new(), 0), may_write)
    }

    /// The same for a tree: slots in chunks of 32 bits, in their order, in two halves of which each takes about as many bits in fact; so many does
    /// each slot take.
    pub(crate) fn in_halves(signature: &Signature, may_write: &BitMatrix, bits_in_fact: &[f32]) -> Self {
        let all: u32 = signature.slot_ixs().map(|slot| signature.type_of(slot).bits()).fold(0, u32::saturating_add);
        // Two chunks make a node, and nodes have short numbers.
        let least = if all <= FEW_BITS { 1 } else { 2 };
        let half = bits_in_fact.iter().sum::<f32>() / 2.0;
        let (mut chunks, mut middle, mut sum) = (Chunks::default(), None, 0.0);
        let mut fields = Vec::with_capacity(signature.slots.len());
        for slot in signature.slot_ixs() {
            let more = bits_in_fact[slot.ix()];
            // As near to the middle as can be.
            if middle.is_none() && sum + more / 2.0 > half {
                middle = Some(chunks.end_half(least));
            }
            sum += more;
            fields.push(Field::new(slot, signature.type_of(slot), |bits| chunks.place(bits)));
        }
        let middle = middle.unwrap_or_else(|| chunks.end_half(least));
        while chunks.bits.len() - middle < least {
            chunks.bits.push(1);
        }
        let chunk_bits: Vec<u8> = chunks.bits.into_iter().map(|bits| bits.max(1)).collect();
        Self::with_fields(fields, chunk_bits.len().div_ceil(2), (chunk_bits, middle), may_write)
    }

    fn with_fields(
        mut fields: Vec<Field>,
        words: usize,
        (chunk_bits, middle): (Vec<u8>, usize),
        may_write: &BitMatrix,
    ) -> Self {
        let slots = fields.len();
        let mut end = slots;
        let written: Vec<Range<usize>> = GroupIx::all(may_write.rows())
            .map(|group| {
                let count = may_write.count(group.ix());
                let is_short = count * SMALL_PART < slots || end + count <= slots + FEW_FIELDS;
                if count * LARGE_PART > slots || !is_short {
                    return 0..slots;
                }
                end += count;
                end - count..end
            })
            .collect();
        fields.reserve_exact(end - slots);
        for (group, range) in GroupIx::all(may_write.rows()).zip(&written) {
            // A state without slots has no fields to share, and nothing that a group could write.
            if range.start >= slots {
                may_write.ones(group.ix()).for_each(|slot| fields.push(fields[slot]));
            }
        }
        Self { words, chunk_bits, middle, slots, fields, written }
    }

    /// Bytes that the layout itself takes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.fields.capacity() * size_of::<Field>() + self.written.capacity() * size_of::<Range<usize>>()) as u64
    }

    /// Words that a packed state takes; at least one.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// The bits of the chunks of states, two chunks to a word, and how many of them are the left half.
    pub(crate) fn chunks(&self) -> (&[u8], usize) {
        (&self.chunk_bits, self.middle)
    }

    /// The chunks that a group may change.
    pub(crate) fn written_chunks(&self, group: GroupIx) -> Vec<usize> {
        let fields = self.fields[self.written[group.ix()].clone()].iter().filter(|field| field.mask != 0);
        let mut written: Vec<usize> =
            fields.map(|field| field.word as usize * 2 + usize::from(field.shift >= u32::BITS)).collect();
        written.sort_unstable();
        written.dedup();
        written
    }

    /// All groups.
    pub(crate) fn groups(&self) -> impl Iterator<Item = GroupIx> + use<> {
        GroupIx::all(self.written.len())
    }

    /// Packs a state into words that are zero.
    pub(crate) fn pack(&self, state: &[Value], words: &mut [u64]) -> Result<(), Misfit> {
        Self::write(&self.fields[..self.slots], state, words)
    }

    /// Packs a successor into the words of the state that it comes from: only what the group can change is written.
    #[inline]
    pub(crate) fn repack(&self, group: GroupIx, state: &[Value], words: &mut [u64]) -> Result<(), Misfit> {
        Self::write(&self.fields[self.written[group.ix()].clone()], state, words)
    }

    /// Unpacks a state.
    #[inline]
    pub(crate) fn unpack(&self, words: &[u64], state: &mut [Value]) {
        for (value, field) in state.iter_mut().zip(&self.fields) {
            *value = field.read(words);
        }
    }

    #[inline]
    fn write(fields: &[Field], state: &[Value], words: &mut [u64]) -> Result<(), Misfit> {
        // One test a state, not one a slot.
        let mut lost = 0;
        for field in fields {
            lost |= field.write(state[field.slot as usize], words);
        }
        if lost == 0 { Ok(()) } else { Err(Self::misfit(fields, state)) }
    }

    #[cold]
    fn misfit(fields: &[Field], state: &[Value]) -> Misfit {
        let lost = |field: &&Field| field.extend(state[field.slot as usize] & field.mask) != state[field.slot as usize];
        let slot = fields.iter().find(lost).expect("BUG: some value did not fit").slot as usize;
        Misfit { slot: SlotIx::new(slot), value: state[slot] }
    }
}

#[cfg(test)]
mod tests {
    use base::TypeIx;
    use model::{Group, Slot, SlotRole, Type};

    use super::*;

    /// A model's signature with a slot of each of these ranges, and one group.
    fn signature(ranges: &[(i32, i32)]) -> Signature {
        let slot = |at| Slot { name: format!("s{at}"), ty: TypeIx::new(at), span: None, role: SlotRole::Variable };
        Signature {
            name: "packing".into(),
            types: ranges.iter().map(|&(lo, hi)| Type::range("t", lo, hi)).collect(),
            slots: (0..ranges.len()).map(slot).collect(),
            groups: vec![Group { name: "g".into(), guards: Vec::new(), spans: Vec::new(), effect: None }],
            guards: Vec::new(),
            labels: Vec::new(),
            action: Type::names("action", vec!["a".into()]),
            source: None,
        }
    }

    fn layout(ranges: &[(i32, i32)], written: &[usize]) -> Layout {
        let mut may_write = BitMatrix::new(1, ranges.len());
        written.iter().for_each(|&slot| may_write.set(0, slot));
        Layout::new(&signature(ranges), &may_write)
    }

    fn packed(layout: &Layout, state: &[Value]) -> Result<Vec<u64>, Misfit> {
        let mut words = vec![0; layout.words()];
        layout.pack(state, &mut words).map(|()| words)
    }

    /// Every vector of a few small slots, signed ones and ones without bits among them.
    #[test]
    fn every_small_vector_comes_back_and_has_its_own_words() {
        let ranges = [(0, 2), (-3, 2), (0, 0), (-1, 0), (0, 4), (-4, -2)];
        let layout = layout(&ranges, &[]);
        let mut vectors = vec![Vec::new()];
        for (lo, hi) in ranges {
            let longer = |v: &Vec<Value>| (lo..=hi).map(|x| [v.clone(), vec![x.cast_unsigned()]].concat()).collect();
            vectors = vectors.iter().flat_map::<Vec<_>, _>(longer).collect();
        }
        let mut seen = std::collections::HashSet::new();
        for vector in &vectors {
            let words = packed(&layout, vector).unwrap();
            let mut back = vec![9; ranges.len()];
            layout.unpack(&words, &mut back);
            assert_eq!(&back, vector);
            assert!(seen.insert(words));
        }
        assert_eq!(seen.len(), 3 * 6 * 2 * 5 * 3);
    }

    #[test]
    fn extremes_of_every_width_come_back_and_their_neighbours_are_refused() {
        // Each width twice, so that fields straddle every place in a word.
        let ranges: Vec<(i32, i32)> = (0..=31)
            .flat_map(|bits| {
                let past = 1i64 << bits;
                [(0, (past - 1) as i32), ((-past) as i32, (past - 1) as i32)]
            })
            .chain([(0, 0)])
            .collect();
        let layout = layout(&ranges, &[]);
        assert!(layout.words() > 10);
        let middle: Vec<Value> = vec![0; ranges.len()];
        for (slot, &(lo, hi)) in ranges.iter().enumerate() {
            for value in [lo, hi, 0, lo / 2, hi / 2] {
                let mut state = middle.clone();
                state[slot] = value.cast_unsigned();
                let mut back = vec![1; ranges.len()];
                layout.unpack(&packed(&layout, &state).unwrap(), &mut back);
                assert_eq!(back, state);
            }
            // The bits of a type are exact for powers of two: the next value outside is the first that does not fit.
            for value in [i64::from(lo) - 1, i64::from(hi) + 1] {
                if let Ok(value) = i32::try_from(value) {
                    let mut state = middle.clone();
                    state[slot] = value.cast_unsigned();
                    let misfit = Misfit { slot: SlotIx::new(slot), value: value.cast_unsigned() };
                    assert_eq!(packed(&layout, &state), Err(misfit));
                }
            }
        }
    }

    #[test]
    fn a_million_slots_are_laid_out_in_a_moment() {
        let ranges: Vec<(i32, i32)> = (0..1_000_000).map(|slot| (0, [255, 1, 70_000][slot % 3])).collect();
        let mut signature = signature(&[]);
        signature.types = ranges[..3].iter().map(|&(lo, hi)| Type::range("t", lo, hi)).collect();
        let slot = |at| Slot { name: String::new(), ty: TypeIx::new(at % 3), span: None, role: SlotRole::Variable };
        signature.slots = (0..ranges.len()).map(slot).collect();
        let started = std::time::Instant::now();
        let layout = Layout::new(&signature, &BitMatrix::new(1, ranges.len()));
        assert!(started.elapsed().as_millis() < 1000, "{:?}", started.elapsed());
        let state: Vec<Value> =
            (0..ranges.len()).map(|slot| slot as u32 % (1 + ranges[slot].1.cast_unsigned())).collect();
        let mut back = vec![0; state.len()];
        layout.unpack(&packed(&layout, &state).unwrap(), &mut back);
        assert_eq!(back, state);
        // 26 bits for each three slots.
        assert!(layout.words() * 64 < ranges.len() * 26 / 3 * 11 / 10, "{} words", layout.words());
    }

    /// Groups that write everything share the fields of all slots; those that write little have their own.
    #[test]
    fn groups_that_write_much_take_no_memory_each() {
        let (slots, groups) = (3000, 1500);
        let mut signature = signature(&vec![(0, 255); slots]);
        signature.groups = vec![signature.groups[0].clone(); groups];
        let mut may_write = BitMatrix::new(groups, slots);
        for group in 0..groups {
            let written = [0..slots, group..group + 3, group..group + 1400][group % 3].clone();
            written.for_each(|slot| may_write.set(group, slot));
        }
        let layout = Layout::new(&signature, &may_write);
        // Lists for all would take 44 MB.
        assert!(layout.bytes() < 22 << 20, "{} bytes", layout.bytes());
        let source: Vec<Value> = (0..slots).map(|slot| slot as u32 % 251).collect();
        for group in [0, 1, 2, 749, 1497, 1498, 1499] {
            let mut target = source.clone();
            may_write.ones(group).for_each(|slot| target[slot] ^= 4);
            let mut words = packed(&layout, &source).unwrap();
            layout.repack(GroupIx::new(group), &target, &mut words).unwrap();
            assert_eq!(Ok(words), packed(&layout, &target));
        }
    }

    #[test]
    fn a_successor_is_packed_into_its_source() {
        let ranges = [(0, 255); 19];
        let layout = layout(&ranges, &[3, 18]);
        assert_eq!(layout.words(), 3);
        let source: Vec<Value> = (10..29).collect();
        let mut target = source.clone();
        (target[3], target[18]) = (255, 0);
        let mut words = packed(&layout, &source).unwrap();
        layout.repack(GroupIx::new(0), &target, &mut words).unwrap();
        assert_eq!(Ok(words.clone()), packed(&layout, &target));
        target[18] = 256;
        let misfit = Misfit { slot: SlotIx::new(18), value: 256 };
        assert_eq!(layout.repack(GroupIx::new(0), &target, &mut words), Err(misfit));
    }
}
