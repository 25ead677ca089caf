//! Components put together: the summands of processes in parallel, under the operators of the skeleton.

use std::collections::BTreeMap;

use base::Diagnostic;
use terms::{DataSpec, Expr, Op, SortIx, VarIx};

use super::allow_set::AllowSet;
use super::alphabet::{Alphabet, Alphabets, Names};
use super::cluster::clustered;
use super::combinations::{MOST_COMBINATIONS, TooMany, combinations};
use super::operators::{agree, apply};
use super::skeleton::{Operator, Skeleton};
use crate::fold::Folder;
use crate::linear::{Parameter, Summand};
use crate::problem::problem;
use crate::sequential::check_together;
use crate::{Communication, NameIx, tidy};

/// More summands than this are no model that anybody explores.
const MOST_SUMMANDS: usize = 1 << 20;

/// With more choices of who moves than this summands are not joined: that would not make few of them, and
/// each is as large as those that it is made of.
const MOST_CHOICES: usize = 1 << 12;

/// Where summands are joined, then until a choice of who moves has no more of them than this: to join so few
/// gains little.
const FEW_SUMMANDS: usize = 1 << 4;

/// Puts components together.
pub(crate) struct Composer<'c> {
    pub(crate) data: &'c mut DataSpec,
    pub(crate) folder: &'c Folder,
    /// The summands of each component; taken where they are used.
    pub(crate) summands: Vec<Vec<Summand>>,
    /// What each part can do at all.
    pub(crate) alphabets: Alphabets,
    /// Where processes in parallel would have more summands than this, those of one process are joined
    /// before.
    pub(crate) many_summands: usize,
    /// Parameters that are no component's own.
    pub(crate) parameters: Vec<Parameter>,
}

