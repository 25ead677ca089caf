//! Expressions with their sorts: the second of two walks, from the top down. The first one, [`super::infer`],
//! found what there is to choose from.

use base::Diagnostic;
use terms::{Expr, Kind, Op};

use super::Checker;
use super::builtins::Signature;
use super::infer::{How, Node, NodeKind};
use super::types::{Ty, Type};
use crate::ast::{Binder, Junction};

/// The choice that was taken.
struct Selection {
    how: How,
    /// The type that the expression has by itself.
    own: Ty,
    /// The type that it is made of that, the wanted one.
    wanted: Ty,
}

impl<'a> Checker<'a> {
    /// The expression, and its type, as far as that is open in `wanted`.
    pub fn settle(&mut self, node: &Node, wanted: Ty) -> (Expr, Ty) {
        if node.is_broken() {
            return (self.broken(wanted), wanted);
        }
        let Some(taken) = self.take(node, wanted) else { return (self.broken(wanted), wanted) };
        if let NodeKind::Number(value) = &node.kind {
            // A numeral is of the wanted sort at once.
            let sort = self.sort_of(taken.wanted);
            return (Expr::new(Kind::Number(value.clone()), sort), taken.wanted);
        }
        let expr = self.built(node, &taken);
        (self.widened(expr, &taken), taken.wanted)
    }

    /// The cheapest choice that gives the wanted type. If there is none, or no single one, that is reported.
    fn take(&mut self, node: &Node, wanted: Ty) -> Option<Selection> {
        // Of equal cost, what needs no step at the end is better: the parts are of the wanted sort then.
        let mut best: Option<((u32, u32), usize, Selection)> = None;
        let mut rival = None;
        for (number, choice) in node.choices.iter().enumerate() {
            for (wide, step) in self.types.wider(choice.ty) {
                let Some(both) = self.types.unify(wanted, wide) else { continue };
                let cost = (choice.cost + step, step);
                if let Some((known, first, taken)) = &best {
                    let (how, ty) = (taken.how, node.choices[*first].ty);
                    let is_rival = known.0 == cost.0
                        && (self.differ(how, choice.how)
                            || self.types.widest(ty) != self.types.widest(choice.ty));
                    if is_rival {
                        rival = Some((*first, number));
                    }
                    if is_rival || *known <= cost {
                        continue;
                    }
                }
                let own = match (step, self.types.get(both)) {
                    (0, _) => both,
                    (_, &Type::Set(element)) => self.types.add(Type::FSet(element)),
                    (_, &Type::Bag(element)) => self.types.add(Type::FBag(element)),
                    _ => choice.ty,
                };
                rival = if choice.tied { Some((number, number)) } else { None };
                best = Some((cost, number, Selection { how: choice.how, own, wanted: both }));
            }
        }
        let Some((_, _, taken)) = best else {
            let advice = self.narrowing(node, wanted).unwrap_or_else(|| {
                "correct the expression, or say with a function how one becomes the other".to_owned()
            });
            let (found, wanted) = (self.show_choices(node), self.types.show(wanted));
            self.report(
                Diagnostic::error(format!("a `{wanted}` is wanted here"), node.span)
                    .label(format!("this is {found}"))
                    .help(advice),
            );
            return None;
        };
        if let Some((one, other)) = rival {
            let (one, other) = (node.choices[one].ty, node.choices[other].ty);
            let label = match one == other {
                true => "functions of the same name fit equally well".to_owned(),
                false => format!("it can be a `{}` or a `{}`", self.types.show(one), self.types.show(other)),
            };
            self.report(
                Diagnostic::error("this can be read in several ways", node.span)
                    .label(label)
                    .help("give the functions different names, or a name of a known sort to a part of it"),
            );
            return None;
        }
        Some(taken)
    }

