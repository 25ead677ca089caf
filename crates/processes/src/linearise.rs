//! Linearisation: a specification with recursion, sequences and parallel processes becomes one equation.
//!
//! The sequential components are linearised each by itself, then put together. Usenko, "Linearization in
//! µCRL", 2002, has the theory; differs: no process is made that is thrown away, the places of a component
//! are found as they are reached, and its variables die where they are needed no more. As in the mCRL2
//! toolset a process that has ended does a step `Terminate`, when all that run beside it have ended, too.

use std::collections::HashMap;

use base::Diagnostic;
use terms::{Expr, VarIx};

use crate::defaults::Defaults;
use crate::fold::Folder;
use crate::linear::{LinearProcess, Parameter, Summand};
use crate::parallel::{AllowSet, Alphabets, Composer, unfold};
use crate::sequential::{Calls, Component, Nodes, Root, component};
use crate::{NameIx, ProcessSpec, ProcessTerm, ProcessTermKind, offers, tidy};

/// Where processes in parallel would have more summands than this, those of one process are joined before.
/// Each is a group of the model, with a condition on every process that moves: to make and to ask thousands
/// of them takes longer than a sum over the few that are enabled. A bus of three nodes with 60,000 took a
/// minute to linearise, and takes a second with 350.
const MANY_SUMMANDS: usize = 1 << 12;

/// The linear process of a specification, or all that is wrong with it.
pub fn linearise(spec: ProcessSpec) -> Result<LinearProcess, Vec<Diagnostic>> {
    linearise_joining(spec, MANY_SUMMANDS)
}

/// The same, where the summands of a process are joined as soon as processes in parallel would have more than
/// `many_summands`. It does the same steps whatever that number is.
pub fn linearise_joining(spec: ProcessSpec, many_summands: usize) -> Result<LinearProcess, Vec<Diagnostic>> {
    let (skeleton, roots) = unfold(&spec)?;
    let terms: Vec<ProcessTerm> = roots.iter().map(|root| root.term.clone()).collect();
    let calls = Calls::new(&spec, &terms)?;
    let ProcessSpec { mut data, mut names, actions, processes, globals, init: _ } = spec;
    let defaults = Defaults::new(&mut data);
    let folder = Folder::new(&data)?;
    let globals: HashMap<VarIx, Expr> =
        globals.into_iter().map(|variable| (variable, defaults.of(data.vars[variable.ix()].sort))).collect();
    let mut nodes = Nodes::new(&actions, &processes, &calls, &globals);
    let labels = labels(&roots, |process| processes[process].name.as_str());
    let mut parameters: Vec<Parameter> = Vec::new();
    let mut parts: Vec<Vec<Summand>> = Vec::new();
    let mut ends = Vec::new();
    for (number, root) in roots.iter().enumerate() {
        let made = component(number, &labels[number], root, &mut nodes, &mut data, (&defaults, &folder));
        let Component { parameters: mut own, summands, end } = made.map_err(|problem| vec![*problem])?;
        if roots.len() > 1 {
            for parameter in own.iter_mut().filter(|parameter| parameter.places.is_none()) {
                parameter.name = format!("{}.{}", labels[number], parameter.name);
            }
        }
        let summands = tidy::summands(summands, &folder);
        // Parameters such as the number of a process are constant: what cannot communicate is seen at once
        // without them.
        let (own, summands) = match &end {
            None => tidy::constants(own, summands, &folder),
            Some(end) => {
                let (places, own): (Vec<Parameter>, Vec<Parameter>) =
                    own.into_iter().partition(|parameter| parameter.variable == end.next.0);
                let (own, summands) = tidy::constants(own, summands, &folder);
                (places.into_iter().chain(own).collect(), summands)
            }
        };
        parameters.extend(own);
        parts.push(summands);
        ends.push(end);
    }
    let components = roots.len();
    let offers = offers::offers(&labels, &parts);
    let alphabets = Alphabets::new(&skeleton, &parts);
    let mut composer = Composer {
        data: &mut data,
        folder: &folder,
        summands: parts,
        alphabets,
        many_summands,
        parameters: Vec::new(),
    };
    let composed =
        composer.compose(&skeleton, &AllowSet::all(names.len())).map_err(|problem| vec![*problem])?;
    parameters.extend(composer.parameters);
    let mut summands = composed;
    if let Some(ends) = ends.into_iter().collect::<Option<Vec<_>>>() {
        let mut next: Vec<(VarIx, Expr)> = ends.iter().map(|end| end.next.clone()).collect();
        next.sort_unstable_by_key(|(variable, _)| *variable);
        let conditions = ends.into_iter().map(|end| end.condition).collect();
        let actions = vec![(termination(&mut names), Vec::new())];
        summands.push(Summand { sums: Vec::new(), conditions, actions, next, spans: Vec::new() });
    }
    let summands = tidy::summands(summands, &folder);
    let all = parameters.clone();
    let (parameters, mut summands) = tidy::constants(parameters, summands, &folder);
    let is_constant = |one: &Parameter| parameters.iter().all(|parameter| parameter.variable != one.variable);
    let constants: Vec<Parameter> = all.into_iter().filter(is_constant).collect();
    let mut parameters = tidy::unused(parameters, &mut summands);
    let offers = offers::settle(offers, &constants, &parameters, &folder);
    tidy::name_apart(&mut parameters, &mut data);
    Ok(LinearProcess { data, names, actions, parameters, summands, components, offers })
}

/// The name of the last step: `Terminate`, or one like it that no action has.
fn termination(names: &mut Vec<String>) -> NameIx {
    let mut name = "Terminate".to_owned();
    let mut number = 1;
    while names.contains(&name) {
        name = format!("Terminate{number}");
        number += 1;
    }
    names.push(name);
    NameIx(names.len() as u32 - 1)
}

/// What components are called: by the processes they begin with, and numbers where several begin with the
/// same.
fn labels<'n>(roots: &[Root], name: impl Fn(usize) -> &'n str) -> Vec<String> {
    let base = |root: &Root| match &*root.term.kind {
        ProcessTermKind::Call(process, _) => name(process.0 as usize).to_owned(),
        _ => "process".to_owned(),
    };
    let bases: Vec<String> = roots.iter().map(base).collect();
    let mut count: HashMap<&str, usize> = HashMap::new();
    bases.iter().for_each(|base| *count.entry(base).or_default() += 1);
    let mut used: HashMap<&str, usize> = HashMap::new();
    let mut labels = Vec::with_capacity(bases.len());
    for base in &bases {
        let number = used.entry(base).or_default();
        *number += 1;
        labels.push(if count[base.as_str()] == 1 { base.clone() } else { format!("{base}_{number}") });
    }
    labels
}
