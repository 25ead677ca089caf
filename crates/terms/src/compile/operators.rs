//! From expressions to units: the built-in functions, and terms that need no code.

use super::builder::{Builder, Dest};
use crate::code::{Compare, Instr, Reg};
use crate::spec::is_nothing;
use crate::term::is_node;
use crate::{Expr, Op, SortIx, Term};

impl Builder<'_> {
    pub(crate) fn op(&mut self, op: Op, parts: &[Expr], expr: &Expr, dest: Dest) {
        let sorts: Vec<SortIx> = match op {
            // Of any number of arguments: what counts is the sort of an element.
            Op::List | Op::SetOf | Op::BagOf => parts.first().map(|part| part.sort).into_iter().collect(),
            _ => parts.iter().map(|part| part.sort).collect(),
        };
        if let (Op::If, [_, then, otherwise]) = (op, parts) {
            return self.conditional(expr, then, otherwise, dest);
        }
        if is_nothing(op, parts, expr.sort) {
            return self.expr(&parts[0], dest);
        }
        if let Some(equal) = self.by_own_equality(op, parts) {
            return self.expr(&equal, dest);
        }
        let instance = self.instance(op, &sorts, expr.sort);
        if let Some(unit) = self.data.instances.get(instance).own_rules() {
            let (at, count) = self.arguments(parts);
            return self.call_unit(unit, at, count, dest);
        }
        if let Some((compare, swapped)) = Compare::of(op) {
            let (mut one, mut other) = (self.operand(&parts[0]), self.operand(&parts[1]));
            if swapped {
                std::mem::swap(&mut one, &mut other);
            }
            return self.emit(dest, |to| Instr::Compared { to, one, other, compare, instance });
        }
        match (op, parts) {
            (Op::And | Op::Or | Op::Implies, [first, second]) => self.join(op, first, second, instance, dest),
            (Op::Not, [part]) => {
                let from = self.operand(part);
                self.emit(dest, |to| Instr::Not { to, from, instance });
            }
            (Op::Succ | Op::Pred, [part]) => {
                let plain = if op == Op::Succ { Op::Plus } else { Op::Minus };
                let instance = self.instance(plain, &[part.sort; 2], expr.sort);
                let (one, term) = (self.operand(part), 1);
                self.emit(dest, |to| match op {
                    Op::Succ => Instr::PlusTerm { to, one, term, instance },
                    _ => Instr::MinusTerm { to, one, term, instance },
                });
            }
            (Op::Plus | Op::Minus, [first, second]) => self.add(op, first, second, instance, dest),
            (Op::Times, [first, second]) => {
                let (one, other) = (self.operand(first), self.operand(second));
                self.emit(dest, |to| Instr::Times { to, one, other, instance });
            }
            (Op::Number, [part]) if expr.sort < SortIx::INT && part.sort < SortIx::REAL => {
                let from = self.operand(part);
                let least = Reg::from(expr.sort == SortIx::POS);
                self.emit(dest, |to| Instr::Cast { to, from, least, instance });
            }
            (Op::Cons, [first, second]) => {
                let (head, tail) = (self.operand(first), self.operand(second));
                self.emit(dest, |to| Instr::Cons { to, head, tail });
            }
            (Op::Head | Op::Tail, [part]) => {
                let (from, tail) = (self.operand(part), op == Op::Tail);
                self.emit(dest, |to| Instr::Uncons { to, from, tail, instance });
            }
            (Op::List, _) => self.list(parts, dest),
            (_, [part]) => {
                let one = self.operand(part);
                self.emit(dest, |to| Instr::Op1 { to, one, instance });
            }
            (_, [first, second]) if !matches!(op, Op::SetOf | Op::BagOf) => {
                let (one, other) = (self.operand(first), self.operand(second));
                self.emit(dest, |to| Instr::Op2 { to, one, other, instance });
            }
            _ => {
                let (at, count) = self.arguments(parts);
                self.emit(dest, |to| Instr::Ops { to, at, count, instance });
            }
        }
    }

    /// `a + b` or `a - b`: one instruction where b is a small number.
    fn add(&mut self, op: Op, first: &Expr, second: &Expr, instance: u32, dest: Dest) {
        let small = self.constant(second).filter(|&term| !is_node(term));
        let one = self.operand(first);
        match small {
            Some(term) if op == Op::Plus => {
                self.emit(dest, |to| Instr::PlusTerm { to, one, term, instance });
            }
            Some(term) => self.emit(dest, |to| Instr::MinusTerm { to, one, term, instance }),
            None => {
                let other = self.operand(second);
                self.emit(dest, |to| match op {
                    Op::Plus => Instr::Plus { to, one, other, instance },
                    _ => Instr::Minus { to, one, other, instance },
                });
            }
        }
    }

    /// `a != b` as `!(a == b)`, where the specification has equations for `==` of that sort and none for
    /// `!=`.
    pub(crate) fn by_own_equality(&mut self, op: Op, parts: &[Expr]) -> Option<Expr> {
        if op != Op::NotEqual || self.data.plain[parts[0].sort.ix()] {
            return None;
        }
        let sorts = [parts[0].sort; 2];
        let (equal, unequal) =
            (self.instance(Op::Equal, &sorts, SortIx::BOOL), self.instance(op, &sorts, SortIx::BOOL));
        let has_rules = |instance: u32| self.data.instances.get(instance).own_rules().is_some();
        (has_rules(equal) && !has_rules(unequal)).then(|| {
            let equal = Expr::op(Op::Equal, parts, SortIx::BOOL);
            Expr::op(Op::Not, vec![equal], SortIx::BOOL)
        })
    }

    /// `[a, b, c]`, from its end; the longest end that is known is one term.
    fn list(&mut self, parts: &[Expr], dest: Dest) {
        let (mut rest, mut tail) = (parts, Term::EMPTY.0);
        while let Some((last, before)) = rest.split_last()
            && let Some(head) = self.constant(last)
            && let Ok(cons) = self.data.cons(self.recent, head, tail)
        {
            (rest, tail) = (before, cons);
        }
        let list = self.take();
        self.code.push(Instr::Const { to: list, term: tail });
        for part in rest.iter().rev() {
            let mark = self.mark();
            let head = self.operand(part);
            self.code.push(Instr::Cons { to: list, head, tail: list });
            self.free_to(mark);
        }
        self.code.push(match dest {
            Dest::Reg(to) => Instr::Move { to, from: list },
            Dest::Return => Instr::Return { from: list },
        });
    }
}
