//! Specifications in one line a thing, with every sort that was found out.
//!
//! A conversion shows as the sort it goes to, `Int(x)`; a numeral as `1:Nat`; a built-in function by the name
//! of its `Op`. Chains of `&&` and `||` show flat, however they are grouped.
#![allow(dead_code)]

mod collections;
pub mod compare;
pub mod maker;
mod numbers;
mod truths;
mod values;

use base::{Source, render_all};
use processes::{NameIx, ProcessSpec, ProcessTerm, ProcessTermKind};
use terms::{DataSpec, Expr, Kind, Op, VarIx};

/// The specification in a text without errors.
pub fn read(text: &str) -> ProcessSpec {
    let source = Source::new("test.mcrl2", text);
    match lang_mcrl2::read(&source) {
        Ok((specification, _)) => specification,
        Err(problems) => panic!("{text}\n{}", render_all(&problems, &source, 10)),
    }
}

/// The messages of a text that is wrong, in its order: `line:column: message`.
pub fn problems(text: &str) -> Vec<String> {
    let source = Source::new("test.mcrl2", text);
    let Err(mut problems) = lang_mcrl2::read(&source) else { panic!("nothing is wrong with {text}") };
    problems.sort_by_key(|problem| problem.span.map(|span| span.start));
    let told = problems.iter().map(|problem| {
        let at = source.position(problem.span.expect("a place"));
        assert!(!problem.render(&source).is_empty());
        format!("{}:{}: {}", at.line, at.column, problem.message)
    });
    told.collect()
}

pub fn show_expr(data: &DataSpec, expr: &Expr) -> String {
    let all = |parts: &[Expr]| parts.iter().map(|part| show_expr(data, part)).collect::<Vec<_>>().join(", ");
    let sort = || data.sorts.show(expr.sort);
    match &*expr.kind {
        Kind::Var(var) => data.vars[var.ix()].name.clone(),
        Kind::Number(value) => format!("{value}:{}", sort()),
        Kind::Truth(value) => value.to_string(),
        Kind::Function(function) => format!("&{}", data.functions[function.ix()].name),
        Kind::Call(function, arguments) if arguments.is_empty() => data.functions[function.ix()].name.clone(),
        Kind::Call(function, arguments) => {
            format!("{}({})", data.functions[function.ix()].name, all(arguments))
        }
        Kind::Op(Op::Number | Op::Widen, parts) => format!("{}({})", sort(), all(parts)),
        Kind::Op(op @ (Op::And | Op::Or), _) => {
            let mut parts = Vec::new();
            flat(data, *op, expr, &mut parts);
            format!("{op:?}({})", parts.join(", "))
        }
        Kind::Op(op @ (Op::List | Op::SetOf | Op::BagOf), parts) if parts.is_empty() => {
            format!("{op:?}:{}", sort())
        }
        Kind::Op(op, parts) => format!("{op:?}({})", all(parts)),
        Kind::Apply(head, arguments) => format!("{}[{}]", show_expr(data, head), all(arguments)),
        Kind::Lambda(vars, body) => format!("lambda {}.{}", show_vars(data, vars), show_expr(data, body)),
        Kind::Forall(vars, body) => format!("forall {}.{}", show_vars(data, vars), show_expr(data, body)),
        Kind::Exists(vars, body) => format!("exists {}.{}", show_vars(data, vars), show_expr(data, body)),
        Kind::SetWhere(var, body) => format!("set {}|{}", show_vars(data, &[*var]), show_expr(data, body)),
        Kind::BagWhere(var, body) => format!("bag {}|{}", show_vars(data, &[*var]), show_expr(data, body)),
        Kind::Where(body, bound) => {
            let bound = bound
                .iter()
                .map(|(var, value)| format!("{}={}", show_vars(data, &[*var]), show_expr(data, value)));
            format!("({} whr {})", show_expr(data, body), bound.collect::<Vec<_>>().join(", "))
        }
    }
}

fn flat(data: &DataSpec, op: Op, expr: &Expr, parts: &mut Vec<String>) {
    match &*expr.kind {
        Kind::Op(same, inner) if *same == op => inner.iter().for_each(|inner| flat(data, op, inner, parts)),
        _ => parts.push(show_expr(data, expr)),
    }
}

fn show_vars(data: &DataSpec, vars: &[VarIx]) -> String {
    let shown = vars.iter().map(|var| &data.vars[var.ix()]);
    shown.map(|var| format!("{}:{}", var.name, data.sorts.show(var.sort))).collect::<Vec<_>>().join(",")
}

