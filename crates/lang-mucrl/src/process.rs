//! Processes: from the tree to a [`ProcessSpec`].

use std::sync::Arc;

use base::{Diagnostic, Span};
use processes::{Communication, NameIx, Process, ProcessSpec, ProcessTerm, ProcessTermKind};
use terms::{Expr, SortIx};

use crate::ast::{self, Data, Kind, Name, Specification};
use crate::data::{Scope, find};
use crate::declarations::{Declarations, declare, not_declared};
use crate::parser::DEEPEST;
use crate::problems::Reported;

/// The specification of a tree and warnings, or all that is wrong with it.
pub(crate) fn resolve(tree: &Specification<'_>) -> Result<(ProcessSpec, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut declarations = declare(tree);
    declarations.equations(tree);
    let rules = declarations.communications(tree);
    let mut resolver = Resolver { nested: nests(&rules), rules: rules.into(), declarations };
    let mut bodies = Vec::new();
    for (number, process) in tree.processes.iter().enumerate() {
        let Some(parameters) = resolver.declarations.parameters[number].clone() else { continue };
        let mut scope: Scope<'_> =
            process.parameters.iter().zip(&parameters).map(|(&(name, _), &var)| (name.text, var)).collect();
        let Ok(body) = resolver.term(&process.body, &mut scope) else { continue };
        let (name, span) = (process.name.text.to_owned(), Some(process.name.span));
        bodies.push(Process { name, parameters, body, span });
    }
    let init = resolver.init(tree);
    let Declarations { data, names, actions, problems, .. } = resolver.declarations;
    let warnings = problems.into_result()?;
    let init = init.unwrap_or_else(|Reported| panic!("BUG: something is wrong and no message tells what"));
    Ok((ProcessSpec { data, names, actions, processes: bodies, globals: Vec::new(), init }, warnings))
}

/// Whether what comes of a communication can communicate again: then three may come together.
fn nests(rules: &[Communication]) -> bool {
    rules.iter().any(|rule| rule.to.is_some_and(|to| rules.iter().any(|other| other.from.contains(&to))))
}

impl<'a> Declarations<'a> {
    /// The actions with this name.
    fn action_name(&mut self, name: Name<'a>) -> Result<NameIx, Reported> {
        if let Some(&(number, _)) = self.actions_of.get(name.text) {
            return Ok(number);
        }
        if self.broken.contains(name.text) {
            return Err(Reported);
        }
        let label = not_declared(name.text, self.actions_of.keys().copied());
        Err(self.problems.error(format!("there is no action `{}`", name.text), name.span, label))
    }

    fn action_names(&mut self, names: &[Name<'a>]) -> Result<Vec<NameIx>, Reported> {
        let all: Vec<Result<NameIx, Reported>> = names.iter().map(|&name| self.action_name(name)).collect();
        let mut all = all.into_iter().collect::<Result<Vec<NameIx>, Reported>>()?;
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    fn sorts_of(&self, name: Name<'a>) -> Vec<Vec<SortIx>> {
        let overloads = self.actions_of.get(name.text).map(|(_, overloads)| overloads);
        overloads.into_iter().flatten().map(|(sorts, _)| sorts.clone()).collect()
    }

    /// What is declared under `comm`.
    fn communications(&mut self, tree: &Specification<'a>) -> Vec<Communication> {
        let mut rules: Vec<Communication> = Vec::new();
        for declared in &tree.communications {
            let [one, other] = declared.from;
            let from = [self.action_name(one), self.action_name(other)];
            let to = declared.to.map(|name| self.action_name(name)).transpose();
            let ([Ok(first), Ok(second)], Ok(to)) = (from, to) else { continue };
            let from = vec![first.min(second), first.max(second)];
            let common: Vec<_> =
                self.sorts_of(one).into_iter().filter(|sorts| self.sorts_of(other).contains(sorts)).collect();
            if common.is_empty() {
                let message = format!("`{}` and `{}` have no arguments in common", one.text, other.text);
                self.problems.add(
                    Diagnostic::warning(message, one.span.to(other.span)).label("they never communicate"),
                );
            }
            if let Some(result) = declared.to {
                let missing = common.into_iter().find(|sorts| !self.sorts_of(result).contains(sorts));
                if let Some(sorts) = missing {
                    let message =
                        format!("there is no action `{}` with arguments {}", result.text, self.show(&sorts));
                    let label = format!("`{}` and `{}` have these", one.text, other.text);
                    self.problems.error(message, result.span, label);
                    continue;
                }
            }
            match rules.iter().find(|rule| rule.from == from) {
                Some(rule) if rule.to == to => {}
                Some(_) => {
                    let message =
                        format!("`{}` and `{}` communicate to two different actions", one.text, other.text);
                    self.problems.error(message, one.span.to(other.span), "declared before");
                }
                None => rules.push(Communication { from, to }),
            }
        }
        rules
    }
}

struct Resolver<'a> {
    rules: Arc<[Communication]>,
    nested: bool,
    declarations: Declarations<'a>,
}

impl<'a> Resolver<'a> {
    fn init(&mut self, tree: &Specification<'a>) -> Result<ProcessTerm, Reported> {
        let problems = &mut self.declarations.problems;
        for (span, _) in tree.inits.iter().skip(1) {
            problems.error("there is more than one init", *span, "leave this one out");
        }
        match tree.inits.first() {
            Some((_, body)) => self.term(body, &mut Scope::new()),
            None => {
                let problem = Diagnostic::error("there is no init", Span::new(0, 0));
                let problem = Diagnostic { span: None, ..problem };
                Err(problems.add(problem.help("say where it begins: init X")))
            }
        }
    }

