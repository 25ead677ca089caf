//! From the tree to a resolved model: names are looked up, statements become the elements of a graph.

use std::collections::BTreeMap;

use base::{Diagnostic, Span};

use crate::asked::asked_labels;
use crate::ast::{self, ExprKind, Statement, StatementKind, Unit};
use crate::expressions::{Lookup, run_in};
use crate::flow::{Builder, ElementIx, SequenceIx};
use crate::names::{Field, Names, Problem, Shape, Symbols, wrong};
use crate::resolved::{Basic, Expr, Initial, Pattern, Place, ProcessType, Program, Scope, ValueType, Variable};
use crate::table::Table;

/// The most processes that Spin lets run.
pub(crate) const MOST_PROCESSES: usize = 255;

/// The model in a tree, with a table of moves for each process type.
pub(crate) fn elaborate(spec: &ast::Spec) -> Result<(Program, Vec<Table>), Vec<Diagnostic>> {
    let mut problems = Vec::new();
    let mut names = Names::default();
    for unit in &spec.units {
        if let Unit::Process(process) = unit {
            if names.processes.iter().any(|(name, _)| *name == process.name.text) {
                problems.push(*wrong(format!("proctype `{}` is there twice", process.name.text), process.name.span));
            }
            names.processes.push((process.name.text.clone(), process.name.span));
        }
    }
    let mut program = Program::default();
    let mut symbols = Symbols::default();
    let mut tables = Vec::new();
    let asked = asked_labels(spec);
    for unit in &spec.units {
        let done = match unit {
            Unit::Mtype(decl) => names.mtype(decl),
            Unit::Typedef(typedef) => names.typedef(typedef),
            Unit::Global(declaration) => globals(&names, declaration, &mut symbols, &mut program.globals),
            _ => Ok(()),
        };
        problems.extend(done.err().map(|problem| *problem));
    }
    let arity: Vec<usize> = processes(spec).map(|process| parameters(&names, process)).collect();
    for unit in &spec.units {
        if let Unit::Process(process) = unit {
            match Body::new(&names, &arity, (&symbols, &program.globals)).process(process, &asked) {
                Ok((made, table)) => {
                    program.types.push(made);
                    tables.push(table);
                }
                Err(found) => problems.extend(found),
            }
        }
    }
    if problems.is_empty() && program.types.is_empty() {
        let problem = Diagnostic::error("there is no process", Span::new(0, 0))
            .help("write `init { … }` or `active proctype P() { … }`");
        problems.push(problem);
    }
    program.uses = crate::asked::uses(spec);
    program.mtypes = std::mem::take(&mut names.mtypes);
    if problems.is_empty() { Ok((program, tables)) } else { Err(problems) }
}

fn processes(spec: &ast::Spec) -> impl Iterator<Item = &ast::Process> {
    spec.units.iter().filter_map(|unit| match unit {
        Unit::Process(process) => Some(process),
        _ => None,
    })
}

/// How many values a process is started with. What is wrong with its parameters is said elsewhere.
fn parameters(names: &Names, process: &ast::Process) -> usize {
    let fields = process.parameters.iter().filter_map(|declaration| names.fields(declaration).ok()).flatten();
    fields.map(|field| names.scalars(&field.shape)).sum()
}

fn globals(
    names: &Names,
    declaration: &ast::Declaration,
    symbols: &mut Symbols,
    variables: &mut Vec<Variable>,
) -> Result<(), Problem> {
    for field in names.fields(declaration)? {
        if symbols.get(&field.name).is_some() || names.constant(&field.name).is_some() {
            return Err(twice(&field));
        }
        let mut declared = Symbols::default();
        let mut made = Vec::new();
        names.declare(&field, &mut declared, &mut made, &mut |initial, span| {
            let lookup = Lookup { names, globals: (&*symbols, &*variables), locals: (&[], &[]), runs: false };
            initially(&lookup, initial, span)
        })?;
        names.declare(&field, symbols, variables, &mut |_, _| Ok(Initial::Zero))?;
        let start = variables.len() - made.len();
        variables.splice(start.., made);
    }
    Ok(())
}

fn twice(field: &Field) -> Problem {
    Box::new(
        Diagnostic::error(format!("`{}` is declared twice", field.name), field.span)
            .help("give one of the two another name"),
    )
}

