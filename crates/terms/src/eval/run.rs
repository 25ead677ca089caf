//! The loop of the machine: one instruction after the other.

use super::apply::Applied;
use super::{Evaluator, Frame, MOST_FRAMES};
use crate::code::{Instr, Unit, UnitIx};
use crate::store::node::{Header, Shape};
use crate::term::{LARGEST, SMALLEST, is_node};
use crate::{EvalFault, FunIx, Term};

impl<'d> Evaluator<'d> {
    /// Runs a unit, and what it calls, until there are no more frames than `base`. It is one function so that
    /// its state, four local variables, stays in registers; an instruction is a few lines or a call.
    pub(super) fn go(&mut self, first: UnitIx, from: usize, base: usize) -> Result<u32, EvalFault> {
        let data = self.data;
        let mut unit: &'d Unit = data.units.get(first);
        let mut code = &unit.code[..];
        let mut fp = from;
        let mut pc = 0_usize;
        self.reserve(fp + unit.registers as usize, unit.function)?;
        macro_rules! reg {
            ($at:expr) => {
                self.stack[fp + $at as usize]
            };
        }
        // Before anything that may run a unit inside: what is above the registers is free.
        macro_rules! outside {
            () => {
                self.top = fp + unit.registers as usize
            };
        }
        macro_rules! enter {
            ($number:expr, $fp:expr) => {{
                unit = data.units.get($number);
                code = &unit.code[..];
                fp = $fp;
                pc = 0;
                if self.steps == 0 {
                    self.pause(unit.function)?;
                }
                self.steps -= 1;
                self.reserve(fp + unit.registers as usize, unit.function)?;
            }};
        }
        macro_rules! call {
            ($to:expr, $number:expr, $fp:expr) => {{
                let new = $fp;
                if self.frames.len() >= MOST_FRAMES {
                    return Err(EvalFault::TooDeep { function: self.name(unit.function) });
                }
                self.frames.push(Frame { unit, pc: pc as u32, fp: fp as u32, to: $to });
                enter!($number, new);
            }};
        }
        macro_rules! answer {
            ($term:expr) => {{
                let term = $term;
                if self.frames.len() == base {
                    return Ok(term);
                }
                let Some(frame) = self.frames.pop() else { panic!("BUG: no frame to return to") };
                unit = frame.unit;
                code = &unit.code[..];
                fp = frame.fp as usize;
                pc = frame.pc as usize;
                reg!(frame.to) = term;
            }};
        }
        // An operation of two numbers: at once if both are small, by the long way otherwise.
        macro_rules! small {
            ($to:expr, $one:expr, $other:expr, $instance:expr, $small:expr) => {{
                let (one, other): (u32, u32) = ($one, $other);
                let fast = match is_node(one) || is_node(other) {
                    true => None,
                    false => {
                        let answer: i64 = $small(i64::from(one as i32), i64::from(other as i32));
                        (SMALLEST..=LARGEST).contains(&answer).then_some(answer as i32 as u32)
                    }
                };
                let answer = match fast {
                    Some(answer) => answer,
                    None => {
                        outside!();
                        self.op($instance, &[one, other])?
                    }
                };
                reg!($to) = answer;
            }};
        }
        // A jump by a comparison: at once if both are small, by the long way otherwise.
        macro_rules! jump_compared {
            ($compare:expr, $one:expr, $other:expr, $sort:expr, $stuck:expr, $yes:expr) => {{
                let (one, other): (u32, u32) = ($one, $other);
                let holds = match is_node(one) || is_node(other) {
                    false => $compare.small(one, other),
                    true => {
                        outside!();
                        match self.compare($compare, one, other, $sort)? {
                            Some(holds) => holds,
                            None => {
                                pc = unit.stuck[$stuck as usize] as usize;
                                continue;
                            }
                        }
                    }
                };
                if holds {
                    pc = $yes as usize;
                }
            }};
        }
        loop {
            let instr = code[pc];
            pc += 1;
            match instr {
                Instr::Const { to, term } => reg!(to) = term,
                Instr::Move { to, from } => reg!(to) = reg!(from),
                Instr::Jump { to } => pc = to as usize,
                Instr::Call { to, at, unit } => call!(to, unit, fp + at as usize),
                Instr::TailCall { at, count, unit } => {
                    for argument in 0..count {
                        reg!(argument) = reg!(at + argument);
                    }
                    enter!(unit, fp);
                }
                Instr::Apply { to, function, at, count } => {
                    let above = fp + unit.registers as usize;
                    outside!();
                    match self.enter(reg!(function), fp + at as usize, count as usize, above)? {
                        Applied::Unit(unit) => call!(to, unit, above),
                        Applied::Done(term) => reg!(to) = term,
                    }
                }
                Instr::Return { from } => answer!(reg!(from)),
                Instr::Answer { term } => answer!(term),
                Instr::Make { to, at, count, function } => {
                    let at = fp + at as usize;
                    let parts = &self.stack[at..at + count as usize];
                    let term = data.call(&mut self.recent, FunIx(function), parts)?;
                    reg!(to) = term;
                }
                Instr::Cons { to, head, tail } => {
                    let (head, tail) = (reg!(head), reg!(tail));
                    reg!(to) = data.cons(&mut self.recent, head, tail)?;
                }
                Instr::Uncons { to, from, tail, instance } => {
                    reg!(to) = self.head_or_tail(reg!(from), tail, instance)?;
                }
                Instr::Part { to, from, at } => reg!(to) = data.store.part(reg!(from), at as usize),
                Instr::Project { to, from, at, constructor, function } => {
                    reg!(to) = self.projected(reg!(from), at as usize, constructor, function)?;
                }
                Instr::Recognise { to, from, position, function } => {
                    reg!(to) = self.recognised(reg!(from), position, function)?;
                }
                Instr::Switch { from, table } => {
                    let table = &unit.tables[table as usize];
                    let position = data.position(reg!(from)).map_or(usize::MAX, |position| position as usize);
                    pc = table[position.min(table.len() - 1)] as usize;
                }
                Instr::SwitchList { from, nil, cons, other } => {
                    let term = reg!(from);
                    pc = match term {
                        0 => nil,
                        _ if is_node(term) && data.store.header(term).shape() == Shape::Cons => cons,
                        _ => other,
                    } as usize;
                }
                Instr::UnlessTerm { from, term, no } => {
                    if reg!(from) != term {
                        pc = no as usize;
                    }
                }
                Instr::UnlessSame { one, other, no } => {
                    if reg!(one) != reg!(other) {
                        pc = no as usize;
                    }
                }
                Instr::UnlessNumber { from, sort, no } => {
                    if !data.is_number(reg!(from), sort) {
                        pc = no as usize;
                    }
                }
                Instr::UnlessHead { from, head, no } => {
                    let term = reg!(from);
                    if !is_node(term) || !data.store.header(term).is_alike(Header(head)) {
                        pc = no as usize;
                    }
                }
                Instr::When { from, want, yes, stuck } => match reg!(from) {
                    truth @ (0 | 1) => {
                        if truth == u32::from(want) {
                            pc = yes as usize;
                        }
                    }
                    _ => pc = stuck as usize,
                },
                Instr::WhenCompared { compare, one, other, sort, stuck, yes } => {
                    jump_compared!(compare, reg!(one), reg!(other), sort, stuck, yes);
                }
                Instr::WhenComparedTo { compare, one, sort, stuck, term, yes } => {
                    jump_compared!(compare, reg!(one), term, sort, stuck, yes);
                }
                Instr::Slow { to, site } => {
                    let above = fp + unit.registers as usize;
                    let slow = self.slow(site, fp, above)?;
                    call!(to, slow, above);
                }
                Instr::SlowWhen { site, yes, no } => {
                    let above = fp + unit.registers as usize;
                    let slow = self.slow(site, fp, above)?;
                    outside!();
                    pc = if self.run(slow, above)? == 1 { yes } else { no } as usize;
                }
                Instr::Plus { to, one, other, instance } => {
                    small!(to, reg!(one), reg!(other), instance, |one: i64, other: i64| one + other);
                }
                Instr::PlusTerm { to, one, term, instance } => {
                    small!(to, reg!(one), term, instance, |one: i64, other: i64| one + other);
                }
                Instr::Minus { to, one, other, instance } => {
                    small!(to, reg!(one), reg!(other), instance, |one: i64, other: i64| one - other);
                }
                Instr::MinusTerm { to, one, term, instance } => {
                    small!(to, reg!(one), term, instance, |one: i64, other: i64| one - other);
                }
                Instr::Times { to, one, other, instance } => {
                    small!(to, reg!(one), reg!(other), instance, |one: i64, other: i64| one * other);
                }
                Instr::Cast { to, from, least, instance } => {
                    let term = reg!(from);
                    reg!(to) = match !is_node(term) && term as i32 >= i32::from(least) {
                        true => term,
                        false => {
                            outside!();
                            self.op(instance, &[term])?
                        }
                    };
                }
                Instr::Compared { to, one, other, compare, instance } => {
                    let (one, other) = (reg!(one), reg!(other));
                    let answer = match is_node(one) || is_node(other) {
                        false => u32::from(compare.small(one, other)),
                        true => {
                            outside!();
                            self.compared(compare, one, other, instance)?
                        }
                    };
                    reg!(to) = answer;
                }
                Instr::Join { to, one, other, instance } => {
                    let (one, other) = (reg!(one), reg!(other));
                    reg!(to) = match one {
                        // The first decided nothing: the whole is the second.
                        0 | 1 => other,
                        _ => self.op(instance, &[one, other])?,
                    };
                }
                Instr::Not { to, from, instance } => {
                    let term = reg!(from);
                    reg!(to) = if term <= 1 { 1 - term } else { self.op(instance, &[term])? };
                }
                Instr::Op1 { to, one, instance } => {
                    outside!();
                    reg!(to) = self.op(instance, &[reg!(one)])?;
                }
                Instr::Op2 { to, one, other, instance } => {
                    outside!();
                    reg!(to) = self.op(instance, &[reg!(one), reg!(other)])?;
                }
                Instr::Ops { to, at, count, instance } => {
                    outside!();
                    let at = fp + at as usize;
                    let arguments = self.stack[at..at + count as usize].to_vec();
                    reg!(to) = self.op(instance, &arguments)?;
                }
                Instr::MakeApply { to, function, at, count, open } => {
                    let at = fp + at as usize;
                    let term = self.make_apply(reg!(function), at, count as usize, open)?;
                    reg!(to) = term;
                }
                Instr::Closure { to, at, site } => {
                    let term = self.make_closure(site, fp + at as usize)?;
                    reg!(to) = term;
                }
                Instr::Quantify { to, at, site } => {
                    outside!();
                    let term = self.quantify(site, fp + at as usize)?;
                    reg!(to) = term;
                }
                Instr::By { to, from, bag } => {
                    let term = self.by(reg!(from), Term::EMPTY.0, bag)?;
                    reg!(to) = term;
                }
            }
        }
    }

