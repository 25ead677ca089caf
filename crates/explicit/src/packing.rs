//! Packing: a state vector as few 64-bit words, in two steps.
//!
//! First, slots that stand side by side make a *leaf* (`leaves`): their values together are one raw word, and
//! the raw words that were seen are numbered. Then the numbers of all leaves are put side by side into words,
//! each in as many bits as numbers took so far. When a number comes that needs more, the layout is *widened*:
//! the leaf gets a further piece in bits that nobody used yet. These bits are zero in all words that were
//! packed before, so what was packed stays right, and so do the keys and handles made of it.
//!
//! Example: leaf A has the slots `pc` and `x`, leaf B the slot `y`. The values (3, 0), (5, 0) and (5, 9) of
//! A were seen: they have the numbers 0, 1 and 2, and A has 2 bits. B has the next 3 bits. So the state (5,
//! 9, 4) is the word 100·10. Then a fourth value of A is seen and, in (7, 7, 4), a fifth one, whose number
//! 4 needs 3 bits. The layout is widened: the third bit of A is put above B. The state (7, 7, 4) is
//! 1·100·00, and 100·10 still means (5, 9, 4).
//!
//! A model's states take about as many bits as the types of a few slots of theirs. Slots that no group
//! writes take none. It is the tree compression of Blom, Lisser, van de Pol & Weber 2008 with one level of
//! leaves and a root that is a string of bits.
//!
//! Invariant: unpacking what was packed gives the same vector. A value that does not fit is refused; it never
//! touches a neighbour.

mod field;
mod leaves;
mod nearness;
mod packer;
mod room;
mod sample;

use std::sync::Arc;

use base::{BitMatrix, GroupIx, SlotIx};
use model::{Signature, Value};

use crate::budget::{Account, Exhausted};
use field::Field;
use leaves::Leaves;
use room::Room;

pub(crate) use packer::Packer;
pub(crate) use sample::Sample;

/// Why a state cannot be packed now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Misfit {
    /// A slot got a value that its type cannot hold.
    Value(SlotIx, Value),
    /// A leaf needs so many bits.
    Narrow { leaf: usize, width: u8 },
    /// There is no room for one more value of a leaf.
    Crowded,
}

/// With no more bits than this, the states of a tree are single words: a table keeps them in 32 bits each
/// then, more or less.
const FEW_BITS: u64 = 48;
/// So many bits may these get to have, …
const MOST_FEW_BITS: u64 = 52;
/// … or any number in a search that has more states than this: to begin anew would take long.
const MANY_STATES: u64 = 1 << 22;

/// With no more bits than this in a sample, leaves are made for local steps.
const FEW_FINE_BITS: u64 = 44;

/// The part of all bits that a tree has to spare in the beginning.
const SPARE_PART: u64 = 4;

/// Some bits of a leaf's number, and where in the words they stand.
#[derive(Clone, Copy, Debug)]
struct Piece {
    word: u32,
    mask: u32,
    shift: u8,
    /// Bits of the number below these, which other pieces hold.
    skip: u8,
}

/// Where a leaf's number stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    first: Piece,
    /// Bits that it has in all.
    width: u8,
    /// Its further pieces, from here to there.
    more: (u32, u32),
}

/// How the states of a model are packed.
#[derive(Clone)]
pub(crate) struct Layout {
    leaves: Arc<Leaves>,
    room: Room,
    /// For a tree: how many words are the left half.
    middle: usize,
    /// It is for a tree.
    is_tree: bool,
    places: Vec<Place>,
    /// Further pieces of leaves that were widened, leaf by leaf.
    more: Vec<Piece>,
}

impl Layout {
    /// The layout for the slots of a model, and for the groups that may write them: as few words as possible.
    /// `None` where the system has no addresses for it.
    pub(crate) fn new(signature: &Signature, may_write: &BitMatrix, sample: &Sample) -> Option<Self> {
        let (leaves, widths) = leaves(signature, may_write, sample)?;
        Some(Self::in_words(Arc::new(leaves), widths, false))
    }

    /// The same for a tree: a single word if it is enough, else two halves with about as many bits.
    pub(crate) fn for_tree(signature: &Signature, may_write: &BitMatrix, sample: &Sample) -> Option<Self> {
        let (leaves, widths) = leaves(signature, may_write, sample)?;
        Some(Self::in_halves(Arc::new(leaves), widths))
    }

