//! What the operators do to summands: `allow`, `block`, `hide`, `rename`, and communication with its
//! conditions on data.

use std::collections::{HashMap, HashSet};

use terms::{Expr, Op, SortIx};

use super::allow_set::AllowSet;
use super::skeleton::Operator;
use crate::fold::Folder;
use crate::linear::{ActionTerm, Summand, conjuncts, equal};
use crate::{Communication, NameIx};

/// Applies an operator to all summands; what the operators above do not allow is left out.
pub(crate) fn apply(
    operator: &Operator,
    summands: Vec<Summand>,
    above: &AllowSet,
    folder: &Folder,
) -> Vec<Summand> {
    match operator {
        Operator::Allow(list) => {
            let allowed: HashSet<&Vec<NameIx>> = list.iter().collect();
            let stays = |summand: &Summand| summand.actions.is_empty() || allowed.contains(&summand.names());
            summands.into_iter().filter(stays).collect()
        }
        Operator::Block(list) => {
            let blocked: HashSet<NameIx> = list.iter().copied().collect();
            let is_blocked =
                |summand: &Summand| summand.actions.iter().any(|(name, _)| blocked.contains(name));
            summands.into_iter().filter(|summand| !is_blocked(summand)).collect()
        }
        Operator::Hide(list) => {
            let hidden: HashSet<NameIx> = list.iter().copied().collect();
            let hide = |mut summand: Summand| {
                summand.actions.retain(|(name, _)| !hidden.contains(name));
                summand
            };
            summands.into_iter().map(hide).collect()
        }
        Operator::Rename(list) => {
            let mut renamed: HashMap<NameIx, NameIx> = HashMap::new();
            list.iter().for_each(|(from, to)| {
                renamed.entry(*from).or_insert(*to);
            });
            let rename = |mut summand: Summand| {
                for (name, _) in &mut summand.actions {
                    *name = renamed.get(name).copied().unwrap_or(*name);
                }
                summand.actions.sort_by_key(|(name, _)| *name);
                summand
            };
            summands.into_iter().map(rename).collect()
        }
        Operator::Comm(rules) => {
            let mentioned = above.mentions();
            let mut all = Vec::new();
            for summand in summands {
                communicate(summand, rules, &Above { above, mentioned: &mentioned, folder }, &mut all);
            }
            all
        }
    }
}

/// The conditions under which actions have equal arguments; `None` where they never have.
pub(crate) fn agree(actions: &[&ActionTerm], folder: &Folder) -> Option<Vec<Expr>> {
    let mut conditions = Vec::new();
    let (_, first) = actions.first()?;
    for (_, other) in &actions[1..] {
        if first.len() != other.len() || first.iter().zip(other).any(|(one, other)| one.sort != other.sort) {
            return None;
        }
        for (one, other) in first.iter().zip(other) {
            match folder.equal(one, other) {
                Some(true) => {}
                Some(false) => return None,
                None => conditions.push(equal(one, other)),
            }
        }
    }
    Some(conditions)
}

/// What is known of what is above a communication.
struct Above<'a> {
    above: &'a AllowSet,
    /// Whether each name may come out of what is above.
    mentioned: &'a [bool],
    folder: &'a Folder,
}

/// All that communication can make of a summand. Actions that can communicate do, so where they do not their
/// arguments differ.
fn communicate(summand: Summand, rules: &[Communication], above: &Above<'_>, into: &mut Vec<Summand>) {
    let Above { above, mentioned, folder } = *above;
    let takes_part = |name: &NameIx| rules.iter().any(|rule| rule.from.contains(name));
    if !summand.actions.iter().any(|(name, _)| takes_part(name)) {
        if above.accepts(&summand.names()) {
            into.push(summand);
        }
        return;
    }
    let mut matching = Matching {
        actions: &summand.actions,
        rules,
        mentioned,
        folder,
        used: vec![false; summand.actions.len()],
        joined: Vec::new(),
        alone: Vec::new(),
        found: Vec::new(),
    };
    matching.from(0);
    for (actions, more) in matching.found {
        let names: Vec<NameIx> = actions.iter().map(|(name, _)| *name).collect();
        if above.accepts(&names) {
            let mut conditions = summand.conditions.clone();
            conditions.extend(more);
            into.push(Summand { conditions, actions, ..summand.clone() });
        }
    }
}

