//! Expressions with their names looked up.

use base::{Diagnostic, Span};
use commands::{At, BinaryOp, Expr, Place, VarIx, constant};

use super::lowering::Lowering;
use super::names::{ProcessNames, Symbol, unknown};
use crate::ast::{self, ExprKind, Name, ProcessRef};

/// Named expressions that use each other deeper than this go round in a circle.
const DEEPEST_CALL: usize = 64;

/// How deep an expression may be when its named expressions are written out. Reading a text allows a little
/// less.
const DEEPEST: usize = 1100;

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    /// The process, by its number.
    pub process: Option<usize>,
    /// Names with values, besides those declared: of a loop, or of a template's instance.
    pub values: &'a [(&'a str, i64)],
    /// How many named expressions are around it.
    pub calls: usize,
}

impl Context<'_> {
    /// Outside all processes.
    pub const GLOBAL: Context<'static> = Context { process: None, values: &[], calls: 0 };

    /// Inside a process.
    pub fn process(process: usize) -> Context<'static> {
        Context { process: Some(process), values: &[], calls: 0 }
    }
}

impl<'a> Lowering<'a> {
    /// The expression with its names looked up. What cannot be is reported and stands as zero.
    pub(crate) fn expression(&mut self, expr: &ast::Expr, context: Context<'_>) -> Expr {
        // Named expressions are written out where they are used: short texts can mean very large or deep
        // expressions.
        self.spend(1, expr.span);
        if self.is_too_large() {
            return Expr::Constant(0);
        }
        if self.depth > DEEPEST {
            self.give_up("the expressions are nested deeper than can be handled", expr.span);
            return Expr::Constant(0);
        }
        self.depth += 1;
        let resolved = self.resolved(expr, context);
        self.depth -= 1;
        resolved
    }

    fn resolved(&mut self, expr: &ast::Expr, context: Context<'_>) -> Expr {
        let at = At(Some(expr.span));
        match &expr.kind {
            ExprKind::Number(value) => Expr::Constant(*value),
            ExprKind::Broken => Expr::Constant(0),
            ExprKind::Name(name) => self.name(name, expr.span, context),
            ExprKind::Cell(name, index) => {
                let index = self.expression(index, context);
                match self.look_up(name, expr.span, context) {
                    Some(symbol) => self.cell(name, symbol, index, expr.span),
                    None => Expr::Constant(0),
                }
            }
            ExprKind::At(process, state) => self.location_test(process, state, context),
            ExprKind::Foreign(process, name, index) => self.foreign(process, name, index.as_deref(), context),
            ExprKind::Call(name) => self.call(name, expr.span, context),
            ExprKind::Unary(op, operand) => Expr::Unary(*op, Box::new(self.expression(operand, context))),
            ExprKind::Binary(op, left, right) => {
                self.warn_of_bit_order(*op, left);
                let left = Box::new(self.expression(left, context));
                Expr::Binary(*op, left, Box::new(self.expression(right, context)), at)
            }
            ExprKind::And(left, right) => {
                if let ExprKind::Or(first, _) = &left.kind
                    && first.span.start == left.span.start
                {
                    self.warn_of_order(left.span, "or", "and");
                }
                self.expression(left, context).and(self.expression(right, context))
            }
            ExprKind::Or(left, right) => self.expression(left, context).or(self.expression(right, context)),
            ExprKind::Imply(left, right) => {
                self.expression(left, context).not().or(self.expression(right, context))
            }
        }
    }

    /// The value of an expression that must be constant.
    pub(crate) fn constant(&mut self, expr: &ast::Expr, context: Context<'_>) -> Option<i64> {
        let before = self.problems.len();
        let value = constant(&self.expression(expr, context));
        if self.problems.len() > before {
            return None;
        }
        if value.is_none() {
            self.problems.push(
                Diagnostic::error("this must be a constant", expr.span)
                    .label("depends on a variable, or cannot be computed")
                    .help("use numbers and names declared with `const`"),
            );
        }
        value
    }

