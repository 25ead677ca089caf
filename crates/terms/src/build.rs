//! From expressions to units: values.
//!
//! Temporaries are a stack above the variables; the arguments of a call are its last registers. A condition
//! is compiled to jumps ([`crate::conditions`]); where one does not reduce the whole conditional is compiled
//! once more, then and only then, in a way that evaluates both branches.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::alpha::{numbered, outside};
use crate::code::{ClosureSite, Instr, Reg, SlowSite, Table, Target, Unit};
use crate::data::CompileError;
use crate::store::Recent;
use crate::sum::QuantifierSite;
use crate::{Data, Expr, FunIx, FunKind, Kind, Op, SortIx, VarIx};

/// Where a value is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dest {
    Reg(Reg),
    /// It is what the unit comes to.
    Return,
}

/// Makes one unit.
pub(crate) struct Builder<'b> {
    pub(crate) data: &'b Data,
    pub(crate) recent: &'b mut Recent,
    pub(crate) code: Vec<Instr>,
    pub(crate) tables: Vec<Table>,
    stuck: Vec<Target>,
    labels: Vec<u32>,
    pub(crate) vars: HashMap<VarIx, Reg>,
    /// The first register that is free.
    top: usize,
    most: usize,
    /// Code for what happens rarely, put at the end: label, instruction, and where to go on (or to return
    /// from).
    rare: Vec<(Target, Instr, Option<Target>)>,
    error: Option<String>,
}

const MOST_REGISTERS: usize = 60_000;

impl<'b> Builder<'b> {
    pub(crate) fn new(data: &'b Data, recent: &'b mut Recent) -> Self {
        Self {
            data,
            recent,
            code: Vec::new(),
            tables: Vec::new(),
            stuck: Vec::new(),
            labels: Vec::new(),
            vars: HashMap::new(),
            top: 0,
            most: 0,
            rare: Vec::new(),
            error: None,
        }
    }

    /// A unit with these arguments that comes to the value of an expression.
    pub(crate) fn unit(
        mut self,
        params: &[VarIx],
        body: &Expr,
        function: Option<FunIx>,
    ) -> Result<Unit, CompileError> {
        for &param in params {
            let reg = self.take();
            self.vars.insert(param, reg);
        }
        self.expr(body, Dest::Return);
        self.finish(function)
    }

    /// The same of a conditional, evaluating both branches where its condition does not reduce.
    pub(crate) fn slow_unit(mut self, params: &[VarIx], body: &Expr) -> Result<Unit, CompileError> {
        for &param in params {
            let reg = self.take();
            self.vars.insert(param, reg);
        }
        match &*body.kind {
            Kind::Op(Op::If, parts) => {
                let condition = self.operand(&parts[0]);
                let (no, both) = (self.label(), self.label());
                self.code.push(Instr::When { from: condition, want: false, yes: no, stuck: both });
                self.expr(&parts[1], Dest::Return);
                self.bind(no);
                self.expr(&parts[2], Dest::Return);
                self.bind(both);
                let at = self.take_many(3);
                self.code.push(Instr::Move { to: at, from: condition });
                self.expr(&parts[1], Dest::Reg(at + 1));
                self.expr(&parts[2], Dest::Reg(at + 2));
                let instance = self.instance(Op::If, &[SortIx::BOOL, body.sort, body.sort], body.sort);
                self.code.push(Instr::Ops { to: at, at, count: 3, instance });
                self.code.push(Instr::Return { from: at });
            }
            _ => self.expr(body, Dest::Return),
        }
        self.finish(None)
    }

    pub(crate) fn finish(mut self, function: Option<FunIx>) -> Result<Unit, CompileError> {
        for (label, instr, then) in std::mem::take(&mut self.rare) {
            self.bind(label);
            self.code.push(instr);
            match (then, instr) {
                (Some(to), _) => self.code.push(Instr::Jump { to }),
                (None, Instr::Slow { to, .. }) => self.code.push(Instr::Return { from: to }),
                _ => {}
            }
        }
        if let Some(message) = self.error {
            return Err(CompileError(message));
        }
        let labels = &self.labels;
        let place = |target: &mut Target| *target = labels[*target as usize];
        for instr in &mut self.code {
            match instr {
                Instr::Jump { to } => place(to),
                Instr::SwitchList { nil, cons, other, .. } => [nil, cons, other].into_iter().for_each(place),
                Instr::UnlessTerm { no, .. }
                | Instr::UnlessSame { no, .. }
                | Instr::UnlessNumber { no, .. }
                | Instr::UnlessHead { no, .. } => place(no),
                Instr::When { yes, stuck, .. } => [yes, stuck].into_iter().for_each(place),
                Instr::WhenCompared { yes, .. } | Instr::WhenComparedTo { yes, .. } => place(yes),
                Instr::SlowWhen { yes, no, .. } => [yes, no].into_iter().for_each(place),
                _ => {}
            }
        }
        self.tables.iter_mut().flat_map(|table| table.iter_mut()).for_each(place);
        self.stuck.iter_mut().for_each(place);
        Ok(Unit {
            code: self.code.into(),
            tables: self.tables.into(),
            stuck: self.stuck.into(),
            registers: self.most as u32 + 1,
            function,
        })
    }

