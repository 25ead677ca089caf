//! Functions that are built-in ones by their equations: conjunction, disjunction, negation, implication and
//! equivalence of truth values, `if`, and equality of values. In µCRL every text defines them anew.
//!
//! Calls of them become the built-in ones, and their equations go. What is built in is evaluated as far as it
//! is needed, conjunctions are split into guards, and equations solve sums.
//!
//! Names play no part in it. A function is replaced only where its equations say, for all values of its
//! arguments, what the built-in one says: `f(T, x) = x` and `f(F, x) = F` make f a conjunction. Equations
//! about such a function inside the pattern of another one, `not(not(x)) = x`, go too: an argument is a
//! value, T or F, and no pattern of that kind fits it.

mod choice;
mod equality;
mod truth;

use std::collections::HashMap;

use processes::{ProcessSpec, ProcessTerm, ProcessTermKind};
use terms::{DataSpec, Equation, Expr, FunIx, FunKind, Kind, Op};

/// What a function is.
pub(crate) type Meanings = HashMap<FunIx, Op>;

/// Replaces all functions that are built-in ones.
pub(crate) fn recognise(spec: &mut ProcessSpec) {
    let meanings = meanings(&spec.data);
    if meanings.is_empty() {
        return;
    }
    let is_known = |function: FunIx| meanings.contains_key(&function);
    spec.data.equations.retain(|equation| !calls(&equation.left, &is_known));
    for equation in &mut spec.data.equations {
        equation.right = replaced(&equation.right, &meanings);
    }
    for process in &mut spec.processes {
        process.body = term(&process.body, &meanings);
    }
    spec.init = term(&spec.init, &meanings);
}

/// The functions that are built-in ones.
pub(crate) fn meanings(data: &DataSpec) -> Meanings {
    let equations = Equations::new(data);
    let mut meanings = truth::meanings(data, &equations);
    meanings.extend(choice::meanings(data, &equations));
    let equalities = equality::meanings(data, &equations, &meanings);
    meanings.extend(equalities);
    meanings
}

/// The equations of each function.
pub(crate) struct Equations<'d> {
    of: HashMap<FunIx, Vec<&'d Equation>>,
}

impl<'d> Equations<'d> {
    fn new(data: &'d DataSpec) -> Self {
        let mut of: HashMap<FunIx, Vec<&Equation>> = HashMap::new();
        for equation in &data.equations {
            if let Kind::Call(function, _) = &*equation.left.kind {
                of.entry(*function).or_default().push(equation);
            }
        }
        Self { of }
    }

    /// Those of a function, each with the patterns of its arguments.
    fn of(&self, function: FunIx) -> impl Iterator<Item = (&'d [Expr], &'d Equation)> {
        self.of.get(&function).into_iter().flatten().filter_map(|&equation| match &*equation.left.kind {
            Kind::Call(_, patterns) => Some((&**patterns, equation)),
            _ => None,
        })
    }

    fn has(&self, function: FunIx) -> bool {
        self.of.contains_key(&function)
    }
}

/// All that are defined by equations.
fn mappings(data: &DataSpec) -> impl Iterator<Item = (FunIx, &terms::Function)> {
    let all = data.functions.iter().enumerate().map(|(at, function)| (FunIx(at as u32), function));
    all.filter(|(_, function)| function.kind == FunKind::Mapping)
}

/// Whether such a function is called somewhere in an expression.
fn calls(expr: &Expr, which: &impl Fn(FunIx) -> bool) -> bool {
    match &*expr.kind {
        Kind::Call(function, arguments) => {
            which(*function) || arguments.iter().any(|argument| calls(argument, which))
        }
        _ => false,
    }
}

/// The expression with built-in functions. In µCRL there are variables, truth values and calls.
fn replaced(expr: &Expr, meanings: &Meanings) -> Expr {
    let Kind::Call(function, arguments) = &*expr.kind else { return expr.clone() };
    let arguments: Box<[Expr]> = arguments.iter().map(|argument| replaced(argument, meanings)).collect();
    match meanings.get(function) {
        Some(&op) => Expr::op(op, arguments, expr.sort),
        None => Expr::new(Kind::Call(*function, arguments), expr.sort),
    }
}

/// A process term with built-in functions. Those that µCRL does not have are not there.
fn term(whole: &ProcessTerm, meanings: &Meanings) -> ProcessTerm {
    let part = |part: &ProcessTerm| term(part, meanings);
    let parts = |parts: &[ProcessTerm]| parts.iter().map(part).collect();
    let data = |data: &[Expr]| data.iter().map(|expr| replaced(expr, meanings)).collect();
    let kind = match &*whole.kind {
        ProcessTermKind::Action(action, arguments) => ProcessTermKind::Action(*action, data(arguments)),
        ProcessTermKind::Call(process, arguments) => ProcessTermKind::Call(*process, data(arguments)),
        ProcessTermKind::Choice(all) => ProcessTermKind::Choice(parts(all)),
        ProcessTermKind::Sequence(all) => ProcessTermKind::Sequence(parts(all)),
        ProcessTermKind::Condition(condition, then, otherwise) => ProcessTermKind::Condition(
            replaced(condition, meanings),
            part(then),
            otherwise.as_ref().map(part),
        ),
        ProcessTermKind::Sum(vars, body) => ProcessTermKind::Sum(vars.clone(), part(body)),
        ProcessTermKind::Block(names, body) => ProcessTermKind::Block(names.clone(), part(body)),
        ProcessTermKind::Hide(names, body) => ProcessTermKind::Hide(names.clone(), part(body)),
        ProcessTermKind::Rename(renamings, body) => ProcessTermKind::Rename(renamings.clone(), part(body)),
        ProcessTermKind::Handshake(rules, all) => ProcessTermKind::Handshake(rules.clone(), parts(all)),
        ProcessTermKind::HandshakeLeft(rules, left, right) => {
            ProcessTermKind::HandshakeLeft(rules.clone(), part(left), part(right))
        }
        ProcessTermKind::HandshakeBoth(rules, one, other) => {
            ProcessTermKind::HandshakeBoth(rules.clone(), part(one), part(other))
        }
        _ => return whole.clone(),
    };
    ProcessTerm::new(kind, whole.span)
}
