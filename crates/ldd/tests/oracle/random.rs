//! Random sets and relations from a printed seed.

use base::SplitMix64;
use ldd::{Access, Change, Entry, Rule, Shape};

use crate::naive::{Set, Steps};

/// Random sets and relations.
pub trait Draw {
    fn slots(&mut self, width: usize) -> Vec<bool>;
    /// Mostly small values, so that vectors meet; now and then the largest.
    fn value(&mut self, values: u32) -> u32;
    /// Mostly small factors, now and then the largest there are.
    fn factors(&mut self, width: usize) -> Vec<i64>;
    fn vector(&mut self, width: usize, values: u32) -> Vec<u32>;
    fn set(&mut self, width: usize, values: u32, most: usize) -> Set;
    fn shape(&mut self, width: usize) -> Shape;
    fn steps(&mut self, width: usize, values: u32, most: usize) -> Steps;
    /// A relation by rules for some slots, with all the rows that say the same.
    fn rules(&mut self, width: usize, values: u32) -> Steps;
    fn row(&mut self, shape: &Shape, values: u32) -> Vec<Entry>;
}

impl Draw for SplitMix64 {
    fn slots(&mut self, width: usize) -> Vec<bool> {
        (0..width).map(|_| self.one_in(2)).collect()
    }

    fn value(&mut self, values: u32) -> u32 {
        if self.one_in(40) { u32::MAX } else { self.below(values as usize) as u32 }
    }

    fn factors(&mut self, width: usize) -> Vec<i64> {
        let factor = |random: &mut Self| match random.below(30) {
            0 => i64::MIN,
            1 => i64::MAX,
            _ => random.below(7) as i64 - 3,
        };
        (0..self.below(width + 1)).map(|_| factor(self)).collect()
    }

    fn vector(&mut self, width: usize, values: u32) -> Vec<u32> {
        (0..width).map(|_| self.value(values)).collect()
    }

    fn set(&mut self, width: usize, values: u32, most: usize) -> Set {
        (0..self.below(most + 1)).map(|_| self.vector(width, values)).collect()
    }

    fn shape(&mut self, width: usize) -> Shape {
        let access = |random: &mut Self| {
            [None, Some(Access::Read), Some(Access::Write), Some(Access::Both)][random.below(4)]
        };
        Shape::new(width, (0..width).filter_map(|slot| Some((slot, access(self)?))).collect())
    }

    fn steps(&mut self, width: usize, values: u32, most: usize) -> Steps {
        let shape = self.shape(width);
        let rows = (0..self.below(most + 1)).map(|_| self.row(&shape, values)).collect();
        Steps { shape, rows, rules: None }
    }

    fn rules(&mut self, width: usize, values: u32) -> Steps {
        let slots: Vec<usize> = (0..width).filter(|_| self.one_in(2)).collect();
        let shape = Shape::new(width, slots.iter().map(|&slot| (slot, Access::Both)).collect());
        let (mut rules, mut rows) = (Vec::new(), vec![Vec::new()]);
        for slot in slots {
            let mut of_slot: Vec<Rule> = Vec::new();
            let mut pairs = Vec::new();
            let all = self.one_in(5).then(|| self.value(values));
            if let Some(to) = all {
                of_slot.push(Rule { least: 0, most: u32::MAX, change: Change::Set(to) });
                pairs.extend((0..values).chain([u32::MAX]).map(|from| (from, to)));
            }
            for from in (0..values).chain([u32::MAX]).filter(|_| all.is_none()) {
                if self.one_in(4) {
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

    fn row(&mut self, shape: &Shape, values: u32) -> Vec<Entry> {
        let mut row = Vec::new();
        for &(_, access) in shape.slots() {
            if access != Access::Write {
                row.push(Entry::Value(self.value(values)));
            }
            if access != Access::Read {
                row.push(if self.one_in(3) { Entry::Copy } else { Entry::Value(self.value(values)) });
            }
        }
        row
    }
}
