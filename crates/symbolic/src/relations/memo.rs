//! What a group did, by the slots that it reads.
//!
//! A relation may test slots that its group does not read. For example, a group reads slot 2 and its relation
//! tests slots 0 and 2: the short vectors (0, 5), (1, 5) and (2, 5) are three for the relation, and one for
//! the group. It is asked for the first, and the rows of the others are made from what it did then.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ldd::{Entry, Rows};
use model::{Successors, Value};

use super::observations::Failure;
use super::subject::{Subject, written};

/// Answers of a group that are kept, at most; a relation that is asked for more no longer tests what it only
/// writes. Tests of this crate come to the end of it with small models.
pub(crate) const MOST_ANSWERS: u64 = if cfg!(test) { 4 } else { 1 << 12 };

/// What a group did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    pub failure: Option<Failure>,
    /// Which patterns it matched; empty where it led nowhere.
    pub matching: Box<[bool]>,
    /// How many of its steps were the same as others, if somebody counts.
    pub duplicates: usize,
    /// For each successor what it makes of the slots that the group writes, one behind the other.
    writes: Box<[Entry]>,
    successors: usize,
}

/// The outcomes of a group.
pub(crate) struct Memo {
    reads: Vec<usize>,
    writes: Vec<usize>,
    outcomes: HashMap<Box<[Value]>, Outcome, BuildHasherDefault<Quick>>,
    /// Read slots of the state that is being looked for.
    key: Vec<Value>,
    /// Bytes that are left for all memos together.
    room: Arc<AtomicU64>,
}

/// What an answer takes beside its numbers: its place in the table, and what the allocator adds to three
/// small pieces.
const EACH: usize = size_of::<(Box<[Value]>, Outcome)>() * 2 + 48;

/// A hash that takes less than the call it saves: the usual one, which withstands those who choose their keys
/// to meet, takes as much.
#[derive(Default)]
struct Quick(u64);

impl Quick {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.add(u64::from_le_bytes(*word)));
        if let Some(half) = rest.first_chunk::<4>() {
            self.add(u32::from_le_bytes(*half).into());
        } else {
            rest.iter().for_each(|&byte| self.add(byte.into()));
        }
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

impl Memo {
    /// A group with these slots, of which nothing is known; `room` is in bytes, for all memos together.
    pub fn new(reads: Vec<usize>, writes: Vec<usize>, room: &Arc<AtomicU64>) -> Self {
        Self { reads, writes, outcomes: HashMap::default(), key: Vec::new(), room: Arc::clone(room) }
    }

    /// What the group does in a state, if it was told.
    pub fn get(&mut self, state: &[Value]) -> Option<&Outcome> {
        self.key.clear();
        self.key.extend(self.reads.iter().map(|&slot| state[slot]));
        self.outcomes.get(&self.key[..])
    }

    /// Keeps what the group did in the state that was looked for last, if there is room.
    pub fn put(
        &mut self,
        failure: Option<Failure>,
        matching: Box<[bool]>,
        duplicates: usize,
        did: &Successors,
    ) {
        if self.outcomes.len() as u64 >= MOST_ANSWERS {
            return;
        }
        let numbers =
            size_of_val(&self.key[..]) + did.len() * self.writes.len() * size_of::<Entry>() + matching.len();
        let bytes = (EACH + numbers) as u64;
        let take = |room: u64| room.checked_sub(bytes);
        if self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_err() {
            return;
        }
        let writes =
            did.iter().flat_map(|successor| self.writes.iter().map(move |&slot| written(successor, slot)));
        let outcome =
            Outcome { failure, matching, duplicates, writes: writes.collect(), successors: did.len() };
        self.outcomes.insert(self.key.as_slice().into(), outcome);
    }
}

impl Outcome {
    /// Appends the rows of its successors from a state.
    pub fn push_rows(&self, subject: &Subject, from: &[Value], rows: &mut Rows) {
        let width = self.writes.len().checked_div(self.successors).unwrap_or(0);
        for at in 0..self.successors {
            rows.push(subject.row(from, self.writes[at * width..][..width].iter().copied()));
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::{Control, Pattern};
    use ldd::Store;
    use model::Model;

    use crate::options::{Options, Split, Strategy};
    use crate::relations::Relations;
    use crate::search::{Search, Stop};
    use crate::table::{Random, Tables};

    /// What a search finds: states, states in which the model fails, states with a certain action; and how
    /// often it asked.
    fn found(model: &Tables, options: Options) -> ([String; 3], u64, bool) {
        found_within(u64::MAX, model, options)
    }

    /// The same where memos have this room, in bytes.
    fn found_within(room: u64, model: &Tables, options: Options) -> ([String; 3], u64, bool) {
        let (store, control) = (Store::with_memory(1 << 26).expect("room"), Control::default());
        let patterns = vec![Pattern::new("a3", model.signature())];
        let run = || {
            let mut search = Search::new(model, options, patterns.clone(), &store, &control)?;
            search.relations = Relations::new(model, &store, options, patterns.clone(), room)?;
            let (states, _) = search.run(options.strategy)?;
            let (failing, acting) = (search.failing(&states)?.errors, search.acting(0, &states)?);
            let counts = [&states, &failing, &acting].map(|set| store.count(set).to_string());
            let groups = search.relations.groups();
            let has_left = (0..groups).any(|group| search.relations.relation_of(group) != group);
            Ok((counts, search.relations.oracle.group_calls(), has_left))
        };
        run().unwrap_or_else(|Stop(reason)| panic!("{reason:?}"))
    }

    #[test]
    fn groups_are_asked_once_for_what_they_read() {
        let seed: u64 = std::env::var("PINSCHER_SEED").map_or(1, |seed| seed.parse().expect("a number"));
        let (mut left, mut saved) = (0, 0);
        for number in seed..seed + 60 {
            println!("PINSCHER_SEED={number}");
            let model = Tables::random(&mut Random::new(number));
            let reads = &model.dependencies().read;
            let most: u64 =
                (0..model.signature().groups.len()).map(|at| 3u64.pow(reads.count(at) as u32)).sum();
            for (&strategy, threads) in
                Strategy::ALL.iter().flat_map(|strategy| [(strategy, 1), (strategy, 2)])
            {
                let options = Options { threads, split_guards: Split::Off, ..Options::new(strategy) };
                let (together, all_calls, _) = found(&model, Options { separate: false, ..options });
                let (apart, calls, has_left) = found(&model, options);
                assert_eq!(apart, together, "{options:?}");
                // Questions again is only what no longer had room.
                assert!(calls <= all_calls.max(2 * most), "{calls} calls, {all_calls} together, {options:?}");
                left += u32::from(has_left);
                saved += all_calls.saturating_sub(calls);
            }
        }
        assert!(left > 100 && saved > 1000, "{left} times a form was left, {saved} calls saved");
    }
    #[test]
    fn what_has_no_room_is_asked_again() {
        let (mut roomy, mut tight) = (0, 0);
        for number in 1..40 {
            let model = Tables::random(&mut Random::new(number));
            let options = Options { split_guards: Split::Off, ..Options::new(Strategy::Chain) };
            let (wanted, calls, _) = found(&model, options);
            roomy += calls;
            for room in [0, 600] {
                let (counts, calls, _) = found_within(room, &model, options);
                assert_eq!(counts, wanted, "seed {number}, {room} bytes");
                tight += calls;
            }
        }
        assert!(tight > 2 * roomy, "{tight} calls in two searches, {roomy} in one with room");
    }
}
