//! Sets of numbers as runs: the first number of each run of numbers in a row, and the one behind its last.
//!
//! What a command touches is a few single slots and a few arrays as a whole. As runs that is short, however
//! long the arrays are.

use std::ops::Range;

/// A set of numbers.
///
/// ```
/// use base::Runs;
///
/// let mut runs = Runs::default();
/// runs.insert(3..5);
/// runs.insert(8..9);
/// runs.insert(5..6);
/// assert_eq!(runs.ranges().collect::<Vec<_>>(), [3..6, 8..9]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Runs {
    // Ascending, none empty, none beginning where another one ends: equal sets are equal field by field.
    ranges: Vec<(u32, u32)>,
}

impl Runs {
    /// Adds the numbers of a range.
    ///
    /// # Panics
    /// When a number passes 32 bits.
    pub fn insert(&mut self, range: Range<usize>) {
        let (start, end) = bounds(&range);
        if start >= end {
            return;
        }
        if self.ranges.last().is_none_or(|last| last.1 < start) {
            self.ranges.push((start, end));
            return;
        }
        // Those that the range meets, and that it joins.
        let first = self.ranges.partition_point(|other| other.1 < start);
        let behind = self.ranges.partition_point(|other| other.0 <= end);
        if first == behind {
            self.ranges.insert(first, (start, end));
            return;
        }
        let joined = (start.min(self.ranges[first].0), end.max(self.ranges[behind - 1].1));
        self.ranges[first] = joined;
        self.ranges.drain(first + 1..behind);
    }

    /// Takes the numbers of a range out.
    ///
    /// # Panics
    /// When a number passes 32 bits.
    pub fn remove(&mut self, range: Range<usize>) {
        let (start, end) = bounds(&range);
        if start >= end {
            return;
        }
        let first = self.ranges.partition_point(|other| other.1 <= start);
        let behind = self.ranges.partition_point(|other| other.0 < end);
        if first < behind {
            let left = (self.ranges[first].0, start);
            let right = (end, self.ranges[behind - 1].1);
            let rest = [left, right].into_iter().filter(|rest| rest.0 < rest.1);
            self.ranges.splice(first..behind, rest);
        }
    }

    /// Whether a number is in the set.
    #[inline]
    pub fn contains(&self, number: usize) -> bool {
        let at = self.ranges.partition_point(|range| range.1 as usize <= number);
        self.ranges.get(at).is_some_and(|range| range.0 as usize <= number)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// How many runs there are.
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// How many numbers there are.
    pub fn count(&self) -> usize {
        self.ranges().map(|range| range.len()).sum()
    }

    /// The runs, ascending.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.ranges.iter().map(|&(start, end)| start as usize..end as usize)
    }

    /// The numbers, ascending.
    pub fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        self.ranges().flatten()
    }

    /// The set as words of a bit set: the number of each word in which it has bits, and these, ascending. A
    /// word may come more than once.
    pub fn words(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.ranges().flat_map(|range| {
            (range.start / 64..range.end.div_ceil(64)).map(move |word| {
                let (first, behind) =
                    (range.start.max(word * 64) % 64, range.end.min(word * 64 + 64) - word * 64);
                (word, (u64::MAX << first) & (u64::MAX >> (64 - behind)))
            })
        })
    }

    /// Adds all of another set; answers whether anything is new.
    pub fn add(&mut self, other: &Self) -> bool {
        if other.ranges.iter().all(|&(start, end)| self.covers(start, end)) {
            return false;
        }
        if let [(start, end)] = other.ranges[..] {
            self.insert(start as usize..end as usize);
            return true;
        }
        let (mut mine, mut others) = (self.ranges.iter().peekable(), other.ranges.iter().peekable());
        let mut sum = Self { ranges: Vec::with_capacity(self.ranges.len() + other.ranges.len()) };
        loop {
            let range = match (mine.peek(), others.peek()) {
                (Some(one), Some(two)) if one.0 <= two.0 => mine.next(),
                (_, Some(_)) => others.next(),
                (_, None) => mine.next(),
            };
            let Some(&(start, end)) = range else { break };
            match sum.ranges.last_mut().filter(|last| last.1 >= start) {
                Some(last) => last.1 = last.1.max(end),
                None => sum.ranges.push((start, end)),
            }
        }
        *self = sum;
        true
    }

    fn covers(&self, start: u32, end: u32) -> bool {
        let at = self.ranges.partition_point(|range| range.1 <= start);
        self.ranges.get(at).is_some_and(|range| range.0 <= start && end <= range.1)
    }

    /// The numbers that are in this set and not in another one.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        let mut rest = Self { ranges: Vec::with_capacity(self.ranges.len()) };
        let mut at = 0;
        for &(mut start, end) in &self.ranges {
            while other.ranges.get(at).is_some_and(|out| out.1 <= start) {
                at += 1;
            }
            let mut next = at;
            while let Some(&(from, to)) = other.ranges.get(next).filter(|out| out.0 < end) {
                if start < from {
                    rest.ranges.push((start, from));
                }
                start = to;
                next += 1;
            }
            if start < end {
                rest.ranges.push((start, end));
            }
        }
        rest
    }

    /// The numbers that are in both sets.
    #[must_use]
    pub fn common(&self, other: &Self) -> Self {
        self.without(&self.without(other))
    }
}

fn bounds(range: &Range<usize>) -> (u32, u32) {
    let number = |number: usize| u32::try_from(number).expect("BUG: a number of more than 32 bits");
    (number(range.start), number(range.end))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::SplitMix64;

    fn ranges(random: &mut SplitMix64) -> Range<usize> {
        let start = random.below(200);
        start..start + random.below(90)
    }

    fn assert_same(runs: &Runs, set: &BTreeSet<usize>) {
        assert!(runs.ones().eq(set.iter().copied()));
        assert_eq!((runs.count(), runs.is_empty()), (set.len(), set.is_empty()));
        assert!((0..300).all(|number| runs.contains(number) == set.contains(&number)));
        let apart = runs.ranges.windows(2).all(|pair| pair[0].1 < pair[1].0);
        assert!(apart && runs.ranges.iter().all(|range| range.0 < range.1), "{runs:?}");
        let mut words = [0_u64; 5];
        runs.words().for_each(|(word, bits)| words[word] |= bits);
        assert!((0..300).all(|bit| (words[bit / 64] >> (bit % 64) & 1 == 1) == set.contains(&bit)));
    }

    #[test]
    fn runs_are_sets() {
        let mut random = SplitMix64::new(11);
        for _ in 0..300 {
            let (mut one, mut two) = (Runs::default(), Runs::default());
            let (mut one_set, mut two_set) = (BTreeSet::new(), BTreeSet::new());
            for _ in 0..random.below(12) {
                let range = ranges(&mut random);
                one.insert(range.clone());
                one_set.extend(range);
                let range = ranges(&mut random);
                two.insert(range.clone());
                two_set.extend(range);
                let range = ranges(&mut random);
                two.remove(range.clone());
                two_set.retain(|number| !range.contains(number));
                assert_same(&one, &one_set);
                assert_same(&two, &two_set);
            }
            assert_same(&one.without(&two), &(&one_set - &two_set));
            assert_same(&one.common(&two), &(&one_set & &two_set));
            let is_new = !two_set.is_subset(&one_set);
            assert_eq!(one.add(&two), is_new);
            assert_same(&one, &(&one_set | &two_set));
        }
    }
}
