//! Strong bisimilarity: states are equivalent if each can do what the other can, to equivalent states.
//! Everything counts as seen, `tau` and `i` like all others.
//!
//! Signature refinement, Blom & Orzan, "A distributed algorithm for strong bisimulation reduction of state
//! spaces", 2005. The *signature* of a state is the set of the labels of its transitions, each with the block
//! it leads to; a block whose states have several signatures is cut. Differs: not all signatures are made
//! again in each round. Of the pieces of a block the largest keeps the number, so a state gets a new number
//! at most log n times, and only states with a transition to such a state are marked and looked at again.
//! Signatures are compared as they are; the hash only finds them.
//!
//! Invariant: the states of a block that are not marked have the same signature.

use std::collections::VecDeque;

use crate::Stopped;
use crate::builder::Builder;
use crate::hashing::Mixer;
use crate::index::StateIx;
use crate::partition::{BlockIx, Partition};
use crate::quotient::quotient;
use crate::system::Lts;

/// The smallest system that is strongly bisimilar to this one: one state for each block of states that can be
/// reached, numbered as [`quotient`] says. Whoever is asked in between answers whether to stop.
pub fn reduce(lts: &Lts, stop: &mut dyn FnMut() -> bool) -> Result<Lts, Stopped> {
    Ok(quotient(lts, &partition(lts, stop)?))
}

/// Bytes that [`reduce`] takes at most beside the system itself.
pub fn bytes(lts: &Lts) -> u64 {
    // For each state: its places in the partition (12), a block (12), sources (8), its kind (44), numbers of
    // the quotient (24). For each transition: its source (4), a signature (8, growing to twice as much), the
    // transition of the quotient (12, growing by half).
    const STATE: u64 = 100;
    const TRANSITION: u64 = 50;
    lts.states() as u64 * STATE + lts.transitions() as u64 * TRANSITION
}

/// Whether the initial states of two systems are strongly bisimilar. Labels are compared as texts.
pub fn bisimilar(one: &Lts, other: &Lts, stop: &mut dyn FnMut() -> bool) -> Result<bool, Stopped> {
    let mut both = Builder::new(u64::MAX);
    let offset = one.states() as u32;
    for (lts, offset) in [(one, 0), (other, offset)] {
        for (source, edge) in lts.all_edges() {
            let label = lts.label(edge.action);
            let (source, target) = (StateIx(source.0 + offset), StateIx(edge.target.0 + offset));
            let added = both.action(label).and_then(|action| both.transition(source, action, target));
            added.expect("BUG: there is no limit");
        }
    }
    let states = offset + other.states() as u32;
    let both = both.finish(states, one.initial()).expect("BUG: there is no limit");
    let partition = partition(&both, stop)?;
    let second = StateIx(other.initial().0 + offset);
    Ok(partition.block(one.initial()) == partition.block(second))
}

/// The coarsest partition in which all states of a block are strongly bisimilar. States that cannot be
/// reached are in it, too.
pub fn partition(lts: &Lts, stop: &mut dyn FnMut() -> bool) -> Result<Partition, Stopped> {
    let sources = Sources::new(lts);
    let mut partition = Partition::coarsest(lts.states());
    let mut waiting = VecDeque::from([BlockIx(0)]);
    let mut cutter = Cutter::default();
    let mut since_asked = 0;
    while let Some(block) = waiting.pop_front() {
        since_asked += partition.marked(block).len();
        if since_asked > 10_000 {
            since_asked = 0;
            if stop() {
                return Err(Stopped);
            }
        }
        let Some(new) = cutter.cut(lts, &mut partition, block) else { continue };
        for moved in (new.0..partition.len() as u32).map(BlockIx) {
            cutter.moved.clear();
            cutter.moved.extend(partition.states(moved));
            for &state in &cutter.moved {
                for &source in sources.of(state) {
                    waiting.extend(partition.mark(StateIx(source)));
                }
            }
        }
    }
    Ok(partition)
}

/// The sources of the transitions to each state.
struct Sources {
    starts: Vec<u32>,
    sources: Vec<u32>,
}

