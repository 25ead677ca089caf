//! What processes can do at all: of each name, how often it may be in one step of them.
//!
//! *Problem.* `allow({put|put|put}, comm({send|wire -> put}, …))` lets through what three pairs `send|wire`
//! become, but also `put` itself, were there someone who does it. Each of eight names that can come about in
//! three ways gives 3^8 multi-actions to look for.
//!
//! *Idea.* An [`Alphabet`] is found from the components up: the most of each name that any step below an
//! operator can have. A multi-action that needs more of a name than there can be is not looked for. Where
//! nobody does `put` by himself, one of the three ways is left, and 1^8 multi-actions.
//!
//! ```text
//! p does a|a or b         a: 2, b: 1
//! q does a                a: 1
//! p || q                  a: 3, b: 1
//! comm({a|b -> c}, …)     a: 3, b: 1, c: 1        an a and a b make one c; not all need take part
//! allow({a|c}, …)         a: 1, c: 1
//! ```
//!
//! *Right*, since an alphabet says at least what can be done, never less.
//!
//! *Cost.* One walk over the skeleton, before anything is put together.

use std::collections::{BTreeMap, HashMap};

use super::skeleton::{Operator, Skeleton};
use crate::linear::Summand;
use crate::{Communication, NameIx};

/// A multiset of names, sorted.
pub(crate) type Names = Vec<NameIx>;

/// The most of each name that a step may have; names that are not there are not done.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Alphabet {
    most: BTreeMap<NameIx, usize>,
}

/// As often as one likes.
const UNLIMITED: usize = usize::MAX;

impl Alphabet {
    /// That of steps with these names.
    pub(crate) fn of_steps<'n>(steps: impl IntoIterator<Item = &'n Names>) -> Self {
        let mut alphabet = Self::default();
        for names in steps {
            for same in names.chunk_by(|one, other| one == other) {
                let most = alphabet.most.entry(same[0]).or_default();
                *most = same.len().max(*most);
            }
        }
        alphabet
    }

    /// How often a name may be in a step.
    pub(crate) fn most(&self, name: NameIx) -> usize {
        self.most.get(&name).copied().unwrap_or(0)
    }

    /// Whether a step may have all these names.
    pub(crate) fn covers(&self, names: &[NameIx]) -> bool {
        names.chunk_by(|one, other| one == other).all(|same| same.len() <= self.most(same[0]))
    }

    /// What of these names one step may have.
    pub(crate) fn part_of(&self, names: &[NameIx]) -> Names {
        let same = names.chunk_by(|one, other| one == other);
        same.flat_map(|same| &same[..same.len().min(self.most(same[0]))]).copied().collect()
    }

    /// That of processes side by side.
    pub(crate) fn joined(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::default();
        for (name, most) in parts.into_iter().flat_map(|part| part.most) {
            all.add(name, most);
        }
        all
    }

    fn add(&mut self, name: NameIx, more: usize) {
        if more > 0 {
            let most = self.most.entry(name).or_default();
            *most = most.saturating_add(more);
        }
    }

    /// How often all of these names may be in a step together.
    fn times(&self, names: &[NameIx]) -> usize {
        let same = names.chunk_by(|one, other| one == other);
        same.map(|same| self.most(same[0]) / same.len()).min().unwrap_or(0)
    }

    /// What is left of it under an operator.
    fn under(mut self, operator: &Operator) -> Self {
        match operator {
            Operator::Allow(list) => Self::of_steps(list.iter().filter(|names| self.covers(names))),
            Operator::Block(list) | Operator::Hide(list) => {
                list.iter().for_each(|name| {
                    self.most.remove(name);
                });
                self
            }
            Operator::Rename(list) => {
                let renamed =
                    |name: NameIx| list.iter().find(|(from, _)| *from == name).map_or(name, |(_, to)| *to);
                let mut after = Self::default();
                self.most.into_iter().for_each(|(name, most)| after.add(renamed(name), most));
                after
            }
            Operator::Comm(rules) => self.after(rules),
        }
    }

    /// With what communication by these rules makes of it, once.
    fn after(self, rules: &[Communication]) -> Self {
        let mut after = self.clone();
        for rule in rules {
            if let Some(to) = rule.to {
                after.add(to, self.times(&rule.from));
            }
        }
        after
    }

    /// With what communication of two at a time makes of it, where what comes of one may take part in
    /// another.
    fn after_handshakes(self, rules: &[Communication]) -> Self {
        let mut alphabet = self;
        // As many rounds as rules: each may make possible another one.
        for _ in rules {
            for rule in rules {
                if let Some(to) = rule.to
                    && alphabet.times(&rule.from) > 0
                {
                    alphabet.most.insert(to, UNLIMITED);
                }
            }
        }
        alphabet
    }
}

