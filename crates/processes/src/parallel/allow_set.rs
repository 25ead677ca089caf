//! Which multi-actions are worth making: those that the operators above let through, or that can become part
//! of one. As in alphabet reduction (Van der Pol & others, in the mCRL2 toolset) the sets of `allow` are
//! pushed down through the operators.
//!
//! *Problem.* Ten processes with ten actions each can do 2^10 multi-actions of ten names together. `allow` at
//! the top throws nearly all of them away.
//!
//! *Idea.* An [`AllowSet`] is a set of multisets of names. From the top, where every multiset is allowed,
//! each operator turns the set that is allowed above it into the one that is worth making below it. A set has
//! three parts: some multisets, the *cores*; names of which *any* number may be added; and *groups*, of which
//! any number may be added, each as a whole.
//!
//! ```text
//! allow({d}, hide({c}, comm({a|b -> c}, p)))
//!
//! above allow    everything
//! below allow    cores {}, {d}
//! below hide     cores {}, {d}   any: c                 what is hidden may come any number of times
//! below comm     cores {}, {d}   any: c   groups: a|b   a|b becomes c
//! ```
//!
//! *Right*, since the set may be larger than it need be, never smaller: what was made for nothing is thrown
//! away by the operator itself.
//!
//! *Cost.* Renaming and communication multiply cores, but only those of what the processes below can do: see
//! [`Alphabet`]. Past [`MOST_CORES`] of them all multisets are let through.

use std::collections::BTreeSet;

use super::alphabet::{Alphabet, Names};
use super::skeleton::Operator;
use crate::{Communication, NameIx};

/// With more cores than this all multisets are let through: what is made for nothing then is thrown away
/// later.
const MOST_CORES: usize = 20_000;

/// A set of multisets of names.
#[derive(Clone, Debug)]
pub(crate) struct AllowSet {
    pub(crate) cores: Vec<Names>,
    /// Whether any number of each name may be added.
    pub(crate) any: Vec<bool>,
    /// What may be added any number of times, each as a whole; two names or more.
    pub(crate) groups: Vec<Names>,
    /// Parts of the multisets count, too.
    pub(crate) partial: bool,
}

impl AllowSet {
    /// All multisets of so many names.
    pub(crate) fn all(names: usize) -> Self {
        Self { cores: vec![Names::new()], any: vec![true; names], groups: Vec::new(), partial: false }
    }

    /// What is allowed to one of several processes in parallel: the others may add to it.
    pub(crate) fn in_parallel(&self) -> Self {
        Self { partial: true, ..self.clone() }
    }

    /// The same without what processes with this alphabet cannot do.
    pub(crate) fn within(&self, alphabet: &Alphabet) -> Self {
        let lists = |lists: &[Names]| -> Vec<Names> {
            let possible = |names: &Names| match self.partial {
                true => Some(alphabet.part_of(names)),
                false => alphabet.covers(names).then(|| names.clone()),
            };
            lists.iter().filter_map(possible).collect()
        };
        let any = (0..).zip(&self.any).map(|(name, any)| *any && alphabet.most(NameIx(name)) > 0).collect();
        let mut within =
            Self { cores: lists(&self.cores), any, groups: lists(&self.groups), partial: self.partial };
        within.settle();
        within
    }

    /// What is worth making below the operator, of what processes with this alphabet can do.
    pub(crate) fn under(&self, operator: &Operator, below: &Alphabet) -> Self {
        let made = match operator {
            Operator::Allow(list) => {
                let allowed = list.iter().filter(|names| self.accepts(names)).cloned();
                let cores = std::iter::once(Names::new()).chain(allowed).collect();
                Self { cores, any: vec![false; self.any.len()], groups: Vec::new(), partial: false }
            }
            Operator::Block(list) => {
                let mut made = self.without(list);
                list.iter().for_each(|name| made.any[name.0 as usize] = false);
                made
            }
            Operator::Hide(list) => {
                let mut made = self.without(list);
                list.iter().for_each(|name| made.any[name.0 as usize] = true);
                made
            }
            Operator::Rename(list) => self.before_renaming(list, below),
            Operator::Comm(rules) => self.before_communication(rules, below),
        };
        made.within(below)
    }

    /// Whether the multiset is in the set.
    pub(crate) fn accepts(&self, names: &[NameIx]) -> bool {
        self.cores.iter().any(|core| self.explains(names, core.clone()))
    }

    /// Whether the name is in some of the multisets.
    pub(crate) fn mentions(&self) -> Vec<bool> {
        let mut mentioned = self.any.clone();
        for name in self.cores.iter().chain(&self.groups).flatten() {
            mentioned[name.0 as usize] = true;
        }
        mentioned
    }

