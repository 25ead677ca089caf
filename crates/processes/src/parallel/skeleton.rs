//! The parallel skeleton: the operators that stand above the sequential components, with all calls of
//! parallel processes unfolded.
//!
//! `init P(1) || P(2)` where `P(n: Nat) = Q(n) || R(n)` has the skeleton `Q(1) || R(1) || Q(2) || R(2)`: four
//! components. A parallel process that calls itself would have no end of them, and is refused.

use std::collections::HashMap;
use std::sync::Arc;

use base::Diagnostic;
use terms::{Expr, VarIx};

use crate::problem::{cycle_text, problem};
use crate::sequential::Root;
use crate::{Communication, NameIx, ProcIx, ProcessSpec, ProcessTerm, ProcessTermKind};

/// More components than this are no model that anybody explores; calls that double them are soon here.
const MOST_COMPONENTS: usize = 10_000;

/// How deep operators and calls of processes in parallel may be nested: they are followed recursively.
const MOST_DEPTH: usize = 2000;

/// Components and the operators over them.
#[derive(Debug)]
pub(crate) enum Skeleton {
    /// A sequential component, by its number.
    Leaf(usize),
    /// `p || q || …`
    Parallel(Vec<Self>),
    /// `p ||_ q`, with the rules that µCRL has for `||`
    LeftMerge(Option<Arc<[Communication]>>, Box<[Self; 2]>),
    /// `p | q | …`, with the rules that µCRL has for it
    Together(Option<Arc<[Communication]>>, Vec<Self>),
    /// `p || q || …` as µCRL has it.
    Handshake(Arc<[Communication]>, Vec<Self>),
    /// An operator over all that is below.
    Under(Operator, Box<Self>),
}

/// An operator on multi-actions.
#[derive(Clone, Debug)]
pub(crate) enum Operator {
    Allow(Vec<Vec<NameIx>>),
    Block(Vec<NameIx>),
    Hide(Vec<NameIx>),
    Rename(Vec<(NameIx, NameIx)>),
    Comm(Vec<Communication>),
}

/// Unfolds the skeleton of a specification.
pub(crate) fn unfold(spec: &ProcessSpec) -> Result<(Skeleton, Vec<Root>), Vec<Diagnostic>> {
    let mut unfolding =
        Unfolding { spec, parallel: parallel(spec), stack: Vec::new(), depth: 0, roots: Vec::new() };
    let skeleton = unfolding.term(&spec.init, &HashMap::new()).map_err(|problem| vec![*problem])?;
    Ok((skeleton, unfolding.roots))
}

/// An operator of the skeleton, as messages name it.
#[derive(Clone, Copy)]
struct ParallelOperator {
    word: &'static str,
    advice: &'static str,
}

/// Which processes have an operator of the skeleton in them, or call one that has.
fn parallel(spec: &ProcessSpec) -> Vec<Option<ParallelOperator>> {
    let mut parallel: Vec<Option<ParallelOperator>> =
        spec.processes.iter().map(|process| inner_operator(&process.body)).collect();
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); spec.processes.len()];
    for (caller, process) in spec.processes.iter().enumerate() {
        let mut called = Vec::new();
        process.body.all_calls(&mut called);
        called.iter().for_each(|called| callers[called.0 as usize].push(caller));
    }
    let mut found: Vec<usize> = (0..parallel.len()).filter(|&process| parallel[process].is_some()).collect();
    while let Some(called) = found.pop() {
        for &caller in &callers[called] {
            if parallel[caller].is_none() {
                parallel[caller] = parallel[called];
                found.push(caller);
            }
        }
    }
    parallel
}

/// Whether a term is an operator of the skeleton.
fn operator(term: &ProcessTerm) -> Option<ParallelOperator> {
    let (word, advice) = match &*term.kind {
        ProcessTermKind::Parallel(_) | ProcessTermKind::Handshake(..) => ("the parallel operator", ADVICE),
        ProcessTermKind::LeftMerge(..) | ProcessTermKind::HandshakeLeft(..) => ("`||_`", ADVICE),
        ProcessTermKind::Allow(..) => ("`allow`", ADVICE_ON_ACTIONS),
        ProcessTermKind::Block(..) => ("`block` (encapsulation)", ADVICE_ON_ACTIONS),
        ProcessTermKind::Hide(..) => ("`hide`", ADVICE_ON_ACTIONS),
        ProcessTermKind::Rename(..) => ("`rename`", ADVICE_ON_ACTIONS),
        ProcessTermKind::Comm(..) => ("`comm`", ADVICE_ON_ACTIONS),
        _ => return None,
    };
    Some(ParallelOperator { word, advice })
}

