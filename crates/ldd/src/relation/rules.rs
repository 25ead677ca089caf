//! Relations by rules: each slot is tested and changed by itself, range by range. One relation stands for all
//! steps between any values, and nothing has to be learned of it.

use std::sync::Arc;

use crate::relation::{Access, Relation, Shape};
use crate::store::node::{EMPTY, Id, Info, Kind, Node, UNIT};
use crate::store::{Stop, Store};
use crate::worker::Worker;

/// What is done to the values `least ..= most` of a slot; other values have no step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rule {
    /// The least of the values.
    pub least: u32,
    /// The greatest of the values.
    pub most: u32,
    /// What is done to them.
    pub change: Change,
}

/// What is done to a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Change {
    /// It stays.
    Keep,
    /// It becomes this one.
    Set(u32),
    /// This is added to it, and the sum wraps.
    Add(u32),
}

impl Store {
    /// { x → y | each of these slots has a rule for x's value, which makes y's of it; all others stay }
    ///
    /// ```
    /// use ldd::{Change, Rule, Store};
    /// let store = Store::with_memory(1 << 24)?;
    /// let take = Rule { least: 1, most: u32::MAX, change: Change::Add(1u32.wrapping_neg()) };
    /// let steps = store.rules(2, &[(1, vec![take])])?;
    /// let set = store.vectors([&[7, 0][..], &[7, 5]])?;
    /// assert_eq!(store.image(&set, &steps, &store.empty())?, store.vector(&[7, 4])?);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    ///
    /// # Panics
    /// When slots do not ascend or are outside the vector, or the rules of a slot do not ascend or overlap.
    pub fn rules(&self, width: usize, slots: &[(usize, Vec<Rule>)]) -> Result<Relation, Stop> {
        for (_, rules) in slots {
            assert!(rules.iter().all(|rule| rule.least <= rule.most), "BUG: a rule for no value");
            assert!(rules.windows(2).all(|pair| pair[0].most < pair[1].least), "BUG: rules must ascend");
        }
        let accesses = slots.iter().map(|(slot, rules)| (*slot, access(rules)));
        let shape = Shape::new(width, accesses.collect());
        let diagram = self.run([], |worker| {
            let mark = worker.mark();
            let mut below = UNIT;
            for (slot, rules) in slots.iter().rev() {
                worker.cut(mark);
                worker.keep(below);
                below = worker.rules((width - slot) as u32, rules, below)?;
            }
            Ok(below)
        })?;
        Ok(Relation::from_parts(diagram, Arc::new(shape)))
    }
}

/// How the rules of a slot are best written down: values one by one are tested faster than ranges.
fn access(rules: &[Rule]) -> Access {
    let is_single = |rule: &Rule| rule.least == rule.most;
    match rules {
        [Rule { least: 0, most: u32::MAX, change: Change::Set(_) }] => Access::Write,
        _ if !rules.iter().all(is_single) => Access::Rules,
        _ if rules.iter().all(|rule| rule.change == Change::Keep) => Access::Read,
        _ => Access::Both,
    }
}

impl Worker<'_> {
    /// The list of the rules of one slot, all above the same.
    fn rules(&mut self, height: u32, rules: &[Rule], below: Id) -> Result<Id, Stop> {
        let access = access(rules);
        let mut list = EMPTY;
        for rule in rules.iter().rev() {
            self.keep(list);
            let one = |value, down, right, kind| Node { value, down, right, info: Info::new(height, kind) };
            if access == Access::Read {
                list = self.node_of(one(rule.least, below, list, Kind::Read))?;
                continue;
            }
            let (kind, value) = match rule.change {
                Change::Keep => (Kind::Copy, 0),
                Change::Set(value) => (Kind::Write, value),
                // Of one value it is known what becomes of it.
                Change::Add(amount) if access == Access::Both => {
                    (Kind::Write, rule.least.wrapping_add(amount))
                }
                Change::Add(amount) => (Kind::Add, amount),
            };
            let change = self.node_of(one(value, below, EMPTY, kind))?;
            list = match access {
                Access::Write => change,
                Access::Both => self.node_of(one(rule.least, change, list, Kind::Test))?,
                _ => {
                    let most = self.node_of(one(rule.most, change, EMPTY, Kind::Most))?;
                    self.node_of(one(rule.least, most, list, Kind::Least))?
                }
            };
        }
        Ok(list)
    }
}
