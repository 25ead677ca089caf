//! All equations of one function become one unit: a decision tree over the constructors of its arguments. In
//! the manner of Maranget, *Compiling pattern matching to good decision trees*, ML'08.
//!
//! *Problem.* To try equations one after the other looks at the same arguments again and again.
//!
//! *Idea.* Rows, one for each equation, say what is still to be matched. One argument is tested; for each
//! answer, the rows that are still possible go on by themselves. The argument that most rows test is tested
//! first.
//!
//! ```text
//! max(zero, n)       = n               switch on the first argument
//! max(m, zero)       = m                 zero:    rows 1 and 2; row 1 needs nothing more: answer n
//! max(s(m), s(n))    = s(max(m, n))      s(_):    rows 2 and 3: switch on the second argument
//!                                          zero:  row 2: answer m
//!                                          s(_):  row 3: answer s(max(…))
//!                                          other: row 2 asks for zero, row 3 for s: no match
//!                                        other:   row 2: is the second argument zero?
//! ```
//!
//! *Differs* from Maranget: equations have conditions, so a leaf may go on with the rows after it. A part of
//! a term has the same register on all ways to it, so the right side of an equation is compiled once. A term
//! that does not reduce (*other* above) is matched by variables only: every equation holds wherever it
//! matches, so to match less is sound.
//!
//! *Cost.* A row may be copied into several branches; past [`LARGE`] instructions equations are tested one by
//! one.

mod no_match;
mod otherwise;
mod pattern;
mod rows;

use std::collections::HashMap;

use super::builder::{Builder, Dest};
use super::conditions::has_alternatives;
use crate::code::{Instr, Reg, Target, Unit};
use crate::data::{Group, Head, left_arguments};
use crate::{CompileError, Expr, FunIx, Kind, VarIx};

use otherwise::is_negation;
use pattern::{Pattern, count};
use rows::{Row, TABLE, in_order, is_large_number, keep};

/// Past so many instructions a unit tests its equations one after the other.
const LARGE: usize = 20_000;
/// Of more equations than this for single large numbers each is tested by itself: to look through all of them
/// for each takes too long.
const MANY: usize = 1 << 12;

struct Tree<'t, 'b> {
    builder: &'t mut Builder<'b>,
    parts: HashMap<(Reg, usize), Reg>,
    bodies: HashMap<usize, Target>,
    fail: Target,
}

impl<'b> Builder<'b> {
    /// The unit of all equations with one head.
    pub(crate) fn rules(mut self, group: &Group) -> Result<Unit, CompileError> {
        let params: Vec<Reg> = (0..group.arguments).map(|_| self.take()).collect();
        let mut rows = Vec::new();
        for &rule in &group.rules {
            let equation = &self.data.spec.equations[rule];
            let mut used = equation.right.free();
            used.extend(equation.condition.iter().flat_map(Expr::free));
            let lefts = left_arguments(&equation.left);
            let mut times: HashMap<VarIx, usize> = HashMap::new();
            lefts.iter().for_each(|left| count(left, &mut times));
            let needed = |var: VarIx| used.contains(&var) || times.get(&var).is_some_and(|&times| times > 1);
            let mut row = Row { tests: Vec::new(), bound: Vec::new(), rule };
            for (&reg, left) in params.iter().zip(&lefts) {
                let pattern = self.pattern(left, &needed)?;
                row.add(reg, pattern);
            }
            rows.push(row);
        }
        let fail = self.label();
        let mut tree = Tree { builder: &mut self, parts: HashMap::new(), bodies: HashMap::new(), fail };
        tree.grow(rows);
        self.bind(fail);
        self.no_match(group.head, group.arguments);
        let function = match group.head {
            Head::Function(function, _) => Some(function),
            Head::Instance(_) => None,
        };
        self.finish(function)
    }
}

