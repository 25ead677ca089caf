//! From expressions to code: their values.
//!
//! The value of `f(x + 1, y)` in register 5, where x and y are in registers 0 and 1:
//!
//! ```text
//! PlusTerm  6 := 0 + 1        arguments are the next free registers, one after the other
//! Move      7 := 1
//! Call      5 := f(6, 7)
//! ```
//!
//! At the end of a unit a call replaces the unit ([`Instr::TailCall`]), so a loop written as recursion needs
//! no more stack than a loop.

use std::sync::OnceLock;

use super::builder::{Builder, Dest};
use super::sums::quantifier_site;
use crate::code::{ClosureSite, Instr, Reg};
use crate::spec::{is_nothing, numbered, outside};
use crate::{CompileError, Expr, FunIx, FunKind, Kind, VarIx};

impl<'b> Builder<'b> {
    /// A register that has the value: the variable's own, or a new one.
    pub(crate) fn operand(&mut self, expr: &Expr) -> Reg {
        if let Kind::Var(var) = &*expr.kind
            && let Some(&reg) = self.vars.get(var)
        {
            return reg;
        }
        match &*expr.kind {
            // The same number, or the same elements: no code.
            Kind::Op(op, parts) if is_nothing(*op, parts, expr.sort) => return self.operand(&parts[0]),
            _ => {}
        }
        let to = self.take();
        self.expr(expr, Dest::Reg(to));
        to
    }