impl Composer<'_> {
    /// The summands of all that is below, as far as what is above allows them.
    pub(crate) fn compose(
        &mut self,
        skeleton: &Skeleton,
        above: &AllowSet,
    ) -> Result<Vec<Summand>, Box<Diagnostic>> {
        match skeleton {
            Skeleton::Leaf(component) => {
                let mut summands = std::mem::take(&mut self.summands[*component]);
                summands.retain(|summand| above.accepts(&summand.names()));
                Ok(summands)
            }
            Skeleton::Under(operator, below) => {
                let allowed = above.under(operator, self.alphabets.of(below));
                let summands = self.compose(below, &allowed)?;
                Ok(tidy::summands(apply(operator, summands, above, self.folder), self.folder))
            }
            Skeleton::Parallel(parts) => {
                let above = above.within(self.alphabets.of(skeleton));
                let parts = self.parts(parts, &above.in_parallel())?;
                self.parallel(&parts, &above)
            }
            Skeleton::Handshake(rules, parts) => {
                let parts = self.parts(parts, &self.below_merge(parts, Some(rules), above))?;
                handshake(&parts, rules, above, self.folder)
            }
            Skeleton::LeftMerge(rules, parts) => {
                let parts = self.parts(&parts[..], &self.below_merge(&parts[..], rules.as_deref(), above))?;
                let first =
                    parts[0].iter().filter(|summand| above.accepts(&summand.names())).cloned().collect();
                self.starting(first, rules.as_deref(), &parts, above)
            }
            Skeleton::Together(rules, parts) => {
                let parts = self.parts(parts, &self.below_merge(parts, rules.as_deref(), above))?;
                let first = match rules {
                    Some(rules) => pairs(&parts, rules, above, self.folder)?,
                    None => all_together(&parts, above)?,
                };
                self.starting(first, rules.as_deref(), &parts, above)
            }
        }
    }

    /// A first step of these, and then the parts side by side.
    fn starting(
        &mut self,
        first: Vec<Summand>,
        rules: Option<&[Communication]>,
        parts: &[Vec<Summand>],
        above: &AllowSet,
    ) -> Result<Vec<Summand>, Box<Diagnostic>> {
        let started = self.started();
        let mut all = first;
        for first in &mut all {
            first.conditions.insert(0, Expr::op(Op::Not, [Expr::var(started, SortIx::BOOL)], SortIx::BOOL));
            first.next.push((started, Expr::truth(true)));
            first.next.sort_unstable_by_key(|(variable, _)| *variable);
        }
        let later = match rules {
            Some(rules) => handshake(parts, rules, above, self.folder)?,
            None => self.parallel(parts, above)?,
        };
        for mut later in later {
            later.conditions.insert(0, Expr::var(started, SortIx::BOOL));
            all.push(later);
        }
        Ok(all)
    }

    /// What the parts of a merge may do.
    fn below_merge(&self, parts: &[Skeleton], rules: Option<&[Communication]>, above: &AllowSet) -> AllowSet {
        match rules {
            Some(rules) => {
                let below = Alphabet::joined(parts.iter().map(|part| self.alphabets.of(part).clone()));
                above.under(&Operator::Comm(rules.to_vec()), &below).in_parallel()
            }
            None => above.in_parallel(),
        }
    }

    fn parts(&mut self, parts: &[Skeleton], above: &AllowSet) -> Result<Vec<Vec<Summand>>, Box<Diagnostic>> {
        parts
            .iter()
            .map(|part| {
                let above = above.within(self.alphabets.of(part));
                self.compose(part, &above)
            })
            .collect()
    }

    /// The summands of processes in parallel: all steps that some of them do together. Where there would be
    /// too many the summands of one process are joined first.
    fn parallel(
        &mut self,
        parts: &[Vec<Summand>],
        above: &AllowSet,
    ) -> Result<Vec<Summand>, Box<Diagnostic>> {
        let mut kinds: Vec<Vec<Names>> = Vec::with_capacity(parts.len());
        let mut members: Vec<Vec<Vec<&Summand>>> = Vec::with_capacity(parts.len());
        for part in parts {
            let mut of: BTreeMap<Names, Vec<&Summand>> = BTreeMap::new();
            for summand in part {
                of.entry(summand.names()).or_default().push(summand);
            }
            kinds.push(of.keys().cloned().collect());
            members.push(of.into_values().collect());
        }
        let found = combinations(&kinds, above)
            .map_err(|TooMany| too_many("ways to do a step together", MOST_COMBINATIONS))?;
        let count = |&(process, kind): &(u32, u32)| members[process as usize][kind as usize].len();
        let product = |counts: &[usize]| counts.iter().fold(1_usize, |all, &count| all.saturating_mul(count));
        let products = found.iter().map(|moving| product(&moving.iter().map(count).collect::<Vec<_>>()));
        let most = match products.fold(0, usize::saturating_add) {
            all if all <= self.many_summands || found.len() > MOST_CHOICES => usize::MAX,
            _ => FEW_SUMMANDS.min(self.many_summands),
        };
        let mut clusters: BTreeMap<(u32, u32), Vec<Summand>> = BTreeMap::new();
        let mut all = Vec::new();
        for moving in found {
            let mut lists: Vec<Vec<&Summand>> = Vec::with_capacity(moving.len());
            let mut counts: Vec<usize> = moving.iter().map(count).collect();
            let mut is_joined = vec![false; moving.len()];
            while product(&counts) > most
                && let Some(at) = (0..counts.len())
                    .filter(|at| !is_joined[*at] && counts[*at] > 1)
                    .max_by_key(|at| counts[*at])
            {
                let (process, kind) = moving[at];
                let members = &members[process as usize][kind as usize];
                let cluster = (clusters.entry(moving[at]))
                    .or_insert_with(|| clustered(members, self.data, self.folder));
                (is_joined[at], counts[at]) = (true, cluster.len());
            }
            for (at, step) in moving.iter().enumerate() {
                lists.push(match is_joined[at] {
                    true => clusters[step].iter().collect(),
                    false => members[step.0 as usize][step.1 as usize].clone(),
                });
            }
            if all.len().saturating_add(product(&counts)) > MOST_SUMMANDS {
                return Err(too_many("summands", MOST_SUMMANDS));
            }
            products_of(&lists, &mut all);
        }
        Ok(all)
    }

    /// A new parameter that says whether `p ||_ q` or `p | q` has begun.
    fn started(&mut self) -> VarIx {
        let variable = self.data.variable("started", SortIx::BOOL);
        self.parameters.push(Parameter {
            variable,
            name: "started".to_owned(),
            sort: SortIx::BOOL,
            initial: Expr::truth(false),
            component: usize::MAX,
            places: None,
            span: None,
        });
        variable
    }
}

fn too_many(what: &str, most: usize) -> Box<Diagnostic> {
    Box::new(
        problem(format!("processes in parallel have more than {most} {what}"), None)
            .help("say with `allow` which actions may happen together"),
    )
}

