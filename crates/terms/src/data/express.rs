//! Terms as expressions: the way back from a value to what a person could have written.

use super::Data;
use crate::store::node::Shape;
use crate::term::is_node;
use crate::{Expr, Kind, Op, Sort, SortIx, Term};

impl Data {
    /// A value as an expression; `None` if it does not reduce or has functions or fractions in it.
    pub fn express(&self, term: Term, sort: SortIx) -> Option<Expr> {
        // What is nested deeper than texts may be stays a term.
        self.expressed(term.0, sort, 0)
    }

    fn expressed(&self, term: u32, sort: SortIx, depth: u32) -> Option<Expr> {
        if depth > 500 {
            return None;
        }
        match self.spec.sorts.get(sort) {
            Sort::Bool => (term <= 1).then(|| Expr::truth(term == 1)),
            Sort::Pos | Sort::Nat | Sort::Int | Sort::Real => {
                self.as_integer(term).map(|value| Expr::new(Kind::Number(value), sort))
            }
            &Sort::List(element) => {
                let (elements, rest) = self.elements(term);
                let parts: Option<Vec<Expr>> =
                    elements.into_iter().map(|part| self.expressed(part, element, depth + 1)).collect();
                (rest == 0).then(|| parts.map(|parts| Expr::op(Op::List, parts, sort))).flatten()
            }
            &(Sort::FSet(element) | Sort::FBag(element)) => {
                let bag = matches!(self.spec.sorts.get(sort), Sort::FBag(_));
                let parts = match is_node(term).then(|| self.store.header(term).shape()) {
                    None => Vec::new(),
                    Some(Shape::Set | Shape::Bag) => self.store.parts(term).iter().collect(),
                    Some(_) => return None,
                };
                let sort_at = |at: usize| if bag && at % 2 == 1 { SortIx::NAT } else { element };
                let parts: Option<Vec<Expr>> = parts
                    .into_iter()
                    .enumerate()
                    .map(|(at, part)| self.expressed(part, sort_at(at), depth + 1))
                    .collect();
                Some(Expr::op(if bag { Op::BagOf } else { Op::SetOf }, parts?, sort))
            }
            &Sort::Set(element) => {
                let finite = self.spec.sorts.find(&Sort::FSet(element))?;
                Some(Expr::op(Op::Widen, vec![self.expressed(term, finite, depth + 1)?], sort))
            }
            &Sort::Bag(element) => {
                let finite = self.spec.sorts.find(&Sort::FBag(element))?;
                Some(Expr::op(Op::Widen, vec![self.expressed(term, finite, depth + 1)?], sort))
            }
            Sort::Function(..) => None,
            Sort::User(_) => {
                let position = self.position(term)?;
                let constructor = *self.constructors[sort.ix()].get(position as usize)?;
                let parts: Vec<u32> =
                    if is_node(term) { self.store.parts(term).iter().collect() } else { Vec::new() };
                let sorts = &self.spec.functions[constructor.ix()].arguments;
                let parts: Option<Box<[Expr]>> = parts
                    .into_iter()
                    .zip(sorts)
                    .map(|(part, &sort)| self.expressed(part, sort, depth + 1))
                    .collect();
                Some(Expr::new(Kind::Call(constructor, parts?), sort))
            }
        }
    }
}
