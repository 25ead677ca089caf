//! Equations: `condition -> left = right`.

use base::{Diagnostic, Span};
use terms::{Equation, Kind};

use super::Checker;
use super::infer::Node;
use super::types::Ty;
use crate::ast::{self, EquationSection};

impl<'a> Checker<'a> {
    /// The equations of one part of the text.
    pub fn equations(&mut self, section: &'a EquationSection<'a>) {
        for binding in &section.vars {
            let ty = self.sort(&binding.sort);
            for &name in &binding.names {
                self.refuse_clash(name);
                if self.scope.of_equations.insert(name.text, ty).is_some() {
                    self.report(
                        Diagnostic::error(format!("variable `{}` is declared twice", name.text), name.span)
                            .help("give one of them another name"),
                    );
                }
            }
        }
        for equation in &section.equations {
            self.equation(equation);
        }
        self.scope.of_equations.clear();
    }

    fn equation(&mut self, equation: &'a ast::Equation<'a>) {
        self.equation.clear();
        self.equation_vars.clear();
        let left = self.infer(&equation.left);
        let on_the_left = self.equation.len();
        let condition = equation.condition.as_ref().map(|condition| self.infer(condition));
        let right = self.infer(&equation.right);
        for at in on_the_left..self.equation.len() {
            let (var, span) = self.equation[at];
            let name = self.data.vars[var.ix()].name.clone();
            self.report(
                Diagnostic::error(format!("variable `{name}` is not on the left side of the equation"), span)
                    .label("what its value is could not be told")
                    .help("a variable on the right side or in the condition is also on the left side"),
            );
        }
        let Some(ty) = self.common(&left, &right, equation.span) else { return };
        let condition = condition.map(|condition| self.settle(&condition, Ty::BOOL).0);
        let left = self.settle(&left, ty).0;
        let right = self.settle(&right, ty).0;
        let vars = self.equation.iter().map(|&(var, _)| var).collect();
        let equation = Equation { vars, condition, left, right, span: Some(equation.span) };
        self.check_left(&equation);
        self.data.equations.push(equation);
    }

    /// The type of both sides. The left side has a type by itself, the right side may be made wider.
    fn common(&mut self, left: &Node, right: &Node, span: Span) -> Option<Ty> {
        let mut best: Option<(u32, Ty)> = None;
        let mut is_tied = false;
        let wide = self.wide(right);
        for choice in &left.choices {
            for &(ty, cost) in &wide {
                let cost = choice.cost + cost;
                let Some(both) = self.types.unify(choice.ty, ty) else { continue };
                match best {
                    Some((known, _)) if known < cost => {}
                    Some((known, ty)) if known == cost => {
                        is_tied |= self.types.widest(ty) != self.types.widest(both)
                    }
                    _ => (best, is_tied) = (Some((cost, both)), false),
                }
            }
        }
        if is_tied {
            self.report(
                Diagnostic::error("this equation can be read in several ways", span)
                    .label("functions of the same name fit equally well")
                    .help("give functions of different sorts different names"),
            );
            return None;
        }
        if best.is_none() {
            let (one, other) = (self.show_choices(left), self.show_choices(right));
            self.report(
                Diagnostic::error("the sides of this equation have different sorts", span)
                    .label(format!("the left one is {one}, the right one {other}"))
                    .help("what is equal has the same sort"),
            );
        }
        best.map(|(_, ty)| ty)
    }

    /// Only applied functions can be told what they are equal to.
    fn check_left(&mut self, equation: &Equation) {
        let mut root = &equation.left;
        while let Kind::Apply(head, _) = &*root.kind {
            root = head;
        }
        if !matches!(*root.kind, Kind::Call(..) | Kind::Function(_) | Kind::Op(..)) {
            let span = equation.span.unwrap_or(Span::new(0, 0));
            self.report(
                Diagnostic::error("the left side of an equation is a function with its arguments", span)
                    .help("write what the equation defines on the left"),
            );
        }
    }
}