impl Tree<'_, '_> {
    /// The tests of some rows. Rows that were dealt with are left behind one by one: there may be a hundred
    /// thousand.
    fn grow(&mut self, mut rows: Vec<Row>) {
        let mut done = 0;
        loop {
            let left = &rows[done..];
            let Some(first) = left.first() else {
                return self.builder.code.push(Instr::Jump { to: self.fail });
            };
            if first.tests.is_empty() {
                match left.get(1) {
                    Some(second) if self.is_otherwise(first, second) => self.either(first, second),
                    _ if self.leaf(first) => {}
                    _ => return,
                }
                done += 1;
                continue;
            }
            let is_large = self.builder.code.len() > LARGE || left.len() > MANY && is_large_number(first);
            if is_large && left.len() > 1 {
                let (outer, rest) = (self.fail, self.builder.label());
                self.fail = rest;
                self.grow(vec![first.clone()]);
                self.builder.bind(rest);
                self.fail = outer;
                done += 1;
                continue;
            }
            // Of what the first row tests, what most rows test.
            let asked = |reg: Reg| match first.tests.len() {
                1 => 0,
                _ => left.iter().filter(|row| row.test(reg).is_some()).count(),
            };
            let best =
                first.tests.iter().enumerate().max_by_key(|(at, (reg, _))| (asked(*reg), usize::MAX - at));
            let Some((_, &(reg, ref pattern))) = best else { panic!("BUG: a row without tests") };
            let no = match pattern {
                Pattern::Constructor(..) => return self.switch(reg, left),
                Pattern::Nil | Pattern::Cons(_) => return self.switch_list(reg, left),
                Pattern::Term(term) if *term < TABLE => return self.switch_numbers(reg, left),
                Pattern::Term(term) => {
                    let (term, no) = (*term, self.builder.label());
                    self.builder.code.push(Instr::UnlessTerm { from: reg, term, no });
                    self.grow(keep(left, reg, |pattern| match pattern {
                        Pattern::Term(other) if *other == term => Some(Some(vec![])),
                        Pattern::Number(..) => Some(None),
                        _ => None,
                    }));
                    no
                }
                Pattern::Number(sort, _) => {
                    let (sort, no) = (*sort, self.builder.label());
                    self.builder.code.push(Instr::UnlessNumber { from: reg, sort, no });
                    self.grow(keep(left, reg, |pattern| match pattern {
                        Pattern::Number(other, inner) if *other == sort => {
                            Some(Some(vec![(reg, (**inner).clone())]))
                        }
                        _ => Some(None),
                    }));
                    no
                }
                Pattern::Stuck(head, inner) => {
                    let (head, no, count) = (*head, self.builder.label(), inner.len());
                    self.builder.code.push(Instr::UnlessHead { from: reg, head, no });
                    let yes = keep(left, reg, |pattern| match pattern {
                        Pattern::Stuck(other, _) if *other != head => None,
                        Pattern::Stuck(..) => Some(None),
                        _ => None,
                    });
                    let yes = self.take_apart(reg, count, &yes);
                    self.grow(yes);
                    no
                }
                Pattern::Any | Pattern::Var(_) => panic!("BUG: a test that tests nothing"),
            };
            // Where that is not so, all but those that ask for it.
            self.builder.bind(no);
            let asked = pattern.clone();
            rows.drain(..done);
            done = 0;
            rows.retain(|row| match (row.test(reg), &asked) {
                (Some(Pattern::Term(one)), Pattern::Term(other)) => one != other,
                (Some(Pattern::Number(one, _)), Pattern::Number(other, _)) => one != other,
                (Some(Pattern::Stuck(one, _)), Pattern::Stuck(other, _)) => one != other,
                _ => true,
            });
        }
    }

