//! Expressions that are terms without any evaluation: numerals, constructors of such, lists and sets of such,
//! and functions without arguments whose value is known. They become one instruction.

use super::builder::Builder;
use crate::spec::is_nothing;
use crate::store::node::{Header, INEXACT, Shape};
use crate::{Expr, Kind, Op, Term};

impl Builder<'_> {
    /// The term that an expression is without any evaluation, if it is one.
    pub(crate) fn constant(&mut self, expr: &Expr) -> Option<u32> {
        let data = self.data;
        match &*expr.kind {
            Kind::Truth(value) => Some(u32::from(*value)),
            Kind::Number(value) => data.integer(self.recent, value).ok(),
            Kind::Call(function, arguments) if arguments.is_empty() => {
                let position = data.positions[function.ix()];
                match position != u32::MAX && !data.arities(*function).has_rules(0) {
                    true => Some(position),
                    false => data.known_constant(*function),
                }
            }
            Kind::Call(function, arguments) => {
                let free = data.positions[function.ix()] != u32::MAX
                    && !data.arities(*function).has_rules(arguments.len());
                if !free || data.arities(*function).has_rules(0) {
                    return None;
                }
                let parts: Option<Vec<u32>> =
                    arguments.iter().map(|argument| self.constant(argument)).collect();
                data.call(self.recent, *function, &parts?).ok()
            }
            Kind::Function(function) if !data.arities(*function).has_rules(0) => {
                let head = Header::new(Shape::Function, function.0, 0, INEXACT);
                data.store.node(self.recent, head, &[]).ok()
            }
            Kind::Op(Op::List, parts) => {
                let parts: Option<Vec<u32>> = parts.iter().map(|part| self.constant(part)).collect();
                let mut list = Term::EMPTY.0;
                for head in parts?.into_iter().rev() {
                    list = data.cons(self.recent, head, list).ok()?;
                }
                Some(list)
            }
            Kind::Op(Op::Cons, parts) => {
                let (head, tail) = (self.constant(&parts[0])?, self.constant(&parts[1])?);
                data.cons(self.recent, head, tail).ok()
            }
            Kind::Op(Op::SetOf | Op::BagOf, parts) if parts.is_empty() => Some(Term::EMPTY.0),
            Kind::Op(Op::SetOf, parts) => {
                let parts: Option<Vec<u32>> = parts.iter().map(|part| self.constant(part)).collect();
                data.set(self.recent, parts?).ok()
            }
            Kind::Op(op, parts) if is_nothing(*op, parts, expr.sort) => self.constant(&parts[0]),
            _ => None,
        }
    }
}