    fn term(&mut self, term: &ast::Term<'a>, scope: &mut Scope<'a>) -> Result<ProcessTerm, Reported> {
        let kind = match &term.kind {
            Kind::Delta => ProcessTermKind::Delta,
            Kind::Tau => ProcessTermKind::Tau,
            Kind::Named(named) => self.named(named, scope)?,
            Kind::Choice(parts) => ProcessTermKind::Choice(self.terms(parts, scope)?),
            Kind::Sequence(parts) => ProcessTermKind::Sequence(self.terms(parts, scope)?),
            Kind::Merge(parts) => {
                let parts = self.terms(parts, scope)?;
                return self.merge(parts, term.span);
            }
            Kind::Condition(parts, condition) => {
                let condition = self.condition(condition, scope);
                let [then, otherwise] = &**parts;
                let (then, otherwise) = (self.term(then, scope), self.term(otherwise, scope));
                let (condition, then, otherwise) = (condition?, then?, otherwise?);
                let otherwise = Some(otherwise).filter(|term| !matches!(*term.kind, ProcessTermKind::Delta));
                ProcessTermKind::Condition(condition, then, otherwise)
            }
            Kind::Sum(name, sort, body) => {
                let sort = self.declarations.sort(*sort)?;
                let var = self.declarations.data.variable(name.text, sort);
                scope.push((name.text, var));
                let body = self.term(body, scope);
                scope.pop();
                ProcessTermKind::Sum(vec![var], body?)
            }
            Kind::Encap(names, body) => {
                let (names, body) = (self.declarations.action_names(names), self.term(body, scope));
                ProcessTermKind::Block(names?, body?)
            }
            Kind::Hide(names, body) => {
                let (names, body) = (self.declarations.action_names(names), self.term(body, scope));
                ProcessTermKind::Hide(names?, body?)
            }
            Kind::Rename(renamings, body) => {
                let (renamings, body) = (self.renamings(renamings), self.term(body, scope));
                ProcessTermKind::Rename(renamings?, body?)
            }
            Kind::LeftMerge(parts) => {
                let [left, right] = &**parts;
                let (left, right) = (self.term(left, scope), self.term(right, scope));
                ProcessTermKind::HandshakeLeft(self.rules.clone(), left?, right?)
            }
            Kind::Together(parts) => {
                let parts = self.terms(parts, scope)?;
                return self.together(parts, term.span);
            }
            Kind::At(..) => {
                let problems = &mut self.declarations.problems;
                return Err(problems.error("time, `@`, is not analysed yet", term.span, ""));
            }
        };
        Ok(ProcessTerm::new(kind, Some(term.span)))
    }

