//! Functions as values: how they are made, updated, and given arguments.

use super::Evaluator;
use crate::code::UnitIx;
use crate::compile::Builder;
use crate::store::node::{Combinator, Header, INEXACT, OPEN, Shape};
use crate::term::is_node;
use crate::{CompileError, EvalFault, FunIx, Op, VarIx};

/// What comes of giving a function value arguments.
pub(crate) enum Applied {
    /// This unit is to be run; its arguments are in place.
    Unit(UnitIx),
    /// This is the answer.
    Done(u32),
}

impl Evaluator<'_> {
    /// Gives the function value `function` the arguments on the stack from `at` on. If a unit is to be run
    /// its arguments are put on the stack from `above` on.
    pub(crate) fn enter(
        &mut self,
        function: u32,
        at: usize,
        count: usize,
        above: usize,
    ) -> Result<Applied, EvalFault> {
        let data = self.data;
        let mut function = function;
        loop {
            debug_assert!(is_node(function), "a function value is a node");
            let head = data.store.header(function);
            match head.shape() {
                Shape::Closure => {
                    let unit = data.closures.get(head.number()).unit;
                    self.place(function, 0, at, count, above)?;
                    return Ok(Applied::Unit(unit));
                }
                Shape::Function => {
                    if let Some(unit) = data.arities(FunIx(head.number())).unit(count) {
                        self.copy(at, count, above)?;
                        return Ok(Applied::Unit(unit));
                    }
                    return self.make_apply(function, at, count, true).map(Applied::Done);
                }
                Shape::Call => {
                    let arities = data.arities(FunIx(head.number()));
                    if let Some(unit) = arities.unit(data.store.parts(function).len() + count) {
                        self.place(function, 0, at, count, above)?;
                        return Ok(Applied::Unit(unit));
                    }
                    return self.make_apply(function, at, count, true).map(Applied::Done);
                }
                Shape::Apply => {
                    // f(x)(y)(z): all arguments of f.
                    let mut arguments = Vec::new();
                    let inner = self.unfold(function, &mut arguments);
                    let inner_head = data.store.header(inner);
                    if inner_head.shape() == Shape::Call
                        && let Some(unit) =
                            data.arities(FunIx(inner_head.number())).unit(arguments.len() + count)
                    {
                        self.reserve(above + arguments.len() + count, None)?;
                        self.stack[above..above + arguments.len()].copy_from_slice(&arguments);
                        self.stack.copy_within(at..at + count, above + arguments.len());
                        return Ok(Applied::Unit(unit));
                    }
                    return self.make_apply(function, at, count, true).map(Applied::Done);
                }
                Shape::Updated => match self.look_up(function, self.stack[at])? {
                    Some(Ok(value)) => return Ok(Applied::Done(value)),
                    Some(Err(base)) => function = base,
                    None => return self.make_apply(function, at, count, true).map(Applied::Done),
                },
                Shape::Combinator => {
                    let arguments = self.stack[at..at + count].to_vec();
                    let made = Combinator::from_number(head.number());
                    if made == Combinator::Table {
                        return match self.looked_up(function, &arguments)? {
                            Some(value) => Ok(Applied::Done(value)),
                            None => self.make_apply(function, at, count, true).map(Applied::Done),
                        };
                    }
                    return self.apply_made(made, function, &arguments).map(Applied::Done);
                }
                Shape::Op if data.instances.get(head.number()).op == Op::Update => {
                    let parts = data.store.parts(function);
                    let key_sort = data.instances.get(head.number()).arguments[1];
                    match self.equal(parts.get(1), self.stack[at], key_sort)? {
                        1 => return Ok(Applied::Done(parts.get(2))),
                        0 => function = parts.get(0),
                        _ => return self.make_apply(function, at, count, true).map(Applied::Done),
                    }
                }
                _ => return self.make_apply(function, at, count, true).map(Applied::Done),
            }
        }
    }

    fn unfold(&self, function: u32, arguments: &mut Vec<u32>) -> u32 {
        let parts = self.data.store.parts(function);
        match self.data.store.header(function).shape() {
            Shape::Apply => {
                let inner = self.unfold(parts.get(0), arguments);
                arguments.extend(parts.iter().skip(1));
                inner
            }
            _ => {
                arguments.extend(parts.iter());
                function
            }
        }
    }

    /// The parts of a node from `skip` on, and then the arguments, from `above` on.
    fn place(
        &mut self,
        function: u32,
        skip: usize,
        at: usize,
        count: usize,
        above: usize,
    ) -> Result<(), EvalFault> {
        let parts = self.data.store.parts(function);
        let own = parts.len() - skip;
        self.reserve(above + own + count, None)?;
        for (to, part) in (above..).zip(parts.iter().skip(skip)) {
            self.stack[to] = part;
        }
        self.stack.copy_within(at..at + count, above + own);
        Ok(())
    }

    fn copy(&mut self, at: usize, count: usize, above: usize) -> Result<(), EvalFault> {
        self.reserve(above + count, None)?;
        self.stack.copy_within(at..at + count, above);
        Ok(())
    }

    /// What a function value comes to for these arguments, by a run inside the present one.
    pub(crate) fn apply(&mut self, function: u32, arguments: &[u32]) -> Result<u32, EvalFault> {
        let (at, count) = (self.top, arguments.len());
        let above = at + count;
        self.reserve(above, None)?;
        self.stack[at..above].copy_from_slice(arguments);
        self.top = above;
        let answer = match self.enter(function, at, count, above) {
            Ok(Applied::Unit(unit)) => self.run(unit, above),
            Ok(Applied::Done(term)) => Ok(term),
            Err(fault) => Err(fault),
        };
        self.top = at;
        answer
    }

    /// A function value with arguments that does not reduce; where not `open`, more arguments may change
    /// that.
    pub(crate) fn make_apply(
        &mut self,
        function: u32,
        at: usize,
        count: usize,
        open: bool,
    ) -> Result<u32, EvalFault> {
        let mut parts = vec![function];
        parts.extend_from_slice(&self.stack[at..at + count]);
        let marks = self.data.marks_of(&parts) | INEXACT | if open { OPEN } else { 0 };
        Ok(self.data.store.node(
            &mut self.recent,
            Header::new(Shape::Apply, 0, parts.len(), marks),
            &parts,
        )?)
    }

    /// A lambda: the values from outside are on the stack from `at` on.
    pub(crate) fn make_closure(&mut self, site: u32, at: usize) -> Result<u32, EvalFault> {
        let count = self.data.closures.get(site).outside.len();
        let parts = &self.stack[at..at + count];
        let marks = self.data.marks_of(parts) | INEXACT;
        Ok(self.data.store.node(&mut self.recent, Header::new(Shape::Closure, site, count, marks), parts)?)
    }

    /// The unit of something that is compiled when it is needed, with its arguments put on the stack from
    /// `above` on.
    pub(crate) fn slow(&mut self, site: u32, fp: usize, above: usize) -> Result<UnitIx, EvalFault> {
        let site = self.data.slow.get(site);
        let unit = match site.unit.get() {
            Some(&unit) => unit,
            None => {
                let vars: Vec<VarIx> = site.vars.iter().map(|(var, _)| *var).collect();
                let made = Builder::new(self.data, &mut self.recent).slow_unit(&vars, &site.expr);
                let unit = made.and_then(|unit| {
                    self.data
                        .units
                        .push(unit)
                        .ok_or_else(|| CompileError("there are too many conditionals".into()))
                });
                // Too large now, though it was not before: as if there were no room.
                let unit = unit.map_err(|_| EvalFault::StoreFull)?;
                *site.unit.get_or_init(|| unit)
            }
        };
        self.reserve(above + site.vars.len(), None)?;
        for (at, &(_, reg)) in site.vars.iter().enumerate() {
            self.stack[above + at] = self.stack[fp + reg as usize];
        }
        Ok(unit)
    }

    fn apply_made(&mut self, made: Combinator, function: u32, arguments: &[u32]) -> Result<u32, EvalFault> {
        use crate::SortIx as S;
        let parts = self.data.store.parts(function);
        match made {
            Combinator::True | Combinator::One => return Ok(1),
            Combinator::Always => return Ok(parts.get(0)),
            _ => {}
        }
        let one = self.apply(parts.get(0), arguments)?;
        let bool2 = [S::BOOL; 2];
        let nat2 = [S::NAT; 2];
        match made {
            Combinator::Not => return self.op_of(Op::Not, &[S::BOOL], S::BOOL, &[one]),
            Combinator::And if one == 0 => return Ok(0),
            Combinator::Or if one == 1 => return Ok(1),
            Combinator::Positive => return self.op_of(Op::Less, &nat2, S::BOOL, &[0, one]),
            Combinator::Indicator => {
                return self.op_of(Op::If, &[S::BOOL, S::NAT, S::NAT], S::NAT, &[one, 1, 0]);
            }
            _ => {}
        }
        let other = self.apply(parts.get(1), arguments)?;
        match made {
            Combinator::And => self.op_of(Op::And, &bool2, S::BOOL, &[one, other]),
            Combinator::Or => self.op_of(Op::Or, &bool2, S::BOOL, &[one, other]),
            Combinator::Add => self.op_of(Op::Plus, &nat2, S::NAT, &[one, other]),
            Combinator::Min => self.op_of(Op::Min, &nat2, S::NAT, &[one, other]),
            Combinator::Monus => {
                let minus = self.op_of(Op::Minus, &nat2, S::INT, &[one, other])?;
                let most = self.op_of(Op::Max, &[S::INT; 2], S::INT, &[0, minus])?;
                self.op_of(Op::Number, &[S::INT], S::NAT, &[most])
            }
            _ => panic!("BUG: a function made of two that is none"),
        }
    }

    /// f[x -> y]: one that is there already is replaced, one that changes nothing is left out.
    pub(crate) fn update(&mut self, function: u32, key: u32, value: u32) -> Result<Option<u32>, EvalFault> {
        let data = self.data;
        if data.is_open(key) {
            return Ok(None);
        }
        let (base, mut pairs) = match data.store.header(function).shape() {
            Shape::Updated => {
                let parts = data.store.parts(function);
                (parts.get(0), parts.iter().skip(1).collect())
            }
            Shape::Op | Shape::Var => return Ok(None),
            _ => (function, Vec::new()),
        };
        let found = data.search(&pairs, 2, key);
        let same = self.apply(base, &[key])? == value;
        match (found, same) {
            (Ok(at), true) => {
                pairs.drain(2 * at..2 * at + 2);
            }
            (Ok(at), false) => pairs[2 * at + 1] = value,
            (Err(_), true) => {}
            (Err(at), false) => {
                pairs.splice(2 * at..2 * at, [key, value]);
            }
        }
        if pairs.is_empty() {
            return Ok(Some(base));
        }
        pairs.insert(0, base);
        let marks = data.marks_of(&pairs) | INEXACT;
        let head = Header::new(Shape::Updated, 0, pairs.len(), marks);
        Ok(Some(data.store.node(&mut self.recent, head, &pairs)?))
    }

    /// The value of a key of an updated function, or the function to ask instead; `None` where that cannot be
    /// told.
    fn look_up(&mut self, function: u32, key: u32) -> Result<Option<Result<u32, u32>>, EvalFault> {
        let data = self.data;
        let parts = data.store.parts(function);
        if data.is_open(key) {
            return Ok(None);
        }
        let (mut low, mut high) = (0, parts.len() / 2);
        while low < high {
            let middle = usize::midpoint(low, high);
            match data.arrange(parts.get(1 + 2 * middle), key) {
                std::cmp::Ordering::Equal => return Ok(Some(Ok(parts.get(2 + 2 * middle)))),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(Some(Err(parts.get(0))))
    }

    /// A set or bag given by a function, and the finite one of what it is wrong for.
    pub(crate) fn by(&mut self, function: u32, except: u32, bag: bool) -> Result<u32, EvalFault> {
        let parts = [function, except];
        let marks = self.data.marks_of(&parts);
        let shape = if bag { Shape::BagBy } else { Shape::SetBy };
        Ok(self.data.store.node(&mut self.recent, Header::new(shape, 0, 2, marks), &parts)?)
    }

    /// A function made of functions.
    pub(crate) fn made(&mut self, made: Combinator, parts: &[u32]) -> Result<u32, EvalFault> {
        // Not even the constant ones are exact: of a finite sort all but some are also just the others.
        let marks = INEXACT | self.data.marks_of(parts);
        Ok(self.data.store.node(
            &mut self.recent,
            Header::new(Shape::Combinator, made as u32, parts.len(), marks),
            parts,
        )?)
    }
}
