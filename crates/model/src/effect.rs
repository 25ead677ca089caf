//! Separable effects: groups whose relation is a product of relations of single slots.
//!
//! Petri nets and most commands of imperative languages test some slots and change some slots, each by
//! itself: `p > 0 → p := p − 1, q := q + 1`. An engine can apply such a group straight to a set of states,
//! value by value, and need not enumerate its relation. These are the Kronecker-consistent events of Ciardo,
//! Lüttgen & Siminiceanu, "Saturation: an efficient iteration strategy for symbolic state-space generation",
//! 2001, with just one value after for each value before.

use base::SlotIx;

use crate::Value;

/// What a group does to each slot by itself.
///
/// The group has a successor from x if and only if for each listed slot some rule contains what x has there.
/// Then it has just one, in which each listed slot is changed by its rule and each other slot is as before.
/// It never fails. That is promised of all states whose slots hold values of their types.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Effect {
    /// The slots that matter, ascending; for each its rules, ascending and disjoint. A slot without rules:
    /// the group is never enabled.
    pub slots: Vec<(SlotIx, Vec<Rule>)>,
}

/// What happens to a slot that holds one of the values `least ..= most`, compared as they stand in the slot:
/// where they are signed, the negative ones come last.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rule {
    /// The least value.
    pub least: Value,
    /// The greatest value.
    pub most: Value,
    /// What becomes of them.
    pub change: Change,
}

/// What becomes of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Change {
    /// It stays.
    Keep,
    /// It becomes this one.
    Set(Value),
    /// This is added to it; the sum wraps, so that two's complement is subtracted.
    Add(u32),
}

impl Change {
    /// The value afterwards.
    #[inline]
    pub fn of(self, value: Value) -> Value {
        match self {
            Self::Keep => value,
            Self::Set(after) => after,
            Self::Add(amount) => value.wrapping_add(amount),
        }
    }
}

impl Rule {
    /// The rule for all values.
    pub fn always(change: Change) -> Self {
        Self { least: 0, most: Value::MAX, change }
    }

    /// Whether it says what happens to the value.
    #[inline]
    pub fn contains(&self, value: Value) -> bool {
        (self.least..=self.most).contains(&value)
    }

    /// Whether some value is another one afterwards.
    pub fn changes(&self) -> bool {
        match self.change {
            Change::Keep | Change::Add(0) => false,
            Change::Set(after) => self.least != after || self.most != after,
            Change::Add(_) => true,
        }
    }

    /// The fewest rules that make `after` of `before` for each pair, and say nothing of other values. The
    /// values before are ascending, each once.
    ///
    /// ```
    /// use model::{Change, Rule};
    /// let rules = Rule::cover([(1, 0), (2, 1), (3, 2), (9, 9)]);
    /// let one_less = Change::Add(1u32.wrapping_neg());
    /// assert_eq!(rules[0], Rule { least: 1, most: 3, change: one_less });
    /// assert_eq!(rules[1], Rule { least: 9, most: 9, change: Change::Keep });
    /// ```
    pub fn cover(pairs: impl IntoIterator<Item = (Value, Value)>) -> Vec<Self> {
        // Longest first is best: every part of a range that one rule covers is covered by one rule, too.
        let mut rules = Vec::new();
        let mut open: Option<Stretch> = None;
        for (before, after) in pairs {
            match open.as_mut().and_then(|stretch| stretch.with(before, after)) {
                Some(longer) => open = Some(longer),
                None => rules.extend(open.replace(Stretch::new(before, after)).map(Stretch::rule)),
            }
        }
        rules.extend(open.map(Stretch::rule));
        rules
    }
}

/// Values in a row that one rule covers, and which kinds of rule do.
#[derive(Clone, Copy)]
struct Stretch {
    least: Value,
    most: Value,
    set: Option<Value>,
    add: Option<u32>,
}

impl Stretch {
    fn new(before: Value, after: Value) -> Self {
        Self { least: before, most: before, set: Some(after), add: Some(after.wrapping_sub(before)) }
    }

