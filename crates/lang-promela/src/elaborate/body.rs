//! A process type: its declarations and statements become variables and the elements of a graph.

mod basic;
mod loops;

use std::collections::BTreeMap;

use base::{Diagnostic, Span};
use commands::BinaryOp as Op;

use self::loops::{binary, increment};
use super::expressions::Lookup;
use super::names::{Names, Problem, Shape, SymbolTable, wrong};
use super::{MOST_PROCESSES, initially, twice};
use crate::ast::{self, Statement, StatementKind};
use crate::flow::builder::Builder;
use crate::flow::table::MoveTable;
use crate::flow::{ElementIx, SequenceIx};
use crate::program::ProcessType;
use crate::resolved::{Basic, Expr, Initial, Place, Scope, Variable};

/// A process type in the making.
pub(super) struct Body<'a> {
    pub(super) names: &'a Names,
    /// How many parameters each process type has, records taken apart.
    pub(super) arity: &'a [usize],
    pub(super) globals: (&'a SymbolTable, &'a [Variable]),
    scopes: Vec<SymbolTable>,
    /// The numbers of the scopes that are open, and the next number.
    path: Vec<u32>,
    next_scope: u32,
    pub(super) locals: Vec<Variable>,
    pub(super) builder: Builder,
    /// Declarations still stand before all statements: what they give is there when the process starts.
    at_start: bool,
}

impl<'a> Body<'a> {
    pub(super) fn new(
        names: &'a Names,
        arity: &'a [usize],
        globals: (&'a SymbolTable, &'a [Variable]),
    ) -> Self {
        Self {
            names,
            arity,
            globals,
            scopes: vec![SymbolTable::default()],
            path: vec![0],
            next_scope: 1,
            locals: Vec::new(),
            builder: Builder::default(),
            at_start: true,
        }
    }

