//! Terms and expressions as text, in the syntax of mCRL2.

use super::Data;
use crate::spec::{declared, infix, prefix, show_expr};
use crate::store::node::{Made, Shape};
use crate::term::is_node;
use crate::{Expr, Op, Sort, SortIx, Term, VarIx};

/// What is still to be written, last first.
enum Todo {
    Text(String),
    /// A term of a sort, as an argument of an operator if so said.
    Term(u32, Option<SortIx>, bool),
}

impl Data {
    /// A term of a sort as text: `[1, 2]`, `{1, 2}`, `{a: 2}`, `c(x, y)`, `1 / 2`.
    pub fn show(&self, term: Term, sort: SortIx) -> String {
        let mut text = String::new();
        let mut todo = vec![Todo::Term(term.0, Some(sort), false)];
        while let Some(next) = todo.pop() {
            match next {
                Todo::Text(piece) => text += &piece,
                Todo::Term(term, sort, inside) => {
                    let mut pieces = Vec::new();
                    self.pieces(term, sort, inside, &mut pieces);
                    todo.extend(pieces.into_iter().rev());
                }
            }
        }
        text
    }

    fn pieces(&self, term: u32, sort: Option<SortIx>, inside: bool, to: &mut Vec<Todo>) {
        let kind = sort.map(|sort| self.spec.sorts.get(sort));
        if !is_node(term) {
            return to.push(Todo::Text(match (kind, sort) {
                (Some(Sort::Bool), _) => (if term == 0 { "false" } else { "true" }).to_owned(),
                (Some(Sort::List(_)), _) => "[]".to_owned(),
                (Some(Sort::FSet(_) | Sort::Set(_)), _) => "{}".to_owned(),
                (Some(Sort::FBag(_) | Sort::Bag(_)), _) => "{:}".to_owned(),
                (Some(Sort::User(_)), Some(sort)) => match self.constructors[sort.ix()].get(term as usize) {
                    Some(constructor) => self.spec.functions[constructor.ix()].name.clone(),
                    None => term.to_string(),
                },
                _ => (term as i32).to_string(),
            }));
        }
        let head = self.store.head(term);
        let parts = self.store.parts(term);
        let element = match kind {
            Some(&(Sort::List(e) | Sort::FSet(e) | Sort::Set(e) | Sort::FBag(e) | Sort::Bag(e))) => Some(e),
            _ => None,
        };
        let text = |to: &mut Vec<Todo>, piece: &str| to.push(Todo::Text(piece.to_owned()));
        match head.shape() {
            Shape::Call => {
                let function = &self.spec.functions[head.number() as usize];
                text(to, &function.name);
                let sorts = function.arguments.iter().copied().map(Some);
                self.arguments(parts.iter().zip(sorts), "(", ")", to);
            }
            Shape::Function => text(to, &self.spec.functions[head.number() as usize].name),
            Shape::Cons => {
                let (elements, rest) = self.elements(term);
                if rest == 0 {
                    return self.arguments_or(elements.into_iter().map(|part| (part, element)), "[", "]", to);
                }
                for part in elements {
                    to.push(Todo::Term(part, element, true));
                    text(to, " |> ");
                }
                to.push(Todo::Term(rest, sort, true));
            }
            Shape::Set => self.arguments_or(parts.iter().map(|part| (part, element)), "{", "}", to),
            Shape::Bag => {
                text(to, "{");
                for at in (0..parts.len()).step_by(2) {
                    if at > 0 {
                        text(to, ", ");
                    }
                    to.push(Todo::Term(parts.get(at), element, false));
                    text(to, ": ");
                    to.push(Todo::Term(parts.get(at + 1), Some(SortIx::NAT), false));
                }
                text(to, "}");
            }
            Shape::Big => {
                text(to, &self.as_integer(term).map_or_else(String::new, |value| value.to_string()))
            }
            Shape::Ratio => {
                let (open, close) = if inside { ("(", ")") } else { ("", "") };
                text(to, open);
                to.push(Todo::Term(parts.get(0), Some(SortIx::INT), false));
                text(to, " / ");
                to.push(Todo::Term(parts.get(1), Some(SortIx::POS), false));
                text(to, close);
            }
            Shape::SetBy | Shape::BagBy => {
                let (function, but) = (parts.get(0), parts.get(1));
                if self.is_constant_function(function) && head.shape() == Shape::SetBy {
                    text(to, "!");
                    return to.push(Todo::Term(but, sort, true));
                }
                let word = if head.shape() == Shape::SetBy { "@set(" } else { "@bag(" };
                text(to, word);
                to.push(Todo::Term(function, None, false));
                text(to, ", ");
                to.push(Todo::Term(but, sort, false));
                text(to, ")");
            }
            Shape::Closure => {
                let site = self.closures.get(head.number());
                let values = site.outside.iter().copied().zip(parts.iter()).collect::<Vec<_>>();
                text(to, &self.lambda("lambda", &site.vars, &site.body, &values));
            }
            Shape::Quantifier => {
                let site = self.quantifiers.get(head.number());
                let values = site.outside.iter().copied().zip(parts.iter()).collect::<Vec<_>>();
                let word = if site.forall { "forall" } else { "exists" };
                text(to, &self.lambda(word, &site.vars, &site.body, &values));
            }
            Shape::Made => {
                let name = match Made::from_number(head.number()) {
                    Made::True => "@true_",
                    Made::Not => "@not_",
                    Made::And => "@and_",
                    Made::Or => "@or_",
                    Made::One => "@one_",
                    Made::Add => "@add_",
                    Made::Min => "@min_",
                    Made::Monus => "@monus_",
                    Made::Positive => "@Nat2Bool_",
                    Made::Indicator => "@Bool2Nat_",
                    Made::Always => "@always_",
                };
                let result = kind.and_then(|sort| match sort {
                    Sort::Function(_, result) => Some(*result),
                    _ => None,
                });
                let of = if head.number() == Made::Always as u32 { result } else { None };
                text(to, name);
                self.arguments(parts.iter().map(|part| (part, of)), "(", ")", to);
            }
            Shape::Updated => {
                let (key, value) = match kind {
                    Some(Sort::Function(arguments, result)) => (arguments.first().copied(), Some(*result)),
                    _ => (None, None),
                };
                to.push(Todo::Term(parts.get(0), sort, true));
                for at in (1..parts.len()).step_by(2) {
                    text(to, "[");
                    to.push(Todo::Term(parts.get(at), key, false));
                    text(to, " -> ");
                    to.push(Todo::Term(parts.get(at + 1), value, false));
                    text(to, "]");
                }
            }
            Shape::Op => {
                let instance = self.instances.get(head.number());
                let sort_at = |at: usize| match instance.op {
                    Op::SetOf | Op::List => instance.arguments.first().copied(),
                    Op::BagOf if at % 2 == 1 => Some(SortIx::NAT),
                    Op::BagOf => instance.arguments.first().copied(),
                    _ => instance.arguments.get(at).copied(),
                };
                let parts: Vec<(u32, Option<SortIx>)> =
                    parts.iter().enumerate().map(|(at, part)| (part, sort_at(at))).collect();
                match (infix(instance.op), &parts[..]) {
                    (Some(sign), &[(one, sort), (other, sort2)]) => {
                        let (open, close) = if inside { ("(", ")") } else { ("", "") };
                        text(to, open);
                        to.push(Todo::Term(one, sort, true));
                        text(to, &format!(" {sign} "));
                        to.push(Todo::Term(other, sort2, true));
                        text(to, close);
                    }
                    _ => {
                        text(to, prefix(instance.op, instance.arguments.first().copied(), instance.result));
                        self.arguments_or(parts.into_iter(), "(", ")", to);
                    }
                }
            }
            Shape::Apply => {
                let function = parts.get(0);
                let sorts = self.argument_sorts(function);
                to.push(Todo::Term(function, None, true));
                let rest = parts.iter().skip(1).enumerate();
                self.arguments_or(rest.map(|(at, part)| (part, sorts.get(at).copied())), "(", ")", to);
            }
            Shape::Var => text(to, &format!("?{}", head.number())),
        }
    }

