//! From expressions to code: conditions as jumps.
//!
//! A condition is never computed as a value where only its truth is wanted. `a && b` that is to be false for
//! a jump to `no` becomes: jump to `no` if a is false; jump to `no` if b is false. There is a third way out,
//! `stuck`, for a condition that does not reduce to true or false: a variable without a value is compared, or
//! no equation matches.

use super::builder::{Builder, Dest};
use crate::code::{Compare, Instr, Target};
use crate::{Expr, Kind, Op, Term};

impl Builder<'_> {
    /// `if(c, x, y)`
    pub(crate) fn conditional(&mut self, expr: &Expr, then: &Expr, otherwise: &Expr, dest: Dest) {
        let Kind::Op(Op::If, parts) = &*expr.kind else { panic!("BUG: no conditional") };
        let (no, end) = (self.label(), self.label());
        let site = self.slow_site(expr);
        let (to, on) = match dest {
            Dest::Reg(to) => (to, Some(end)),
            Dest::Return => (self.take(), None),
        };
        let stuck = self.rarely(Instr::Slow { to, site }, on);
        self.jump(&parts[0], false, no, stuck);
        let vars = self.vars.clone();
        self.expr(then, dest);
        if dest != Dest::Return {
            self.code.push(Instr::Jump { to: end });
        }
        self.bind(no);
        // What one branch gave a register has none in the other.
        self.vars = vars;
        self.expr(otherwise, dest);
        self.bind(end);
    }

    /// `&&`, `||` and `=>` as values: the second is evaluated only where the first does not decide.
    pub(crate) fn join(&mut self, op: Op, first: &Expr, second: &Expr, instance: u32, dest: Dest) {
        let to = self.take();
        self.expr(first, Dest::Reg(to));
        let (decided, on) = (self.label(), self.label());
        let want = op == Op::Or;
        self.code.push(Instr::When { from: to, want, yes: decided, stuck: on });
        self.bind(on);
        let vars = self.vars.clone();
        let other = self.operand(second);
        self.vars = vars;
        self.code.push(Instr::Join { to, one: to, other, instance });
        if dest == Dest::Return {
            self.code.push(Instr::Return { from: to });
        } else {
            let end = self.label();
            self.code.push(Instr::Jump { to: end });
            self.bind(decided);
            if op == Op::Implies {
                self.code.push(Instr::Const { to, term: Term::TRUE.0 });
            }
            self.bind(end);
            if let Dest::Reg(into) = dest {
                self.code.push(Instr::Move { to: into, from: to });
            }
            return;
        }
        self.bind(decided);
        match op {
            Op::Implies => self.code.push(Instr::Answer { term: Term::TRUE.0 }),
            _ => self.code.push(Instr::Return { from: to }),
        }
    }

    /// Jumps to `yes` if the truth value is `want`, goes on if it is the other, goes to `stuck` if it is
    /// neither.
    pub(crate) fn jump(&mut self, expr: &Expr, want: bool, yes: Target, stuck: Target) {
        let mark = self.mark();
        match &*expr.kind {
            Kind::Truth(value) => {
                if *value == want {
                    self.code.push(Instr::Jump { to: yes });
                }
            }
            Kind::Op(op, parts) => match (op, &parts[..]) {
                (Op::Not, [part]) if !self.has_own_rules(*op, parts, expr) => {
                    self.jump(part, !want, yes, stuck)
                }
                (Op::And | Op::Or | Op::Implies, [first, second])
                    if !self.has_own_rules(*op, parts, expr) =>
                {
                    // The value of the first that decides, and the whole's then.
                    let decides = *op == Op::Or;
                    let whole = *op != Op::And;
                    match whole == want {
                        true => {
                            self.jump(first, decides, yes, stuck);
                            self.jump(second, want, yes, stuck);
                        }
                        false => {
                            let end = self.label();
                            self.jump(first, decides, end, stuck);
                            self.jump(second, want, yes, stuck);
                            self.bind(end);
                        }
                    }
                }
                (Op::If, [condition, then, otherwise]) => {
                    let (no, end) = (self.label(), self.label());
                    self.jump(condition, false, no, stuck);
                    self.jump(then, want, yes, stuck);
                    self.code.push(Instr::Jump { to: end });
                    self.bind(no);
                    self.jump(otherwise, want, yes, stuck);
                    self.bind(end);
                }
                (Op::NotEqual, _) if self.by_own_equality(*op, parts).is_some() => {
                    let Some(equal) = self.by_own_equality(*op, parts) else {
                        panic!("BUG: no equation any more")
                    };
                    self.jump(&equal, want, yes, stuck);
                }
                (_, [one, other]) if Compare::of(*op).is_some() && !self.has_own_rules(*op, parts, expr) => {
                    self.jump_compared(*op, one, other, want, yes, stuck);
                }
                _ => self.jump_value(expr, want, yes, stuck),
            },
            _ => self.jump_value(expr, want, yes, stuck),
        }
        self.free_to(mark);
    }

    fn has_own_rules(&mut self, op: Op, parts: &[Expr], expr: &Expr) -> bool {
        let sorts: Vec<_> = parts.iter().map(|part| part.sort).collect();
        let instance = self.instance(op, &sorts, expr.sort);
        self.data.instances.get(instance).own_rules().is_some()
    }

    fn jump_value(&mut self, expr: &Expr, want: bool, yes: Target, stuck: Target) {
        let from = self.operand(expr);
        self.code.push(Instr::When { from, want, yes, stuck });
    }

    fn jump_compared(&mut self, op: Op, one: &Expr, other: &Expr, want: bool, yes: Target, stuck: Target) {
        let sort = u16::try_from(one.sort.0).ok();
        let (Some((mut compare, swapped)), Some(sort), Some(stuck)) =
            (Compare::of(op), sort, self.stuck_place(stuck))
        else {
            return self.fail("an expression is too large");
        };
        if !want {
            compare = compare.negated();
        }
        let (one, other) = if swapped { (other, one) } else { (one, other) };
        match self.constant(other) {
            Some(term) => {
                let one = self.operand(one);
                self.code.push(Instr::WhenComparedTo { compare, one, sort, stuck, term, yes });
            }
            None => {
                let (one, other) = (self.operand(one), self.operand(other));
                self.code.push(Instr::WhenCompared { compare, one, other, sort, stuck, yes });
            }
        }
    }

    /// Jumps to `no` unless the condition of an equation is true.
    pub(crate) fn unless(&mut self, condition: &Expr, no: Target) {
        // A conjunction of which one part does not reduce is not true. A disjunction of which one does not
        // may well be.
        if !has_alternatives(condition) {
            return self.jump(condition, false, no, no);
        }
        let (site, yes) = (self.slow_site(condition), self.label());
        let stuck = self.rarely(Instr::SlowWhen { site, yes, no }, None);
        self.jump(condition, false, no, stuck);
        self.bind(yes);
    }
}

/// Whether a condition may be true though a part of it does not reduce.
pub(crate) fn has_alternatives(condition: &Expr) -> bool {
    may_choose(condition, true)
}

/// Whether a condition may be `wanted` though a part of it does not reduce.
fn may_choose(condition: &Expr, wanted: bool) -> bool {
    match (&*condition.kind, wanted) {
        (Kind::Op(Op::Not, parts), _) => may_choose(&parts[0], !wanted),
        (Kind::Op(Op::And, parts), true) | (Kind::Op(Op::Or, parts), false) => {
            parts.iter().any(|part| may_choose(part, wanted))
        }
        (Kind::Op(Op::And | Op::Or | Op::Implies | Op::If, _), _) => true,
        _ => false,
    }
}
