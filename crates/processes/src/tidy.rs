//! What makes a linear process smaller and leaves what it does. Sums with one value are solved. Parameters
//! that are constant or of no use go, and so do summands that are never enabled or there twice.

use std::collections::{BTreeSet, HashMap, HashSet};

use terms::{DataSpec, Expr, Kind, Op, SortIx, VarIx};

use crate::fold::Folder;
use crate::linear::{Parameter, Summand, conjuncts, equal};

/// Makes summands simple; those that are never enabled go.
pub(crate) fn summands(list: Vec<Summand>, folder: &Folder) -> Vec<Summand> {
    let mut seen = HashSet::new();
    let simple = list.into_iter().filter_map(|summand| simplify(summand, folder));
    simple.filter(|summand| seen.insert(nameless(summand))).collect()
}

/// The conjuncts of conditions, each once, as simple as they can be; `None` where one of them is false.
pub(crate) fn conditions(list: &[Expr], folder: &Folder) -> Option<Vec<Expr>> {
    let (mut waiting, mut seen, mut simple) = (Vec::new(), HashSet::new(), Vec::new());
    list.iter().for_each(|condition| conjuncts(&folder.fold(condition), &mut waiting));
    waiting.reverse();
    while let Some(condition) = waiting.pop() {
        match &*condition.kind {
            Kind::Truth(false) => return None,
            Kind::Truth(true) => continue,
            Kind::Op(Op::Equal, parts) => {
                if let Some((ones, others)) = folder.split_equation(&parts[0], &parts[1]) {
                    let pairs = ones.iter().zip(others).rev();
                    waiting.extend(pairs.map(|(one, other)| folder.fold(&equal(one, other))));
                    continue;
                }
            }
            _ => {}
        }
        if seen.insert(condition.clone()) {
            simple.push(condition);
        }
    }
    Some(simple)
}

fn simplify(mut summand: Summand, folder: &Folder) -> Option<Summand> {
    loop {
        summand.conditions = conditions(&summand.conditions, folder)?;
        let Some((variable, value)) = one_point(&summand) else { break };
        let by = HashMap::from([(variable, value)]);
        let put = |expr: &mut Expr| *expr = folder.fold_with(expr, &by);
        summand.sums.retain(|sum| *sum != variable);
        summand.conditions.iter_mut().for_each(put);
        summand.actions.iter_mut().flat_map(|(_, arguments)| arguments).for_each(put);
        summand.next.iter_mut().map(|(_, value)| value).for_each(put);
    }
    summand
        .actions
        .iter_mut()
        .flat_map(|(_, arguments)| arguments)
        .for_each(|expr| *expr = folder.fold(expr));
    summand.next.iter_mut().for_each(|(_, value)| *value = folder.fold(value));
    summand.next.retain(|(variable, value)| *value.kind != Kind::Var(*variable));
    let used: BTreeSet<VarIx> = expressions(&summand).flat_map(Expr::free).collect();
    summand.sums.retain(|sum| used.contains(sum));
    Some(summand)
}

/// A sum variable that a condition gives one value.
fn one_point(summand: &Summand) -> Option<(VarIx, Expr)> {
    let sum = |expr: &Expr| match &*expr.kind {
        Kind::Var(variable) if summand.sums.contains(variable) => Some(*variable),
        _ => None,
    };
    summand.conditions.iter().find_map(|condition| match &*condition.kind {
        Kind::Var(_) => sum(condition).map(|variable| (variable, Expr::truth(true))),
        Kind::Op(Op::Not, parts) => sum(&parts[0]).map(|variable| (variable, Expr::truth(false))),
        Kind::Op(Op::Equal, parts) => {
            let solved = |one: &Expr, other: &Expr| {
                sum(one)
                    .filter(|variable| !other.mentions(*variable))
                    .map(|variable| (variable, other.clone()))
            };
            solved(&parts[0], &parts[1]).or_else(|| solved(&parts[1], &parts[0]))
        }
        _ => None,
    })
}

/// All expressions of a summand.
pub(crate) fn expressions(summand: &Summand) -> impl Iterator<Item = &Expr> {
    let arguments = summand.actions.iter().flat_map(|(_, arguments)| arguments);
    summand.conditions.iter().chain(arguments).chain(summand.next.iter().map(|(_, value)| value))
}

/// Conditions, actions and next values.
pub(crate) type Nameless = (Vec<Expr>, Vec<crate::linear::ActionTerm>, Vec<(VarIx, Expr)>);