    /// The expression in its own type.
    fn built(&mut self, node: &Node, taken: &Selection) -> Expr {
        let own = taken.own;
        match &node.kind {
            NodeKind::Broken | NodeKind::Number(_) => panic!("BUG: done before"),
            NodeKind::Truth(value) => Expr::truth(*value),
            NodeKind::Var(var) => {
                let sort = self.sort_of(own);
                Expr::var(*var, sort)
            }
            NodeKind::Function => self.function_value(node, taken),
            NodeKind::Apply(head, arguments) => self.applied(node, head.as_deref(), arguments, taken),
            NodeKind::Chain(junction, parts) => {
                let op = if *junction == Junction::And { Op::And } else { Op::Or };
                let parts: Vec<Expr> = parts.iter().map(|part| self.settle(part, Ty::BOOL).0).collect();
                balanced(op, &parts)
            }
            NodeKind::List(elements) => self.enumerated(Op::List, node, elements, own),
            NodeKind::Set(elements) => self.enumerated(Op::SetOf, node, elements, own),
            NodeKind::Bag(elements) => self.enumerated(Op::BagOf, node, elements, own),
            NodeKind::Comprehension(var, body) => {
                let sort = self.sort_of(own);
                match self.types.get(own) {
                    Type::Bag(_) => {
                        let body = self.settle(body, Ty::NAT).0;
                        Expr::new(Kind::BagWhere(*var, body), sort)
                    }
                    _ => {
                        let body = self.settle(body, Ty::BOOL).0;
                        Expr::new(Kind::SetWhere(*var, body), sort)
                    }
                }
            }
            NodeKind::Binder(binder, vars, body) => {
                let vars = vars.clone().into_boxed_slice();
                let of_body = match (binder, self.types.get(own)) {
                    (Binder::Lambda, &Type::Function(_, result)) => result,
                    _ => Ty::BOOL,
                };
                let body = self.settle(body, of_body).0;
                let sort = self.sort_of(own);
                let kind = match binder {
                    Binder::Lambda => Kind::Lambda(vars, body),
                    Binder::Forall => Kind::Forall(vars, body),
                    Binder::Exists => Kind::Exists(vars, body),
                };
                Expr::new(kind, sort)
            }
            NodeKind::Update(parts) => {
                let Type::Function(arguments, result) = self.types.get(own).clone() else {
                    panic!("BUG: what is no function is updated")
                };
                let function = match self.narrower(&parts[0], arguments[0], result) {
                    Some(narrower) => self.of_wider_numbers(&parts[0], narrower, arguments[0], own),
                    None => self.settle(&parts[0], own).0,
                };
                let wanted = [arguments[0], result];
                let rest = parts[1..].iter().zip(wanted).map(|(part, ty)| self.settle(part, ty).0);
                let parts: Vec<Expr> = std::iter::once(function).chain(rest).collect();
                let sort = self.sort_of(own);
                Expr::op(Op::Update, parts, sort)
            }
            NodeKind::Where(body, bound) => {
                let body = self.settle(body, own).0;
                let sort = body.sort;
                Expr::new(Kind::Where(body, bound.clone().into()), sort)
            }
        }
    }

    /// The sort of numbers that a lambda is of, where that is narrower than the wanted one.
    fn narrower(&mut self, lambda: &Node, wanted: Ty, result: Ty) -> Option<Ty> {
        let mut narrower = None;
        for choice in lambda.choices.iter().filter(|_| lambda.is_lambda()) {
            let Type::Function(arguments, of) = self.types.get(choice.ty).clone() else { continue };
            match arguments[..] {
                [argument] if argument == wanted => return None,
                [argument] if argument.is_number() && self.types.unify(of, result).is_some() => {
                    narrower = Some(argument);
                }
                _ => {}
            }
        }
        narrower
    }

    /// `lambda x: Int . (lambda n: Nat . …)(Int2Nat(x))`
    fn of_wider_numbers(&mut self, lambda: &Node, from: Ty, to: Ty, own: Ty) -> Expr {
        let Type::Function(_, result) = self.types.get(own).clone() else {
            panic!("BUG: what is no function is updated")
        };
        let inner = self.types.add(Type::Function([from].into(), result));
        let inner = self.settle(lambda, inner).0;
        let var = self.variable("x", to);
        let (from, to) = (self.sort_of(from), self.sort_of(to));
        let argument = Expr::op(Op::Number, [Expr::var(var, to)], from);
        let (own, result) = (self.sort_of(own), self.sort_of(result));
        let body = Expr::new(Kind::Apply(inner, [argument].into()), result);
        Expr::new(Kind::Lambda([var].into(), body), own)
    }

    fn applied(&mut self, node: &Node, head: Option<&Node>, arguments: &[Node], taken: &Selection) -> Expr {
        match taken.how {
            How::Function(function) => {
                let (wanted, result) = self.profiles[function.ix()].clone();
                let arguments = self.settle_all(arguments, &wanted);
                let sort = self.sort_of(result);
                Expr::new(Kind::Call(function, arguments), sort)
            }
            How::Builtin(signature, s) => {
                // What is wanted may tell more of S than the arguments did.
                let s = signature.result.fit(taken.own, s, &mut self.types).unwrap_or(s);
                let wanted: Vec<Ty> =
                    signature.arguments.iter().map(|shape| shape.with(s, &mut self.types)).collect();
                let arguments = self.settle_all(arguments, &wanted);
                let result = signature.result.with(s, &mut self.types);
                let sort = self.sort_of(result);
                match &arguments[..] {
                    [Expr { kind, .. }] if signature.op == Op::Negate => match &**kind {
                        // A negative numeral.
                        Kind::Number(value) => Expr::new(Kind::Number(-value), sort),
                        _ => Expr::op(Op::Negate, arguments, sort),
                    },
                    _ => Expr::op(signature.op, arguments, sort),
                }
            }
            How::Value(ty) => {
                let Type::Function(wanted, result) = self.types.get(ty).clone() else {
                    panic!("BUG: what is no function is applied")
                };
                let result = self.types.unify(result, taken.own).unwrap_or(result);
                let ty = self.types.add(Type::Function(wanted.clone(), result));
                let head = head.unwrap_or(node);
                let (head, ty) = self.settle(head, ty);
                let (wanted, result) = match self.types.get(ty).clone() {
                    Type::Function(wanted, result) => (wanted, result),
                    _ => (wanted, result),
                };
                let arguments = self.settle_all(arguments, &wanted);
                let sort = self.sort_of(result);
                Expr::new(Kind::Apply(head, arguments), sort)
            }
            How::Plain => panic!("BUG: an application of nothing"),
        }
    }

