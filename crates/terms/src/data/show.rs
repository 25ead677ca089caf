//! Terms as text, in the syntax of mCRL2.

use super::Data;
use crate::spec::{declared, infix, prefix, show_expr};
use crate::store::Parts;
use crate::store::node::{Combinator, Header, Shape};
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

    /// What a term is written as: texts, and terms inside it that are still to be written.
    fn pieces(&self, term: u32, sort: Option<SortIx>, inside: bool, to: &mut Vec<Todo>) {
        if !is_node(term) {
            return to.push(Todo::Text(self.small_text(term, sort)));
        }
        let head = self.store.header(term);
        let parts = self.store.parts(term);
        let kind = sort.map(|sort| self.spec.sorts.get(sort));
        let element = match kind {
            Some(&(Sort::List(e) | Sort::FSet(e) | Sort::Set(e) | Sort::FBag(e) | Sort::Bag(e))) => Some(e),
            _ => None,
        };
        match head.shape() {
            Shape::Call => {
                let function = &self.spec.functions[head.number() as usize];
                text(to, &function.name);
                let sorts = function.arguments.iter().copied().map(Some);
                self.arguments(parts.iter().zip(sorts), "(", ")", to);
            }
            Shape::Function => text(to, &self.spec.functions[head.number() as usize].name),
            Shape::Cons => self.list_pieces(term, sort, element, to),
            Shape::Set => self.arguments_or(parts.iter().map(|part| (part, element)), "{", "}", to),
            Shape::Bag => bag_pieces(parts, element, to),
            Shape::Big => {
                text(to, &self.as_integer(term).map_or_else(String::new, |value| value.to_string()))
            }
            Shape::Ratio => {
                let sorts = (Some(SortIx::INT), Some(SortIx::POS));
                infix_pieces("/", (parts.get(0), sorts.0), (parts.get(1), sorts.1), inside, false, to);
            }
            Shape::SetBy | Shape::BagBy => self.by_function_pieces(head, parts, sort, to),
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
            Shape::Combinator if self.is_made(term, Combinator::Table) => self.table_pieces(parts, to),
            Shape::Combinator => {
                let made = Combinator::from_number(head.number());
                let of = match (made, kind) {
                    (Combinator::Always, Some(Sort::Function(_, result))) => Some(*result),
                    _ => None,
                };
                text(to, made_name(made));
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
            Shape::Op => self.op_pieces(head, parts, inside, to),
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

    /// A term that is no node.
    fn small_text(&self, term: u32, sort: Option<SortIx>) -> String {
        match sort.map(|sort| (sort, self.spec.sorts.get(sort))) {
            Some((_, Sort::Bool)) => (if term == 0 { "false" } else { "true" }).to_owned(),
            Some((_, Sort::List(_))) => "[]".to_owned(),
            Some((_, Sort::FSet(_) | Sort::Set(_))) => "{}".to_owned(),
            Some((_, Sort::FBag(_) | Sort::Bag(_))) => "{:}".to_owned(),
            Some((sort, Sort::User(_))) => match self.constructors[sort.ix()].get(term as usize) {
                Some(constructor) => self.spec.functions[constructor.ix()].name.clone(),
                None => term.to_string(),
            },
            _ => (term as i32).to_string(),
        }
    }

    /// `[a, b]`, or `a |> b |> l` where the end l is not known.
    fn list_pieces(&self, list: u32, sort: Option<SortIx>, element: Option<SortIx>, to: &mut Vec<Todo>) {
        let (elements, rest) = self.elements(list);
        if rest == 0 {
            return self.arguments_or(elements.into_iter().map(|part| (part, element)), "[", "]", to);
        }
        for part in elements {
            to.push(Todo::Term(part, element, true));
            text(to, " |> ");
        }
        to.push(Todo::Term(rest, sort, true));
    }

    /// A set or bag that is given by a function: `!{a}`, `@set(f, {a})`.
    fn by_function_pieces(&self, head: Header, parts: Parts<'_>, sort: Option<SortIx>, to: &mut Vec<Todo>) {
        let (function, except) = (parts.get(0), parts.get(1));
        let is_set = head.shape() == Shape::SetBy;
        if self.is_constant_function(function) && is_set {
            text(to, "!");
            return to.push(Todo::Term(except, sort, true));
        }
        text(to, if is_set { "@set(" } else { "@bag(" });
        to.push(Todo::Term(function, None, false));
        text(to, ", ");
        to.push(Todo::Term(except, sort, false));
        text(to, ")");
    }

    /// A function by its values: `@table(false, false -> true, true, false -> false, …)`.
    fn table_pieces(&self, parts: Parts<'_>, to: &mut Vec<Todo>) {
        let Sort::Function(sorts, result) = self.spec.sorts.get(SortIx(parts.get(0))) else { return };
        let elements: Vec<&[u32]> =
            sorts.iter().filter_map(|sort| self.listed[sort.ix()].get().map(|listed| &**listed)).collect();
        text(to, "@table(");
        for (number, value) in parts.iter().skip(1).enumerate() {
            let mut rest = number;
            for (at, (elements, &sort)) in elements.iter().zip(sorts).enumerate() {
                text(to, if at + number > 0 { ", " } else { "" });
                to.push(Todo::Term(elements[rest % elements.len()], Some(sort), false));
                rest /= elements.len();
            }
            text(to, " -> ");
            to.push(Todo::Term(value, Some(*result), false));
        }
        text(to, ")");
    }

    /// A built-in function that did not reduce.
    fn op_pieces(&self, head: Header, parts: Parts<'_>, inside: bool, to: &mut Vec<Todo>) {
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
            (Some(sign), &[one, other]) => infix_pieces(sign, one, other, inside, true, to),
            _ => {
                text(to, prefix(instance.op, instance.arguments.first().copied(), instance.result));
                self.arguments_or(parts.into_iter(), "(", ")", to);
            }
        }
    }

    /// The sorts of the arguments that a function value takes, as far as it tells.
    fn argument_sorts(&self, function: u32) -> Vec<SortIx> {
        let head = self.store.header(function);
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

fn text(to: &mut Vec<Todo>, piece: &str) {
    to.push(Todo::Text(piece.to_owned()));
}

/// `one sign other`; `within` says whether the two are shown as arguments of an operator.
fn infix_pieces(
    sign: &str,
    one: (u32, Option<SortIx>),
    other: (u32, Option<SortIx>),
    inside: bool,
    within: bool,
    to: &mut Vec<Todo>,
) {
    let (open, close) = if inside { ("(", ")") } else { ("", "") };
    text(to, open);
    to.push(Todo::Term(one.0, one.1, within));
    text(to, &format!(" {sign} "));
    to.push(Todo::Term(other.0, other.1, within));
    text(to, close);
}

/// `{a: 1, b: 2}`
fn bag_pieces(parts: Parts<'_>, element: Option<SortIx>, to: &mut Vec<Todo>) {
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

fn made_name(made: Combinator) -> &'static str {
    match made {
        Combinator::True => "@true_",
        Combinator::Not => "@not_",
        Combinator::And => "@and_",
        Combinator::Or => "@or_",
        Combinator::One => "@one_",
        Combinator::Add => "@add_",
        Combinator::Min => "@min_",
        Combinator::Monus => "@monus_",
        Combinator::Positive => "@Nat2Bool_",
        Combinator::Indicator => "@Bool2Nat_",
        Combinator::Always => "@always_",
        Combinator::Table => "@table",
    }
}