    /// Loads the parts that some row looks at, and puts their tests in place of the whole's.
    fn take_apart(&mut self, reg: Reg, count: usize, rows: &[Row]) -> Vec<Row> {
        let inner = |row: &Row| match row.test(reg) {
            Some(Pattern::Constructor(_, parts) | Pattern::Cons(parts) | Pattern::Stuck(_, parts)) => {
                Some(parts.clone())
            }
            _ => None,
        };
        let mut regs = vec![None; count];
        for (at, place) in regs.iter_mut().enumerate() {
            if rows.iter().filter_map(inner).any(|parts| !matches!(parts[at], Pattern::Any)) {
                let to = match self.parts.get(&(reg, at)) {
                    Some(&known) => known,
                    None => {
                        let to = self.builder.take();
                        self.parts.insert((reg, at), to);
                        to
                    }
                };
                self.builder.code.push(Instr::Part { to, from: reg, at: at as Reg });
                *place = Some(to);
            }
        }
        let refine = |row: &Row| match inner(row) {
            None => row.clone(),
            Some(parts) => {
                let placed =
                    parts.into_iter().zip(&regs).filter_map(|(part, reg)| reg.map(|reg| (reg, part)));
                row.refined(reg, placed.collect())
            }
        };
        rows.iter().map(refine).collect()
    }

