//! Who calls whom in sequential processes, and what follows from it.
//!
//! A process that comes back to itself without an action (`P = P + a`) can do nothing that is defined. One
//! that comes back with something left to be done (`P = a . P . b`) piles up work without bound. Both have no
//! linear form and are refused, with the cycle.

use std::collections::HashMap;

use base::{Diagnostic, Span};

use crate::fold::possible;
use crate::problem::{cycle_text, problem};
use crate::{ProcIx, ProcessSpec, ProcessTerm, ProcessTermKind};

/// What calls tell of sequential processes.
pub(crate) struct Calls {
    /// Whether each process can end.
    ends: Vec<bool>,
}

/// A call that stands in a process.
struct Call<'s> {
    to: ProcIx,
    at: &'s ProcessTerm,
    /// Nothing is left to be done after it.
    last: bool,
    /// It comes before any step.
    first: bool,
}

impl Calls {
    /// Looks at all processes that these terms can come to, and complains of those that have no linear form.
    pub(crate) fn new(spec: &ProcessSpec, roots: &[ProcessTerm]) -> Result<Self, Vec<Diagnostic>> {
        let mut calls = Self { ends: vec![false; spec.processes.len()] };
        let reached = calls.reach(spec, roots);
        loop {
            let before = calls.ends.clone();
            for process in &reached {
                let at = process.0 as usize;
                calls.ends[at] = calls.ends(&spec.processes[at].body);
            }
            if before == calls.ends {
                break;
            }
        }
        let mut problems = Vec::new();
        for process in &reached {
            forbidden(&spec.processes[process.0 as usize].body, roots.len() == 1, &mut problems);
        }
        roots.iter().for_each(|root| forbidden(root, roots.len() == 1, &mut problems));
        if problems.is_empty() {
            calls.cycles(spec, &reached, &mut problems);
        }
        if problems.is_empty() { Ok(calls) } else { Err(problems) }
    }

    /// Whether a process can end.
    pub(crate) fn can_end(&self, process: ProcIx) -> bool {
        self.ends[process.0 as usize]
    }

    /// The processes that are called, in the order in which they are found. Who ends is not known yet, so
    /// some of them are never run.
    fn reach(&self, spec: &ProcessSpec, roots: &[ProcessTerm]) -> Vec<ProcIx> {
        let (mut found, mut seen) = (Vec::new(), vec![false; spec.processes.len()]);
        let mut waiting: Vec<&ProcessTerm> = roots.iter().rev().collect();
        while let Some(term) = waiting.pop() {
            let mut inside = Vec::new();
            term.all_calls(&mut inside);
            for process in inside {
                if !std::mem::replace(&mut seen[process.0 as usize], true) {
                    found.push(process);
                    waiting.push(&spec.processes[process.0 as usize].body);
                }
            }
        }
        found
    }

    fn ends(&self, term: &ProcessTerm) -> bool {
        match &*term.kind {
            ProcessTermKind::Action(..) | ProcessTermKind::Tau => true,
            ProcessTermKind::Delta => false,
            ProcessTermKind::Call(process, _) => self.can_end(*process),
            ProcessTermKind::Choice(parts) => parts.iter().any(|part| self.ends(part)),
            ProcessTermKind::Sequence(parts) | ProcessTermKind::Sync(parts) => {
                parts.iter().all(|part| self.ends(part))
            }
            ProcessTermKind::HandshakeBoth(_, one, other) => self.ends(one) && self.ends(other),
            ProcessTermKind::Condition(condition, yes, no) => {
                let (can, cannot) = possible(condition);
                can && self.ends(yes) || cannot && no.as_ref().is_some_and(|no| self.ends(no))
            }
            ProcessTermKind::Sum(_, body)
            | ProcessTermKind::At(body, _)
            | ProcessTermKind::Before(body, _) => self.ends(body),
            ProcessTermKind::Distribution(_, _, body) => self.ends(body),
            _ => false,
        }
    }