/// The alphabets of all parts of a skeleton.
#[derive(Debug)]
pub(crate) struct Alphabets {
    of: HashMap<*const Skeleton, Alphabet>,
}

impl Alphabets {
    /// Those of a skeleton whose components have these summands.
    pub(crate) fn new(skeleton: &Skeleton, summands: &[Vec<Summand>]) -> Self {
        let mut alphabets = Self { of: HashMap::new() };
        alphabets.find(skeleton, summands);
        alphabets
    }

    /// That of a part.
    pub(crate) fn of(&self, part: &Skeleton) -> &Alphabet {
        match self.of.get(&std::ptr::from_ref(part)) {
            Some(alphabet) => alphabet,
            None => panic!("BUG: no part of this skeleton"),
        }
    }

    fn find(&mut self, part: &Skeleton, summands: &[Vec<Summand>]) -> Alphabet {
        let mut all = |parts: &[Skeleton]| -> Alphabet {
            let parts: Vec<Alphabet> = parts.iter().map(|part| self.find(part, summands)).collect();
            Alphabet::joined(parts)
        };
        let alphabet = match part {
            Skeleton::Leaf(component) => {
                let steps: Vec<Names> = summands[*component].iter().map(Summand::names).collect();
                Alphabet::of_steps(&steps)
            }
            Skeleton::Under(operator, below) => self.find(below, summands).under(operator),
            Skeleton::Parallel(parts) => all(parts),
            Skeleton::Handshake(rules, parts) => all(parts).after_handshakes(rules),
            Skeleton::LeftMerge(rules, parts) => {
                let joined = all(&parts[..]);
                rules.iter().fold(joined, |joined, rules| joined.after_handshakes(rules))
            }
            Skeleton::Together(rules, parts) => {
                let joined = all(parts);
                rules.iter().fold(joined, |joined, rules| joined.after_handshakes(rules))
            }
        };
        self.of.insert(std::ptr::from_ref(part), alphabet.clone());
        alphabet
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[u32]) -> Names {
        list.iter().copied().map(NameIx).collect()
    }

    fn rule(from: &[u32], to: Option<u32>) -> Communication {
        Communication { from: names(from), to: to.map(NameIx) }
    }

    fn shown(alphabet: &Alphabet) -> Vec<(u32, usize)> {
        alphabet.most.iter().map(|(name, most)| (name.0, *most)).collect()
    }

    /// The example of the module.
    #[test]
    fn the_most_of_each_name_is_found_from_the_components_up() {
        let (p, q) = (Alphabet::of_steps(&[names(&[0, 0]), names(&[1])]), Alphabet::of_steps(&[names(&[0])]));
        let both = Alphabet::joined([p, q]);
        assert_eq!(shown(&both), [(0, 3), (1, 1)]);
        let after = both.under(&Operator::Comm(vec![rule(&[0, 1], Some(2))]));
        assert_eq!(shown(&after), [(0, 3), (1, 1), (2, 1)]);
        let allowed =
            after.clone().under(&Operator::Allow(vec![names(&[0, 2]), names(&[2, 2]), names(&[3])]));
        assert_eq!(shown(&allowed), [(0, 1), (2, 1)]);
        assert_eq!(shown(&after.clone().under(&Operator::Block(names(&[0])))), [(1, 1), (2, 1)]);
        assert_eq!(shown(&after.under(&Operator::Rename(vec![(NameIx(0), NameIx(1))]))), [(1, 4), (2, 1)]);
    }

    #[test]
    fn what_a_handshake_makes_may_shake_hands_again() {
        let parts = Alphabet::of_steps(&[names(&[0]), names(&[1]), names(&[3])]);
        let rules = [rule(&[2, 3], Some(4)), rule(&[0, 1], Some(2))];
        assert_eq!(parts.after_handshakes(&rules).most(NameIx(4)), UNLIMITED);
    }

    #[test]
    fn what_cannot_be_done_is_left_out() {
        let alphabet = Alphabet::of_steps(&[names(&[0, 0, 2])]);
        assert!(alphabet.covers(&names(&[0, 0])) && !alphabet.covers(&names(&[0, 0, 0])));
        assert_eq!(alphabet.part_of(&names(&[0, 0, 0, 1, 2])), names(&[0, 0, 2]));
    }
}
