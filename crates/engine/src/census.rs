//! What can be found out of the reachable states as a whole, beside answers: how large sums become, which
//! values slots take, which groups move. Nothing of it is a property: there is no run that shows it.

use base::GroupIx;
use model::{Linear, Value};

/// What is to be found out. It may cost time, so only what is asked for is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Census<'a> {
    /// The greatest value of each of these sums.
    pub maxima: &'a [Linear],
    /// The least and the greatest value of each slot.
    pub ranges: bool,
    /// The number of transitions, also where that takes a look of its own.
    pub transitions: bool,
    /// How often each step of a group counts as a transition, where groups stand for several that do the
    /// same: once if nothing is said. Not every engine counts in this way; one that does not says nothing of
    /// transitions then.
    pub weights: Option<&'a [u64]>,
    /// Which groups have a step from some state.
    pub enabled: bool,
    /// Which of these sets of groups are live: from each state a state can be reached from which one of the
    /// set has a step.
    pub live: &'a [Vec<GroupIx>],
}

/// What was found out.
///
/// A search that is not complete tells of the states it has seen, or nothing: maxima are lower bounds then, a
/// slot may take other values, too, and a group that has a step has one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CensusReport {
    /// The greatest value of each sum, in the order of the wishes; none where nothing was looked at.
    pub maxima: Vec<Option<i128>>,
    /// The least and the greatest value of each slot.
    pub ranges: Option<Vec<(Value, Value)>>,
    /// Whether each group has a step from some state.
    pub enabled: Option<Vec<bool>>,
    /// Whether each set of groups is live. Only a complete search knows, and not every engine finds out.
    pub live: Option<Vec<bool>>,
}

impl Census<'_> {
    /// Whether nothing is wished for that is not known anyway.
    pub fn is_empty(&self) -> bool {
        self.maxima.is_empty() && !self.ranges && !self.transitions && !self.enabled && self.live.is_empty()
    }

    /// Nothing is known.
    pub fn nothing(&self) -> CensusReport {
        CensusReport { maxima: vec![None; self.maxima.len()], ..CensusReport::default() }
    }
}

impl CensusReport {
    /// Adds what was seen elsewhere.
    pub fn merge(&mut self, other: Self) {
        for (mine, theirs) in self.maxima.iter_mut().zip(other.maxima) {
            *mine = (*mine).max(theirs);
        }
        self.ranges = match (self.ranges.take(), other.ranges) {
            (Some(mut mine), Some(theirs)) => {
                mine.iter_mut()
                    .zip(theirs)
                    .for_each(|(mine, theirs)| *mine = (mine.0.min(theirs.0), mine.1.max(theirs.1)));
                Some(mine)
            }
            (mine, theirs) => mine.or(theirs),
        };
        self.enabled = match (self.enabled.take(), other.enabled) {
            (Some(mine), Some(theirs)) => {
                Some(mine.into_iter().zip(theirs).map(|(mine, theirs)| mine | theirs).collect())
            }
            (mine, theirs) => mine.or(theirs),
        };
    }

    /// A state was seen.
    pub fn see(&mut self, state: &[Value], census: &Census<'_>) {
        for (greatest, sum) in self.maxima.iter_mut().zip(census.maxima) {
            *greatest = (*greatest).max(Some(sum.value(state)));
        }
        if census.ranges {
            match &mut self.ranges {
                Some(ranges) => {
                    for (range, &value) in ranges.iter_mut().zip(state) {
                        *range = (range.0.min(value), range.1.max(value));
                    }
                }
                None => self.ranges = Some(state.iter().map(|&value| (value, value)).collect()),
            }
        }
    }
}