    pub(super) fn lookup(&self) -> Lookup<'_> {
        Lookup { names: self.names, globals: self.globals, locals: (&self.scopes, &self.locals), runs: false }
    }

    pub(super) fn process(
        mut self,
        process: &ast::Process,
        asked: &BTreeMap<String, BTreeMap<String, Span>>,
    ) -> Result<(ProcessType, MoveTable), Vec<Diagnostic>> {
        let mut problems = Vec::new();
        for declaration in &process.parameters {
            problems.extend(self.declare(declaration, true).err().map(|problem| *problem));
        }
        let parameters = self.locals.len();
        let active = match &process.active {
            None => Ok(0),
            Some(None) => Ok(1),
            Some(Some(count)) => self.names.number(count).and_then(|n| {
                let good = usize::try_from(n).ok().filter(|&n| n <= MOST_PROCESSES);
                good.ok_or_else(|| wrong(format!("{n} instances cannot run"), count.span))
            }),
        };
        let priority = process.priority.as_ref().map_or(Ok(1), |priority| self.names.number(priority));
        let provided = process.provided.as_ref().map(|expr| self.lookup().expr(expr)).transpose();
        self.builder.open();
        self.sequence(&process.body, &mut problems);
        self.builder.basic(Basic::End, process.end);
        let body = self.builder.close();
        let (active, provided, priority) = match (active, provided, priority) {
            (Ok(active), Ok(provided), Ok(priority)) => (active, provided, priority),
            (active, provided, priority) => {
                let found = [active.err(), provided.err(), priority.err()];
                problems.extend(found.into_iter().flatten().map(|problem| *problem));
                (0, None, 1)
            }
        };
        if !problems.is_empty() {
            return Err(problems);
        }
        let none = BTreeMap::new();
        let graph = self.builder.finish(body, asked.get(&process.name.text).unwrap_or(&none))?;
        let table = MoveTable::new(&graph).map_err(|problem| vec![problem])?;
        let made = ProcessType {
            name: process.name.text.clone(),
            span: process.name.span,
            active,
            parameters,
            locals: self.locals,
            provided,
            priority,
            deterministic: process.deterministic,
            graph,
            first_number: None,
        };
        Ok((made, table))
    }

    pub(super) fn declare(&mut self, declaration: &ast::Declaration, parameter: bool) -> Result<(), Problem> {
        for field in self.names.fields(declaration)? {
            let known =
                self.scopes.iter().chain([self.globals.0]).any(|scope| scope.get(&field.name).is_some());
            if known || self.names.constant(&field.name).is_some() {
                return Err(twice(&field));
            }
            if field.hidden {
                return Err(wrong("only variables that all processes share can be `hidden`", field.span));
            }
            match (&field.initial, self.at_start || parameter) {
                (Some(ast::Initial::Cells(_)), false) => {
                    return Err(wrong(
                        "a list of values can only stand at the start of a proctype",
                        field.span,
                    ));
                }
                (Some(ast::Initial::Channel { .. }), false) => {
                    return Err(wrong("a channel can only be made at the start of a proctype", field.span));
                }
                _ => {}
            }
            if parameter && field.length.is_some() {
                return Err(wrong("a parameter cannot be an array", field.span));
            }
            let first = self.locals.len();
            let now = self.at_start;
            let initial: Vec<Result<Initial, Problem>> = match (&field.shape, &field.initial) {
                (Shape::Scalar(_), Some(initial)) => vec![initially(&self.lookup(), initial, field.span)],
                _ => Vec::new(),
            };
            let mut own = initial.into_iter();
            let (names, globals) = (self.names, self.globals);
            let mut scope = self.scopes.pop().expect("BUG: no scope");
            let declared = names.declare(&field, &mut scope, &mut self.locals, &mut |initial, span| {
                own.next().unwrap_or_else(|| {
                    initially(&Lookup { names, globals, locals: (&[], &[]), runs: false }, initial, span)
                })
            });
            self.scopes.push(scope);
            declared?;
            if !now && !parameter {
                self.assigned(first, field.span);
            }
        }
        Ok(())
    }

    /// A declaration in the middle gives its variables their values when it is passed: a step for each.
    pub(super) fn assigned(&mut self, first: usize, span: Span) {
        let is_record = self.locals.len() > first + 1;
        for number in first..self.locals.len() {
            let variable = &mut self.locals[number];
            if matches!(variable.initial, Initial::Channel(_)) {
                continue;
            }
            let value = match std::mem::replace(&mut variable.initial, Initial::Zero) {
                Initial::All(expr) => expr,
                _ => Expr::Number(0),
            };
            let indices = variable.dimensions.iter().map(|_| Expr::Number(0)).collect();
            if !is_record {
                let place = Place { scope: Scope::Own, variable: number, indices, span };
                self.builder.basic(Basic::Assign(place, value), span);
            }
        }
        if is_record {
            self.builder.basic(Basic::Skip, span);
        }
    }

    pub(super) fn sequence(&mut self, sequence: &ast::Sequence, problems: &mut Vec<Diagnostic>) {
        for statement in &sequence.statements {
            if !matches!(statement.kind, StatementKind::Declare(_) | StatementKind::Exclusive { .. }) {
                self.at_start = false;
            }
            if let Err(problem) = self.statement(statement, problems) {
                problems.push(*problem);
            }
        }
    }

    /// A sequence that is opened and closed for its own, in a scope of its own or not.
    pub(super) fn inside(
        &mut self,
        sequence: &ast::Sequence,
        scoped: bool,
        span: Span,
        problems: &mut Vec<Diagnostic>,
    ) -> SequenceIx {
        self.builder.open();
        if scoped {
            self.open_scope();
            if let Some(label) = sequence.statements.first().and_then(|first| first.labels.first()) {
                problems.push(
                    Diagnostic::error(
                        format!("label `{}` stands on the first statement of a block", label.text),
                        label.span,
                    )
                    .help("write the label before the opening brace, `atomic` or `d_step`"),
                );
            }
        }
        self.sequence(sequence, problems);
        if scoped {
            self.close_scope();
        }
        self.filled(span)
    }

    /// Closes the sequence that is open; one without statements does nothing.
    pub(super) fn filled(&mut self, span: Span) -> SequenceIx {
        if self.builder.is_empty() {
            self.builder.basic(Basic::Skip, span);
        }
        self.builder.close()
    }

    pub(super) fn open_scope(&mut self) {
        self.scopes.push(SymbolTable::default());
        self.path.push(self.next_scope);
        self.next_scope += 1;
    }

    pub(super) fn close_scope(&mut self) {
        self.scopes.pop();
        self.path.pop();
    }

    pub(super) fn statement(
        &mut self,
        statement: &Statement,
        problems: &mut Vec<Diagnostic>,
    ) -> Result<(), Problem> {
        let special = |label: &ast::Name| {
            ["end", "accept", "progress"].iter().any(|prefix| label.text.starts_with(prefix))
        };
        let labelled = statement.labels.iter().any(special);
        let element = self.element(statement, labelled, problems)?;
        let Some(element) = element else {
            return match statement.labels.first() {
                Some(label) => Err(wrong("a label cannot stand before a declaration", label.span)),
                None => Ok(()),
            };
        };
        self.labels(&statement.labels, element)
    }

    /// Gives labels to an element.
    fn labels(&mut self, labels: &[ast::Name], element: ElementIx) -> Result<(), Problem> {
        for label in labels {
            if self.builder.graph.labels.named(&label.text).any(|known| known.scope == self.path) {
                return Err(Box::new(
                    Diagnostic::error(format!("label `{}` is there twice", label.text), label.span)
                        .help("give one of the two another name"),
                ));
            }
            self.builder.label(&label.text, &self.path, element, label.span);
        }
        Ok(())
    }

    /// Enters a statement; the answer is the element that its labels name.
    pub(super) fn element(
        &mut self,
        statement: &Statement,
        labelled: bool,
        problems: &mut Vec<Diagnostic>,
    ) -> Result<Option<ElementIx>, Problem> {
        let span = statement.span;
        let made = match &statement.kind {
            StatementKind::Declare(declaration) => {
                self.declare(declaration, false)?;
                return Ok(None);
            }
            StatementKind::Exclusive { channels, .. } => {
                for channel in channels {
                    self.channel(channel)?;
                }
                return Ok(None);
            }
            StatementKind::If(options) => {
                let options = self.options(options, span, problems);
                self.builder.choice(options, span)
            }
            StatementKind::Do(options) => {
                self.builder.enter_loop();
                let options = self.options(options, span, problems);
                self.builder.repetition(options, span)
            }
            StatementKind::For { counter, from, to, body } => {
                let counter = self.lookup().place(counter)?;
                let (from, to) = (self.lookup().expr(from)?, self.lookup().expr(to)?);
                self.builder.basic(Basic::Assign(counter.clone(), from), span);
                let within = binary(Op::Le, Expr::Read(counter.clone()), to, span);
                self.counted(&counter, within, &[], body, span, problems)
            }
            StatementKind::ForIn { counter, collection, body } => {
                self.for_in(counter, collection, body, span, problems)?
            }
            StatementKind::Select { counter, from, to } => {
                let counter = self.lookup().place(counter)?;
                let (from, to) = (self.lookup().expr(from)?, self.lookup().expr(to)?);
                self.builder.basic(Basic::Assign(counter.clone(), from), span);
                self.builder.enter_loop();
                self.builder.open();
                let below = binary(Op::Lt, Expr::Read(counter.clone()), to, span);
                self.builder.basic(Basic::Condition(below), span);
                self.builder.basic(increment(&counter, span), span);
                let more = self.builder.close();
                self.builder.open();
                self.builder.leave(span, false);
                let enough = self.builder.close();
                self.builder.repetition(vec![enough, more], span)
            }
            StatementKind::Atomic(inside) => {
                let inside = self.inside(inside, true, span, problems);
                self.builder.atomic(inside, span)
            }
            StatementKind::DStep(inside) => {
                let inside = self.inside(inside, true, span, problems);
                self.builder.step(inside, span)
            }
            StatementKind::Block(inside) => {
                let inside = self.inside(inside, true, span, problems);
                self.builder.block(inside, span)
            }
            StatementKind::Unless(main, escape) if is_labelled_bracket(main) => {
                self.labelled_unless(main, escape, span, problems)?
            }
            StatementKind::Unless(main, escape) => {
                let late = made_late(main).filter(|_| made_late(escape).is_some());
                let main = self.side(main, problems)?;
                let first = self.builder.elements();
                let escape = self.side(escape, problems)?;
                self.builder.make_late(late, first);
                self.builder.unless(main, escape, span)
            }
            StatementKind::Goto(name) => self.builder.goto(&name.text, &self.path, name.span, labelled),
            StatementKind::Break => self.builder.leave(span, labelled).ok_or_else(|| {
                Box::new(
                    Diagnostic::error("`break` outside of a loop", span)
                        .help("`break` leaves a `do` or `for`"),
                )
            })?,
            _ => {
                let basic = self.basic(statement)?;
                self.builder.basic(basic, span)
            }
        };
        Ok(Some(made))
    }

    pub(super) fn options(
        &mut self,
        options: &[ast::Sequence],
        span: Span,
        problems: &mut Vec<Diagnostic>,
    ) -> Vec<SequenceIx> {
        let made: Vec<SequenceIx> =
            options.iter().map(|option| self.inside(option, false, span, problems)).collect();
        made.iter().for_each(|&option| self.builder.prune(option));
        made
    }

    /// An `unless` whose main part stands in brackets with a label before them: the label is that of a block
    /// around the whole.
    fn labelled_unless(
        &mut self,
        main: &Statement,
        escape: &Statement,
        span: Span,
        problems: &mut Vec<Diagnostic>,
    ) -> Result<ElementIx, Problem> {
        let (StatementKind::Block(inside) | StatementKind::Atomic(inside)) = &main.kind else {
            panic!("BUG: nothing in brackets")
        };
        self.builder.open();
        let first = self.inside(inside, true, main.span, problems);
        if let StatementKind::Atomic(_) = main.kind {
            self.builder.make_atomic(first, false);
        }
        let behind = self.builder.elements();
        let second = self.side(escape, problems)?;
        self.builder.make_late(made_late(escape).map(|_| 0), behind);
        self.builder.unless(first, second, span);
        let around = self.builder.close();
        let element = self.builder.block(around, span);
        self.labels(&main.labels, element)?;
        Ok(element)
    }

    /// One side of an `unless`.
    pub(super) fn side(
        &mut self,
        statement: &Statement,
        problems: &mut Vec<Diagnostic>,
    ) -> Result<SequenceIx, Problem> {
        if let (StatementKind::Block(inside), true) = (&statement.kind, statement.labels.is_empty()) {
            return Ok(self.inside(inside, true, statement.span, problems));
        }
        self.builder.open();
        let done = self.statement(statement, problems);
        let side = self.filled(statement.span);
        done.map(|()| side)
    }
}

/// Whether it is a block or an atomic sequence with a label before it.
fn is_labelled_bracket(statement: &Statement) -> bool {
    !statement.labels.is_empty()
        && matches!(statement.kind, StatementKind::Block(_) | StatementKind::Atomic(_))
}

/// How many elements of one side of an `unless` Spin makes when it has read both; none where that is not
/// known.
fn made_late(side: &Statement) -> Option<usize> {
    match &side.kind {
        _ if !side.labels.is_empty() => None,
        StatementKind::For { .. } | StatementKind::ForIn { .. } | StatementKind::Select { .. } => None,
        StatementKind::Declare(_) | StatementKind::Exclusive { .. } => None,
        StatementKind::Block(_) => Some(0),
        StatementKind::If(_) | StatementKind::Unless(..) => Some(2),
        StatementKind::Do(_) => Some(3),
        _ => Some(1),
    }
}
