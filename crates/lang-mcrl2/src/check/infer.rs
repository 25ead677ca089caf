//! Which sorts an expression can have: the first of two walks over it, from the leaves up.
//!
//! *Problem.* mCRL2 lets functions share a name, numbers become wider without being asked, and `[]` be a list
//! of anything. What `f(1)` is may depend on what stands around it.
//!
//! *Idea.* An expression has several [`Choice`]s, each a type and a cost: how many steps numbers and sets
//! inside had to be made wider. Where a function is applied, every function of that name is tried with every
//! type its arguments can have. The second walk ([`super::elaborate`]) goes from the top down. It knows which
//! type is wanted and takes the cheapest choice that gives it.
//!
//! ```text
//! map f: Nat -> Bool; f: Int -> Nat;
//!
//! 1         Pos, cost 0
//! f(1)      Bool, cost 1 (Pos to Nat)        Nat, cost 2 (Pos to Nat to Int)
//! f(1) + 1  the choice Bool fits no `+`, so f is the second one
//! ```
//!
//! *Differs* from mCRL2's checker, which decides on the way up and mends later: where that one finds an
//! answer, the answer is the cheapest.
//!
//! *Cost.* At most [`MOST_CHOICES`] for one expression, and a limit on all that is tried for a text.

mod applications;
mod binders;

use base::{Diagnostic, Span};
use num_bigint::BigInt;
use terms::{Expr, FunIx, VarIx};

use super::Checker;
use super::builtins::Signature;
use super::types::{Ty, Type, Types};
use crate::ast::{self, Binder, ExprKind, Junction};

/// An expression with what it can be.
pub(crate) struct Node {
    pub kind: NodeKind,
    pub span: Span,
    pub choices: Vec<Choice>,
}

impl Node {
    /// Whether it was reported to be wrong. What is made of it is not looked at any more: all that could be
    /// said follows from that.
    pub fn is_broken(&self) -> bool {
        matches!(self.kind, NodeKind::Broken)
    }

    /// Whether it is a lambda.
    pub fn is_lambda(&self) -> bool {
        matches!(self.kind, NodeKind::Binder(Binder::Lambda, ..))
    }
}

/// A type that an expression can have.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub ty: Ty,
    pub cost: u32,
    pub how: How,
    /// There is another way to this type, as cheap.
    pub tied: bool,
}

/// What gives an expression its type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum How {
    Plain,
    /// A function of the text.
    Function(FunIx),
    /// A built-in function, with what S is in its signature.
    Builtin(&'static Signature, Ty),
    /// A value of this function type, applied.
    Value(Ty),
}

/// What an expression is, its parts with what they can be.
pub(crate) enum NodeKind {
    /// Reported to be wrong; it fits everywhere.
    Broken,
    Number(BigInt),
    Truth(bool),
    Var(VarIx),
    Function,
    /// The function, if it is a value, and its arguments.
    Apply(Option<Box<Node>>, Vec<Node>),
    Chain(Junction, Vec<Node>),
    List(Vec<Node>),
    Set(Vec<Node>),
    /// Element, number, element, number, …
    Bag(Vec<Node>),
    Comprehension(VarIx, Box<Node>),
    Binder(Binder, Vec<VarIx>, Box<Node>),
    /// Function, argument, value.
    Update(Vec<Node>),
    Where(Box<Node>, Vec<(VarIx, Expr)>),
}

/// More types than this for one expression are not kept apart.
const MOST_CHOICES: usize = 200;