    /// The calls in a term that can come to be run.
    fn calls<'s>(&self, term: &'s ProcessTerm, last: bool, first: bool, into: &mut Vec<Call<'s>>) {
        match &*term.kind {
            ProcessTermKind::Call(to, _) => into.push(Call { to: *to, at: term, last, first }),
            ProcessTermKind::Choice(parts) => {
                parts.iter().for_each(|part| self.calls(part, last, first, into))
            }
            ProcessTermKind::Sync(parts) => {
                parts.iter().for_each(|part| self.calls(part, last && parts.len() == 1, first, into))
            }
            ProcessTermKind::HandshakeBoth(_, one, other) => {
                [one, other].into_iter().for_each(|part| self.calls(part, false, first, into));
            }
            ProcessTermKind::Sequence(parts) => {
                for (at, part) in parts.iter().enumerate() {
                    let ends = self.ends(part);
                    self.calls(part, last && at + 1 == parts.len() || !ends, first && at == 0, into);
                    if !ends {
                        break;
                    }
                }
            }
            ProcessTermKind::Condition(condition, yes, no) => {
                let (can, cannot) = possible(condition);
                if can {
                    self.calls(yes, last, first, into);
                }
                if let Some(no) = no.as_ref().filter(|_| cannot) {
                    self.calls(no, last, first, into);
                }
            }
            ProcessTermKind::Sum(_, body) => self.calls(body, last, first, into),
            _ => {}
        }
    }

    fn cycles(&self, spec: &ProcessSpec, reached: &[ProcIx], problems: &mut Vec<Diagnostic>) {
        let mut edges: HashMap<ProcIx, Vec<Call<'_>>> = HashMap::new();
        for process in reached {
            let mut inside = Vec::new();
            self.calls(&spec.processes[process.0 as usize].body, true, true, &mut inside);
            edges.insert(*process, inside);
        }
        let name = |process: &ProcIx| spec.processes[process.0 as usize].name.as_str();
        let mut reported = vec![false; spec.processes.len()];
        for from in reached {
            for call in &edges[from] {
                let back = |unguarded: bool| {
                    let counts = if unguarded { call.first } else { !call.last };
                    let along = |call: &Call<'_>| call.first || !unguarded;
                    counts
                        .then(|| path(call.to, *from, &edges, along))
                        .flatten()
                        .map(|path| (unguarded, path))
                };
                if reported[from.0 as usize] {
                    continue;
                }
                let Some((unguarded, path)) = back(true).or_else(|| back(false)) else { continue };
                let whole: Vec<&str> = std::iter::once(from).chain(&path).map(name).collect();
                path.iter().for_each(|process| reported[process.0 as usize] = true);
                let shown = cycle_text(&whole);
                problems.push(cycle_problem(name(from), &shown, unguarded, call.at.span));
            }
        }
    }
}

/// What is wrong with a process that comes back to itself.
fn cycle_problem(name: &str, shown: &str, unguarded: bool, span: Option<Span>) -> Diagnostic {
    if unguarded {
        return problem(format!("process `{name}` calls itself before it does a step: {shown}"), span)
            .label("called before any action")
            .help("put an action before the call");
    }
    let advice = "keep what is still to be done in a parameter, a list or a number, \
                  and call the process last";
    problem(format!("process `{name}` is not regular: {shown}"), span)
        .label("what stands after this call piles up without bound")
        .help(advice)
}

/// A way from one process to another along calls that count.
fn path(
    from: ProcIx,
    to: ProcIx,
    edges: &HashMap<ProcIx, Vec<Call<'_>>>,
    along: impl Fn(&Call<'_>) -> bool,
) -> Option<Vec<ProcIx>> {
    let mut before: HashMap<ProcIx, ProcIx> = HashMap::new();
    let mut row = std::collections::VecDeque::from([from]);
    while let Some(process) = row.pop_front() {
        if process == to {
            let mut path = vec![process];
            while path[path.len() - 1] != from {
                path.push(before[&path[path.len() - 1]]);
            }
            path.reverse();
            return Some(path);
        }
        for call in edges.get(&process).into_iter().flatten().filter(|call| along(call)) {
            if call.to != from && !before.contains_key(&call.to) {
                before.insert(call.to, process);
                row.push_back(call.to);
            }
        }
    }
    None
}

/// Complains of what cannot be analysed yet.
fn forbidden(term: &ProcessTerm, alone: bool, problems: &mut Vec<Diagnostic>) {
    let complaint = match &*term.kind {
        // No time to do nothing differs from another for who runs alone.
        ProcessTermKind::At(body, _) if alone && matches!(*body.kind, ProcessTermKind::Delta) => None,
        ProcessTermKind::At(..) | ProcessTermKind::Before(..) => {
            Some(problem("time is not analysed yet", term.span))
        }
        ProcessTermKind::Distribution(..) => Some(problem("probability is not analysed yet", term.span)),
        _ => None,
    };
    match complaint {
        Some(complaint) => problems.push(complaint),
        None => term.for_each_part(&mut |part| forbidden(part, alone, problems)),
    }
}