    /// The ways to account for one more name, when these are owed: what is owed then.
    pub(crate) fn accounts(&self, name: NameIx, owed: &[NameIx]) -> Vec<Names> {
        let mut ways = Vec::new();
        if let Some(at) = owed.iter().position(|other| *other == name) {
            let mut less = owed.to_vec();
            less.remove(at);
            ways.push(less);
        }
        if self.any[name.0 as usize] {
            ways.push(owed.to_vec());
        }
        for group in &self.groups {
            if let Some(at) = group.iter().position(|other| *other == name) {
                let mut more = owed.to_vec();
                more.extend(group[..at].iter().chain(&group[at + 1..]));
                more.sort_unstable();
                ways.push(more);
            }
        }
        ways.dedup();
        ways
    }

    fn explains(&self, names: &[NameIx], owed: Names) -> bool {
        match names.split_first() {
            None => self.partial || owed.is_empty(),
            Some((name, rest)) => {
                if !self.partial && self.groups.is_empty() && owed.len() > names.len() {
                    return false;
                }
                self.accounts(*name, &owed).into_iter().any(|owed| self.explains(rest, owed))
            }
        }
    }

    /// Multisets that have none of these names; where parts count, what is left without them.
    fn without(&self, list: &[NameIx]) -> Self {
        let lists = |lists: &[Names]| -> Vec<Names> {
            let keep = |names: &Names| match names.iter().any(|name| list.contains(name)) {
                true if !self.partial => None,
                true => Some(names.iter().copied().filter(|name| !list.contains(name)).collect()),
                false => Some(names.clone()),
            };
            lists.iter().filter_map(keep).collect()
        };
        Self { cores: lists(&self.cores), groups: lists(&self.groups), ..self.clone() }
    }

    fn before_renaming(&self, list: &[(NameIx, NameIx)], below: &Alphabet) -> Self {
        let renamed = |name: NameIx| list.iter().find(|(from, _)| *from == name).map_or(name, |(_, to)| *to);
        let mut sources: Vec<Vec<Names>> = vec![Vec::new(); self.any.len()];
        for name in (0..self.any.len() as u32).map(NameIx) {
            sources[renamed(name).0 as usize].push(vec![name]);
        }
        let any = (0..self.any.len() as u32).map(|name| self.any[renamed(NameIx(name)).0 as usize]).collect();
        self.expanded(&|name| sources[name.0 as usize].clone(), below, any, Vec::new())
    }

    fn before_communication(&self, rules: &[Communication], below: &Alphabet) -> Self {
        let sources = |name: NameIx| {
            let joined = rules.iter().filter(|rule| rule.to == Some(name)).map(|rule| rule.from.clone());
            std::iter::once(vec![name]).chain(joined).collect()
        };
        let goes = |rule: &&Communication| rule.to.is_none_or(|to| self.any[to.0 as usize]);
        let groups = rules.iter().filter(goes).map(|rule| rule.from.clone()).collect();
        self.expanded(&sources, below, self.any.clone(), groups)
    }

    /// Each name in cores and groups replaced by each of its sources, as far as those can be done.
    fn expanded(
        &self,
        sources: &dyn Fn(NameIx) -> Vec<Names>,
        below: &Alphabet,
        any: Vec<bool>,
        more_groups: Vec<Names>,
    ) -> Self {
        let expand = |lists: &[Names]| -> Option<Vec<Names>> {
            let mut expanded = Vec::new();
            for names in lists {
                let mut ways: BTreeSet<Names> = BTreeSet::from([Names::new()]);
                for name in names {
                    let sources = sources(*name);
                    if sources.is_empty() && self.partial {
                        continue;
                    }
                    let longer = |way: &Names, source: &Names| {
                        let mut longer: Names = way.iter().chain(source).copied().collect();
                        longer.sort_unstable();
                        match self.partial {
                            true => Some(below.part_of(&longer)),
                            false => below.covers(&longer).then_some(longer),
                        }
                    };
                    ways = ways
                        .iter()
                        .flat_map(|way| sources.iter().filter_map(move |source| longer(way, source)))
                        .collect();
                    if ways.len() > MOST_CORES {
                        return None;
                    }
                }
                expanded.extend(ways);
                if expanded.len() > MOST_CORES {
                    return None;
                }
            }
            Some(expanded)
        };
        match (expand(&self.cores), expand(&self.groups)) {
            (Some(cores), Some(mut groups)) => {
                groups.extend(more_groups);
                Self { cores, any, groups, partial: self.partial }
            }
            _ => Self { partial: self.partial, ..Self::all(self.any.len()) },
        }
    }