    fn terms(
        &mut self,
        terms: &[ast::Term<'a>],
        scope: &mut Scope<'a>,
    ) -> Result<Vec<ProcessTerm>, Reported> {
        let all: Vec<Result<ProcessTerm, Reported>> =
            terms.iter().map(|term| self.term(term, scope)).collect();
        all.into_iter().collect()
    }

    /// `p || q || r`. Where what comes of a communication communicates again, two at a time: the third one
    /// meets what the first two do.
    fn merge(&mut self, parts: Vec<ProcessTerm>, span: Span) -> Result<ProcessTerm, Reported> {
        let rules = Arc::clone(&self.rules);
        if !self.nested {
            return Ok(ProcessTerm::new(ProcessTermKind::Handshake(rules, parts), Some(span)));
        }
        self.in_pairs(parts, span, |before, part| {
            ProcessTermKind::Handshake(Arc::clone(&rules), vec![before, part])
        })
    }

    /// `p | q | r`: what the first two do together is done together with the third.
    fn together(&mut self, parts: Vec<ProcessTerm>, span: Span) -> Result<ProcessTerm, Reported> {
        let rules = Arc::clone(&self.rules);
        self.in_pairs(parts, span, |before, part| {
            ProcessTermKind::HandshakeBoth(Arc::clone(&rules), before, part)
        })
    }

    fn in_pairs(
        &mut self,
        parts: Vec<ProcessTerm>,
        span: Span,
        pair: impl Fn(ProcessTerm, ProcessTerm) -> ProcessTermKind,
    ) -> Result<ProcessTerm, Reported> {
        // Each part makes the term one level deeper.
        if parts.len() > DEEPEST {
            let message = format!("more than {DEEPEST} processes communicate one after the other");
            return Err(self.declarations.problems.error(message, span, ""));
        }
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or_else(|| panic!("BUG: an operator of nothing"));
        Ok(parts.fold(first, |before, part| ProcessTerm::new(pair(before, part), Some(span))))
    }

    fn condition(&mut self, condition: &Data<'a>, scope: &Scope<'a>) -> Result<Expr, Reported> {
        let expr = self.declarations.expression(condition, scope)?;
        if expr.sort == SortIx::BOOL {
            return Ok(expr);
        }
        let sort = self.declarations.data.sorts.show(expr.sort);
        let message = "a condition is of sort Bool";
        Err(self.declarations.problems.error(message, condition.span, format!("this is of sort {sort}")))
    }

    fn renamings(&mut self, renamings: &[(Name<'a>, Name<'a>)]) -> Result<Vec<(NameIx, NameIx)>, Reported> {
        let mut all = Vec::new();
        for &(from, to) in renamings {
            let numbers = (self.declarations.action_name(from), self.declarations.action_name(to));
            let (number, other) = (numbers.0?, numbers.1?);
            let targets = self.declarations.sorts_of(to);
            let missing = self.declarations.sorts_of(from).into_iter().find(|sorts| !targets.contains(sorts));
            if let Some(sorts) = missing {
                let shown = self.declarations.show(&sorts);
                let message = format!("there is no action `{}` with arguments {shown}", to.text);
                let label = format!("`{}` has these", from.text);
                return Err(self.declarations.problems.error(message, to.span, label));
            }
            if all.iter().any(|&(before, _)| before == number) {
                let message = format!("`{}` is renamed twice", from.text);
                return Err(self.declarations.problems.error(message, from.span, ""));
            }
            all.push((number, other));
        }
        Ok(all)
    }

    /// An action or a process.
    fn named(&mut self, named: &Data<'a>, scope: &Scope<'a>) -> Result<ProcessTermKind, Reported> {
        let arguments = self.declarations.expressions(&named.arguments, scope)?;
        let sorts: Vec<SortIx> = arguments.iter().map(|argument| argument.sort).collect();
        let (name, all) = (named.name, &self.declarations);
        let action = all.actions_of.get(name.text);
        if let Some(action) = action.and_then(|(_, overloads)| find(overloads, &sorts)) {
            return Ok(ProcessTermKind::Action(action, arguments));
        }
        let process = all.processes.get(name.text);
        if let Some(process) = process.and_then(|overloads| find(overloads, &sorts)) {
            return Ok(ProcessTermKind::Call(process, arguments));
        }
        if all.broken.contains(name.text) {
            return Err(Reported);
        }
        let declared = match (action, process) {
            (Some((_, overloads)), _) => all.declared(name.text, overloads),
            (None, Some(overloads)) => all.declared(name.text, overloads),
            (None, None) => {
                let label =
                    not_declared(name.text, all.actions_of.keys().chain(all.processes.keys()).copied());
                let message = format!("there is no action or process `{}`", name.text);
                return Err(self.declarations.problems.error(message, name.span, label));
            }
        };
        let given = if sorts.is_empty() { "no arguments".to_owned() } else { all.show(&sorts) };
        let problem =
            Diagnostic::error(format!("`{}` takes other arguments than {given}", name.text), name.span);
        Err(self.declarations.problems.add(problem.help(declared)))
    }
}