pub fn show_term(all: &ProcessSpec, term: &ProcessTerm) -> String {
    let data = &all.data;
    let name = |name: &NameIx| all.names[name.0 as usize].clone();
    let names = |names: &[NameIx]| names.iter().map(name).collect::<Vec<_>>().join("|");
    let exprs = |exprs: &[Expr]| match exprs {
        [] => String::new(),
        _ => format!("({})", exprs.iter().map(|expr| show_expr(data, expr)).collect::<Vec<_>>().join(", ")),
    };
    let parts = |parts: &[ProcessTerm], with: &str| {
        let parts: Vec<String> = parts.iter().map(|part| show_term(all, part)).collect();
        format!("[{}]", parts.join(with))
    };
    match &*term.kind {
        ProcessTermKind::Action(action, arguments) => {
            format!("{}{}", name(&all.actions[action.0 as usize].name), exprs(arguments))
        }
        ProcessTermKind::Tau => "tau".to_owned(),
        ProcessTermKind::Delta => "delta".to_owned(),
        ProcessTermKind::Call(process, arguments) => {
            format!("{}{}", all.processes[process.0 as usize].name, exprs(arguments))
        }
        ProcessTermKind::Choice(all) => parts(all, " + "),
        ProcessTermKind::Sequence(all) => parts(all, " . "),
        ProcessTermKind::Parallel(all) => parts(all, " || "),
        ProcessTermKind::Sync(all) => parts(all, " | "),
        ProcessTermKind::LeftMerge(one, other) => {
            format!("[{} ||_ {}]", show_term(all, one), show_term(all, other))
        }
        ProcessTermKind::Before(one, other) => {
            format!("[{} << {}]", show_term(all, one), show_term(all, other))
        }
        ProcessTermKind::Condition(condition, then, None) => {
            format!("[{} -> {}]", show_expr(data, condition), show_term(all, then))
        }
        ProcessTermKind::Condition(condition, then, Some(other)) => {
            format!(
                "[{} -> {} <> {}]",
                show_expr(data, condition),
                show_term(all, then),
                show_term(all, other)
            )
        }
        ProcessTermKind::Sum(vars, body) => {
            format!("[sum {}. {}]", show_vars(data, vars), show_term(all, body))
        }
        ProcessTermKind::Distribution(vars, weight, body) => {
            format!("[dist {}[{}]. {}]", show_vars(data, vars), show_expr(data, weight), show_term(all, body))
        }
        ProcessTermKind::At(body, time) => format!("[{} @ {}]", show_term(all, body), show_expr(data, time)),
        ProcessTermKind::Allow(several, body) => {
            let several: Vec<String> = several.iter().map(|several| names(several)).collect();
            format!("allow({{{}}}, {})", several.join(", "), show_term(all, body))
        }
        ProcessTermKind::Block(set, body) => format!("block({{{}}}, {})", names(set), show_term(all, body)),
        ProcessTermKind::Hide(set, body) => format!("hide({{{}}}, {})", names(set), show_term(all, body)),
        ProcessTermKind::Rename(pairs, body) => {
            let pairs: Vec<String> =
                pairs.iter().map(|(from, to)| format!("{}->{}", name(from), name(to))).collect();
            format!("rename({{{}}}, {})", pairs.join(", "), show_term(all, body))
        }
        ProcessTermKind::Comm(rules, body) => {
            let to = |to: &Option<NameIx>| to.as_ref().map_or("tau".to_owned(), name);
            let rules: Vec<String> =
                rules.iter().map(|rule| format!("{}->{}", names(&rule.from), to(&rule.to))).collect();
            format!("comm({{{}}}, {})", rules.join(", "), show_term(all, body))
        }
        ProcessTermKind::Handshake(..)
        | ProcessTermKind::HandshakeLeft(..)
        | ProcessTermKind::HandshakeBoth(..) => "handshake".to_owned(),
    }
}

/// The initial process of a text.
pub fn init(text: &str) -> String {
    let all = read(text);
    show_term(&all, &all.init)
}

/// An expression that must have this sort, with what `declared` declares: sorts, functions, and the variables
/// of a process.
pub fn typed(declared: &str, variables: &str, sort: &str, expr: &str) -> String {
    let parameters = if variables.is_empty() { String::new() } else { format!("({variables})") };
    let text = format!("{declared} act out: {sort}; proc P{parameters} = out({expr}); init delta;");
    let all = read(&text);
    match &*all.processes[0].body.kind {
        ProcessTermKind::Action(_, arguments) => show_expr(&all.data, &arguments[0]),
        other => panic!("{other:?}"),
    }
}