    fn in_words(leaves: Arc<Leaves>, widths: Vec<u8>, is_tree: bool) -> Self {
        let mut room = Room::default();
        let places: Vec<(u32, u8)> = widths.iter().map(|&width| room.place(width)).collect();
        Self { is_tree, ..Self::with_places(leaves, room, 0, &widths, &places) }
    }

    fn in_halves(leaves: Arc<Leaves>, widths: Vec<u8>) -> Self {
        let used = sum(&widths);
        if used <= FEW_BITS {
            return Self::in_words(leaves, widths, true);
        }
        let (mut halves, mut sum) = ([Room::default(), Room::default()], 0);
        let mut places = vec![(0, (0, 0)); widths.len()];
        for leaf in nearness::order(&leaves) {
            // As near to the middle as can be.
            let width = widths[leaf];
            let side = usize::from(2 * sum + u64::from(width) > used);
            sum += u64::from(width);
            places[leaf] = (side, halves[side].place(width));
        }
        for half in &mut halves {
            half.add_words(usize::from(half.words() == 0));
        }
        while halves.iter().map(Room::left).sum::<u64>() < used / SPARE_PART {
            let tighter = usize::from(halves[1].left() < halves[0].left());
            halves[tighter].add_words(1);
        }
        let mut room = Room::default();
        room.append(&halves[0]);
        let middle = room.append(&halves[1]);
        let places: Vec<(u32, u8)> =
            places.into_iter().map(|(side, (word, shift))| (word + (side * middle) as u32, shift)).collect();
        Self { is_tree: true, ..Self::with_places(leaves, room, middle, &widths, &places) }
    }

    fn with_places(
        leaves: Arc<Leaves>,
        mut room: Room,
        middle: usize,
        widths: &[u8],
        places: &[(u32, u8)],
    ) -> Self {
        room.add_words(usize::from(room.words() == 0));
        let place = |(&(word, shift), &width): (&(u32, u8), &u8)| Place {
            first: Piece::new(word, shift, 0, width),
            width,
            more: (0, 0),
        };
        let places = places.iter().zip(widths).map(place).collect();
        Self { leaves, room, middle, is_tree: false, places, more: Vec::new() }
    }

    /// A layout in which a leaf has so many bits, and all else stands where it stood; `None` if there is no
    /// room in the words. So many states were packed by now.
    pub(crate) fn widened(&self, leaf: usize, width: u8, states: u64) -> Option<Self> {
        let mut layout = self.clone();
        let home = layout.places[leaf].first.word as usize;
        let mut skip = std::mem::replace(&mut layout.places[leaf].width, width);
        let is_few = self.is_tree && layout.words() == 1 && states < MANY_STATES;
        if is_few && u64::from(layout.room.used(0) + width - skip) > MOST_FEW_BITS {
            return None;
        }
        let mut pieces = layout.more(leaf).to_vec();
        for word in nearest_first(home, layout.words(), layout.middle) {
            let (bits, shift) = layout.room.take_up_to(word, width - skip);
            if bits > 0 {
                pieces.push(Piece::new(word as u32, shift, skip, bits));
                skip += bits;
            }
        }
        layout.set_more(leaf, &pieces);
        (skip == width).then_some(layout)
    }

    /// The same leaves, with the numbers that their values have, in words with room for so many bits of each.
    pub(crate) fn roomier(&self, widths: Vec<u8>) -> Self {
        let leaves = Arc::clone(&self.leaves);
        if self.is_tree { Self::in_halves(leaves, widths) } else { Self::in_words(leaves, widths, false) }
    }

    /// Bits that the number of each leaf has.
    pub(crate) fn widths(&self) -> Vec<u8> {
        self.places.iter().map(|place| place.width).collect()
    }

    /// Bits that the number of a leaf has.
    pub(crate) fn width(&self, leaf: usize) -> u8 {
        self.places[leaf].width
    }

    /// The further pieces of a leaf that was widened.
    #[inline]
    fn more(&self, leaf: usize) -> &[Piece] {
        let (start, end) = self.places[leaf].more;
        &self.more[start as usize..end as usize]
    }

    fn set_more(&mut self, leaf: usize, pieces: &[Piece]) {
        let old = std::mem::take(&mut self.more);
        for (of, place) in self.places.iter_mut().enumerate() {
            let (start, end) = place.more;
            let begin = self.more.len() as u32;
            self.more.extend_from_slice(if of == leaf { pieces } else { &old[start as usize..end as usize] });
            place.more = (begin, self.more.len() as u32);
        }
    }

    /// Whether leaves have further pieces, which takes time.
    pub(crate) fn is_ragged(&self) -> bool {
        !self.more.is_empty()
    }