    fn settle_all(&mut self, nodes: &[Node], wanted: &[Ty]) -> Box<[Expr]> {
        nodes.iter().zip(wanted).map(|(node, &ty)| self.settle(node, ty).0).collect()
    }

    /// A function that stands without arguments: a constant, or a value.
    fn function_value(&mut self, node: &Node, taken: &Selection) -> Expr {
        match taken.how {
            How::Function(function) => {
                let sort = self.sort_of(taken.own);
                let kind = match self.profiles[function.ix()].0.is_empty() {
                    true => Kind::Call(function, Box::default()),
                    false => Kind::Function(function),
                };
                Expr::new(kind, sort)
            }
            How::Builtin(signature, _) => self.builtin_value(node, signature, taken.own),
            How::Plain | How::Value(_) => panic!("BUG: a name that is no function"),
        }
    }

    /// A built-in function as a value is written out: `lambda x, y: Nat . x + y`.
    fn builtin_value(&mut self, node: &Node, signature: &'static Signature, own: Ty) -> Expr {
        let Type::Function(arguments, result) = self.types.get(own).clone() else {
            panic!("BUG: a function is none")
        };
        let mut s = signature.result.fit(result, Ty::OPEN, &mut self.types);
        for (shape, &argument) in signature.arguments.iter().zip(&arguments) {
            s = s.and_then(|s| shape.fit(argument, s, &mut self.types));
        }
        let known =
            |s: &Ty| !self.types.is_open(*s) || !signature.arguments.iter().any(|shape| shape.has_s());
        let Some(s) = s.filter(known) else {
            self.report_open(node, own);
            return self.broken(own);
        };
        let mut vars = Vec::new();
        let mut values = Vec::new();
        for (shape, name) in signature.arguments.iter().zip(["x", "y", "z"]) {
            let ty = shape.with(s, &mut self.types);
            let var = self.variable(name, ty);
            vars.push(var);
            values.push(Expr::var(var, self.data.vars[var.ix()].sort));
        }
        let result = signature.result.with(s, &mut self.types);
        let body = Expr::op(signature.op, values, self.types.sort(result, &mut self.data.sorts));
        let sort = self.sort_of(own);
        Expr::new(Kind::Lambda(vars.into(), body), sort)
    }

    fn enumerated(&mut self, op: Op, node: &Node, elements: &[Node], own: Ty) -> Expr {
        let element = match *self.types.get(own) {
            Type::List(element) | Type::FSet(element) | Type::FBag(element) => element,
            _ => panic!("BUG: elements of what holds none"),
        };
        if elements.is_empty() && self.types.is_open(element) {
            self.report_open(node, own);
        }
        let is_number = |at: usize| op == Op::BagOf && at % 2 == 1;
        let wanted = |at: usize| if is_number(at) { Ty::NAT } else { element };
        let elements: Vec<Expr> =
            elements.iter().enumerate().map(|(at, node)| self.settle(node, wanted(at)).0).collect();
        let sort = self.sort_of(own);
        Expr::op(op, elements, sort)
    }

    fn report_open(&mut self, node: &Node, ty: Ty) {
        let shown = self.types.show(ty);
        self.report(
            Diagnostic::error("the sort of this is not known", node.span)
                .label(format!("it is a `{shown}`, and nothing tells of what"))
                .help("compare it with, or give it to, something of a known sort"),
        );
    }

    /// The expression as one of the wanted type.
    fn widened(&mut self, expr: Expr, taken: &Selection) -> Expr {
        if taken.own == taken.wanted {
            return expr;
        }
        let op = if taken.own.is_number() { Op::Number } else { Op::Widen };
        let sort = self.sort_of(taken.wanted);
        Expr::op(op, [expr], sort)
    }
}

/// `a && b && c && d` as `(a && b) && (c && d)`: long chains are not deep, and are evaluated in their order
/// all the same.
fn balanced(op: Op, parts: &[Expr]) -> Expr {
    match parts {
        [one] => one.clone(),
        _ => {
            let (left, right) = parts.split_at(parts.len() / 2);
            Expr::op(op, [balanced(op, left), balanced(op, right)], terms::SortIx::BOOL)
        }
    }
}
