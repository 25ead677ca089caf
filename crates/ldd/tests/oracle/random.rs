//! Random sets and relations from a printed seed.

use base::SplitMix64;
use ldd::{Access, Change, Entry, Rule, Shape};

use crate::naive::{Set, Steps};

/// Random sets and relations.
pub struct Random(SplitMix64);

impl Random {
    /// Its seed is printed, and set by `PINSCHER_SEED`.
    pub fn from_environment() -> Self {
        Self(SplitMix64::for_test())
    }

    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    pub fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0.below(end)
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.0.one_in(one_in)
    }

    pub fn slots(&mut self, width: usize) -> Vec<bool> {
        (0..width).map(|_| self.chance(2)).collect()
    }

    /// Mostly small values, so that vectors meet; now and then the largest.
    fn value(&mut self, values: u32) -> u32 {
        if self.chance(40) { u32::MAX } else { self.below(values as usize) as u32 }
    }

    /// Mostly small factors, now and then the largest there are.
    pub fn factors(&mut self, width: usize) -> Vec<i64> {
        let factor = |random: &mut Self| match random.below(30) {
            0 => i64::MIN,
            1 => i64::MAX,
            _ => random.below(7) as i64 - 3,
        };
        (0..self.below(width + 1)).map(|_| factor(self)).collect()
    }

    pub fn vector(&mut self, width: usize, values: u32) -> Vec<u32> {
        (0..width).map(|_| self.value(values)).collect()
    }

    pub fn set(&mut self, width: usize, values: u32, most: usize) -> Set {
        (0..self.below(most + 1)).map(|_| self.vector(width, values)).collect()
    }

    pub fn shape(&mut self, width: usize) -> Shape {
        let access = |random: &mut Self| {
            [None, Some(Access::Read), Some(Access::Write), Some(Access::Both)][random.below(4)]
        };
        Shape::new(width, (0..width).filter_map(|slot| Some((slot, access(self)?))).collect())
    }

    pub fn steps(&mut self, width: usize, values: u32, most: usize) -> Steps {
        let shape = self.shape(width);
        let rows = (0..self.below(most + 1)).map(|_| self.row(&shape, values)).collect();
        Steps { shape, rows, rules: None }
    }

    /// A relation by rules for some slots, with all the rows that say the same.
    pub fn rules(&mut self, width: usize, values: u32) -> Steps {
        let slots: Vec<usize> = (0..width).filter(|_| self.chance(2)).collect();
        let shape = Shape::new(width, slots.iter().map(|&slot| (slot, Access::Both)).collect());
        let (mut rules, mut rows) = (Vec::new(), vec![Vec::new()]);
        for slot in slots {
            let mut of_slot: Vec<Rule> = Vec::new();
            let mut pairs = Vec::new();
            let all = self.chance(5).then(|| self.value(values));
            if let Some(to) = all {
                of_slot.push(Rule { least: 0, most: u32::MAX, change: Change::Set(to) });
                pairs.extend((0..values).chain([u32::MAX]).map(|from| (from, to)));
            }
            for from in (0..values).chain([u32::MAX]).filter(|_| all.is_none()) {
                if self.chance(4) {
                    continue;
                }
                let to = self.value(values);
                let change = match self.below(3) {
                    0 => Change::Set(to),
                    1 => Change::Add(to.wrapping_sub(from)),
                    _ => Change::Keep,
                };
                pairs.push((from, if change == Change::Keep { from } else { to }));
                match of_slot.last_mut() {
                    Some(last) if last.change == change && last.most.checked_add(1) == Some(from) => {
                        last.most = from
                    }
                    _ => of_slot.push(Rule { least: from, most: from, change }),
                }
            }
            let longer = |row: &Vec<Entry>| {
                let longer =
                    |&(from, to): &(u32, u32)| [&row[..], &[Entry::Value(from), Entry::Value(to)]].concat();
                pairs.iter().map(longer).collect::<Vec<_>>()
            };
            rows = rows.iter().flat_map(longer).collect();
            rules.push((slot, of_slot));
        }
        Steps { shape, rows, rules: Some(rules) }
    }

    pub fn row(&mut self, shape: &Shape, values: u32) -> Vec<Entry> {
        let mut row = Vec::new();
        for &(_, access) in shape.slots() {
            if access != Access::Write {
                row.push(Entry::Value(self.value(values)));
            }
            if access != Access::Read {
                row.push(if self.chance(3) { Entry::Copy } else { Entry::Value(self.value(values)) });
            }
        }
        row
    }
}
