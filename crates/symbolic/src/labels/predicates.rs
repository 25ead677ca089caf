//! Predicates of which the syntax is known, put to a set as a whole: a sum cuts the set down, a conjunction
//! goes from part to part, a disjunction unites.
//!
//! Tests of single slots are the most common by far. All those of one conjunction are a range for each slot,
//! and one pass through the set tests them together. Those of a disjunction are the complement of a
//! conjunction. For example, x ≥ 2 ∧ y ≤ 5 ∧ x + y ≤ 6 is one pass for x in 2.. and y in ..=5, and one for
//! the sum; x ≥ 2 ∨ y ≤ 5 is the set without what has x ≤ 1 and y ≥ 6.

use std::collections::BTreeMap;

use ldd::{Change, Ldd, Rule, Stop, Store};
use model::{Linear, Predicate};

/// A predicate, ready to be put to sets of vectors of a width.
pub(crate) struct Selection {
    predicate: Predicate,
    width: usize,
}

impl Selection {
    /// Of a conjunction, what looks at few slots comes first: it leaves smaller sets to the others.
    pub fn new(mut predicate: Predicate, width: usize) -> Self {
        sort(&mut predicate);
        Self { predicate, width }
    }

    /// { x ∈ set | the predicate holds of x }
    pub fn of(&self, store: &Store, set: &Ldd) -> Result<Ldd, Stop> {
        self.select(store, set, &self.predicate)
    }

    fn select(&self, store: &Store, set: &Ldd, predicate: &Predicate) -> Result<Ldd, Stop> {
        match predicate {
            Predicate::Constant(true) => Ok(set.clone()),
            Predicate::Constant(false) => Ok(store.empty()),
            Predicate::AtMost(sum, most) => {
                let mut factors = vec![0; sum.terms.last().map_or(0, |(slot, _)| slot.ix() + 1)];
                sum.terms.iter().for_each(|&(slot, factor)| factors[slot.ix()] = factor);
                store.at_most(set, &factors, i128::from(*most))
            }
            Predicate::All(parts) => {
                let (ranges, others) = Ranges::taken_from(parts.iter().map(Some));
                let mut rest = self.inside(store, set, &ranges)?;
                for part in others {
                    if rest.is_empty() {
                        break;
                    }
                    rest = self.select(store, &rest, part)?;
                }
                Ok(rest)
            }
            Predicate::Any(parts) => {
                // What none of the single slots lets through: ranges, too.
                let negated: Vec<Option<Predicate>> =
                    parts.iter().map(|part| if is_single(part) { part.negated() } else { None }).collect();
                let (ranges, _) = Ranges::taken_from(negated.iter().map(Option::as_ref));
                let refused = self.inside(store, set, &ranges)?;
                let mut sum = store.minus(set, &refused)?;
                for (part, _) in parts.iter().zip(&negated).filter(|(_, negated)| negated.is_none()) {
                    // From the whole set, not from what is left: another question may ask the same of it.
                    let selected = self.select(store, set, part)?;
                    sum = store.union(&sum, &selected)?;
                }
                Ok(sum)
            }
        }
    }

    /// { x ∈ set | each slot is in its range }
    fn inside(&self, store: &Store, set: &Ldd, ranges: &Ranges) -> Result<Ldd, Stop> {
        match &ranges.0 {
            None => Ok(store.empty()),
            Some(ranges) if ranges.is_empty() => Ok(set.clone()),
            Some(ranges) => {
                let rule = |(&slot, &(least, most)): (&usize, &(u32, u32))| {
                    (slot, vec![Rule { least, most, change: Change::Keep }])
                };
                let rules: Vec<(usize, Vec<Rule>)> = ranges.iter().map(rule).collect();
                store.enabled(set, &store.rules(self.width, &rules)?)
            }
        }
    }
}

/// The values that slots may have, of those that are restricted; `None` where a slot may have no value at
/// all.
struct Ranges(Option<BTreeMap<usize, (u32, u32)>>);

impl Ranges {
    /// What the tests of single slots say together, and the others of these predicates.
    fn taken_from<'p>(parts: impl Iterator<Item = Option<&'p Predicate>>) -> (Self, Vec<&'p Predicate>) {
        let mut ranges = Self(Some(BTreeMap::new()));
        let mut others = Vec::new();
        for part in parts.flatten() {
            match part {
                Predicate::AtMost(Linear { terms }, most) if terms.len() == 1 => {
                    ranges.restrict(terms[0].0.ix(), allowed(terms[0].1, *most));
                }
                _ => others.push(part),
            }
        }
        (ranges, others)
    }

    fn restrict(&mut self, slot: usize, allowed: Option<(u32, u32)>) {
        let both = allowed.zip(self.0.as_mut()).and_then(|((least, most), ranges)| {
            let range = ranges.entry(slot).or_insert((0, u32::MAX));
            *range = (range.0.max(least), range.1.min(most));
            (range.0 <= range.1).then_some(())
        });
        if both.is_none() {
            self.0 = None;
        }
    }
}

fn is_single(part: &Predicate) -> bool {
    matches!(part, Predicate::AtMost(sum, _) if sum.terms.len() == 1)
}

/// { x | factor · x ≤ most } as a range, if it has a member; the factor is not zero.
fn allowed(factor: i64, most: i64) -> Option<(u32, u32)> {
    let (factor, most) = (i128::from(factor), i128::from(most));
    let bound = most.div_euclid(factor);
    if factor > 0 {
        Some((0, u32::try_from(bound.min(u32::MAX.into())).ok()?))
    } else {
        // x ≥ most ÷ factor, rounded up: with a negative divisor that is how Euclid divides.
        Some((u32::try_from(bound.max(0)).ok()?, u32::MAX))
    }
}

fn sort(predicate: &mut Predicate) {
    if let Predicate::All(parts) | Predicate::Any(parts) = predicate {
        parts.iter_mut().for_each(sort);
        parts.sort_by_cached_key(|part| part.slots().len());
    }
}