    /// The head or the tail of a list.
    #[inline(always)]
    fn head_or_tail(&mut self, list: u32, tail: bool, instance: u32) -> Result<u32, EvalFault> {
        match self.data.uncons(list) {
            Some((_, rest)) if tail => Ok(rest),
            Some((first, _)) => Ok(first),
            None => self.stuck(instance, &[list]),
        }
    }

    /// The argument that a projection takes out: at once if the term was made by this constructor.
    #[inline(always)]
    fn projected(&mut self, term: u32, at: usize, constructor: u32, function: u32) -> Result<u32, EvalFault> {
        let data = self.data;
        let fast = is_node(term) && {
            let head = data.store.header(term);
            head.shape() == Shape::Call && head.number() == constructor
        };
        match fast {
            true => Ok(data.store.part(term, at)),
            false => Ok(data.project(&mut self.recent, FunIx(function), term)?),
        }
    }

    /// Whether the term was made by the constructor at this position.
    #[inline(always)]
    fn recognised(&mut self, term: u32, position: u16, function: u32) -> Result<u32, EvalFault> {
        let data = self.data;
        match data.position(term) {
            Some(found) => Ok(u32::from(found == u32::from(position))),
            None => Ok(data.call(&mut self.recent, FunIx(function), &[term])?),
        }
    }
}
