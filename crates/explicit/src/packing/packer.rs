//! A packer: a worker's way to pack states, with what it knows of its *source*, the state that it unpacked last.

use std::sync::Arc;

use base::{GroupIx, SlotIx};
use model::Value;
use tables::{Crowded, Spare};

use super::leaves::Touch;
use super::{Layout, Misfit};

/// Packs and unpacks.
pub(crate) struct Packer {
    layout: Arc<Layout>,
    /// The raw words of the source's leaves.
    source: Vec<u64>,
    spares: Vec<Spare>,
}

impl Packer {
    pub(crate) fn new(layout: Arc<Layout>) -> Self {
        let (source, spares) = (vec![0; layout.leaves.count()], layout.leaves.spares());
        Self { layout, source, spares }
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
            self.put(at, raw, words)?;
        }
        Ok(())
    }

    /// Packs a successor of the source into the words of the source: only what the group can change is written.
    #[inline]
    pub(crate) fn repack(&mut self, group: GroupIx, state: &[Value], words: &mut [u64]) -> Result<(), Misfit> {
        for touch in self.layout.leaves.written(group) {
            let leaf = touch.leaf as usize;
            let raw = self.raw(touch, state, self.source[leaf])?;
            if raw != self.source[leaf] {
                put(&self.layout, &mut self.spares, leaf, raw, words)?;
            }
        }
        Ok(())
    }

    /// Unpacks a state over any other one: slots that no group writes are in it already. It becomes the source.
    #[inline]
    pub(crate) fn unpack(&mut self, words: &[u64], state: &mut [Value]) {
        let leaves = &*self.layout.leaves;
        for ((touch, pieces), source) in leaves.all().iter().zip(&self.layout.pieces).zip(&mut self.source) {
            let number = pieces.iter().fold(0, |number, piece| number | piece.read(words));
            let raw = leaves.raw(touch.leaf as usize, number);
            *source = raw;
            for field in leaves.fields(touch) {
                state[field.slot as usize] = field.read(raw);
            }
        }
    }

    /// The raw word of a leaf that had another one before.
    #[inline(always)]
    fn raw(&self, touch: &Touch, state: &[Value], mut raw: u64) -> Result<u64, Misfit> {
        let mut lost = 0;
        for field in self.layout.leaves.fields(touch) {
            lost |= field.write(state[field.slot as usize], &mut raw);
        }
        if lost == 0 { Ok(raw) } else { Err(self.misfit(touch, state)) }
    }

    fn put(&mut self, leaf: usize, raw: u64, words: &mut [u64]) -> Result<(), Misfit> {
        put(&self.layout, &mut self.spares, leaf, raw, words)
    }

    #[cold]
    fn misfit(&self, touch: &Touch, state: &[Value]) -> Misfit {
        let fields = self.layout.leaves.fields(touch);
        let lost = fields.iter().find(|field| field.write(state[field.slot as usize], &mut 0) != 0);
        let slot = lost.expect("BUG: some value did not fit").slot as usize;
        Misfit::Value(SlotIx::new(slot), state[slot])
    }
}

/// Writes the number of a leaf's raw word.
#[inline(always)]
fn put(layout: &Layout, spares: &mut [Spare], leaf: usize, raw: u64, words: &mut [u64]) -> Result<(), Misfit> {
    let number = layout.leaves.number(leaf, raw, spares).map_err(|Crowded| Misfit::Crowded)?;
    if u64::from(number) >> layout.widths[leaf] != 0 {
        let width = (u32::BITS - number.leading_zeros()) as u8;
        return Err(Misfit::Narrow { leaf, width });
    }
    for piece in &layout.pieces[leaf] {
        piece.write(number, words);
    }
    Ok(())
}