impl Sources {
    fn new(lts: &Lts) -> Self {
        let mut starts = vec![0; lts.states() + 1];
        for (_, edge) in lts.all_edges() {
            starts[edge.target.ix() + 1] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut next = starts.clone();
        let mut sources = vec![0; lts.transitions()];
        for (source, edge) in lts.all_edges() {
            let place = &mut next[edge.target.ix()];
            sources[*place as usize] = source.0;
            *place += 1;
        }
        Self { starts, sources }
    }

    fn of(&self, state: StateIx) -> &[u32] {
        &self.sources[self.starts[state.ix()] as usize..self.starts[state.ix() + 1] as usize]
    }
}

/// Cuts blocks by the signatures of their states. All that it has is room that is used again.
#[derive(Default)]
struct Cutter {
    /// Signatures that were found in the block, one after the other: label above, block below, ascending.
    signatures: Vec<u64>,
    kinds: Vec<Kind>,
    /// A kind plus one, or zero where the place is free: open addressing.
    table: Vec<u32>,
    /// The kind of each marked state.
    kind_of: Vec<u32>,
    sizes: Vec<u32>,
    order: Vec<u32>,
    moved: Vec<StateIx>,
}

/// States of the block with one signature.
struct Kind {
    hash: u64,
    start: usize,
    end: usize,
    states: u32,
}

impl Cutter {
    /// Cuts a block whose marked states may have several signatures, and takes the marks off. Answers the
    /// first of the new blocks, if it was cut.
    fn cut(&mut self, lts: &Lts, partition: &mut Partition, block: BlockIx) -> Option<BlockIx> {
        let marked = partition.marked(block).len();
        if partition.size(block) == 1 {
            partition.unmark(block);
            return None;
        }
        self.begin(marked + 1);
        // Those that are not marked are all of one kind, which is the first one then.
        let unmarked = partition.size(block) - marked;
        let resting = partition.an_unmarked(block).map(|state| self.kind(lts, partition, state));
        if resting.is_some() {
            self.kinds[0].states = unmarked as u32;
        }
        for at in 0..marked {
            let state = StateIx(partition.marked(block)[at]);
            let kind = self.kind(lts, partition, state);
            self.kinds[kind as usize].states += 1;
            self.kind_of.push(kind);
        }
        if self.kinds.len() == 1 {
            partition.unmark(block);
            return None;
        }
        // The last piece is the one with the unmarked states, so kinds are put in reverse: the first one
        // last.
        let count = self.kinds.len();
        let piece = |kind: u32| count - 1 - kind as usize;
        self.sizes.clear();
        self.sizes.extend(self.kinds.iter().rev().map(|kind| kind.states));
        let mut next: Vec<u32> = Vec::with_capacity(count);
        let mut end = 0;
        for &size in &self.sizes {
            next.push(end);
            end += size;
        }
        self.order.resize(marked, 0);
        for (at, &kind) in self.kind_of.iter().enumerate() {
            let place = &mut next[piece(kind)];
            self.order[*place as usize] = partition.marked(block)[at];
            *place += 1;
        }
        let largest = (0..count).max_by_key(|&at| (self.sizes[at], at)).unwrap_or(0);
        Some(partition.cut(block, &self.order, &self.sizes, largest))
    }

    /// Forgets the block before, and makes a table for so many signatures at most.
    fn begin(&mut self, most: usize) {
        self.signatures.clear();
        self.kinds.clear();
        self.kind_of.clear();
        self.order.clear();
        // Most blocks have few kinds of states: the table grows with them.
        let places = (2 * most).next_power_of_two().clamp(4, 64);
        self.table.clear();
        self.table.resize(places, 0);
    }

    /// The kind of a state, a new one if its signature was not seen in this block.
    fn kind(&mut self, lts: &Lts, partition: &Partition, state: StateIx) -> u32 {
        let start = self.signatures.len();
        let entry =
            |edge: &crate::Edge| u64::from(edge.action.0) << 32 | u64::from(partition.block(edge.target).0);
        self.signatures.extend(lts.edges(state).iter().map(entry));
        self.signatures[start..].sort_unstable();
        let end = start + dedup(&mut self.signatures[start..]);
        self.signatures.truncate(end);
        let mut mixer = Mixer::default();
        for &word in &self.signatures[start..] {
            mixer.add(word);
        }
        let hash = mixer.done();
        let mask = self.table.len() - 1;
        let mut place = hash as usize & mask;
        while let Some(kind) = self.table[place].checked_sub(1) {
            let found = &self.kinds[kind as usize];
            if found.hash == hash && self.signatures[found.start..found.end] == self.signatures[start..] {
                self.signatures.truncate(start);
                return kind;
            }
            place = (place + 1) & mask;
        }
        let kind = self.kinds.len() as u32;
        self.table[place] = kind + 1;
        self.kinds.push(Kind { hash, start, end, states: 0 });
        if 2 * self.kinds.len() > self.table.len() {
            self.widen();
        }
        kind
    }

    fn widen(&mut self) {
        let places = 2 * self.table.len();
        self.table.clear();
        self.table.resize(places, 0);
        for (kind, found) in self.kinds.iter().enumerate() {
            let mut place = found.hash as usize & (places - 1);
            while self.table[place] != 0 {
                place = (place + 1) & (places - 1);
            }
            self.table[place] = kind as u32 + 1;
        }
    }
}

/// Moves the first of each run of equal words to the front; answers how many there are.
fn dedup(words: &mut [u64]) -> usize {
    let mut kept = 0;
    for at in 0..words.len() {
        if at == 0 || words[at] != words[kept - 1] {
            words[kept] = words[at];
            kept += 1;
        }
    }
    kept
}
