//! What makes variables known in an expression.

use base::{Diagnostic, Span};
use terms::VarIx;

use super::{Choice, How, Node, NodeKind, broken, simple};
use crate::ast::{self, Binder, Binding, Name};
use crate::check::Checker;
use crate::check::types::{Ty, Type};

impl<'a> Checker<'a> {
    pub(super) fn infer_comprehension(
        &mut self,
        binding: &'a Binding<'a>,
        body: &'a ast::Expr<'a>,
        span: Span,
    ) -> Node {
        let entered = self.enter(std::slice::from_ref(binding));
        let body = self.infer(body);
        self.leave(&entered);
        let (var, element) = entered.first().map_or((VarIx(0), Ty::OPEN), |&(_, var, ty)| (var, ty));
        let mut choices = Vec::new();
        for (ty, cost) in self.wide(&body) {
            let all = match ty {
                Ty::BOOL | Ty::OPEN => Type::Set(element),
                Ty::NAT => Type::Bag(element),
                _ => continue,
            };
            let ty = self.types.add(all);
            self.add_choice(&mut choices, ty, cost, How::Plain);
        }
        if choices.is_empty() {
            let found = self.show_choices(&body);
            self.report(
                Diagnostic::error(
                    "what tells the elements is a `Bool` for a set, a `Nat` for a bag",
                    body.span,
                )
                .label(format!("this is {found}"))
                .help("write a condition behind the `|`"),
            );
            return broken(span);
        }
        Node { kind: NodeKind::Comprehension(var, Box::new(body)), span, choices }
    }

    pub(super) fn infer_binder(
        &mut self,
        binder: Binder,
        bindings: &'a [Binding<'a>],
        body: &'a ast::Expr<'a>,
        span: Span,
    ) -> Node {
        let entered = self.enter(bindings);
        let body = self.infer(body);
        self.leave(&entered);
        let vars = entered.iter().map(|&(_, var, _)| var).collect();
        let choices = match binder {
            Binder::Lambda => {
                let arguments: Box<[Ty]> = entered.iter().map(|&(.., ty)| ty).collect();
                let mut choices = Vec::new();
                for (result, cost) in self.wide(&body) {
                    let ty = self.types.add(Type::Function(arguments.clone(), result));
                    self.add_choice(&mut choices, ty, cost, How::Plain);
                }
                choices
            }
            Binder::Forall | Binder::Exists => {
                let what = if binder == Binder::Forall { "`forall`" } else { "`exists`" };
                let cost = self.cost_of(&body, Ty::BOOL, what);
                vec![Choice { cost, ..simple(Ty::BOOL) }]
            }
        };
        Node { kind: NodeKind::Binder(binder, vars, Box::new(body)), span, choices }
    }

    pub(super) fn infer_where(
        &mut self,
        body: &'a ast::Expr<'a>,
        bound: &'a [(Name<'a>, ast::Expr<'a>)],
        span: Span,
    ) -> Node {
        let mut entered: Vec<(&'a str, VarIx, Ty)> = Vec::new();
        let mut values = Vec::new();
        for (name, value) in bound {
            self.refuse_clash(*name);
            if entered.iter().any(|(known, ..)| *known == name.text) {
                self.report(
                    Diagnostic::error(format!("variable `{}` is bound twice", name.text), name.span)
                        .help("give one of them another name"),
                );
                continue;
            }
            // What is bound has the sort it has by itself.
            let node = self.infer(value);
            let (value, ty) = self.settle(&node, Ty::OPEN);
            let var = self.variable(name.text, ty);
            values.push((var, value));
            entered.push((name.text, var, ty));
        }
        for &(name, var, ty) in &entered {
            self.scope.enter(name, var, ty);
        }
        let body = self.infer(body);
        self.leave(&entered);
        let choices =
            body.choices.iter().map(|choice| Choice { how: How::Plain, ..choice.clone() }).collect();
        Node { kind: NodeKind::Where(Box::new(body), values), span, choices }
    }
}