    fn warn_of_order(&mut self, span: Span, first: &str, second: &str) {
        self.warnings.push(
            Diagnostic::warning(format!("`{first}` before `{second}` without parentheses"), span)
                .label("DVE reads from the left: this comes first")
                .help("write the parentheses, others read it the other way"),
        );
    }

    fn warn_of_bit_order(&mut self, op: BinaryOp, left: &ast::Expr) {
        use BinaryOp::{BitAnd, BitOr, BitXor};
        if let ExprKind::Binary(inner, first, _) = &left.kind
            && first.span.start == left.span.start
            && matches!((*inner, op), (BitOr | BitXor, BitAnd) | (BitOr, BitXor))
        {
            self.warn_of_order(left.span, inner.symbol(), op.symbol());
        }
    }

    fn look_up(&mut self, name: &str, span: Span, context: Context<'_>) -> Option<Symbol> {
        if let Some((_, value)) = context.values.iter().rev().find(|(known, _)| *known == name) {
            return Some(Symbol::Constant(*value));
        }
        let own = context.process.map(|process| &self.processes[process].scope);
        if let Some(symbol) = own.and_then(|scope| scope.get(name)).or_else(|| self.globals.get(name)) {
            return Some(symbol.clone());
        }
        let known = own.into_iter().flat_map(|scope| scope.names()).chain(self.globals.names());
        let mut problem = unknown("variable", name, span, known);
        let is_state =
            context.process.is_some_and(|process| self.processes[process].states.contains_key(name));
        if let (true, Some(process)) = (is_state, context.process) {
            let process = &self.processes[process].instance.name;
            problem = problem
                .help(format!("to ask whether the process is in this state, write `{process}.{name}`"));
        }
        self.problems.push(problem);
        None
    }

    fn name(&mut self, name: &str, span: Span, context: Context<'_>) -> Expr {
        match self.look_up(name, span, context) {
            None => Expr::Constant(0),
            Some(symbol) => self.single(name, &symbol, span),
        }
    }

    fn single(&mut self, name: &str, symbol: &Symbol, span: Span) -> Expr {
        match symbol {
            Symbol::Constant(value) => Expr::Constant(*value),
            Symbol::Variable(variable, None) => {
                Expr::Read(Place { variable: *variable, index: None, at: At(Some(span)) })
            }
            Symbol::Variable(_, Some(_)) | Symbol::Table(_) => {
                self.warnings.push(
                    Diagnostic::warning(format!("`{name}` is an array"), span)
                        .label("without an index it is its first cell, as in DiVinE")
                        .help(format!("write `{name}[0]` if that is meant")),
                );
                self.cell(name, symbol.clone(), Expr::Constant(0), span)
            }
            Symbol::Channel(_) => self.channel_as_value(name, span),
        }
    }

    fn cell(&mut self, name: &str, symbol: Symbol, index: Expr, span: Span) -> Expr {
        let at = At(Some(span));
        match symbol {
            Symbol::Variable(variable, Some(length)) => {
                self.warn_of_index(name, length, &index, span);
                Expr::Read(Place { variable, index: Some(Box::new(index)), at })
            }
            Symbol::Table(table) => {
                self.warn_of_index(name, table.cells.len(), &index, span);
                Expr::Table { table, index: Box::new(index), at }
            }
            Symbol::Variable(_, None) | Symbol::Constant(_) => self.wrong(
                Diagnostic::error(format!("`{name}` is not an array"), span)
                    .label("it has no cells")
                    .help("remove the index, or declare it with a size"),
            ),
            Symbol::Channel(_) => self.channel_as_value(name, span),
        }
    }

    fn warn_of_index(&mut self, name: &str, length: usize, index: &Expr, span: Span) {
        if let Some(index) = constant(index)
            && usize::try_from(index).map_or(true, |index| index >= length)
        {
            self.warnings.push(
                Diagnostic::warning(format!("index {index} is outside `{name}`"), span)
                    .label(format!("it has {length} cells, from 0 to {}", length - 1))
                    .help("a run that comes here is an error of the model"),
            );
        }
    }

    fn channel_as_value(&mut self, name: &str, span: Span) -> Expr {
        self.wrong(
            Diagnostic::error(format!("`{name}` is a channel"), span)
                .label("not a value")
                .help(format!("receive from it first: `sync {name}?x;`")),
        )
    }