/// An operator of the skeleton somewhere in a term.
fn inner_operator(term: &ProcessTerm) -> Option<ParallelOperator> {
    let mut found = operator(term);
    if found.is_none() {
        term.for_each_part(&mut |part| found = found.or_else(|| inner_operator(part)));
    }
    found
}

struct Unfolding<'s> {
    spec: &'s ProcessSpec,
    parallel: Vec<Option<ParallelOperator>>,
    /// The calls that are open.
    stack: Vec<ProcIx>,
    /// How many operators and calls are open.
    depth: usize,
    roots: Vec<Root>,
}

impl Unfolding<'_> {
    fn term(
        &mut self,
        term: &ProcessTerm,
        values: &HashMap<VarIx, Expr>,
    ) -> Result<Skeleton, Box<Diagnostic>> {
        if self.depth == MOST_DEPTH {
            let message = "processes in parallel call each other in a longer row than can be followed";
            return Err(Box::new(
                problem(message.to_owned(), term.span).help("put them side by side in one process"),
            ));
        }
        self.depth += 1;
        let skeleton = self.unfolded(term, values);
        self.depth -= 1;
        skeleton
    }

    fn unfolded(
        &mut self,
        term: &ProcessTerm,
        values: &HashMap<VarIx, Expr>,
    ) -> Result<Skeleton, Box<Diagnostic>> {
        let under = |skeleton: Skeleton, operator: Operator| Skeleton::Under(operator, Box::new(skeleton));
        Ok(match &*term.kind {
            ProcessTermKind::Parallel(list) => {
                let mut flat = Vec::new();
                for part in list {
                    match self.term(part, values)? {
                        Skeleton::Parallel(inner) => flat.extend(inner),
                        other => flat.push(other),
                    }
                }
                Skeleton::Parallel(flat)
            }
            ProcessTermKind::Handshake(rules, list) => {
                let mut flat = Vec::new();
                for part in list {
                    match self.term(part, values)? {
                        Skeleton::Handshake(inner, more) if inner == *rules && !goes_on(rules) => {
                            flat.extend(more)
                        }
                        other => flat.push(other),
                    }
                }
                Skeleton::Handshake(rules.clone(), flat)
            }
            ProcessTermKind::LeftMerge(left, right) => {
                Skeleton::LeftMerge(None, Box::new([self.term(left, values)?, self.term(right, values)?]))
            }
            ProcessTermKind::HandshakeLeft(rules, left, right) => {
                let parts = [self.term(left, values)?, self.term(right, values)?];
                Skeleton::LeftMerge(Some(rules.clone()), Box::new(parts))
            }
            ProcessTermKind::Sync(list) if self.runs_on(term) => {
                let parts: Result<Vec<Skeleton>, _> =
                    list.iter().map(|part| self.term(part, values)).collect();
                Skeleton::Together(None, parts?)
            }
            ProcessTermKind::HandshakeBoth(rules, one, other) if self.runs_on(term) => Skeleton::Together(
                Some(rules.clone()),
                vec![self.term(one, values)?, self.term(other, values)?],
            ),
            ProcessTermKind::Allow(list, body) => {
                under(self.term(body, values)?, Operator::Allow(list.clone()))
            }
            ProcessTermKind::Block(list, body) => {
                under(self.term(body, values)?, Operator::Block(list.clone()))
            }
            ProcessTermKind::Hide(list, body) => {
                under(self.term(body, values)?, Operator::Hide(list.clone()))
            }
            ProcessTermKind::Rename(list, body) => {
                under(self.term(body, values)?, Operator::Rename(list.clone()))
            }
            ProcessTermKind::Comm(list, body) => {
                under(self.term(body, values)?, Operator::Comm(list.clone()))
            }
            ProcessTermKind::Call(process, arguments)
                if self.parallel[process.0 as usize].is_some()
                    || self.runs_on(&self.spec.processes[process.0 as usize].body) =>
            {
                self.call(term, *process, arguments, values)?
            }
            _ => self.component(term, values)?,
        })
    }

    /// Whether the parts of `p | q` may run side by side after the first step: more than one of them is no
    /// action.
    fn runs_on(&self, term: &ProcessTerm) -> bool {
        let parts: Vec<&ProcessTerm> = match &*term.kind {
            ProcessTermKind::Sync(parts) => parts.iter().collect(),
            ProcessTermKind::HandshakeBoth(_, one, other) => vec![one, other],
            _ => return false,
        };
        let is_action = |part: &&&ProcessTerm| {
            matches!(*part.kind, ProcessTermKind::Action(..) | ProcessTermKind::Tau | ProcessTermKind::Delta)
        };
        let is_parallel = |part: &&ProcessTerm| match &*part.kind {
            ProcessTermKind::Call(process, _) => self.parallel[process.0 as usize].is_some(),
            _ => inner_operator(part).is_some(),
        };
        parts.iter().filter(|part| !is_action(part)).count() > 1 || parts.iter().any(is_parallel)
    }

    fn call(
        &mut self,
        term: &ProcessTerm,
        process: ProcIx,
        arguments: &[Expr],
        values: &HashMap<VarIx, Expr>,
    ) -> Result<Skeleton, Box<Diagnostic>> {
        let name = |process: &ProcIx| self.spec.processes[process.0 as usize].name.as_str();
        if let Some(at) = self.stack.iter().position(|open| *open == process) {
            let cycle: Vec<&str> = self.stack[at..].iter().chain([&process]).map(name).collect();
            let word =
                self.parallel[process.0 as usize].map_or("the parallel operator", |operator| operator.word);
            let message = format!("{word} is inside recursion: {}", cycle_text(&cycle));
            return Err(Box::new(
                problem(message, term.span)
                    .label("this call starts ever more processes")
                    .help("write out the processes that run side by side, as many as there are"),
            ));
        }
        let Self { spec, .. } = *self;
        let called = &spec.processes[process.0 as usize];
        let arguments = arguments.iter().map(|argument| argument.substitute(values));
        let inside = called.parameters.iter().copied().zip(arguments).collect();
        self.stack.push(process);
        let skeleton = self.term(&called.body, &inside);
        self.stack.pop();
        skeleton
    }

    fn component(
        &mut self,
        term: &ProcessTerm,
        values: &HashMap<VarIx, Expr>,
    ) -> Result<Skeleton, Box<Diagnostic>> {
        self.check_sequential(term, "a process")?;
        if self.roots.len() == MOST_COMPONENTS {
            let message = format!("more than {MOST_COMPONENTS} processes run side by side");
            return Err(Box::new(problem(message, term.span)));
        }
        self.roots.push(Root { term: term.clone(), values: values.clone() });
        Ok(Skeleton::Leaf(self.roots.len() - 1))
    }

    /// Complains of an operator of the skeleton inside what is sequential.
    fn check_sequential(&self, term: &ProcessTerm, inside: &str) -> Result<(), Box<Diagnostic>> {
        if let ProcessTermKind::Call(process, _) = &*term.kind
            && let Some(ParallelOperator { word, advice }) = self.parallel[process.0 as usize]
        {
            let name = &self.spec.processes[process.0 as usize].name;
            let message = format!("process `{name}`, which has {word} in it, is called inside {inside}");
            return Err(Box::new(problem(message, term.span).help(advice)));
        }
        if let Some(ParallelOperator { word, advice }) = operator(term) {
            return Err(Box::new(problem(format!("{word} is inside {inside}"), term.span).help(advice)));
        }
        let inside = match &*term.kind {
            ProcessTermKind::Choice(_) => "a choice",
            ProcessTermKind::Sequence(_) => "a sequence",
            ProcessTermKind::Condition(..) => "a condition",
            ProcessTermKind::Sum(..) => "a sum",
            ProcessTermKind::Sync(_) | ProcessTermKind::HandshakeBoth(..) => "a synchronisation",
            ProcessTermKind::At(..) | ProcessTermKind::Before(..) => "time",
            ProcessTermKind::Distribution(..) => "a distribution",
            _ => inside,
        };
        let mut answer = Ok(());
        term.for_each_part(&mut |part| {
            if answer.is_ok() {
                answer = self.check_sequential(part, inside);
            }
        });
        answer
    }
}

const ADVICE: &str =
    "processes run side by side only at the top: what is put in parallel must be there from the beginning";

const ADVICE_ON_ACTIONS: &str = "what changes actions stands only at the top, around whole \
    processes: put it around all of this one, or around what calls it";

/// Whether what comes of a communication can communicate again. Three come together then, two at a time: who
/// stands beside whom matters.
fn goes_on(rules: &[Communication]) -> bool {
    rules.iter().any(|rule| rule.to.is_some_and(|to| rules.iter().any(|other| other.from.contains(&to))))
}
