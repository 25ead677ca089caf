//! One unit in the making: its instructions, its registers, and its labels.
//!
//! Temporaries are a stack of registers above the variables. A label is a number until [`Builder::finish`]
//! puts the position in its place. What happens rarely is put behind everything else, so that the usual way
//! is a straight line.
//!
//! A conditional whose condition does not reduce to true or false has both branches evaluated. Code for that
//! would double the unit at every nesting, so a [`SlowSite`] keeps the expression, and it is compiled when it
//! is first met.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::code::{Instr, Reg, SlowSite, Table, Target, Unit};
use crate::store::Recent;
use crate::{CompileError, Data, Expr, FunIx, Kind, Op, SortIx, VarIx};

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
}