/// The summand with its sum variables numbered as they come: equal for equal ones.
pub(crate) fn nameless(summand: &Summand) -> Nameless {
    let mut names: HashMap<VarIx, Expr> = HashMap::new();
    if !summand.sums.is_empty() {
        for expr in expressions(summand) {
            let mut found = Vec::new();
            occurrences(expr, &mut found, &mut HashSet::new());
            for (variable, sort) in found {
                if summand.sums.contains(&variable) && !names.contains_key(&variable) {
                    names.insert(variable, Expr::var(VarIx(u32::MAX - names.len() as u32), sort));
                }
            }
        }
    }
    let named = |expr: &Expr| expr.substitute(&names);
    (
        summand.conditions.iter().map(named).collect(),
        summand.actions.iter().map(|(name, list)| (*name, list.iter().map(named).collect())).collect(),
        summand.next.iter().map(|(variable, value)| (*variable, named(value))).collect(),
    )
}

/// The variables of an expression in the order of the text.
fn occurrences(expr: &Expr, into: &mut Vec<(VarIx, SortIx)>, seen: &mut HashSet<*const Kind>) {
    if let Kind::Var(variable) = &*expr.kind {
        into.push((*variable, expr.sort));
    } else if seen.insert(std::sync::Arc::as_ptr(&expr.kind)) {
        expr.kind.for_each_part(|part| occurrences(part, into, seen));
    }
}

/// Takes out parameters that always have the value they begin with.
pub(crate) fn constants(
    parameters: Vec<Parameter>,
    list: Vec<Summand>,
    folder: &Folder,
) -> (Vec<Parameter>, Vec<Summand>) {
    // All are constant until a step says otherwise.
    let mut assumed: HashMap<VarIx, Expr> =
        parameters.iter().map(|parameter| (parameter.variable, folder.fold(&parameter.initial))).collect();
    loop {
        let mut changing: BTreeSet<VarIx> = BTreeSet::new();
        for summand in &list {
            let open = |variable: &VarIx| assumed.contains_key(variable) && !changing.contains(variable);
            // Conditions first: those on places are false of most summands while places are assumed to be
            // constant.
            let never = |condition: &Expr| *folder.fold_with(condition, &assumed).kind == Kind::Truth(false);
            if !summand.next.iter().any(|(variable, _)| open(variable))
                || summand.conditions.iter().any(never)
            {
                continue;
            }
            let changed = |(variable, value): &&(VarIx, Expr)| {
                open(variable) && folder.fold_with(value, &assumed) != assumed[variable]
            };
            let changed: Vec<VarIx> =
                summand.next.iter().filter(changed).map(|(variable, _)| *variable).collect();
            changing.extend(changed);
        }
        if changing.is_empty() {
            break;
        }
        changing.iter().for_each(|variable| {
            assumed.remove(variable);
        });
    }
    if assumed.is_empty() {
        return (parameters, list);
    }
    let kept =
        parameters.into_iter().filter(|parameter| !assumed.contains_key(&parameter.variable)).collect();
    let put = |expr: &mut Expr| *expr = folder.fold_with(expr, &assumed);
    let mut list = list;
    for summand in &mut list {
        summand.next.retain(|(variable, _)| !assumed.contains_key(variable));
        summand.conditions.iter_mut().for_each(put);
        summand.actions.iter_mut().flat_map(|(_, arguments)| arguments).for_each(put);
        summand.next.iter_mut().map(|(_, value)| value).for_each(put);
    }
    (kept, summands(list, folder))
}

/// Takes out parameters that no condition and no action depends on, now or later.
pub(crate) fn unused(parameters: Vec<Parameter>, list: &mut [Summand]) -> Vec<Parameter> {
    let mut used: BTreeSet<VarIx> = BTreeSet::new();
    for summand in list.iter() {
        let arguments = summand.actions.iter().flat_map(|(_, arguments)| arguments);
        used.extend(summand.conditions.iter().chain(arguments).flat_map(Expr::free));
    }
    let flows: Vec<(VarIx, BTreeSet<VarIx>)> = {
        let all = list.iter().flat_map(|summand| &summand.next);
        all.map(|(variable, value)| (*variable, value.free())).collect()
    };
    loop {
        let before = used.len();
        for (_, needed) in flows.iter().filter(|(variable, _)| used.contains(variable)).collect::<Vec<_>>() {
            used.extend(needed);
        }
        if used.len() == before {
            break;
        }
    }
    for summand in list.iter_mut() {
        summand.next.retain(|(variable, _)| used.contains(variable));
        let named: BTreeSet<VarIx> = expressions(summand).flat_map(Expr::free).collect();
        summand.sums.retain(|sum| named.contains(sum));
    }
    parameters.into_iter().filter(|parameter| used.contains(&parameter.variable)).collect()
}

/// Gives every parameter a name of its own.
pub(crate) fn name_apart(parameters: &mut [Parameter], data: &mut DataSpec) {
    let mut taken: HashSet<String> = HashSet::new();
    for parameter in parameters {
        let base = parameter.name.clone();
        let mut number = 2;
        while !taken.insert(parameter.name.clone()) {
            parameter.name = format!("{base}_{number}");
            number += 1;
        }
        data.vars[parameter.variable.ix()].name.clone_from(&parameter.name);
    }
}