    /// The sorts of the arguments that a function value takes, as far as it tells.
    fn argument_sorts(&self, function: u32) -> Vec<SortIx> {
        let head = self.store.head(function);
        match head.shape() {
            Shape::Function => self.spec.functions[head.number() as usize].arguments.clone(),
            Shape::Call => match self.spec.sorts.get(self.spec.functions[head.number() as usize].result) {
                Sort::Function(arguments, _) => arguments.to_vec(),
                _ => Vec::new(),
            },
            Shape::Closure => self
                .closures
                .get(head.number())
                .vars
                .iter()
                .map(|var| self.spec.vars[var.ix()].sort)
                .collect(),
            _ => Vec::new(),
        }
    }

    fn arguments(
        &self,
        parts: impl Iterator<Item = (u32, Option<SortIx>)>,
        open: &str,
        close: &str,
        to: &mut Vec<Todo>,
    ) {
        let mut parts = parts.peekable();
        if parts.peek().is_some() {
            self.arguments_or(parts, open, close, to);
        }
    }

    fn arguments_or(
        &self,
        parts: impl Iterator<Item = (u32, Option<SortIx>)>,
        open: &str,
        close: &str,
        to: &mut Vec<Todo>,
    ) {
        to.push(Todo::Text(open.to_owned()));
        for (at, (part, sort)) in parts.enumerate() {
            if at > 0 {
                to.push(Todo::Text(", ".to_owned()));
            }
            to.push(Todo::Term(part, sort, false));
        }
        to.push(Todo::Text(close.to_owned()));
    }

    fn lambda(&self, word: &str, vars: &[VarIx], body: &Expr, values: &[(VarIx, u32)]) -> String {
        let known = |var: VarIx| {
            let value = values.iter().find(|(outside, _)| *outside == var)?.1;
            Some(self.show(Term(value), self.spec.vars[var.ix()].sort))
        };
        let vars: Vec<String> = vars.iter().map(|var| declared(&self.spec, *var)).collect();
        format!("({word} {}. {})", vars.join(", "), show_expr(&self.spec, body, &known, false))
    }
}