    fn switch(&mut self, reg: Reg, rows: &[Row]) {
        let mut heads: Vec<(FunIx, usize, Target)> = Vec::new();
        // The rows of each constructor, and those that ask for none; by their numbers, so that they stay in
        // order.
        let mut of: HashMap<FunIx, Vec<usize>> = HashMap::new();
        let mut of_all: Vec<usize> = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            match row.test(reg) {
                Some(Pattern::Constructor(constructor, parts)) => {
                    let list = of.entry(*constructor).or_default();
                    if list.is_empty() {
                        heads.push((*constructor, parts.len(), self.builder.label()));
                    }
                    list.push(at);
                }
                None => of_all.push(at),
                Some(_) => {}
            }
        }
        let data = self.builder.data;
        let sort = data.spec.functions[heads[0].0.ix()].result;
        let other = self.builder.label();
        let mut table = vec![other; data.constructors[sort.ix()].len() + 1];
        heads.iter().for_each(|&(head, _, label)| table[data.positions[head.ix()] as usize] = label);
        self.builder.tables.push(table.into());
        let table = self.builder.tables.len() as u32 - 1;
        self.builder.code.push(Instr::Switch { from: reg, table });
        for (head, count, label) in heads {
            self.builder.bind(label);
            let rows = self.take_apart(reg, count, &in_order(&of[&head], &of_all, rows));
            self.grow(rows);
        }
        self.builder.bind(other);
        self.grow(keep(rows, reg, |pattern| match pattern {
            Pattern::Constructor(..) => None,
            _ => Some(None),
        }));
    }

    fn switch_list(&mut self, reg: Reg, rows: &[Row]) {
        let (nil, cons, other) = (self.builder.label(), self.builder.label(), self.builder.label());
        self.builder.code.push(Instr::SwitchList { from: reg, nil, cons, other });
        self.builder.bind(cons);
        let some = keep(rows, reg, |pattern| match pattern {
            Pattern::Cons(_) => Some(None),
            _ => None,
        });
        let some = self.take_apart(reg, 2, &some);
        self.grow(some);
        self.builder.bind(nil);
        self.grow(keep(rows, reg, |pattern| match pattern {
            Pattern::Nil => Some(Some(vec![])),
            _ => None,
        }));
        self.builder.bind(other);
        self.grow(keep(rows, reg, |pattern| match pattern {
            Pattern::Nil | Pattern::Cons(_) => None,
            _ => Some(None),
        }));
    }

    fn switch_numbers(&mut self, reg: Reg, rows: &[Row]) {
        let mut heads: Vec<u32> = Vec::new();
        let mut of: HashMap<u32, Vec<usize>> = HashMap::new();
        let mut of_all: Vec<usize> = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            match row.test(reg) {
                Some(Pattern::Term(term)) if *term < TABLE => {
                    let list = of.entry(*term).or_default();
                    if list.is_empty() {
                        heads.push(*term);
                    }
                    list.push(at);
                }
                None | Some(Pattern::Number(..)) => of_all.push(at),
                Some(_) => {}
            }
        }
        let labels: Vec<Target> = heads.iter().map(|_| self.builder.label()).collect();
        let other = self.builder.label();
        let mut table = vec![other; heads.iter().max().map_or(0, |&most| most as usize) + 2];
        heads.iter().zip(&labels).for_each(|(&head, &label)| table[head as usize] = label);
        self.builder.tables.push(table.into());
        let table = self.builder.tables.len() as u32 - 1;
        self.builder.code.push(Instr::Switch { from: reg, table });
        for (&head, &label) in heads.iter().zip(&labels) {
            self.builder.bind(label);
            let kept = in_order(&of[&head], &of_all, rows);
            self.grow(keep(&kept, reg, |pattern| match pattern {
                Pattern::Term(_) => Some(Some(vec![])),
                _ => Some(None),
            }));
        }
        self.builder.bind(other);
        self.grow(keep(rows, reg, |pattern| match pattern {
            Pattern::Term(term) if of.contains_key(term) => None,
            _ => Some(None),
        }));
    }

    /// The right side of an equation whose left side matches; says whether equations after it may be needed.
    fn leaf(&mut self, row: &Row) -> bool {
        let data = self.builder.data;
        let equation = &data.spec.equations[row.rule];
        let no = self.builder.label();
        let mut vars: HashMap<VarIx, Reg> = HashMap::new();
        let mut tested = false;
        for &(var, reg) in &row.bound {
            match vars.get(&var) {
                Some(&one) => {
                    self.builder.code.push(Instr::UnlessSame { one, other: reg, no });
                    tested = true;
                }
                None => {
                    vars.insert(var, reg);
                }
            }
        }
        self.builder.vars = vars;
        if let Some(condition) = &equation.condition
            && !matches!(&*condition.kind, Kind::Truth(true))
        {
            self.builder.unless(condition, no);
            tested = true;
        }
        self.body(row.rule);
        self.builder.bind(no);
        tested
    }

    /// The right side of an equation: compiled once, jumped to after that.
    fn body(&mut self, rule: usize) {
        match self.bodies.get(&rule) {
            Some(&body) => self.builder.code.push(Instr::Jump { to: body }),
            None => {
                let body = self.builder.label();
                self.builder.bind(body);
                self.bodies.insert(rule, body);
                let data = self.builder.data;
                self.builder.expr(&data.spec.equations[rule].right, Dest::Return);
            }
        }
    }

    /// Whether the second of two rows that match holds wherever the condition of the first is false.
    fn is_otherwise(&self, first: &Row, second: &Row) -> bool {
        let condition = |row: &Row| {
            let condition = self.builder.data.spec.equations[row.rule].condition.as_ref()?;
            // Variables by their registers: two equations may have names of their own for the same argument.
            let by: HashMap<VarIx, Expr> = (row.bound.iter())
                .map(|&(var, reg)| {
                    (var, Expr::var(VarIx(u32::from(reg)), self.builder.data.spec.vars[var.ix()].sort))
                })
                .collect();
            let twice = by.len() < row.bound.len();
            (row.tests.is_empty() && !twice).then(|| condition.substitute(&by))
        };
        match (condition(first), condition(second)) {
            (Some(one), Some(other)) => !has_alternatives(&one) && is_negation(&one, &other),
            _ => false,
        }
    }

    /// Two equations of which the second holds where the condition of the first is false; goes on where that
    /// is neither.
    fn either(&mut self, first: &Row, second: &Row) {
        let data = self.builder.data;
        let Some(condition) = &data.spec.equations[first.rule].condition else { panic!("BUG: no condition") };
        let (no, stuck) = (self.builder.label(), self.builder.label());
        self.builder.vars = first.bound.iter().copied().collect();
        self.builder.jump(condition, false, no, stuck);
        self.body(first.rule);
        self.builder.bind(no);
        self.builder.vars = second.bound.iter().copied().collect();
        self.body(second.rule);
        self.builder.bind(stuck);
    }
}