fn initially(lookup: &Lookup<'_>, initial: &ast::Initial, span: Span) -> Result<Initial, Problem> {
    Ok(match initial {
        ast::Initial::Value(expr) => Initial::All(lookup.expr(expr)?),
        ast::Initial::Cells(exprs) => {
            Initial::Cells(exprs.iter().map(|expr| lookup.expr(expr)).collect::<Result<_, _>>()?)
        }
        ast::Initial::Channel { capacity, fields } => Initial::Channel(lookup.names.channel(capacity, fields, span)?),
    })
}

/// A process type in the making.
struct Body<'a> {
    names: &'a Names,
    /// How many parameters each process type has, records taken apart.
    arity: &'a [usize],
    globals: (&'a Symbols, &'a [Variable]),
    scopes: Vec<Symbols>,
    /// The numbers of the scopes that are open, and the next number.
    path: Vec<u32>,
    next_scope: u32,
    locals: Vec<Variable>,
    builder: Builder,
    /// Declarations still stand before all statements: what they give is there when the process starts.
    at_start: bool,
}

impl<'a> Body<'a> {
    fn new(names: &'a Names, arity: &'a [usize], globals: (&'a Symbols, &'a [Variable])) -> Self {
        Self {
            names,
            arity,
            globals,
            scopes: vec![Symbols::default()],
            path: vec![0],
            next_scope: 1,
            locals: Vec::new(),
            builder: Builder::default(),
            at_start: true,
        }
    }