    /// The stretch with the next value, if that is its neighbour and one rule still covers all.
    fn with(self, before: Value, after: Value) -> Option<Self> {
        if self.most.checked_add(1) != Some(before) {
            return None;
        }
        let set = self.set.filter(|&value| value == after);
        let add = self.add.filter(|&amount| amount == after.wrapping_sub(before));
        (set.is_some() || add.is_some()).then_some(Self { most: before, set, add, ..self })
    }

    fn rule(self) -> Rule {
        let change = match (self.set, self.add) {
            (_, Some(0)) => Change::Keep,
            (Some(value), _) => Change::Set(value),
            (None, Some(amount)) => Change::Add(amount),
            (None, None) => panic!("BUG: no rule covers the stretch"),
        };
        Rule { least: self.least, most: self.most, change }
    }
}

impl Effect {
    /// The rule for a value of a slot; none if the group is disabled there. A slot that is not listed stays.
    pub fn rule(&self, slot: SlotIx, value: Value) -> Option<Rule> {
        match self.slots.binary_search_by_key(&slot, |(listed, _)| *listed) {
            Ok(at) => find(&self.slots[at].1, value),
            Err(_) => Some(Rule::always(Change::Keep)),
        }
    }

    /// Writes the successor of `state` into `target`; answers whether there is one. If not, `target` is as
    /// before.
    ///
    /// # Panics
    /// When the effect lists a slot that the state does not have, or the target has another width.
    pub fn apply(&self, state: &[Value], target: &mut [Value]) -> bool {
        if !self.slots.iter().all(|(slot, rules)| find(rules, state[slot.ix()]).is_some()) {
            return false;
        }
        target.copy_from_slice(state);
        for (slot, rules) in &self.slots {
            let value = state[slot.ix()];
            target[slot.ix()] = find(rules, value).map_or(value, |rule| rule.change.of(value));
        }
        true
    }

    /// The same with the slots at other positions: what `position` says of each.
    pub fn moved(&self, position: impl Fn(SlotIx) -> SlotIx) -> Self {
        let mut slots: Vec<_> =
            self.slots.iter().map(|(slot, rules)| (position(*slot), rules.clone())).collect();
        slots.sort_unstable_by_key(|(slot, _)| *slot);
        Self { slots }
    }

    /// Whether slots are ascending and below `slots`, and the rules of each ascending, disjoint and not
    /// empty.
    pub fn is_well_formed(&self, slots: usize) -> bool {
        self.slots.is_sorted_by(|left, right| left.0 < right.0)
            && self.slots.iter().all(|(slot, rules)| {
                slot.ix() < slots
                    && rules.iter().all(|rule| rule.least <= rule.most)
                    && rules.is_sorted_by(|left, right| left.most < right.least)
            })
    }
}