    fn wrong(&mut self, problem: Diagnostic) -> Expr {
        self.problems.push(problem);
        Expr::Constant(0)
    }

    /// The process that is meant, by its number.
    pub(crate) fn process_ref(&mut self, process: &ProcessRef, context: Context<'_>) -> Option<usize> {
        let name = if process.keys.is_empty() {
            process.name.text.clone()
        } else {
            let keys: Option<Vec<i64>> = process.keys.iter().map(|key| self.constant(key, context)).collect();
            let keys: Vec<String> = keys?.iter().map(i64::to_string).collect();
            format!("{}({})", process.name.text, keys.join(","))
        };
        let found = self.process_numbers.get(&name).copied();
        let Some(number) = found else {
            let known = self.process_numbers.keys().map(String::as_str);
            self.problems.push(unknown("process", &name, process.name.span, known));
            return None;
        };
        let from_system = context.process.is_none_or(|own| !self.processes[own].instance.is_property);
        if self.processes[number].instance.is_property && from_system {
            self.problems.push(
                Diagnostic::error(
                    format!("`{name}` is a property, not a part of the system"),
                    process.name.span,
                )
                .help("a process of the system cannot look at it"),
            );
            return None;
        }
        Some(number)
    }

    fn location_test(&mut self, process: &ProcessRef, state: &Name, context: Context<'_>) -> Expr {
        let Some(number) = self.process_ref(process, context) else { return Expr::Constant(0) };
        let ProcessNames { states, location, scope, .. } = &self.processes[number];
        let location = *location;
        if let Some(&value) = states.get(state.text.as_str()) {
            return location_is(location, value, state.span);
        }
        let mut problem = unknown("state", &state.text, state.span, states.keys().copied());
        if scope.get(&state.text).is_some() {
            let name = &process.name.text;
            problem = problem.help(format!("for the variable write `{name}->{}`", state.text));
        }
        self.wrong(problem)
    }

    fn foreign(
        &mut self,
        process: &ProcessRef,
        name: &Name,
        index: Option<&ast::Expr>,
        context: Context<'_>,
    ) -> Expr {
        let index = index.map(|index| self.expression(index, context));
        let Some(number) = self.process_ref(process, context) else { return Expr::Constant(0) };
        let scope = &self.processes[number].scope;
        let Some(symbol) = scope.get(&name.text).cloned() else {
            let problem = unknown("variable", &name.text, name.span, scope.names());
            return self.wrong(problem);
        };
        match index {
            None => self.single(&name.text, &symbol, name.span),
            Some(index) => self.cell(&name.text, symbol, index, name.span),
        }
    }

    fn call(&mut self, name: &str, span: Span, context: Context<'_>) -> Expr {
        if context.calls >= DEEPEST_CALL {
            return self.wrong(
                Diagnostic::error(format!("expression `{name}` uses itself"), span).help("break the circle"),
            );
        }
        let Some(body) = self.expressions.get(name).copied() else {
            let known: Vec<&str> = self.expressions.keys().copied().collect();
            let problem = unknown("expression", name, span, known);
            return self.wrong(problem);
        };
        self.expression(body, Context { calls: context.calls + 1, ..Context::GLOBAL })
    }

    /// A place that can be assigned.
    pub(crate) fn target(&mut self, expr: &ast::Expr, context: Context<'_>) -> Option<Place> {
        let before = self.problems.len();
        match self.expression(expr, context) {
            Expr::Read(place) => Some(place),
            _ => {
                if self.problems.len() == before {
                    self.problems.push(
                        Diagnostic::error("this cannot be assigned", expr.span)
                            .label("not a variable")
                            .help("only variables and cells of arrays hold values; constants do not change"),
                    );
                }
                None
            }
        }
    }
}

/// Whether the location variable has this value.
pub(crate) fn location_is(location: VarIx, state: usize, span: Span) -> Expr {
    let place = Place { variable: location, index: None, at: At(Some(span)) };
    Expr::binary(BinaryOp::Eq, Expr::Read(place), Expr::Constant(state as i64))
}