impl<'a> Checker<'a> {
    /// An expression with what it can be. What is wrong is reported, and stands as [`NodeKind::Broken`].
    pub fn infer(&mut self, expr: &'a ast::Expr<'a>) -> Node {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Number(digits) => {
                let value: BigInt =
                    digits.parse().unwrap_or_else(|_| panic!("BUG: `{digits}` was read as a number"));
                let ty = if value == BigInt::ZERO { Ty::NAT } else { Ty::POS };
                plain(NodeKind::Number(value), span, ty)
            }
            ExprKind::Truth(value) => plain(NodeKind::Truth(*value), span, Ty::BOOL),
            ExprKind::Name(name) => self.infer_name(name, span),
            ExprKind::Apply(function, arguments) => self.infer_apply(function, arguments, span),
            ExprKind::Operator(name, at, operands) => {
                let operands = self.infer_all(operands);
                self.apply_named(name, *at, operands, span)
            }
            ExprKind::Chain(junction, parts) => {
                let parts = self.infer_all(parts);
                let what = if *junction == Junction::And { "`&&`" } else { "`||`" };
                let cost = parts.iter().map(|part| self.cost_of(part, Ty::BOOL, what)).sum();
                let choice = Choice { cost, ..simple(Ty::BOOL) };
                Node { kind: NodeKind::Chain(*junction, parts), span, choices: vec![choice] }
            }
            ExprKind::List(elements) => {
                let elements = self.infer_all(elements);
                let choices = self.elements(elements.iter(), Type::List);
                Node { kind: NodeKind::List(elements), span, choices }
            }
            ExprKind::Set(elements) => {
                let elements = self.infer_all(elements);
                let choices = self.elements(elements.iter(), Type::FSet);
                Node { kind: NodeKind::Set(elements), span, choices }
            }
            ExprKind::Bag(elements) => self.infer_bag(elements, span),
            ExprKind::Comprehension(binding, body) => self.infer_comprehension(binding, body, span),
            ExprKind::Update(function, argument, value) => {
                self.infer_update([function, argument, value], span)
            }
            ExprKind::Binder(binder, bindings, body) => self.infer_binder(*binder, bindings, body, span),
            ExprKind::Where(body, bound) => self.infer_where(body, bound, span),
        }
    }

    pub fn infer_all(&mut self, exprs: &'a [ast::Expr<'a>]) -> Vec<Node> {
        exprs.iter().map(|expr| self.infer(expr)).collect()
    }

    /// The types that an expression can be given, made wider where they can be.
    pub fn wide(&mut self, node: &Node) -> Vec<(Ty, u32)> {
        let mut all: Vec<(Ty, u32)> = Vec::with_capacity(node.choices.len() * 4);
        for choice in &node.choices {
            for (ty, step) in self.types.wider(choice.ty) {
                let cost = choice.cost + step;
                match all.iter_mut().find(|(known, _)| *known == ty) {
                    Some((_, known)) => *known = cost.min(*known),
                    None => all.push((ty, cost)),
                }
            }
        }
        all
    }

    /// What it costs to give an expression this type. If it cannot have it, that is reported.
    fn cost_of(&mut self, node: &Node, ty: Ty, what: &str) -> u32 {
        let wide = self.wide(node);
        let costs =
            wide.iter().filter(|&&(known, _)| self.types.unify(known, ty).is_some()).map(|&(_, cost)| cost);
        if let Some(cost) = costs.min() {
            return cost;
        }
        let (found, wanted) = (self.show_choices(node), self.types.show(ty));
        self.report(
            Diagnostic::error(format!("{what} wants a `{wanted}`"), node.span)
                .label(format!("this is {found}"))
                .help("correct the expression, or say with a function how one becomes the other"),
        );
        0
    }

    /// What an expression can be, for a message.
    pub fn show_choices(&self, node: &Node) -> String {
        let mut shown: Vec<String> = node.choices.iter().map(|choice| self.types.show(choice.ty)).collect();
        shown.dedup();
        shown.truncate(3);
        let shown: Vec<String> = shown.into_iter().map(|shown| format!("a `{shown}`")).collect();
        shown.join(" or ")
    }

    /// The function that makes a number of the wanted sort of this one, which is of a wider sort; for a
    /// message. Of a numeral there is none.
    pub fn narrowing(&self, node: &Node, wanted: Ty) -> Option<String> {
        let cheapest = node.choices.iter().min_by_key(|choice| choice.cost)?.ty;
        let is_narrower = wanted.is_number() && cheapest.is_number() && wanted < cheapest;
        if !is_narrower || matches!(node.kind, NodeKind::Number(_)) {
            return None;
        }
        let (from, to) = (self.types.show(cheapest), self.types.show(wanted));
        let article = if cheapest == Ty::INT { "an" } else { "a" };
        Some(format!("`{from}2{to}` makes a `{to}` of {article} `{from}`"))
    }

    /// The same for the first of some arguments that needs one.
    pub fn narrowing_of(&self, nodes: &[Node], wanted: &[Ty]) -> Option<String> {
        let pairs = nodes.iter().zip(wanted);
        if nodes.len() == wanted.len() {
            pairs.into_iter().find_map(|(node, &ty)| self.narrowing(node, ty))
        } else {
            None
        }
    }

    /// The choices of a list or set of these elements.
    fn elements<'n>(&mut self, elements: impl Iterator<Item = &'n Node>, of: fn(Ty) -> Type) -> Vec<Choice> {
        let mut common = vec![(Ty::OPEN, 0)];
        for element in elements {
            let wide = self.wide(element);
            let mut next = Vec::new();
            for &(one, before) in &common {
                for &(other, cost) in &wide {
                    if self.may_try(element.span)
                        && let Some(both) = self.types.unify(one, other)
                    {
                        add_cheapest(&mut next, both, u32::saturating_add(before, cost));
                    }
                }
            }
            if next.is_empty() {
                let others = self.types.show(common.first().map_or(Ty::OPEN, |&(ty, _)| ty));
                let found = self.show_choices(element);
                self.report(
                    Diagnostic::error("this element is of another sort than those before it", element.span)
                        .label(format!("this is {found}, the others are a `{others}`"))
                        .help("all elements have one sort"),
                );
                continue;
            }
            common = next;
        }
        let made = common.into_iter().map(|(ty, cost)| Choice { cost, ..simple(self.types.add(of(ty))) });
        made.collect()
    }

    fn infer_bag(&mut self, pairs: &'a [(ast::Expr<'a>, ast::Expr<'a>)], span: Span) -> Node {
        let mut nodes = Vec::new();
        for (element, number) in pairs {
            nodes.push(self.infer(element));
            let number = self.infer(number);
            self.cost_of(&number, Ty::NAT, "how often an element is in a bag");
            nodes.push(number);
        }
        let choices = self.elements(nodes.iter().step_by(2), Type::FBag);
        Node { kind: NodeKind::Bag(nodes), span, choices }
    }

    /// Whether two ways to read an expression may give different values. `n + 1` can be read with several of
    /// the built-in `+`, and is the same number with all.
    pub fn differ(&mut self, one: How, other: How) -> bool {
        match (one, other) {
            (How::Builtin(one, s), How::Builtin(other, t)) => {
                let arguments = |signature: &Signature, s, types: &mut Types| -> Vec<Ty> {
                    let arguments =
                        signature.arguments.iter().map(|shape| shape.with(s, types)).collect::<Vec<Ty>>();
                    arguments.into_iter().map(|argument| types.widest(argument)).collect()
                };
                one.op != other.op
                    || arguments(one, s, &mut self.types) != arguments(other, t, &mut self.types)
            }
            // The text's own function is meant; it is tried first.
            (How::Function(_), How::Builtin(..)) | (How::Builtin(..), How::Function(_)) => false,
            // `(lambda n: Nat. n + 1)(2)` is one number, however wide the body is.
            (How::Value(one), How::Value(other)) => self.types.widest(one) != self.types.widest(other),
            _ => one != other,
        }
    }

    /// One more way to a type; the cheapest is kept, and whether it is the only one.
    fn add_choice(&mut self, choices: &mut Vec<Choice>, ty: Ty, cost: u32, how: How) {
        if let Some(known) = choices.iter_mut().find(|choice| choice.ty == ty) {
            if known.cost == cost {
                known.tied |= self.differ(known.how, how);
            } else if known.cost > cost {
                *known = Choice { ty, cost, how, tied: false };
            }
        } else if choices.len() < MOST_CHOICES {
            choices.push(Choice { ty, cost, how, tied: false });
        }
    }
}

fn add_cheapest(all: &mut Vec<(Ty, u32)>, ty: Ty, cost: u32) {
    match all.iter_mut().find(|(known, _)| *known == ty) {
        Some((_, known)) => *known = cost.min(*known),
        None => all.push((ty, cost)),
    }
}

fn simple(ty: Ty) -> Choice {
    Choice { ty, cost: 0, how: How::Plain, tied: false }
}

fn plain(kind: NodeKind, span: Span, ty: Ty) -> Node {
    Node { kind, span, choices: vec![simple(ty)] }
}

fn broken(span: Span) -> Node {
    plain(NodeKind::Broken, span, Ty::OPEN)
}
