//! Which groups can move at all: each group is listed under one slot and the values that it is tested for,
//! so that a state asks only the groups of the values it has.

use std::collections::BTreeMap;

use base::GroupIx;
use model::Value;

use crate::relation::Uniform;

/// The groups by what a slot holds.
#[derive(Debug)]
pub(crate) struct Dispatch {
    lists: Vec<List>,
    /// Groups without such a slot.
    others: Vec<GroupIx>,
}

#[derive(Debug)]
struct List {
    slot: usize,
    /// For each value up to the greatest that is tested, where its groups end.
    ends: Vec<u32>,
    groups: Vec<GroupIx>,
}

/// Slots that are tested for greater values than this are not listed: the lists are arrays.
const GREATEST: Value = 1 << 12;

impl List {
    fn new(slot: u32, mut entries: Vec<(Value, GroupIx)>) -> Self {
        entries.sort_unstable();
        let greatest = entries.last().map_or(0, |&(value, _)| value);
        let end = |value: Value| entries.partition_point(|&(other, _)| other <= value) as u32;
        let ends = (0..=greatest).map(end).collect();
        Self { slot: slot as usize, ends, groups: entries.into_iter().map(|(_, group)| group).collect() }
    }

    #[inline]
    fn groups(&self, state: &[Value]) -> &[GroupIx] {
        let value = state[self.slot] as usize;
        match self.ends.get(value) {
            None => &[],
            Some(&end) => {
                let start = if value == 0 { 0 } else { self.ends[value - 1] };
                &self.groups[start as usize..end as usize]
            }
        }
    }
}

impl Dispatch {
    /// Lists each group under the slot that rules out most: one that has many values in the model and is
    /// tested for few of them by the group.
    pub fn new(groups: &[Vec<Uniform>], slots: usize) -> Self {
        let tested = values_by_slot(groups, slots);
        let mut others = Vec::new();
        let mut lists: BTreeMap<u32, Vec<(Value, GroupIx)>> = BTreeMap::new();
        for (number, parts) in groups.iter().enumerate().filter(|(_, parts)| !parts.is_empty()) {
            let group = GroupIx::new(number);
            // The greatest share (values in the model) / (values in the group), compared without division.
            let small = |test: &(u32, Vec<Value>)| test.1.last().is_none_or(|&greatest| greatest <= GREATEST);
            let best = common_tests(parts).filter(small).max_by(|left, right| {
                let left_share = tested[left.0 as usize] * right.1.len();
                let right_share = tested[right.0 as usize] * left.1.len();
                left_share.cmp(&right_share)
            });
            match best {
                None => others.push(group),
                Some((slot, values)) => {
                    lists.entry(slot).or_default().extend(values.into_iter().map(|value| (value, group)));
                }
            }
        }
        let lists = lists.into_iter().map(|(slot, entries)| List::new(slot, entries)).collect();
        Self { lists, others }
    }

    /// Visits every group that can have a successor, and some that have none.
    #[inline]
    pub fn visit(&self, state: &[Value], mut visit: impl FnMut(GroupIx)) {
        for list in &self.lists {
            list.groups(state).iter().copied().for_each(&mut visit);
        }
        self.others.iter().copied().for_each(visit);
    }
}

/// For each slot, for how many values the model tests it.
fn values_by_slot(groups: &[Vec<Uniform>], slots: usize) -> Vec<usize> {
    let mut values: Vec<Vec<Value>> = vec![Vec::new(); slots];
    for part in groups.iter().flatten() {
        for (column, &slot) in part.slots.iter().enumerate() {
            values[slot as usize].extend(part.tested_values(column));
        }
    }
    let count = |mut values: Vec<Value>| {
        values.sort_unstable();
        values.dedup();
        values.len()
    };
    values.into_iter().map(count).collect()
}

/// The slots that all rows of a group test, each with all values it is tested for.
fn common_tests(parts: &[Uniform]) -> impl Iterator<Item = (u32, Vec<Value>)> + '_ {
    let (first, rest) = parts.split_first().expect("BUG: a group without rows is not listed");
    let everywhere = move |slot: &&u32| rest.iter().all(|part| part.slots.contains(slot));
    first.slots.iter().filter(everywhere).map(move |&slot| {
        let mut values: Vec<Value> = parts
            .iter()
            .filter_map(|part| part.slots.binary_search(&slot).ok().map(|column| part.tested_values(column)))
            .flatten()
            .collect();
        values.sort_unstable();
        values.dedup();
        (slot, values)
    })
}