    /// Without what is there twice.
    fn settle(&mut self) {
        let short: Vec<NameIx> =
            self.groups.iter().filter(|group| group.len() == 1).map(|group| group[0]).collect();
        short.iter().for_each(|name| self.any[name.0 as usize] = true);
        let any = &self.any;
        self.groups.retain(|group| group.len() > 1 && !group.iter().all(|name| any[name.0 as usize]));
        for lists in [&mut self.groups, &mut self.cores] {
            lists.sort_unstable();
            lists.dedup();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[u32]) -> Names {
        list.iter().copied().map(NameIx).collect()
    }

    /// All multisets of up to three of four names.
    fn multisets() -> Vec<Names> {
        let mut all = vec![Names::new()];
        for length in 1..=3 {
            for code in 0..4u32.pow(length) {
                let list: Vec<u32> = (0..length).map(|at| code / 4u32.pow(at) % 4).collect();
                if list.is_sorted() {
                    all.push(names(&list));
                }
            }
        }
        all
    }

    /// What an operator can make of a multiset when arguments may or may not be equal.
    fn results(operator: &Operator, from: &Names) -> Vec<Names> {
        let renamed = |list: &[(NameIx, NameIx)], name: NameIx| {
            list.iter().find(|(from, _)| *from == name).map_or(name, |(_, to)| *to)
        };
        match operator {
            Operator::Allow(list) if from.is_empty() || list.contains(from) => vec![from.clone()],
            Operator::Allow(_) => Vec::new(),
            Operator::Block(list) if from.iter().any(|name| list.contains(name)) => Vec::new(),
            Operator::Block(_) => vec![from.clone()],
            Operator::Hide(list) => vec![from.iter().copied().filter(|name| !list.contains(name)).collect()],
            Operator::Rename(list) => {
                let mut all: Names = from.iter().map(|name| renamed(list, *name)).collect();
                all.sort_unstable();
                vec![all]
            }
            Operator::Comm(rules) => {
                let mut found = vec![from.clone()];
                let mut done = 0;
                while done < found.len() {
                    for rule in rules {
                        let mut left = found[done].clone();
                        let taken = rule.from.iter().all(|name| {
                            left.iter().position(|other| other == name).map(|at| left.remove(at)).is_some()
                        });
                        left.extend(rule.to);
                        left.sort_unstable();
                        if taken && !found.contains(&left) {
                            found.push(left);
                        }
                    }
                    done += 1;
                }
                found
            }
        }
    }

    fn operators() -> Vec<Operator> {
        let rule = |from: &[u32], to: Option<u32>| Communication { from: names(from), to: to.map(NameIx) };
        vec![
            Operator::Allow(vec![names(&[0]), names(&[1, 2]), names(&[2, 2])]),
            Operator::Allow(vec![names(&[2]), names(&[3])]),
            Operator::Block(names(&[1])),
            Operator::Block(names(&[0, 3])),
            Operator::Hide(names(&[2])),
            Operator::Hide(names(&[0])),
            Operator::Rename(vec![(NameIx(0), NameIx(1)), (NameIx(1), NameIx(2))]),
            Operator::Rename(vec![(NameIx(3), NameIx(2))]),
            Operator::Comm(vec![rule(&[0, 1], Some(2))]),
            Operator::Comm(vec![rule(&[0, 0], Some(3)), rule(&[1, 2], None)]),
        ]
    }

    /// Three operators in all ways: the set is what comes through them, and with parts the parts of that.
    #[test]
    fn what_comes_through_is_in_the_set() {
        let all = multisets();
        let through = |operators: &[&Operator], from: &Names| {
            operators.iter().rev().fold(vec![from.clone()], |found, operator| {
                found.iter().flat_map(|names| results(operator, names)).collect()
            })
        };
        let list = operators();
        let everything = Alphabet::of_steps(&(0..4).map(|name| names(&[name; 20])).collect::<Vec<_>>());
        let little = Alphabet::of_steps(&[names(&[0, 0, 1]), names(&[3])]);
        let mut said_no = 0;
        for one in &list {
            for two in &list {
                for three in &list {
                    let below = &everything;
                    let set = AllowSet::all(4).under(one, below).under(two, below).under(three, below);
                    for from in &all {
                        let comes = !through(&[one, two, three], from).is_empty();
                        assert_eq!(set.accepts(from), comes, "{one:?} {two:?} {three:?} {from:?} {set:?}");
                        said_no += usize::from(!comes);
                    }
                    // With less that can be done below, nothing of that is lost.
                    let set = AllowSet::all(4).under(one, below).under(two, below).under(three, &little);
                    for from in all.iter().filter(|from| little.covers(from)) {
                        let comes = !through(&[one, two, three], from).is_empty();
                        assert_eq!(set.accepts(from), comes, "{one:?} {two:?} {three:?} {from:?} {set:?}");
                    }
                    // Someone else in parallel, below the first two operators, adds to what comes through the
                    // third.
                    let set = AllowSet::all(4).under(one, below).under(two, below).in_parallel();
                    let set = set.under(three, below);
                    for from in &all {
                        let mine = through(&[three], from);
                        let joined = mine.iter().flat_map(|mine| {
                            all.iter().map(move |other| {
                                let mut joined: Names = mine.iter().chain(other).copied().collect();
                                joined.sort_unstable();
                                joined
                            })
                        });
                        let mut joined = joined.filter(|joined| !through(&[one, two], joined).is_empty());
                        assert!(
                            joined.next().is_none() || set.accepts(from),
                            "{one:?} {two:?} {three:?} {from:?} {set:?}"
                        );
                    }
                }
            }
        }
        assert!(said_no > 1000);
    }
}
