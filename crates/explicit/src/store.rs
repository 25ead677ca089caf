//! The state store: every state that was ever seen, in the order of discovery, each with the state it was first
//! reached from. States stand packed in segments; a [`Table`] finds them by hash.
//!
//! Differs from a hash set: states are looked up many at a time. Memory latency is the enemy, so each pass over the
//! incoming states does one kind of far read for all of them, and the reads of a pass overlap.
//!
//! Invariant: state numbers are dense, and a new state gets the next one.

use std::hint::black_box;

use engine::StopReason;

use crate::budget::{Budget, Exhausted};
use crate::hash::hash;
use crate::segments::Segments;
use crate::table::{Place, Table};

/// As many states are looked up together at most: enough to keep the memory busy, few enough to stay in a cache.
pub(crate) const TOGETHER: usize = 128;

/// Numbers of states take 32 bits; the table needs one value for *empty*, the depth-first stack one as a mark.
const MOST_STATES: u64 = u32::MAX as u64 - 1;

/// No state: where the initial state was reached from.
const NOWHERE: u32 = u32::MAX;

/// Packed states on their way into the store, no more than [`TOGETHER`].
#[derive(Clone, Copy)]
pub(crate) struct Incoming<'a> {
    /// Their words, one state after the other.
    pub(crate) words: &'a [u64],
    /// Their hashes.
    pub(crate) hashes: &'a [u64],
    /// The states that they are successors of.
    pub(crate) parents: &'a [u32],
}

/// States by number and numbers by state.
pub(crate) struct Store {
    words: usize,
    states: Segments<u64>,
    parents: Segments<u32>,
    table: Table,
    most: u64,
    when_most: StopReason,
}

impl Store {
    /// An empty store for states of this many words, no more than `limit` of them.
    pub(crate) fn new(words: usize, limit: Option<u64>) -> Self {
        let (most, when_most) = match limit {
            Some(limit) if limit <= MOST_STATES => (limit, StopReason::States),
            _ => (MOST_STATES, StopReason::Memory),
        };
        Self { words, states: Segments::new(words), parents: Segments::new(1), table: Table::new(), most, when_most }
    }