    /// Bits of a state that is a single word.
    pub(crate) fn bits(&self) -> u32 {
        u32::from(self.room.used(0)).max(1)
    }

    /// Bytes that the layout itself takes.
    pub(crate) fn bytes(&self) -> u64 {
        self.leaves.list_bytes()
    }

    /// Bytes of the numbered values.
    pub(crate) fn table_bytes(&self) -> u64 {
        self.leaves.table_bytes()
    }

    /// At a barrier: makes room for more values of leaves, wherever there is none.
    pub(crate) fn grow(&self, account: &mut Account) -> Result<(), Exhausted> {
        if self.leaves.grow(|bytes| account.reach(bytes))? { Ok(()) } else { Err(Exhausted) }
    }

    /// Words that a packed state takes; at least one.
    pub(crate) fn words(&self) -> usize {
        self.room.words()
    }

    /// How many words are the left half of a tree.
    pub(crate) fn middle(&self) -> usize {
        self.middle
    }

    /// The words that a group may change.
    pub(crate) fn written_words(&self, group: GroupIx) -> Vec<usize> {
        let leaves = self.leaves.written(group).iter().map(|part| part.leaf as usize);
        let touched = leaves
            .flat_map(|leaf| std::iter::once(self.places[leaf].first).chain(self.more(leaf).iter().copied()));
        let mut written: Vec<usize> =
            touched.filter(|piece| piece.mask != 0).map(|piece| piece.word as usize).collect();
        written.sort_unstable();
        written.dedup();
        written
    }

    /// The leaves of some slots, in their order.
    pub(crate) fn leaves_of(&self, slots: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut leaves: Vec<usize> = slots.filter_map(|slot| self.leaves.of_slot(slot)).collect();
        leaves.sort_unstable();
        leaves.dedup();
        leaves
    }

    /// The bits of a leaf in a state that is a single word.
    pub(crate) fn mask(&self, leaf: usize) -> u64 {
        let pieces = std::iter::once(&self.places[leaf].first).chain(self.more(leaf));
        pieces.map(|piece| u64::from(piece.mask) << piece.shift).fold(0, std::ops::BitOr::bitor)
    }

    /// All groups.
    pub(crate) fn groups(&self) -> impl ExactSizeIterator<Item = GroupIx> + use<> {
        GroupIx::all(self.leaves.groups())
    }
}

impl Piece {
    fn new(word: u32, shift: u8, skip: u8, bits: u8) -> Self {
        let mask = u32::MAX.checked_shr(u32::BITS - u32::from(bits)).unwrap_or(0);
        Self { word, mask, shift, skip }
    }

    #[inline(always)]
    fn read(self, words: &[u64]) -> u32 {
        ((words[self.word as usize] >> self.shift) as u32 & self.mask) << self.skip
    }

    #[inline(always)]
    fn write(self, number: u32, words: &mut [u64]) {
        let word = &mut words[self.word as usize];
        let bits = u64::from(number >> self.skip & self.mask);
        *word = *word & !(u64::from(self.mask) << self.shift) | bits << self.shift;
    }
}

/// Leaves and the bits of their numbers: one for each process, if a state is a short word then, for local
/// steps; else larger ones, which take fewer bits.
fn leaves(signature: &Signature, may_write: &BitMatrix, sample: &Sample) -> Option<(Leaves, Vec<u8>)> {
    let fine = Leaves::new(signature, may_write, sample, true)?;
    let widths = fine.widths(sample);
    if sum(&widths) <= FEW_FINE_BITS {
        return Some((fine, widths));
    }
    let coarse = Leaves::new(signature, may_write, sample, false)?;
    let widths = coarse.widths(sample);
    Some((coarse, widths))
}

fn sum(widths: &[u8]) -> u64 {
    widths.iter().map(|&width| u64::from(width)).sum()
}

/// A slot whose value its type cannot hold.
pub(crate) fn wrong_slot(signature: &Signature, state: &[Value]) -> Option<SlotIx> {
    let is_wrong = |slot: &SlotIx| !Field::new(*slot, signature.type_of(*slot), 0).fits(state[slot.ix()]);
    signature.slot_ixs().find(is_wrong)
}

/// All words: one, those of its half, and the others.
fn nearest_first(home: usize, words: usize, middle: usize) -> impl Iterator<Item = usize> {
    let (near, far) = if home < middle { (0..middle, middle..words) } else { (middle..words, 0..middle) };
    std::iter::once(home).chain(near.chain(far).filter(move |&word| word != home))
}

#[cfg(test)]
mod tests;
