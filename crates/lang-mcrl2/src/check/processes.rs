//! Actions and processes.

use std::collections::HashSet;

use ::processes::{ActIx, Action, NameIx, ProcIx, Process, ProcessTerm, ProcessTermKind};
use base::{Diagnostic, Span};
use terms::Expr;

use super::infer::Node;
use super::types::Ty;
use crate::ast::{self, ActionDecl, Name, ProcessDecl, ProcessKind};
use crate::check::{Checker, ProcessHead};

/// What a name in a process means.
#[derive(Clone, Copy, PartialEq)]
enum Called {
    Action(ActIx),
    Process(ProcIx),
}

impl<'a> Checker<'a> {
    pub fn declare_actions(&mut self, declared: &'a [ActionDecl<'a>]) {
        for declaration in declared {
            let types: Box<[Ty]> = declaration.sorts.iter().map(|sort| self.sort(sort)).collect();
            for &name in &declaration.names {
                self.declare_action(name, types.clone());
            }
        }
    }

    fn declare_action(&mut self, name: Name<'a>, types: Box<[Ty]>) {
        let next = NameIx(self.names.len() as u32);
        let (number, known) = self.actions_by_name.entry(name.text).or_insert((next, Vec::new()));
        if *number == next {
            self.names.push(name.text.to_owned());
        }
        if known.iter().any(|known| self.action_types[known.0 as usize] == types) {
            let message = format!("action `{}` is declared twice", name.text);
            self.warnings.push(
                Diagnostic::warning(message, name.span).help("remove one of them, or give it other sorts"),
            );
            return;
        }
        known.push(ActIx(self.actions.len() as u32));
        let number = *number;
        let sorts = types.iter().map(|&ty| self.sort_of(ty)).collect();
        self.actions.push(Action { name: number, sorts });
        self.action_types.push(types);
    }

    /// Makes processes known with their parameters, before any body is read: they call each other.
    pub fn declare_processes(&mut self, declared: &'a [ProcessDecl<'a>]) {
        for declaration in declared {
            let name = declaration.name;
            let parameters = self.enter(&declaration.parameters);
            self.leave(&parameters);
            if self.actions_by_name.contains_key(name.text) {
                self.report(
                    Diagnostic::error(format!("`{}` is an action and a process", name.text), name.span)
                        .help("give one of them another name"),
                );
            }
            let known = self.processes_by_name.entry(name.text).or_default();
            let sorts =
                |head: &ProcessHead<'_>| head.parameters.iter().map(|&(.., ty)| ty).collect::<Vec<Ty>>();
            let head = ProcessHead { parameters };
            let twice = known.iter().any(|known| sorts(&self.processes[known.0 as usize]) == sorts(&head));
            known.push(ProcIx(self.processes.len() as u32));
            self.processes.push(head);
            if twice {
                self.report(
                    Diagnostic::error(format!("process `{}` is declared twice", name.text), name.span)
                        .help("remove one of them, or give it another name"),
                );
            }
        }
    }

    pub fn process_bodies(&mut self, declared: &'a [ProcessDecl<'a>]) -> Vec<Process> {
        let mut made = Vec::new();
        for (number, declaration) in declared.iter().enumerate() {
            let parameters = self.processes[number].parameters.clone();
            for &(name, var, ty) in &parameters {
                self.scope.enter(name, var, ty);
            }
            self.inside = Some(ProcIx(number as u32));
            let body = self.process(&declaration.body);
            self.inside = None;
            self.leave(&parameters);
            made.push(Process {
                name: declaration.name.text.to_owned(),
                parameters: parameters.iter().map(|&(_, var, _)| var).collect(),
                body,
                span: Some(declaration.span),
            });
        }
        made
    }

    /// A process expression with its names looked up.
    pub fn process(&mut self, process: &'a ast::Process<'a>) -> ProcessTerm {
        let kind = match &process.kind {
            ProcessKind::Call(name, arguments) => self.call(*name, arguments, process.span),
            ProcessKind::Assign(name, values) => self.assigned(*name, values),
            ProcessKind::Delta => ProcessTermKind::Delta,
            ProcessKind::Tau => ProcessTermKind::Tau,
            ProcessKind::Choice(parts) => ProcessTermKind::Choice(self.process_parts(parts)),
            ProcessKind::Sequence(parts) => ProcessTermKind::Sequence(self.process_parts(parts)),
            ProcessKind::Parallel(parts) => ProcessTermKind::Parallel(self.process_parts(parts)),
            ProcessKind::Sync(parts) => ProcessTermKind::Sync(self.process_parts(parts)),
            ProcessKind::LeftMerge(one, other) => {
                ProcessTermKind::LeftMerge(self.process(one), self.process(other))
            }
            ProcessKind::Before(one, other) => {
                ProcessTermKind::Before(self.process(one), self.process(other))
            }
            ProcessKind::Condition(condition, then, otherwise) => {
                let condition = self.expression(condition, Ty::BOOL);
                let then = self.process(then);
                let otherwise = otherwise.as_ref().map(|otherwise| self.process(otherwise));
                ProcessTermKind::Condition(condition, then, otherwise)
            }
            ProcessKind::Sum(bindings, body) => {
                let entered = self.enter(bindings);
                let body = self.process(body);
                self.leave(&entered);
                ProcessTermKind::Sum(entered.into_iter().map(|(_, var, _)| var).collect(), body)
            }
            ProcessKind::Distribution(bindings, weight, body) => {
                let entered = self.enter(bindings);
                let weight = self.expression(weight, Ty::REAL);
                let body = self.process(body);
                self.leave(&entered);
                ProcessTermKind::Distribution(
                    entered.into_iter().map(|(_, var, _)| var).collect(),
                    weight,
                    body,
                )
            }
            ProcessKind::At(body, time) => {
                let body = self.process(body);
                ProcessTermKind::At(body, self.expression(time, Ty::REAL))
            }
            ProcessKind::Block(names, body) => {
                let names = self.action_set(names, "block");
                ProcessTermKind::Block(names, self.process(body))
            }
            ProcessKind::Hide(names, body) => {
                let names = self.action_set(names, "hide");
                ProcessTermKind::Hide(names, self.process(body))
            }
            ProcessKind::Allow(several, body) => {
                let several = several.iter().map(|names| self.multi_action(names)).collect();
                ProcessTermKind::Allow(several, self.process(body))
            }
            ProcessKind::Rename(pairs, body) => {
                let pairs = self.renaming(pairs);
                ProcessTermKind::Rename(pairs, self.process(body))
            }
            ProcessKind::Comm(rules, body) => {
                let rules = self.communications(rules);
                ProcessTermKind::Comm(rules, self.process(body))
            }
        };
        ProcessTerm::new(kind, Some(process.span))
    }

    fn process_parts(&mut self, parts: &'a [ast::Process<'a>]) -> Vec<ProcessTerm> {
        parts.iter().map(|part| self.process(part)).collect()
    }

    /// An expression that must have this type.
    pub fn expression(&mut self, expr: &'a ast::Expr<'a>, wanted: Ty) -> Expr {
        let node = self.infer(expr);
        self.settle(&node, wanted).0
    }

    /// The sorts of what is called.
    fn parameters_of(&self, called: Called) -> Vec<Ty> {
        match called {
            Called::Action(action) => self.action_types[action.0 as usize].to_vec(),
            Called::Process(process) => {
                self.processes[process.0 as usize].parameters.iter().map(|&(.., ty)| ty).collect()
            }
        }
    }

    fn call(&mut self, name: Name<'a>, arguments: &'a [ast::Expr<'a>], span: Span) -> ProcessTermKind {
        let actions =
            self.actions_by_name.get(name.text).map(|(_, actions)| actions.clone()).unwrap_or_default();
        let processes = self.processes_by_name.get(name.text).cloned().unwrap_or_default();
        let actions = actions.into_iter().map(Called::Action);
        let known: Vec<Called> = actions.chain(processes.into_iter().map(Called::Process)).collect();
        if known.is_empty() {
            let known: Vec<&str> =
                self.actions_by_name.keys().chain(self.processes_by_name.keys()).copied().collect();
            self.unknown("action or process", name.text, name.span, known, "declare it with `act` or `proc`");
            return ProcessTermKind::Delta;
        }
        let nodes = self.infer_all(arguments);
        let Some(called) = self.cheapest_call(name, &known, &nodes, span) else {
            return ProcessTermKind::Delta;
        };
        let wanted = self.parameters_of(called);
        let arguments = nodes.iter().zip(wanted).map(|(node, ty)| self.settle(node, ty).0).collect();
        match called {
            Called::Action(action) => ProcessTermKind::Action(action, arguments),
            Called::Process(process) => ProcessTermKind::Call(process, arguments),
        }
    }

    /// Which of those that share a name takes these arguments.
    fn cheapest_call(
        &mut self,
        name: Name<'a>,
        known: &[Called],
        nodes: &[Node],
        span: Span,
    ) -> Option<Called> {
        if nodes.iter().any(Node::is_broken) {
            return None;
        }
        let wide = self.wide_all(nodes);
        let mut best: Option<(u32, Called)> = None;
        let mut is_tied = false;
        for &called in known {
            let wanted = self.parameters_of(called);
            if wanted.len() != nodes.len() {
                continue;
            }
            let Some(cost) = self.fitting(&wanted, &wide, span) else { continue };
            match best {
                Some((known, _)) if known < cost => {}
                Some((known, _)) if known == cost => is_tied = true,
                _ => (best, is_tied) = (Some((cost, called)), false),
            }
        }
        if is_tied {
            self.report(
                Diagnostic::error(format!("which `{}` is meant cannot be told", name.text), name.span)
                    .help("give those of different sorts different names"),
            );
            return None;
        }
        if best.is_none() {
            let message = match nodes {
                [] => format!("`{}` is not given its arguments", name.text),
                _ => format!("`{}` does not take {}", name.text, self.given(nodes)),
            };
            let wanted: Vec<String> =
                known.iter().take(4).map(|&called| self.types.show_all(self.parameters_of(called))).collect();
            let narrowing =
                known.iter().find_map(|&called| self.narrowing_of(nodes, &self.parameters_of(called)));
            let narrowing = narrowing.map_or(String::new(), |narrowing| format!("; {narrowing}"));
            let help = format!("it takes {}{narrowing}", wanted.join("; or "));
            self.report(Diagnostic::error(message, name.span).help(help));
        }
        best.map(|(_, called)| called)
    }

    /// `P(x = e)`: the parameters that are not named stay what they are.
    fn assigned(&mut self, name: Name<'a>, values: &'a [(Name<'a>, ast::Expr<'a>)]) -> ProcessTermKind {
        let Some(known) = self.processes_by_name.get(name.text).cloned() else {
            if values.is_empty() && self.actions_by_name.contains_key(name.text) {
                self.report(
                    Diagnostic::error(format!("action `{}` is written without `()`", name.text), name.span)
                        .help("remove the parentheses"),
                );
                return ProcessTermKind::Delta;
            }
            let known: Vec<&str> = self.processes_by_name.keys().copied().collect();
            self.unknown(
                "process",
                name.text,
                name.span,
                known,
                "declare it with `proc`, or correct the name",
            );
            return ProcessTermKind::Delta;
        };
        let mut seen = HashSet::new();
        for (parameter, _) in values {
            if !seen.insert(parameter.text) {
                self.report(
                    Diagnostic::error(
                        format!("parameter `{}` is given two values", parameter.text),
                        parameter.span,
                    )
                    .help("remove one of them"),
                );
            }
        }
        let has =
            |head: &ProcessHead<'_>, name: &str| head.parameters.iter().any(|&(known, ..)| known == name);
        let fits = |process: &ProcIx| {
            values.iter().all(|(parameter, _)| has(&self.processes[process.0 as usize], parameter.text))
        };
        let fitting: Vec<ProcIx> = known.iter().copied().filter(fits).collect();
        let process = match fitting[..] {
            [process] => process,
            [] => {
                self.report_parameters(name, values, &known);
                return ProcessTermKind::Delta;
            }
            _ => {
                self.report(
                    Diagnostic::error(
                        format!("which process `{}` is meant cannot be told", name.text),
                        name.span,
                    )
                    .help("give all parameters in their order, or use different names"),
                );
                return ProcessTermKind::Delta;
            }
        };
        let mut arguments = Vec::new();
        for (parameter, var, ty) in self.processes[process.0 as usize].parameters.clone() {
            let argument = match values.iter().find(|(known, _)| known.text == parameter) {
                Some((_, value)) => self.expression(value, ty),
                None if self.inside == Some(process) => Expr::var(var, self.data.vars[var.ix()].sort),
                None => self.inherited(name, parameter, ty),
            };
            arguments.push(argument);
        }
        ProcessTermKind::Call(process, arguments)
    }

    fn report_parameters(&mut self, name: Name<'a>, values: &[(Name<'a>, ast::Expr<'a>)], known: &[ProcIx]) {
        let parameters = known.iter().flat_map(|process| &self.processes[process.0 as usize].parameters);
        let parameters: Vec<&str> = parameters.map(|&(parameter, ..)| parameter).collect();
        let wrong = values.iter().find(|(parameter, _)| !parameters.contains(&parameter.text));
        let wrong = wrong.map_or(name, |(parameter, _)| *parameter);
        let what = format!("process `{}` with parameter", name.text);
        self.unknown(&what, wrong.text, wrong.span, parameters, "name parameters that the process has");
    }

    /// The value of a parameter that another process is not given: the variable of that name here.
    fn inherited(&mut self, process: Name<'a>, parameter: &'a str, wanted: Ty) -> Expr {
        match self.scope.look_up(parameter) {
            Some((var, ty)) if ty == wanted => Expr::var(var, self.data.vars[var.ix()].sort),
            _ => {
                self.report(
                    Diagnostic::error(
                        format!("process `{}` is not given its parameter `{parameter}`", process.text),
                        process.span,
                    )
                    .label(format!(
                        "there is no variable `{parameter}` of sort `{}` here",
                        self.types.show(wanted)
                    ))
                    .help(format!("write `{}({parameter} = …)`", process.text)),
                );
                self.broken(wanted)
            }
        }
    }
}
