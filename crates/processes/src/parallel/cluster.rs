//! Several summands of a process as one, with a choice between them as a sum.
//!
//! *Problem.* Three processes that each have 300 ways to do `bit` have 300^3 ways to do `bit|bit|bit`. Of
//! those hardly any is ever enabled: each process is at one of its places at a time.
//!
//! *Idea.* What mCRL2's lineariser does to processes before it puts them in parallel (its option `-n` turns
//! that off): the 300 summands become one, in which a new variable says which of them is meant. Values that
//! depend on it are looked up by a tree of comparisons.
//!
//! ```text
//! x == 1 -> bit(7) . x := 2          sum c: Nat . c < 2 && if(c < 1, x == 1, x == 2) ->
//! x == 2 -> bit(8) . x := 1                       bit(if(c < 1, 7, 8)) . x := if(c < 1, 2, 1)
//! ```
//!
//! *Right*, since for each value of the choice the one summand is the one that was chosen. Only summands with
//! sums over the same sorts are joined, so no variable is left without a meaning; and none whose conditions
//! are on sum variables of infinite sorts: what bounds those would be hidden in the tree.
//!
//! *Cost.* The group of such a summand reads what all of them read, and its sum tries all choices. So it is
//! done only where the ways to move together are too many ([`super::compose`]).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use terms::{DataSpec, Expr, Op, SortIx, VarIx};

use crate::NameIx;
use crate::fold::Folder;
use crate::linear::Summand;

/// What summands must have in common to become one: names with the sorts of arguments, and sorts of sums.
type Form = (Vec<(NameIx, Vec<SortIx>)>, Vec<SortIx>);

/// As few summands as can be that do the same as these.
pub(super) fn clustered(summands: &[&Summand], data: &mut DataSpec, folder: &Folder) -> Vec<Summand> {
    let mut forms: BTreeMap<Form, Vec<&Summand>> = BTreeMap::new();
    let mut clustered = Vec::new();
    for &summand in summands {
        match is_joinable(summand, data, folder) {
            true => forms.entry(form(summand, data)).or_default().push(summand),
            false => clustered.push(summand.clone()),
        }
    }
    for summands in forms.into_values() {
        clustered.push(match summands[..] {
            [only] => only.clone(),
            _ => joined(&summands, data),
        });
    }
    clustered
}

fn form(summand: &Summand, data: &DataSpec) -> Form {
    let sorts = |list: &[Expr]| list.iter().map(|argument| argument.sort).collect();
    let actions = summand.actions.iter().map(|(name, list)| (*name, sorts(list))).collect();
    (actions, summand.sums.iter().map(|sum| data.vars[sum.ix()].sort).collect())
}

/// Whether no condition is on a sum variable of a sort whose values cannot be tried one by one.
fn is_joinable(summand: &Summand, data: &DataSpec, folder: &Folder) -> bool {
    let infinite: BTreeSet<VarIx> =
        summand.sums.iter().copied().filter(|sum| !folder.is_small(data.vars[sum.ix()].sort)).collect();
    infinite.is_empty() || summand.conditions.iter().all(|condition| condition.free().is_disjoint(&infinite))
}

/// One summand for several of the same form.
fn joined(summands: &[&Summand], data: &mut DataSpec) -> Summand {
    let first = summands[0];
    let choice = data.variable("choice", SortIx::NAT);
    let choose = |values: Vec<Expr>| chosen(choice, 0, &values);
    // All have the sum variables of the first.
    let named: Vec<Summand> = summands.iter().map(|summand| with_sums(summand, &first.sums, data)).collect();
    let is_common = |condition: &&Expr| named.iter().all(|summand| summand.conditions.contains(condition));
    let common: Vec<Expr> = named[0].conditions.iter().filter(is_common).cloned().collect();
    let number = Expr::number(summands.len() as u32, SortIx::NAT);
    let mut conditions = common.clone();
    conditions.push(Expr::op(Op::Less, [Expr::var(choice, SortIx::NAT), number], SortIx::BOOL));
    conditions.push(choose(named.iter().map(|summand| rest(summand, &common)).collect()));
    let actions = (0..first.actions.len()).map(|at| {
        let arguments = (0..first.actions[at].1.len()).map(|argument| {
            choose(named.iter().map(|summand| summand.actions[at].1[argument].clone()).collect())
        });
        (first.actions[at].0, arguments.collect())
    });
    let changed: BTreeSet<VarIx> =
        named.iter().flat_map(|summand| summand.next.iter().map(|(variable, _)| *variable)).collect();
    let next = changed.into_iter().map(|variable| {
        let kept = Expr::var(variable, data.vars[variable.ix()].sort);
        let value = |summand: &Summand| summand.next_of(variable).unwrap_or(&kept).clone();
        (variable, choose(named.iter().map(value).collect()))
    });
    let mut spans: Vec<base::Span> = summands.iter().flat_map(|summand| &summand.spans).copied().collect();
    spans.dedup();
    Summand {
        sums: std::iter::once(choice).chain(first.sums.iter().copied()).collect(),
        conditions,
        actions: actions.collect(),
        next: next.collect(),
        spans,
    }
}

/// The summand with other sum variables, of the same sorts.
fn with_sums(summand: &Summand, sums: &[VarIx], data: &DataSpec) -> Summand {
    let var = |sum: VarIx| Expr::var(sum, data.vars[sum.ix()].sort);
    let by: HashMap<VarIx, Expr> =
        summand.sums.iter().copied().zip(sums.iter().map(|&sum| var(sum))).collect();
    let put = |expr: &Expr| expr.substitute(&by);
    Summand {
        sums: sums.to_vec(),
        conditions: summand.conditions.iter().map(put).collect(),
        actions: summand.actions.iter().map(|(name, list)| (*name, list.iter().map(put).collect())).collect(),
        next: summand.next.iter().map(|(variable, value)| (*variable, put(value))).collect(),
        spans: Vec::new(),
    }
}

/// What a summand asks beyond what all ask.
fn rest(summand: &Summand, common: &[Expr]) -> Expr {
    let own = summand.conditions.iter().filter(|condition| !common.contains(condition)).cloned();
    own.reduce(|one, other| Expr::op(Op::And, [one, other], SortIx::BOOL))
        .unwrap_or_else(|| Expr::truth(true))
}

/// The value with the number that the choice has; the first of these has the number `from`.
fn chosen(choice: VarIx, from: usize, values: &[Expr]) -> Expr {
    if values.iter().all(|value| *value == values[0]) {
        return values[0].clone();
    }
    let half = values.len() / 2;
    let (low, high) = (chosen(choice, from, &values[..half]), chosen(choice, from + half, &values[half..]));
    let middle = Expr::number((from + half) as u32, SortIx::NAT);
    let is_low = Expr::op(Op::Less, [Expr::var(choice, SortIx::NAT), middle], SortIx::BOOL);
    let sort = low.sort;
    Expr::op(Op::If, [is_low, low, high], sort)
}