    /// Arguments in registers one after the other; says the first.
    pub(crate) fn arguments<'e>(&mut self, arguments: impl IntoIterator<Item = &'e Expr>) -> (Reg, Reg) {
        let arguments: Vec<&Expr> = arguments.into_iter().collect();
        let at = self.take_many(arguments.len());
        for (to, argument) in (at..).zip(&arguments) {
            self.expr(argument, Dest::Reg(to));
        }
        (at, arguments.len() as Reg)
    }

    /// Code for the value of an expression.
    pub(crate) fn expr(&mut self, expr: &Expr, dest: Dest) {
        let mark = self.mark();
        if let Some(term) = self.constant(expr) {
            return self.code.push(match dest {
                Dest::Reg(to) => Instr::Const { to, term },
                Dest::Return => Instr::Answer { term },
            });
        }
        match &*expr.kind {
            Kind::Var(var) => match self.vars.get(var) {
                Some(&from) => self.code.push(match dest {
                    Dest::Reg(to) => Instr::Move { to, from },
                    Dest::Return => Instr::Return { from },
                }),
                None => {
                    let name = self.data.spec.vars.get(var.ix()).map_or("?", |var| &var.name);
                    self.fail(format!("`{name}` has no value here"));
                }
            },
            Kind::Number(_) | Kind::Truth(_) => self.fail("there is no room for more terms"),
            Kind::Call(function, arguments) => self.call(*function, arguments, dest),
            Kind::Function(function) => match self.data.arities(*function).unit(0) {
                Some(unit) => {
                    let at = self.mark() as Reg;
                    self.call_unit(unit, at, 0, dest);
                }
                None => self.fail("there is no room for more terms"),
            },
            Kind::Op(op, parts) => self.op(*op, parts, expr, dest),
            Kind::Apply(head, arguments) => self.apply(head, arguments, dest),
            Kind::Lambda(vars, body) => {
                let site = self.closure(expr, vars, body);
                self.closing(dest, |to, at| Instr::Closure { to, at, site }, expr);
            }
            Kind::SetWhere(var, body) | Kind::BagWhere(var, body) => {
                let site = self.closure(expr, &[*var], body);
                let bag = matches!(&*expr.kind, Kind::BagWhere(..));
                let to = self.take();
                self.closing(Dest::Reg(to), |to, at| Instr::Closure { to, at, site }, expr);
                self.emit(dest, |into| Instr::By { to: into, from: to, bag });
            }
            Kind::Forall(vars, body) | Kind::Exists(vars, body) => {
                let forall = matches!(&*expr.kind, Kind::Forall(..));
                let data = self.data;
                let key = numbered(expr, &outside(expr));
                let made = data.quantifier_site(&key, || quantifier_site(data, expr, forall, vars, body));
                let site = made.unwrap_or_else(|CompileError(message)| {
                    self.fail(message);
                    0
                });
                self.closing(dest, |to, at| Instr::Quantify { to, at, site }, expr);
            }
            Kind::Where(body, bound) => {
                let regs: Vec<(VarIx, Reg)> =
                    bound.iter().map(|(var, value)| (*var, self.operand(value))).collect();
                self.vars.extend(regs);
                self.expr(body, dest);
            }
        }
        self.free_to(mark);
    }

    /// An instruction whose answer is wanted somewhere.
    pub(crate) fn emit(&mut self, dest: Dest, instr: impl FnOnce(Reg) -> Instr) {
        match dest {
            Dest::Reg(to) => self.code.push(instr(to)),
            Dest::Return => {
                let to = self.take();
                self.code.push(instr(to));
                self.code.push(Instr::Return { from: to });
            }
        }
    }

    pub(crate) fn call_unit(&mut self, unit: u32, at: Reg, count: Reg, dest: Dest) {
        self.code.push(match dest {
            Dest::Reg(to) => Instr::Call { to, at, unit },
            Dest::Return => Instr::TailCall { at, count, unit },
        });
    }

    /// The values from outside in a row, and an instruction that takes them.
    fn closing(&mut self, dest: Dest, instr: impl FnOnce(Reg, Reg) -> Instr, expr: &Expr) {
        let outside = outside(expr);
        let at = self.take_many(outside.len());
        for (to, var) in (at..).zip(&*outside) {
            match self.vars.get(var) {
                Some(&from) => self.code.push(Instr::Move { to, from }),
                None => self.fail("a variable has no value here"),
            }
        }
        self.emit(dest, |to| instr(to, at));
    }

    fn closure(&mut self, expr: &Expr, vars: &[VarIx], body: &Expr) -> u32 {
        let data = self.data;
        let recent = &mut *self.recent;
        let outside = outside(expr);
        let key = numbered(expr, &outside);
        let make = || {
            let params: Vec<VarIx> = outside.iter().chain(vars).copied().collect();
            let unit = Builder::new(data, recent).unit(&params, body, None)?;
            let unit =
                data.units.push(unit).ok_or_else(|| CompileError("there are too many lambdas".into()))?;
            Ok(ClosureSite { unit, outside, vars: vars.into(), body: body.clone(), sum: OnceLock::new() })
        };
        data.closure_site(&key, make).unwrap_or_else(|CompileError(message)| {
            self.fail(message);
            0
        })
    }

    fn call(&mut self, function: FunIx, arguments: &[Expr], dest: Dest) {
        let count = arguments.len();
        let arities = self.data.arities(function);
        let rules = arities.has_rules(count) || (count > 0 && arities.has_rules(0));
        match &self.data.spec.functions[function.ix()].kind {
            FunKind::Projection(of) if !rules && count == 1 => {
                let from = self.operand(&arguments[0]);
                let (constructor, at) =
                    of.first().map_or((u32::MAX, 0), |&(constructor, at)| (constructor.0, at as Reg));
                self.emit(dest, |to| Instr::Project { to, from, at, constructor, function: function.0 });
            }
            FunKind::Recogniser(constructor) if !rules && count == 1 => {
                let position = self.data.positions[constructor.ix()] as Reg;
                let from = self.operand(&arguments[0]);
                self.emit(dest, |to| Instr::Recognise { to, from, position, function: function.0 });
            }
            _ => {
                let (at, count) = self.arguments(arguments);
                match arities.unit(count as usize) {
                    Some(unit) if rules => self.call_unit(unit, at, count, dest),
                    _ => self.emit(dest, |to| Instr::Make { to, at, count, function: function.0 }),
                }
            }
        }
    }

    fn apply(&mut self, head: &Expr, arguments: &[Expr], dest: Dest) {
        match &*head.kind {
            Kind::Function(function) if self.data.arities(*function).unit(arguments.len()).is_some() => {
                return self.call(*function, arguments, dest);
            }
            // Nothing is known of f(x) alone: f(x)(y) at once.
            Kind::Call(function, first) => {
                let arities = self.data.arities(*function);
                let all = first.len() + arguments.len();
                if !arities.has_rules(first.len())
                    && !arities.has_rules(0)
                    && let Some(unit) = arities.unit(all)
                {
                    let (at, count) = self.arguments(first.iter().chain(arguments));
                    return self.call_unit(unit, at, count, dest);
                }
            }
            Kind::Lambda(vars, body) if vars.len() == arguments.len() => {
                let (at, _) = self.arguments(arguments);
                self.vars.extend(vars.iter().copied().zip(at..));
                return self.expr(body, dest);
            }
            _ => {}
        }
        let function = self.operand(head);
        let (at, count) = self.arguments(arguments);
        self.emit(dest, |to| Instr::Apply { to, function, at, count });
    }
}