    /// How many states there are.
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        // `most` keeps it below 2^32.
        self.states.len() as u32
    }

    /// The words of a state.
    #[inline]
    pub(crate) fn state(&self, number: u32) -> &[u64] {
        self.states.row(number as usize)
    }

    /// The numbers of the states from the initial one to this one, along the ways they were first reached.
    pub(crate) fn path(&self, last: u32) -> Vec<u32> {
        let parent = |&number: &u32| {
            let parent = self.parents.row(number as usize)[0];
            (parent != NOWHERE).then_some(parent)
        };
        let mut path: Vec<u32> = std::iter::successors(Some(last), parent).collect();
        path.reverse();
        path
    }

    /// Says that a state is better reached from another one.
    ///
    /// The caller sees to it that no path leads from the state to its new parent.
    pub(crate) fn set_parent(&mut self, number: u32, parent: u32) {
        self.parents.row_mut(number as usize)[0] = parent;
    }

    /// Stores the initial state.
    pub(crate) fn insert_initial(&mut self, words: &[u64], budget: &mut Budget) -> Result<(), StopReason> {
        let incoming = Incoming { words, hashes: &[hash(words)], parents: &[NOWHERE] };
        self.insert(incoming, &mut Vec::new(), budget)
    }

    /// Looks states up and stores those that are new; appends the number of each to `numbers`. New are those whose
    /// number is the length of the store at that time, as numbers are dense.
    ///
    /// When the store is full, it holds all states before the first for which there was no room, and `numbers` tells
    /// of just these.
    pub(crate) fn insert(
        &mut self,
        incoming: Incoming<'_>,
        numbers: &mut Vec<u32>,
        budget: &mut Budget,
    ) -> Result<(), StopReason> {
        self.make_room(incoming.hashes.len() as u64, budget)?;
        // Filled in place: moving them costs more than looking up the few successors of a depth-first step.
        let (mut places, mut same) = ([Place::default(); TOGETHER], [false; TOGETHER]);
        self.glance(incoming, &mut places, &mut same);
        for (at, words) in incoming.words.chunks_exact(self.words).enumerate() {
            let number = if same[at] {
                self.table.number(places[at]).expect("BUG: a known state without number")
            } else {
                self.resolve(words, incoming.hashes[at], incoming.parents[at], places[at], budget)?
            };
            numbers.push(number);
        }
        Ok(())
    }

    /// Whether all of these states are stored.
    pub(crate) fn holds_all(&self, incoming: Incoming<'_>) -> bool {
        let (mut places, mut same) = ([Place::default(); TOGETHER], [false; TOGETHER]);
        self.glance(incoming, &mut places, &mut same);
        let mut states = incoming.words.chunks_exact(self.words).enumerate();
        states.all(|(at, words)| same[at] || self.find(words, incoming.hashes[at], places[at]).is_ok())
    }

    /// For each state the first place where it can be, and whether the state there is the same.
    #[inline]
    fn glance(&self, incoming: Incoming<'_>, places: &mut [Place; TOGETHER], same: &mut [bool; TOGETHER]) {
        let count = incoming.hashes.len();
        assert!(count <= TOGETHER, "BUG: {count} states at once");
        for (place, &hash) in places.iter_mut().zip(incoming.hashes) {
            *place = self.table.home(hash);
        }
        for (place, &hash) in places.iter_mut().zip(incoming.hashes) {
            *place = self.table.seek(hash, *place);
        }
        for ((same, place), words) in same.iter_mut().zip(&*places).zip(incoming.words.chunks_exact(self.words)) {
            *same = self.table.number(*place).is_some_and(|number| self.is(number, words));
        }
    }

    /// Gives the memory of the table back; states can be read after that, but not looked up.
    pub(crate) fn forget_table(&mut self, budget: &mut Budget) {
        self.table.forget(budget);
    }

    /// The number of a state that is not before this place, a new one if it is nowhere.
    fn resolve(
        &mut self,
        words: &[u64],
        hash: u64,
        parent: u32,
        place: Place,
        budget: &mut Budget,
    ) -> Result<u32, StopReason> {
        // States of the same insertion may have filled it meanwhile.
        match self.find(words, hash, self.table.seek(hash, self.table.again(place))) {
            Ok(number) => Ok(number),
            Err(empty) => {
                let number = self.push(words, parent, budget)?;
                self.table.fill(empty, hash, number);
                Ok(number)
            }
        }
    }

    /// The number of a state that is not before this place, or the empty place where it would be.
    #[inline]
    fn find(&self, words: &[u64], hash: u64, mut place: Place) -> Result<u32, Place> {
        while let Some(number) = self.table.number(place) {
            if self.is(number, words) {
                return Ok(number);
            }
            place = self.table.seek(hash, self.table.after(place));
        }
        Err(place)
    }

    /// All words are compared before the answer: a branch that waits for far memory stops everything behind it.
    #[inline]
    fn is(&self, number: u32, words: &[u64]) -> bool {
        self.state(number).iter().zip(words).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
    }

    fn push(&mut self, words: &[u64], parent: u32, budget: &mut Budget) -> Result<u32, StopReason> {
        let number = self.len();
        if u64::from(number) == self.most {
            return Err(self.when_most.clone());
        }
        if u64::from(number) == self.table.room() {
            return Err(StopReason::Memory);
        }
        self.parents.push(&[parent], budget)?;
        if let Err(exhausted) = self.states.push(words, budget) {
            self.parents.pop();
            return Err(exhausted.into());
        }
        Ok(number)
    }

    /// Grows the table if it would get crowded, and memory allows.
    #[inline]
    fn make_room(&mut self, more: u64, budget: &mut Budget) -> Result<(), Exhausted> {
        let states = u64::from(self.len());
        if !self.table.is_crowded(states + more) {
            return Ok(());
        }
        let state_bytes = self.states.row_bytes() + self.parents.row_bytes();
        match self.table.next_capacity(states + more, state_bytes, budget) {
            Some(capacity) => self.rehash(capacity, budget),
            None if self.table.room() == 0 => Err(Exhausted),
            None => Ok(()),
        }
    }

    fn rehash(&mut self, capacity: u64, budget: &mut Budget) -> Result<(), Exhausted> {
        self.table.renew(capacity, budget)?;
        let mut hashes = [0; TOGETHER];
        for start in (0..self.states.len()).step_by(TOGETHER) {
            let count = TOGETHER.min(self.states.len() - start);
            for (at, slot) in hashes[..count].iter_mut().enumerate() {
                *slot = hash(self.states.row(start + at));
                // Brings the entry near; what stands there is looked at when it is written.
                black_box(self.table.home(*slot));
            }
            for (at, &hash) in hashes[..count].iter().enumerate() {
                self.table.add(hash, (start + at) as u32);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// Words from few values, so that most states come back, and long runs of equal words.
    fn random_states(count: usize, words: usize, values: u64) -> impl Iterator<Item = Vec<u64>> {
        let mut random = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = move || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random
        };
        (0..count).map(move |_| (0..words).map(|_| next() % values).collect())
    }

    fn insert_all(store: &mut Store, states: &[Vec<u64>], budget: &mut Budget) -> (Vec<u32>, Result<(), StopReason>) {
        let mut numbers = Vec::new();
        // Lengths that do not divide anything, to meet every boundary.
        for chunk in states.chunks(97) {
            let words = chunk.concat();
            let hashes: Vec<u64> = chunk.iter().map(|state| hash(state)).collect();
            let parents: Vec<u32> = chunk.iter().map(|state| state[0] as u32).collect();
            let incoming = Incoming { words: &words, hashes: &hashes, parents: &parents };
            if let Err(reason) = store.insert(incoming, &mut numbers, budget) {
                return (numbers, Err(reason));
            }
        }
        (numbers, Ok(()))
    }

    #[test]
    fn the_store_is_a_hash_map_through_many_growths() {
        for (words, values, count) in [(1, 300_000, 500_000), (2, 500, 400_000), (3, 60, 300_000), (7, 4, 50_000)] {
            let states: Vec<Vec<u64>> = random_states(count, words, values).collect();
            let mut budget = Budget::new(None);
            let mut store = Store::new(words, None);
            let (numbers, end) = insert_all(&mut store, &states, &mut budget);
            assert_eq!(end, Ok(()));
            let mut known = HashMap::new();
            for (state, &number) in states.iter().zip(&numbers) {
                let next = known.len() as u32;
                assert_eq!(number, *known.entry(state).or_insert(next));
                assert_eq!(store.state(number), state);
                assert_eq!(store.parents.row(number as usize), [state[0] as u32]);
            }
            assert_eq!(store.len() as usize, known.len());
            let other: Vec<Vec<u64>> = random_states(count, words, values + 1 + values / 8).collect();
            let mut strangers = 0;
            for state in states[..1000].iter().chain(&other) {
                let incoming = Incoming { words: state, hashes: &[hash(state)], parents: &[0] };
                assert_eq!(store.holds_all(incoming), known.contains_key(state));
                strangers += usize::from(!known.contains_key(state));
            }
            assert!(strangers > 1000 && store.len() as usize == known.len(), "{strangers} strangers");
        }
    }

    #[test]
    fn memory_fills_up_to_the_limit_and_not_past_it() {
        let limit = 25 << 20;
        let mut budget = Budget::new(Some(limit));
        let mut store = Store::new(3, None);
        let states: Vec<Vec<u64>> = (0..1_000_000).map(|count| vec![count, 0, 0]).collect();
        let (numbers, end) = insert_all(&mut store, &states, &mut budget);
        assert_eq!(end, Err(StopReason::Memory));
        assert_eq!(numbers.len(), store.len() as usize);
        assert!(numbers.iter().enumerate().all(|(at, &number)| number == at as u32));
        assert!(budget.peak() <= limit);
        // 15 MB for states of 28 bytes and a table of little more than 4 bytes a state. A table that doubles
        // without a look at what is left would stop at 419,430 states.
        assert!(store.len() > 440_000, "only {} states", store.len());
    }

    #[test]
    fn the_limit_of_states_is_exact() {
        let states: Vec<Vec<u64>> = (0..5000).map(|count| vec![count % 1000]).collect();
        let mut budget = Budget::new(None);
        let mut store = Store::new(1, Some(1000));
        assert_eq!(insert_all(&mut store, &states, &mut budget).1, Ok(()));
        let mut store = Store::new(1, Some(999));
        let (numbers, end) = insert_all(&mut store, &states, &mut budget);
        assert_eq!((numbers.len(), store.len(), end), (999, 999, Err(StopReason::States)));
    }

    #[test]
    fn a_limit_below_the_first_byte_is_an_answer() {
        let mut budget = Budget::new(Some(1));
        assert_eq!(Store::new(1, None).insert_initial(&[0], &mut budget), Err(StopReason::Memory));
    }
}
