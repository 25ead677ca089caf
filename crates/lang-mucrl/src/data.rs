//! Data terms and equations: every name gets its meaning and every term its sort, from the inside out.

use std::collections::HashMap;

use base::Diagnostic;
use terms::{Equation, Expr, Kind, SortIx, VarIx};

use crate::ast::{Data, Name, Specification};
use crate::declarations::{Callee, Declarations, Overloads, not_declared};
use crate::problems::Reported;

/// The variables that can be seen, the innermost last.
pub(crate) type Scope<'a> = Vec<(&'a str, VarIx)>;

impl<'a> Declarations<'a> {
    /// A data term. A variable hides a function without arguments.
    pub(crate) fn expression(&mut self, term: &Data<'a>, scope: &Scope<'a>) -> Result<Expr, Reported> {
        let name = term.name;
        if term.arguments.is_empty()
            && let Some(&(_, var)) = scope.iter().rev().find(|(text, _)| *text == name.text)
        {
            return Ok(Expr::var(var, self.data.vars[var.ix()].sort));
        }
        let arguments = self.expressions(&term.arguments, scope)?;
        let sorts: Vec<SortIx> = arguments.iter().map(|argument| argument.sort).collect();
        match self.functions.get(name.text).and_then(|all| find(all, &sorts)) {
            Some(Callee::Truth(truth)) => Ok(Expr::truth(truth)),
            Some(Callee::Function(function)) => {
                let result = self.data.functions[function.ix()].result;
                Ok(Expr::new(Kind::Call(function, arguments.into()), result))
            }
            None => Err(self.no_function(name, &sorts, scope)),
        }
    }

    /// Some data terms.
    pub(crate) fn expressions(
        &mut self,
        terms: &[Data<'a>],
        scope: &Scope<'a>,
    ) -> Result<Vec<Expr>, Reported> {
        let all: Vec<Result<Expr, Reported>> =
            terms.iter().map(|term| self.expression(term, scope)).collect();
        all.into_iter().collect()
    }

    fn no_function(&mut self, name: Name<'a>, sorts: &[SortIx], scope: &Scope<'a>) -> Reported {
        if self.broken.contains(name.text) {
            return Reported;
        }
        if sorts.is_empty() && !self.functions.contains_key(name.text) {
            let known = self.functions.keys().copied().chain(scope.iter().map(|(text, _)| *text));
            let label = not_declared(name.text, known);
            return self.problems.error(
                format!("there is no function or variable `{}`", name.text),
                name.span,
                label,
            );
        }
        let Some(overloads) = self.functions.get(name.text) else {
            let label = not_declared(name.text, self.functions.keys().copied());
            return self.problems.error(format!("there is no function `{}`", name.text), name.span, label);
        };
        let declared = self.declared(name.text, overloads);
        let message = match sorts {
            [] => format!("the function `{}` takes arguments", name.text),
            _ => format!("no function `{}` takes {}", name.text, self.show(sorts)),
        };
        self.problems.add(Diagnostic::error(message, name.span).help(declared))
    }

    /// `eq is declared for (Nat, Nat) and (D, D)`
    pub(crate) fn declared<T>(&self, name: &str, overloads: &Overloads<T>) -> String {
        let all: Vec<String> = overloads
            .iter()
            .map(|(sorts, _)| if sorts.is_empty() { "no arguments".to_owned() } else { self.show(sorts) })
            .collect();
        format!("`{name}` is declared for {}", all.join(" and "))
    }

    /// All equations of the text.
    pub(crate) fn equations(&mut self, tree: &Specification<'a>) {
        for section in &tree.rules {
            let mut sorts: HashMap<&'a str, Option<SortIx>> = HashMap::new();
            for &(name, sort) in &section.variables {
                let sort = self.sort(sort).ok();
                if sorts.insert(name.text, sort).is_some() {
                    self.problems.error(
                        format!("the variable `{}` is there twice", name.text),
                        name.span,
                        "",
                    );
                }
            }
            let is_whole = sorts.values().all(Option::is_some);
            for (left, right) in &section.rules {
                // Each equation has variables of its own.
                let mut used = Vec::new();
                names_in(left, &mut used);
                names_in(right, &mut used);
                let mut scope = Scope::new();
                for name in used {
                    if let Some(&Some(sort)) = sorts.get(name)
                        && !scope.iter().any(|(other, _)| *other == name)
                    {
                        scope.push((name, self.data.variable(name, sort)));
                    }
                }
                if is_whole {
                    // Its message, if there is one, was put down.
                    let _ = self.equation(left, right, &scope);
                }
            }
        }
    }

    fn equation(&mut self, left: &Data<'a>, right: &Data<'a>, scope: &Scope<'a>) -> Result<(), Reported> {
        let (left_expr, right_expr) = (self.expression(left, scope), self.expression(right, scope));
        let (left_expr, right_expr) = (left_expr?, right_expr?);
        if left_expr.sort != right_expr.sort {
            let show = |sort| self.data.sorts.show(sort);
            let message = format!(
                "the left side is of sort {}, the right side of sort {}",
                show(left_expr.sort),
                show(right_expr.sort)
            );
            return Err(self.problems.error(message, left.span.to(right.span), ""));
        }
        match &*left_expr.kind {
            Kind::Call(..) => {}
            Kind::Var(_) => {
                let message = "an equation for a variable would be one for everything";
                return Err(self.problems.error(message, left.span, "expected a function"));
            }
            _ => {
                let message = "T and F are values: there are no equations for them";
                return Err(self.problems.error(message, left.span, "expected a function"));
            }
        }
        let mut bound = Vec::new();
        names_in(left, &mut bound);
        if let Some(free) = first_missing(right, scope, &bound) {
            let message = format!("the variable `{}` is not on the left side", free.text);
            return Err(self.problems.error(message, free.span, "what would its value be?"));
        }
        let vars = scope.iter().map(|&(_, var)| var).collect();
        let span = Some(left.span.to(right.span));
        self.data.equations.push(Equation {
            vars,
            condition: None,
            left: left_expr,
            right: right_expr,
            span,
        });
        Ok(())
    }
}

/// What a name with arguments of these sorts stands for.
pub(crate) fn find<T: Copy>(overloads: &Overloads<T>, sorts: &[SortIx]) -> Option<T> {
    overloads.iter().find(|(other, _)| *other == sorts).map(|&(_, found)| found)
}

/// All names without arguments.
fn names_in<'a>(term: &Data<'a>, names: &mut Vec<&'a str>) {
    if term.arguments.is_empty() {
        names.push(term.name.text);
    }
    for argument in &term.arguments {
        names_in(argument, names);
    }
}

/// The first variable in a term that is not among these names.
fn first_missing<'a>(term: &Data<'a>, scope: &Scope<'a>, bound: &[&'a str]) -> Option<Name<'a>> {
    if term.arguments.is_empty() {
        let is_variable = scope.iter().any(|(name, _)| *name == term.name.text);
        return (is_variable && !bound.contains(&term.name.text)).then_some(term.name);
    }
    term.arguments.iter().find_map(|argument| first_missing(argument, scope, bound))
}
