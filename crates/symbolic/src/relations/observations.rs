//! What the model said of short vectors beyond the steps themselves: where a group fails, where it meets a
//! limit of the tool, where a guard cannot be evaluated, where an action happens that a property names. Answers are made from these
//! observations, so no state is asked for duplicates.
//!
//! While relations are learned an operation of the store is under way, and no set can be made. So
//! observations are lists at first, and become sets when [`ObservedSets::settle`] is called.

use ldd::{Ldd, Stop, Store};
use model::EvalError;

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

/// Why a group has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// The model does wrong, or a guard cannot be evaluated.
    Error,
    /// The tool cannot go on.
    Limit,
}

impl Failure {
    pub fn of(error: &EvalError) -> Self {
        if error.is_limit() { Self::Limit } else { Self::Error }
    }
}

/// Observations of a group that are not settled yet.
#[derive(Default)]
pub(crate) struct Observations {
    failed: Shorts,
    limited: Shorts,
    /// By pattern.
    matching: Vec<Shorts>,
    /// Where two actions lead to one state: once for each step more than there are rows.
    duplicates: Vec<Shorts>,
}

impl Observations {
    /// Bytes that they take.
    pub fn bytes(&self) -> u64 {
        let of_one = |shorts: &Shorts| shorts.values.capacity() as u64 * 4;
        of_one(&self.failed)
            + of_one(&self.limited)
            + self.matching.iter().chain(&self.duplicates).map(of_one).sum::<u64>()
    }

    /// The group was asked for a short vector, and did what these patterns match.
    pub fn matched(&mut self, short: &[u32], patterns: &[bool]) {
        if self.matching.len() < patterns.len() {
            self.matching.resize_with(patterns.len(), Shorts::default);
        }
        let matching = self.matching.iter_mut().zip(patterns).filter(|(_, matches)| **matches);
        matching.for_each(|(matching, _)| matching.push(short));
    }

    /// The group was asked for a short vector, and had so many steps that others equal.
    pub fn repeated(&mut self, short: &[u32], times: usize) {
        if self.duplicates.len() < times {
            self.duplicates.resize_with(times, Shorts::default);
        }
        self.duplicates[..times].iter_mut().for_each(|duplicates| duplicates.push(short));
    }

    /// The group was asked for a short vector, and failed. How is found again when the witness is replayed.
    pub fn failed(&mut self, short: &[u32], failure: Failure) {
        match failure {
            Failure::Error => self.failed.push(short),
            Failure::Limit => self.limited.push(short),
        }
    }
}

/// Sets of short vectors of a group.
pub(crate) struct ObservedSets {
    /// Where it fails by an error of the model. Of a guard: where it cannot be evaluated.
    pub failed: Ldd,
    /// Where it meets a limit of the tool.
    pub limited: Ldd,
    /// Where it has a successor by a matching action, by pattern.
    pub matching: Vec<Ldd>,
    /// Where it has one more step than its relation has rows, where two more, and so on, if somebody counts.
    pub duplicates: Vec<Ldd>,
}

impl ObservedSets {
    pub fn nothing(store: &Store) -> Self {
        let (failed, limited) = (store.empty(), store.empty());
        Self { failed, limited, matching: Vec::new(), duplicates: Vec::new() }
    }

    /// Adds the observations, which are then forgotten.
    pub fn settle(&mut self, store: &Store, observations: &mut Observations) -> Result<(), Stop> {
        observations.failed.add_to(&mut self.failed, store)?;
        observations.limited.add_to(&mut self.limited, store)?;
        for (known, new) in [
            (&mut self.matching, &mut observations.matching),
            (&mut self.duplicates, &mut observations.duplicates),
        ] {
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
