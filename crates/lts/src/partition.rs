//! A partition of states that is refined: blocks of states stand together in one array, and in each block
//! those that are marked come first. Marking a state and cutting a block take time in what they touch, not in
//! the size of the block. After Valmari & Lehtinen, "Efficient minimization of DFAs with partial transition
//! functions", 2008.

use crate::index::StateIx;

/// A block of states, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BlockIx(pub u32);

impl BlockIx {
    /// Its number, to index a slice with.
    #[inline]
    pub fn ix(self) -> usize {
        self.0 as usize
    }
}

/// A partition of the states of a system.
#[derive(Clone, Debug)]
pub struct Partition {
    /// All states, those of a block side by side.
    elements: Vec<u32>,
    /// Where a state is among them.
    places: Vec<u32>,
    /// The block of a state.
    block_of: Vec<u32>,
    blocks: Vec<Block>,
}

/// A stretch of the elements.
#[derive(Clone, Copy, Debug)]
struct Block {
    start: u32,
    /// Those before it are marked.
    unmarked: u32,
    end: u32,
}

impl Partition {
    /// All of so many states in one block, with all of them marked.
    pub(crate) fn coarsest(states: usize) -> Self {
        let count = u32::try_from(states).expect("BUG: more than 2^32 states");
        let all: Vec<u32> = (0..count).collect();
        let blocks = vec![Block { start: 0, unmarked: count, end: count }];
        Self { elements: all.clone(), places: all, block_of: vec![0; states], blocks }
    }

    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether there is none, as there is no state.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The block of a state.
    #[inline]
    pub fn block(&self, state: StateIx) -> BlockIx {
        BlockIx(self.block_of[state.ix()])
    }

    /// The states of a block, in no order that means anything.
    pub fn states(&self, block: BlockIx) -> impl ExactSizeIterator<Item = StateIx> {
        let Block { start, end, .. } = self.blocks[block.ix()];
        self.elements[start as usize..end as usize].iter().map(|&state| StateIx(state))
    }

    /// How many states a block has.
    pub(crate) fn size(&self, block: BlockIx) -> usize {
        let Block { start, end, .. } = self.blocks[block.ix()];
        (end - start) as usize
    }

    /// Marks a state; answers its block if that is the first mark in it.
    #[inline]
    pub(crate) fn mark(&mut self, state: StateIx) -> Option<BlockIx> {
        let number = self.block_of[state.ix()];
        let block = &mut self.blocks[number as usize];
        let place = self.places[state.ix()];
        if place < block.unmarked {
            return None;
        }
        let first = block.unmarked;
        block.unmarked += 1;
        let is_first_mark = first == block.start;
        let other = self.elements[first as usize];
        self.elements[first as usize] = state.0;
        self.elements[place as usize] = other;
        self.places[state.ix()] = first;
        self.places[other as usize] = place;
        is_first_mark.then_some(BlockIx(number))
    }

    /// The marked states of a block.
    pub(crate) fn marked(&self, block: BlockIx) -> &[u32] {
        let Block { start, unmarked, .. } = self.blocks[block.ix()];
        &self.elements[start as usize..unmarked as usize]
    }

    /// Some state of a block that is not marked, if there is one.
    pub(crate) fn an_unmarked(&self, block: BlockIx) -> Option<StateIx> {
        let Block { unmarked, end, .. } = self.blocks[block.ix()];
        (unmarked < end).then(|| StateIx(self.elements[unmarked as usize]))
    }

    /// Takes the marks off all states of a block.
    pub(crate) fn unmark(&mut self, block: BlockIx) {
        let block = &mut self.blocks[block.ix()];
        block.unmarked = block.start;
    }

    /// Cuts a block: its marked states, in this order, make pieces of these sizes, from the first on; what is
    /// left of the sizes and all unmarked states are the last piece. No state is marked any more. The piece
    /// at `stays` keeps the number, the others get new ones in their order, which are those from the answer
    /// on.
    pub(crate) fn cut(&mut self, block: BlockIx, order: &[u32], sizes: &[u32], stays: usize) -> BlockIx {
        let Block { start, end, .. } = self.blocks[block.ix()];
        for (place, &state) in (start..).zip(order) {
            self.elements[place as usize] = state;
            self.places[state as usize] = place;
        }
        let first_new = BlockIx(self.blocks.len() as u32);
        let mut from = start;
        for (at, &size) in sizes.iter().enumerate() {
            let to = if at + 1 == sizes.len() { end } else { from + size };
            let piece = Block { start: from, unmarked: from, end: to };
            if at == stays {
                self.blocks[block.ix()] = piece;
            } else {
                let number = self.blocks.len() as u32;
                self.blocks.push(piece);
                for &state in &self.elements[from as usize..to as usize] {
                    self.block_of[state as usize] = number;
                }
            }
            from = to;
        }
        first_new
    }
}