/// The search for all ways in which the actions of one multi-action communicate.
struct Matching<'m> {
    actions: &'m [ActionTerm],
    rules: &'m [Communication],
    /// Whether each name may come out of what is above.
    mentioned: &'m [bool],
    folder: &'m Folder,
    used: Vec<bool>,
    /// Rules that are applied, and to which actions.
    joined: Vec<(usize, Vec<usize>)>,
    /// Actions that stay as they are.
    alone: Vec<usize>,
    found: Vec<(Vec<ActionTerm>, Vec<Expr>)>,
}

impl Matching<'_> {
    fn from(&mut self, at: usize) {
        let Some((name, _)) = self.actions.get(at) else { return self.finish() };
        if self.used[at] {
            return self.from(at + 1);
        }
        self.used[at] = true;
        for (number, rule) in self.rules.iter().enumerate() {
            let allowed = rule.to.is_none_or(|to| self.mentioned[to.0 as usize]);
            if let Some(position) = rule.from.iter().position(|other| other == name).filter(|_| allowed) {
                let mut wanted = rule.from.clone();
                wanted.remove(position);
                self.partners(number, &wanted, vec![at]);
            }
        }
        if self.mentioned[name.0 as usize] {
            self.alone.push(at);
            self.from(at + 1);
            self.alone.pop();
        }
        self.used[at] = false;
    }

    /// All ways to find partners with the wanted names behind the first of the group.
    fn partners(&mut self, rule: usize, wanted: &[NameIx], group: Vec<usize>) {
        let Some((name, rest)) = wanted.split_first() else {
            // Arguments that differ for certain end this branch here, not when all have found partners.
            let actions: Vec<&ActionTerm> = group.iter().map(|at| &self.actions[*at]).collect();
            if agree(&actions, self.folder).is_none() {
                return;
            }
            let first = group[0];
            self.joined.push((rule, group));
            self.from(first + 1);
            self.joined.pop();
            return;
        };
        // Partners of the same name are taken in their order, so that no group comes twice.
        let last = group.iter().copied().filter(|at| self.actions[*at].0 == *name).max().unwrap_or(group[0]);
        for at in last.max(group[0]) + 1..self.actions.len() {
            if !self.used[at] && self.actions[at].0 == *name {
                self.used[at] = true;
                let mut longer = group.clone();
                longer.push(at);
                self.partners(rule, rest, longer);
                self.used[at] = false;
            }
        }
    }

    fn finish(&mut self) {
        let mut conditions = Vec::new();
        let mut actions: Vec<ActionTerm> = self.alone.iter().map(|at| self.actions[*at].clone()).collect();
        for (rule, group) in &self.joined {
            let group: Vec<&ActionTerm> = group.iter().map(|at| &self.actions[*at]).collect();
            let Some(equalities) = agree(&group, self.folder) else { return };
            conditions.extend(equalities);
            actions.extend(self.rules[*rule].to.map(|to| (to, group[0].1.clone())));
        }
        for rule in self.rules {
            let mut groups = Vec::new();
            self.left_over(&rule.from, Vec::new(), &mut groups);
            for group in groups {
                match agree(&group, self.folder) {
                    None => {}
                    Some(equalities) if equalities.is_empty() => return,
                    Some(equalities) => {
                        let both = |one: Expr, other: Expr| Expr::op(Op::And, [one, other], SortIx::BOOL);
                        let all = equalities.into_iter().reduce(both).unwrap_or_else(|| Expr::truth(true));
                        conjuncts(&Expr::op(Op::Not, [all], SortIx::BOOL), &mut conditions);
                    }
                }
            }
        }
        actions.sort_by_key(|(name, _)| *name);
        self.found.push((actions, conditions));
    }

    /// All groups of actions that stay alone though a rule speaks of their names.
    fn left_over<'m>(&'m self, wanted: &[NameIx], group: Vec<usize>, into: &mut Vec<Vec<&'m ActionTerm>>) {
        let Some((name, rest)) = wanted.split_first() else {
            into.push(group.iter().map(|at| &self.actions[*at]).collect());
            return;
        };
        let last = group.iter().copied().filter(|at| self.actions[*at].0 == *name).max();
        for &at in &self.alone {
            if self.actions[at].0 == *name && last.is_none_or(|last| last < at) {
                let mut longer = group.clone();
                longer.push(at);
                self.left_over(rest, longer, into);
            }
        }
    }
}