    fn lookup(&self) -> Lookup<'_> {
        Lookup { names: self.names, globals: self.globals, locals: (&self.scopes, &self.locals), runs: false }
    }

    fn process(
        mut self,
        process: &ast::Process,
        asked: &BTreeMap<String, BTreeMap<String, Span>>,
    ) -> Result<(ProcessType, Table), Vec<Diagnostic>> {
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
        let table = Table::new(&graph).map_err(|problem| vec![problem])?;
        let made = ProcessType {
            name: process.name.text.clone(),
            span: process.name.span,
            active,
            parameters,
            locals: self.locals,
            provided,
            priority,
            graph,
            first_number: None,
        };
        Ok((made, table))
    }

    fn declare(&mut self, declaration: &ast::Declaration, parameter: bool) -> Result<(), Problem> {
        for field in self.names.fields(declaration)? {
            let known = self.scopes.iter().chain([self.globals.0]).any(|scope| scope.get(&field.name).is_some());
            if known || self.names.constant(&field.name).is_some() {
                return Err(twice(&field));
            }
            if field.hidden {
                return Err(wrong("only variables that all processes share can be `hidden`", field.span));
            }
            match (&field.initial, self.at_start || parameter) {
                (Some(ast::Initial::Cells(_)), false) => {
                    return Err(wrong("a list of values can only stand at the start of a proctype", field.span));
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
    fn assigned(&mut self, first: usize, span: Span) {
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

    fn sequence(&mut self, sequence: &ast::Sequence, problems: &mut Vec<Diagnostic>) {
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
    fn inside(
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
    fn filled(&mut self, span: Span) -> SequenceIx {
        if self.builder.is_empty() {
            self.builder.basic(Basic::Skip, span);
        }
        self.builder.close()
    }

    fn open_scope(&mut self) {
        self.scopes.push(Symbols::default());
        self.path.push(self.next_scope);
        self.next_scope += 1;
    }

    fn close_scope(&mut self) {
        self.scopes.pop();
        self.path.pop();
    }

    fn statement(&mut self, statement: &Statement, problems: &mut Vec<Diagnostic>) -> Result<(), Problem> {
        let special =
            |label: &ast::Name| ["end", "accept", "progress"].iter().any(|prefix| label.text.starts_with(prefix));
        let labelled = statement.labels.iter().any(special);
        let element = self.element(statement, labelled, problems)?;
        let Some(element) = element else {
            return match statement.labels.first() {
                Some(label) => Err(wrong("a label cannot stand before a declaration", label.span)),
                None => Ok(()),
            };
        };
        for label in &statement.labels {
            let known = &self.builder.graph.labels;
            if known.iter().any(|known| known.name == label.text && known.scope == self.path) {
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
    fn element(
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
                let within = binary(ast::BinaryOp::Le, Expr::Read(counter.clone()), to, span);
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
                let below = binary(ast::BinaryOp::Lt, Expr::Read(counter.clone()), to, span);
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
                Box::new(Diagnostic::error("`break` outside of a loop", span).help("`break` leaves a `do` or `for`"))
            })?,
            _ => {
                let basic = self.basic(statement)?;
                self.builder.basic(basic, span)
            }
        };
        Ok(Some(made))
    }

    fn options(&mut self, options: &[ast::Sequence], span: Span, problems: &mut Vec<Diagnostic>) -> Vec<SequenceIx> {
        let made: Vec<SequenceIx> = options.iter().map(|option| self.inside(option, false, span, problems)).collect();
        made.iter().for_each(|&option| self.builder.prune(option));
        made
    }

    /// One side of an `unless`.
    fn side(&mut self, statement: &Statement, problems: &mut Vec<Diagnostic>) -> Result<SequenceIx, Problem> {
        if let (StatementKind::Block(inside), true) = (&statement.kind, statement.labels.is_empty()) {
            return Ok(self.inside(inside, true, statement.span, problems));
        }
        self.builder.open();
        let done = self.statement(statement, problems);
        let side = self.filled(statement.span);
        done.map(|()| side)
    }

    /// The loop of a `for`, its counter set already.
    fn counted(
        &mut self,
        counter: &Place,
        within: Expr,
        before: &[Basic],
        body: &ast::Sequence,
        span: Span,
        problems: &mut Vec<Diagnostic>,
    ) -> ElementIx {
        self.builder.enter_loop();
        self.builder.open();
        self.builder.basic(Basic::Condition(within), span);
        for basic in before {
            self.builder.basic(basic.clone(), span);
        }
        self.open_scope();
        self.sequence(body, problems);
        self.close_scope();
        self.builder.basic(increment(counter, span), span);
        let again = self.builder.close();
        self.builder.open();
        self.builder.basic(Basic::Else, span);
        self.builder.leave(span, false);
        let done = self.builder.close();
        self.builder.repetition(vec![done, again], span)
    }

    fn for_in(
        &mut self,
        counter: &ast::Reference,
        collection: &ast::Reference,
        body: &ast::Sequence,
        span: Span,
        problems: &mut Vec<Diagnostic>,
    ) -> Result<ElementIx, Problem> {
        let whole = self.lookup().whole(collection)?;
        let variable = match whole.scope {
            Scope::Global => &self.globals.1[whole.variable],
            Scope::Own => &self.locals[whole.variable],
        };
        let single = variable.dimensions.is_empty() || collection.index.is_some();
        if variable.ty == ValueType::Channel && single {
            let fields = self.lookup().places(counter)?;
            // The number of messages gone through, in a variable that has no name in the text.
            let number = self.locals.len();
            self.locals.push(Variable {
                name: format!("for@{}", span.start),
                ty: ValueType::Unsigned(8),
                dimensions: Vec::new(),
                initial: Initial::Zero,
                hidden: false,
                span,
            });
            let place = Place { scope: Scope::Own, variable: number, indices: Vec::new(), span };
            self.builder.basic(Basic::Assign(place.clone(), Expr::Number(0)), span);
            let messages = Expr::Channel(ast::ChannelTest::Len, whole.clone());
            let within = binary(ast::BinaryOp::Lt, Expr::Read(place.clone()), messages, span);
            let receive = Basic::Receive {
                channel: whole.clone(),
                fields: fields.iter().cloned().map(Pattern::Into).collect(),
                random: false,
                peek: false,
            };
            let send =
                Basic::Send { channel: whole, fields: fields.into_iter().map(Expr::Read).collect(), sorted: false };
            return Ok(self.counted(&place, within, &[receive, send], body, span, problems));
        }
        let Some(&cells) = variable.dimensions.last() else {
            return Err(wrong("`for … in` goes through an array or a channel", collection.span));
        };
        let counter = self.lookup().place(counter)?;
        self.builder.basic(Basic::Assign(counter.clone(), Expr::Number(0)), span);
        let last = Expr::Number(cells as i64 - 1);
        let within = binary(ast::BinaryOp::Le, Expr::Read(counter.clone()), last, span);
        Ok(self.counted(&counter, within, &[], body, span, problems))
    }

    fn channel(&self, reference: &ast::Reference) -> Result<Place, Problem> {
        let place = self.lookup().place(reference)?;
        if self.lookup().ty(&place) == ValueType::Channel {
            return Ok(place);
        }
        Err(Box::new(
            Diagnostic::error(format!("`{}` is no channel", reference.name.text), reference.span)
                .help("declare it with `chan`"),
        ))
    }

    /// A message cannot have more fields than a channel that is declared with them.
    fn count_fields(&self, channel: &Place, fields: usize, done: &str, span: Span) -> Result<(), Problem> {
        let declared = match channel.scope {
            Scope::Global => &self.globals.1[channel.variable],
            Scope::Own => &self.locals[channel.variable],
        };
        match &declared.initial {
            Initial::Channel(shape) if fields > shape.fields.len() => Err(Box::new(
                Diagnostic::error(
                    format!("{fields} fields are {done}, but `{}` has {}", declared.name, shape.fields.len()),
                    span,
                )
                .help("write as many as the channel is declared with"),
            )),
            _ => Ok(()),
        }
    }

    fn basic(&self, statement: &Statement) -> Result<Basic, Problem> {
        let lookup = self.lookup();
        Ok(match &statement.kind {
            StatementKind::Condition(expr) => match &expr.kind {
                ExprKind::Run { process, arguments, priority } => {
                    self.run(process, arguments, priority.as_deref(), None)?
                }
                ExprKind::Number(value) if *value != 0 => Basic::Skip,
                ExprKind::SetPriority(pid, priority) => {
                    Basic::Prioritise { pid: lookup.expr(pid)?, priority: lookup.expr(priority)? }
                }
                _ => Basic::Condition(lookup.expr(expr)?),
            },
            StatementKind::Assign(target, expr) => {
                let plain = target.index.is_none() && target.field.is_none();
                let forgets = plain && target.name.text == "_";
                match run_in(expr).map(|run| &run.kind) {
                    Some(ExprKind::Run { process, arguments, priority }) => {
                        let value = Lookup { runs: true, ..self.lookup() }.expr(expr)?;
                        let into = if forgets { None } else { Some((lookup.place(target)?, value)) };
                        self.run(process, arguments, priority.as_deref(), into)?
                    }
                    _ if plain && target.name.text == "_priority" => {
                        Basic::Prioritise { pid: Expr::Pid, priority: lookup.expr(expr)? }
                    }
                    _ if forgets => Basic::Print,
                    _ => Basic::Assign(lookup.place(target)?, lookup.expr(expr)?),
                }
            }
            StatementKind::Send { channel, fields, sorted } => {
                let (channel, fields) = (self.channel(channel)?, lookup.fields(fields)?);
                self.count_fields(&channel, fields.len(), "sent", statement.span)?;
                Basic::Send { channel, fields, sorted: *sorted }
            }
            StatementKind::Receive { channel, fields, random, peek } => {
                let (channel, fields) = (self.channel(channel)?, lookup.patterns(fields)?);
                self.count_fields(&channel, fields.len(), "received", statement.span)?;
                Basic::Receive { channel, fields, random: *random, peek: *peek }
            }
            StatementKind::Else => Basic::Else,
            StatementKind::Assert(expr) => Basic::Assert(lookup.expr(expr)?),
            StatementKind::Print(_, exprs) => {
                for expr in exprs {
                    lookup.expr(expr)?;
                }
                Basic::Print
            }
            StatementKind::PrintMtype(expr) => {
                lookup.expr(expr)?;
                Basic::Print
            }
            kind => unreachable!("BUG: {kind:?} is no basic statement"),
        })
    }

    fn run(
        &self,
        process: &ast::Name,
        arguments: &[ast::Expr],
        priority: Option<&ast::Expr>,
        into: Option<(Place, Expr)>,
    ) -> Result<Basic, Problem> {
        let (name, process) = (process, self.names.process(process)?);
        let given = self.lookup().fields(arguments)?;
        if let Some(most) = self.arity.get(process)
            && given.len() > *most
        {
            return Err(Box::new(
                Diagnostic::error(format!("`{}` takes {most} arguments, not {}", name.text, given.len()), name.span)
                    .help("give as many arguments as the proctype has parameters"),
            ));
        }
        let priority = priority.map_or(Ok(Expr::Number(1)), |priority| self.lookup().expr(priority))?;
        Ok(Basic::Run { process, arguments: given, priority, into })
    }
}

/// How many elements of one side of an `unless` Spin makes when it has read both; none where that is not known.
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

fn binary(op: ast::BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(right), span)
}

fn increment(counter: &Place, span: Span) -> Basic {
    let more = binary(ast::BinaryOp::Add, Expr::Read(counter.clone()), Expr::Number(1), span);
    Basic::Assign(counter.clone(), more)
}
