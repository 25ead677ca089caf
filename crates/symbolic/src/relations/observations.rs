//! What the model said of the short vectors that it was asked for, beyond the steps themselves: where a group
//! fails, where a guard cannot be evaluated, where it does what a property asks for. All answers about steps
//! are looked up here, so no state is ever asked again.
//!
//! While relations are learned, observations are plain lists: an operation of the store may be under way then.
//! They become sets when [`ObservedSets::settle`] is called.

use ldd::{Ldd, Stop, Store};

/// Short vectors of one width, one behind the other.
#[derive(Default)]
struct Shorts {
    values: Vec<u32>,
    /// Counted, as short vectors may have no slots.
    count: usize,
}

impl Shorts {
    fn push(&mut self, short: &[u32]) {
        self.values.extend_from_slice(short);
        self.count += 1;
    }

    /// known ∪ these, which are then forgotten.
    fn add_to(&mut self, known: &mut Ldd, store: &Store) -> Result<(), Stop> {
        if let Some(width) = self.values.len().checked_div(self.count) {
            let shorts = (0..self.count).map(|at| &self.values[at * width..(at + 1) * width]);
            *known = store.union(known, &store.vectors(shorts)?)?;
            *self = Self::default();
        }
        Ok(())
    }
}

/// Observations of a group that are not settled yet.
#[derive(Default)]
pub(crate) struct Observations {
    failed: Shorts,
    /// By pattern.
    matching: Vec<Shorts>,
    /// Where steps are the same as others, two actions that lead to one state: once for each step more than
    /// there are rows.
    again: Vec<Shorts>,
}

impl Observations {
    /// What they take.
    pub fn bytes(&self) -> u64 {
        let of_one = |shorts: &Shorts| shorts.values.capacity() as u64 * 4;
        of_one(&self.failed) + self.matching.iter().chain(&self.again).map(of_one).sum::<u64>()
    }

    /// The group was asked for a short vector, and did what these patterns match.
    pub fn matched(&mut self, short: &[u32], patterns: &[bool]) {
        if self.matching.len() < patterns.len() {
            self.matching.resize_with(patterns.len(), Shorts::default);
        }
        let matching = self.matching.iter_mut().zip(patterns).filter(|(_, matches)| **matches);
        matching.for_each(|(matching, _)| matching.push(short));
    }

    /// The group was asked for a short vector, and had so many steps that were the same as others.
    pub fn did_again(&mut self, short: &[u32], times: usize) {
        if self.again.len() < times {
            self.again.resize_with(times, Shorts::default);
        }
        self.again[..times].iter_mut().for_each(|again| again.push(short));
    }

    /// The group was asked for a short vector, and failed. How is found again when the witness is replayed.
    pub fn failed(&mut self, short: &[u32]) {
        self.failed.push(short);
    }
}

/// Sets of short vectors of a group.
pub(crate) struct ObservedSets {
    /// Where it fails.
    pub failed: Ldd,
    /// Where it has a successor by a matching action, by pattern.
    pub matching: Vec<Ldd>,
    /// Where it has one more step than its relation has rows, where two more, and so on, if somebody counts.
    pub again: Vec<Ldd>,
}

impl ObservedSets {
    pub fn nothing(store: &Store) -> Self {
        Self { failed: store.empty(), matching: Vec::new(), again: Vec::new() }
    }

    /// Adds the observations, which are then forgotten.
    pub fn settle(&mut self, store: &Store, observations: &mut Observations) -> Result<(), Stop> {
        observations.failed.add_to(&mut self.failed, store)?;
        for (known, new) in
            [(&mut self.matching, &mut observations.matching), (&mut self.again, &mut observations.again)]
        {
            if known.len() < new.len() {
                known.resize_with(new.len(), || store.empty());
            }
            for (known, new) in known.iter_mut().zip(new) {
                new.add_to(known, store)?;
            }
        }
        Ok(())
    }
}
