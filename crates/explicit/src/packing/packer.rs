//! A packer: a worker's way to pack states, with what it knows of its *source*, the state that it unpacked
//! last.

use std::sync::Arc;

use base::{GroupIx, SlotIx};
use model::Value;
use tables::{Crowded, Spare};

use super::leaves::LeafPart;
use super::{Layout, Misfit};

/// Packs and unpacks.
pub(crate) struct Packer {
    layout: Arc<Layout>,
    /// The raw words of the source's leaves.
    source: Vec<u64>,
    spares: Vec<Spare>,
    /// Numbers that were looked up not long ago, for each leaf.
    cached: Vec<[CachedNumber; CACHED]>,
}

/// Numbers that are cached for each leaf.
const CACHED: usize = 256;
/// With more leaves than this none are cached.
const MOST_LEAVES: usize = 64;

/// A raw word and its number.
#[derive(Clone, Copy)]
struct CachedNumber {
    raw: u64,
    number: u32,
}

impl Packer {
    pub(crate) fn new(layout: Arc<Layout>) -> Self {
        let leaves = layout.leaves.count();
        let (source, spares) = (vec![0; leaves], layout.leaves.spares());
        // No raw word has its own place in such a cache: it is empty.
        let nothing: [CachedNumber; CACHED] =
            std::array::from_fn(|at| CachedNumber { raw: stranger(at), number: 0 });
        let cached = vec![nothing; if leaves > MOST_LEAVES { 0 } else { leaves }];
        Self { layout, source, spares, cached }
    }

    /// How states are packed.
    pub(crate) fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// The layout was widened.
    pub(crate) fn adapt(&mut self, layout: Arc<Layout>) {
        self.layout = layout;
    }

    /// Packs a state into words that are zero.
    pub(crate) fn pack(&mut self, state: &[Value], words: &mut [u64]) -> Result<(), Misfit> {
        for at in 0..self.layout.leaves.count() {
            let raw = self.raw(&self.layout.leaves.all()[at], state, 0)?;
            put(&self.layout, &mut self.spares, &mut [], at, raw, words)?;
        }
        Ok(())
    }

    /// Packs a successor of the source into the words of the source: only what the group can change is
    /// written.
    #[inline]
    pub(crate) fn repack(
        &mut self,
        group: GroupIx,
        state: &[Value],
        words: &mut [u64],
    ) -> Result<(), Misfit> {
        for part in self.layout.leaves.written(group) {
            let leaf = part.leaf as usize;
            let raw = self.raw(part, state, self.source[leaf])?;
            if raw != self.source[leaf] {
                put(&self.layout, &mut self.spares, &mut self.cached, leaf, raw, words)?;
            }
        }
        Ok(())
    }

    /// Unpacks a state over any other one: slots that no group writes are in it already. It becomes the
    /// source.
    #[inline]
    pub(crate) fn unpack(&mut self, words: &[u64], state: &mut [Value]) {
        let leaves = &*self.layout.leaves;
        for ((part, place), source) in leaves.all().iter().zip(&self.layout.places).zip(&mut self.source) {
            let mut number = place.first.read(words);
            for piece in self.layout.more(part.leaf as usize) {
                number |= piece.read(words);
            }
            let raw = leaves.raw(part.leaf as usize, number);
            *source = raw;
            for field in leaves.fields(part) {
                state[field.slot as usize] = field.read(raw);
            }
        }
    }

    /// The raw word of a leaf that had another one before.
    #[inline(always)]
    fn raw(&self, part: &LeafPart, state: &[Value], mut raw: u64) -> Result<u64, Misfit> {
        let mut lost = 0;
        raw &= part.others;
        for field in self.layout.leaves.fields(part) {
            let (code, more) = field.code(state[field.slot as usize]);
            raw |= code;
            lost |= more;
        }
        if lost == 0 { Ok(raw) } else { Err(self.misfit(part, state)) }
    }

    #[cold]
    fn misfit(&self, part: &LeafPart, state: &[Value]) -> Misfit {
        let fields = self.layout.leaves.fields(part);
        let lost = fields.iter().find(|field| !field.fits(state[field.slot as usize]));
        let slot = lost.expect("BUG: some value did not fit").slot as usize;
        Misfit::Value(SlotIx::new(slot), state[slot])
    }
}

/// Where a raw word is cached.
#[inline(always)]
fn home(raw: u64) -> usize {
    (raw.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - CACHED.ilog2())) as usize
}

/// A raw word that belongs elsewhere.
fn stranger(at: usize) -> u64 {
    u64::from(home(0) == at)
}

/// Writes the number of a leaf's raw word.
#[inline(always)]
fn put(
    layout: &Layout,
    spares: &mut [Spare],
    cached: &mut [[CachedNumber; CACHED]],
    leaf: usize,
    raw: u64,
    words: &mut [u64],
) -> Result<(), Misfit> {
    let number = match cached.get_mut(leaf) {
        Some(cached) => {
            let cached = &mut cached[home(raw)];
            if cached.raw != raw {
                let number = layout.leaves.number(leaf, raw, spares).map_err(|Crowded| Misfit::Crowded)?;
                *cached = CachedNumber { raw, number };
            }
            cached.number
        }
        None => layout.leaves.number(leaf, raw, spares).map_err(|Crowded| Misfit::Crowded)?,
    };
    let place = &layout.places[leaf];
    if u64::from(number) >> place.width != 0 {
        let width = (u32::BITS - number.leading_zeros()) as u8;
        return Err(Misfit::Narrow { leaf, width });
    }
    place.first.write(number, words);
    for piece in layout.more(leaf) {
        piece.write(number, words);
    }
    Ok(())
}