/// All ways to take one summand of each list, as steps that all of them do together.
fn products_of(lists: &[Vec<&Summand>], into: &mut Vec<Summand>) {
    let mut choice = vec![0; lists.len()];
    loop {
        let chosen: Vec<&Summand> = lists.iter().zip(&choice).map(|(list, at)| list[*at]).collect();
        into.push(together(&chosen));
        // The next choice, counted like a number: the last digit first.
        let Some(digit) = (0..lists.len()).rev().find(|&digit| choice[digit] + 1 < lists[digit].len()) else {
            break;
        };
        choice[digit] += 1;
        choice[digit + 1..].fill(0);
    }
}

/// The steps that all do together.
fn all_together(parts: &[Vec<Summand>], above: &AllowSet) -> Result<Vec<Summand>, Box<Diagnostic>> {
    let mut whole: Vec<Summand> = parts[0].clone();
    for part in &parts[1..] {
        if whole.len().saturating_mul(part.len()) > MOST_SUMMANDS {
            return Err(too_many("summands", MOST_SUMMANDS));
        }
        whole = whole.iter().flat_map(|one| part.iter().map(move |other| together(&[one, other]))).collect();
        whole.iter().try_for_each(|step| check_together(&step.actions, step.spans.first().copied()))?;
    }
    whole.retain(|summand| above.accepts(&summand.names()));
    Ok(whole)
}

/// A step that several do together.
fn together(parts: &[&Summand]) -> Summand {
    let mut whole = parts[0].clone();
    for part in &parts[1..] {
        whole.sums.extend(&part.sums);
        whole.conditions.extend(part.conditions.iter().cloned());
        whole.actions.extend(part.actions.iter().cloned());
        whole.next.extend(part.next.iter().cloned());
        whole.spans.extend(&part.spans);
    }
    whole.actions.sort_by_key(|(name, _)| *name);
    whole.next.sort_unstable_by_key(|(variable, _)| *variable);
    whole
}

/// The summands of processes in parallel in µCRL: steps of one, and of two whose actions communicate.
fn handshake(
    parts: &[Vec<Summand>],
    rules: &[Communication],
    above: &AllowSet,
    folder: &Folder,
) -> Result<Vec<Summand>, Box<Diagnostic>> {
    let mut all: Vec<Summand> =
        parts.iter().flatten().filter(|summand| above.accepts(&summand.names())).cloned().collect();
    all.extend(pairs(parts, rules, above, folder)?);
    Ok(all)
}

/// Steps of two processes whose actions communicate.
fn pairs(
    parts: &[Vec<Summand>],
    rules: &[Communication],
    above: &AllowSet,
    folder: &Folder,
) -> Result<Vec<Summand>, Box<Diagnostic>> {
    let mut all = Vec::new();
    // Who waits for whom: all steps with one name, by process.
    let mut having: std::collections::HashMap<NameIx, Vec<(usize, &Summand)>> =
        std::collections::HashMap::new();
    for (process, part) in parts.iter().enumerate() {
        for summand in part {
            if let [(name, _)] = summand.actions[..] {
                having.entry(name).or_default().push((process, summand));
            }
        }
    }
    for rule in rules {
        let [one, other] = rule.from[..] else { continue };
        let result: Names = rule.to.into_iter().collect();
        if !above.accepts(&result) {
            continue;
        }
        let of = |name: NameIx| having.get(&name).map_or(&[][..], Vec::as_slice);
        for &(process, left) in of(one) {
            for &(partner, right) in of(other) {
                // Of a pair with the same name each order is the same step.
                if process == partner || one == other && process > partner {
                    continue;
                }
                let Some(conditions) = agree(&[&left.actions[0], &right.actions[0]], folder) else {
                    continue;
                };
                let arguments = left.actions[0].1.clone();
                let (first, second) = if process < partner { (left, right) } else { (right, left) };
                let mut step = together(&[first, second]);
                step.conditions.extend(conditions);
                step.actions = rule.to.into_iter().map(|to| (to, arguments.clone())).collect();
                all.push(step);
                if all.len() > MOST_SUMMANDS {
                    return Err(too_many("summands", MOST_SUMMANDS));
                }
            }
        }
    }
    Ok(all)
}