/// The rule that contains the value.
fn find(rules: &[Rule], value: Value) -> Option<Rule> {
    let at = rules.partition_point(|rule| rule.most < value);
    rules.get(at).copied().filter(|rule| rule.contains(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers(rules: &[Rule], pairs: &[(Value, Value)], universe: impl Iterator<Item = Value>) {
        for value in universe {
            let wanted = pairs.iter().find(|&&(before, _)| before == value).map(|&(_, after)| after);
            assert_eq!(find(rules, value).map(|rule| rule.change.of(value)), wanted, "{value} in {rules:?}");
        }
    }

    /// The fewest intervals by trying all ways to cut, against the greedy way: all partial functions of five
    /// values.
    #[test]
    fn rules_cover_just_what_they_should_and_are_the_fewest() {
        let fits = |stretch: &[(Value, Value)]| {
            stretch.windows(2).all(|pair| pair[0].0 + 1 == pair[1].0)
                && (stretch.iter().all(|&(_, after)| after == stretch[0].1)
                    || stretch.iter().all(|&(before, after)| {
                        after.wrapping_sub(before) == stretch[0].1.wrapping_sub(stretch[0].0)
                    }))
        };
        for number in 0..6u32.pow(5) {
            let digit = |value: u32| number / 6u32.pow(value) % 6;
            let pairs: Vec<(Value, Value)> =
                (0..5).filter(|&value| digit(value) > 0).map(|value| (value, digit(value) - 1)).collect();
            let rules = Rule::cover(pairs.iter().copied());
            assert!(Effect { slots: vec![(SlotIx::new(0), rules.clone())] }.is_well_formed(1));
            covers(&rules, &pairs, 0..8);
            let mut fewest = vec![0; pairs.len() + 1];
            for end in 1..=pairs.len() {
                let starts = (0..end).filter(|&start| fits(&pairs[start..end]));
                fewest[end] = starts.map(|start| fewest[start] + 1).min().unwrap_or(usize::MAX);
            }
            assert_eq!(rules.len(), fewest[pairs.len()], "{pairs:?}");
        }
    }

    #[test]
    fn negative_values_stand_after_the_others() {
        let signed = |value: i32| value.cast_unsigned();
        let pairs = [(0, 1), (1, 2), (signed(-2), signed(-1)), (signed(-1), 0)];
        let rules = Rule::cover(pairs);
        assert_eq!(
            rules,
            [
                Rule { least: 0, most: 1, change: Change::Add(1) },
                Rule { least: signed(-2), most: signed(-1), change: Change::Add(1) }
            ]
        );
        covers(&rules, &pairs, (0..5).chain((-5..0).map(signed)));
    }

    #[test]
    fn a_slot_that_fits_no_rule_disables_the_group() {
        let rule = |least, most, change| Rule { least, most, change };
        let effect = Effect {
            slots: vec![
                (SlotIx::new(0), vec![rule(1, 3, Change::Add(u32::MAX)), rule(7, 7, Change::Keep)]),
                (SlotIx::new(2), vec![Rule::always(Change::Set(5))]),
            ],
        };
        let mut target = [8, 8, 8];
        assert!(!effect.apply(&[0, 1, 2], &mut target) && !effect.apply(&[4, 1, 2], &mut target));
        assert_eq!(target, [8, 8, 8]);
        assert!(effect.apply(&[3, 1, u32::MAX], &mut target));
        assert_eq!(target, [2, 1, 5]);
        assert!(effect.apply(&[7, 1, 5], &mut target));
        assert_eq!(target, [7, 1, 5]);
        let turned = effect.moved(|slot| SlotIx::new(2 - slot.ix()));
        assert!(turned.is_well_formed(3) && turned.apply(&[5, 1, 3], &mut target));
        assert_eq!(target, [5, 1, 2]);
        assert_eq!(effect.rule(SlotIx::new(1), 4), Some(Rule::always(Change::Keep)));
        assert_eq!(effect.rule(SlotIx::new(0), 4), None);
        assert!(!Effect { slots: vec![(SlotIx::new(0), Vec::new())] }.apply(&[0], &mut [0]));
    }

    #[test]
    fn disorder_is_seen() {
        let keep = |least, most| Rule { least, most, change: Change::Keep };
        let effect = |slots: &[(usize, &[Rule])]| Effect {
            slots: slots.iter().map(|&(slot, rules)| (SlotIx::new(slot), rules.to_vec())).collect(),
        };
        assert!(effect(&[(0, &[keep(0, 1), keep(2, 2)]), (1, &[])]).is_well_formed(2));
        for wrong in [
            effect(&[(0, &[keep(0, 2), keep(2, 3)])]),
            effect(&[(0, &[keep(3, 3), keep(0, 1)])]),
            effect(&[(0, &[keep(2, 1)])]),
            effect(&[(1, &[]), (0, &[])]),
            effect(&[(1, &[]), (1, &[])]),
            effect(&[(2, &[])]),
        ] {
            assert!(!wrong.is_well_formed(2), "{wrong:?}");
        }
    }

    #[test]
    fn a_rule_that_leaves_all_its_values_changes_nothing() {
        let changes = |least, most, change| Rule { least, most, change }.changes();
        assert!(
            !changes(0, 9, Change::Keep) && !changes(0, 9, Change::Add(0)) && !changes(4, 4, Change::Set(4))
        );
        assert!(
            changes(4, 5, Change::Set(4)) && changes(3, 4, Change::Set(4)) && changes(0, 9, Change::Add(1))
        );
    }
}