    /// Says that there can be no unit.
    pub(crate) fn fail(&mut self, message: impl Into<String>) {
        self.error.get_or_insert_with(|| message.into());
    }

    pub(crate) fn label(&mut self) -> Target {
        self.labels.push(u32::MAX);
        self.labels.len() as u32 - 1
    }

    pub(crate) fn bind(&mut self, label: Target) {
        self.labels[label as usize] = self.code.len() as u32;
    }

    pub(crate) fn take(&mut self) -> Reg {
        self.take_many(1)
    }

    pub(crate) fn take_many(&mut self, count: usize) -> Reg {
        let at = self.top;
        self.top += count;
        if self.top > MOST_REGISTERS {
            self.fail("an expression is too large");
            self.top = at;
        }
        self.most = self.most.max(self.top);
        at as Reg
    }

    /// How many registers are taken, to be given to [`Builder::free_to`].
    pub(crate) fn mark(&self) -> usize {
        self.top
    }

    /// Gives back what was taken since.
    pub(crate) fn free_to(&mut self, mark: usize) {
        self.top = mark;
    }

    /// A place in [`Unit::stuck`].
    pub(crate) fn stuck_place(&mut self, label: Target) -> Option<u16> {
        let at = match self.stuck.iter().rposition(|&known| known == label) {
            Some(at) => at,
            None => {
                self.stuck.push(label);
                self.stuck.len() - 1
            }
        };
        u16::try_from(at).ok()
    }

    /// A place at the end for what happens rarely.
    pub(crate) fn rarely(&mut self, instr: Instr, then: Option<Target>) -> Target {
        let label = self.label();
        self.rare.push((label, instr, then));
        label
    }

    pub(crate) fn instance(&mut self, op: Op, arguments: &[SortIx], result: SortIx) -> u32 {
        self.data.instance(op, arguments, result).unwrap_or_else(|| {
            self.fail("there are too many built-in functions");
            0
        })
    }

    /// A site for what is compiled when it is needed.
    pub(crate) fn slow_site(&mut self, expr: &Expr) -> u32 {
        let vars =
            expr.free().into_iter().filter_map(|var| self.vars.get(&var).map(|&reg| (var, reg))).collect();
        let site = SlowSite { expr: expr.clone(), vars, unit: OnceLock::new() };
        self.data.slow.push(site).unwrap_or_else(|| {
            self.fail("there are too many conditionals");
            0
        })
    }

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
        let mark = self.top;
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
            Kind::Function(function) => match self.data.levels(*function).unit(0) {
                Some(unit) => {
                    let at = self.top as Reg;
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
                let made = data.quantifier_site(&key, || QuantifierSite::new(data, expr, forall, vars, body));
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
        self.top = mark;
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
        let levels = self.data.levels(function);
        let rules = levels.has_rules(count) || (count > 0 && levels.has_rules(0));
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
                match levels.unit(count as usize) {
                    Some(unit) if rules => self.call_unit(unit, at, count, dest),
                    _ => self.emit(dest, |to| Instr::Make { to, at, count, function: function.0 }),
                }
            }
        }
    }

    fn apply(&mut self, head: &Expr, arguments: &[Expr], dest: Dest) {
        match &*head.kind {
            Kind::Function(function) if self.data.levels(*function).unit(arguments.len()).is_some() => {
                return self.call(*function, arguments, dest);
            }
            // Nothing is known of f(x) alone: f(x)(y) at once.
            Kind::Call(function, first) => {
                let levels = self.data.levels(*function);
                let all = first.len() + arguments.len();
                if !levels.has_rules(first.len())
                    && !levels.has_rules(0)
                    && let Some(unit) = levels.unit(all)
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

/// Whether a built-in function leaves its argument as it is.
pub(crate) fn is_nothing(op: Op, parts: &[Expr], result: SortIx) -> bool {
    match (op, parts) {
        (Op::Number, [part]) => part.sort <= result,
        (Op::Widen, [_]) => true,
        _ => false,
    }
}
