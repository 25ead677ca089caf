//! Declarations: variables, constants and channels, and the checks on them.

use std::sync::Arc;

use base::{Diagnostic, Span, TypeIx};
use commands::{BuildError, Overflow, Table, Variable};
use model::{SlotRole, Type};

use super::lowering::{BYTE, INT, Lowering};
use super::names::{Buffer, Channel, Scope, Symbol};
use super::resolve::Context;
use crate::ast::{self, BasicType, ChannelDecl, Declaration, Initial, VariableDecl};

impl<'a> Lowering<'a> {
    pub(crate) fn declare(
        &mut self,
        declarations: &'a [Declaration],
        scope: &mut Scope,
        prefix: &str,
        context: Context<'_>,
    ) {
        // Channels stand behind the variables, whatever the order of the text.
        for declaration in declarations {
            if let Declaration::Variable(variable) = declaration {
                self.variable(variable, scope, prefix, context);
            }
        }
        for declaration in declarations {
            if let Declaration::Channel(channel) = declaration {
                self.channel(channel, scope, prefix, context);
            }
        }
    }

    fn enter(&mut self, scope: &mut Scope, name: &ast::Name, symbol: Symbol) {
        if let Some(first) = scope.enter(&name.text, symbol, name.span) {
            let line = self.program.source.as_ref().map_or(1, |source| source.position(first).line);
            let problem = Diagnostic::error(format!("`{}` is declared twice", name.text), name.span);
            self.problems
                .push(problem.label(format!("declared first in line {line}")).help("rename one of them"));
        }
    }

    /// A constant expression in a declaration; names of the scope that is being filled are in sight.
    fn declared_constant(
        &mut self,
        expr: &ast::Expr,
        scope: &mut Scope,
        context: Context<'_>,
    ) -> Option<i64> {
        // The scope is out of its place while it is filled.
        self.swap_scope(scope, context);
        let value = self.constant(expr, context);
        self.swap_scope(scope, context);
        value
    }

    fn swap_scope(&mut self, scope: &mut Scope, context: Context<'_>) {
        let place = match context.process {
            Some(process) => &mut self.processes[process].scope,
            None => &mut self.globals,
        };
        std::mem::swap(place, scope);
    }

    fn variable(&mut self, decl: &VariableDecl, scope: &mut Scope, prefix: &str, context: Context<'_>) {
        let length = match &decl.length {
            None => None,
            Some(length) => {
                let value = self.declared_constant(length, scope, context);
                Some(self.size(value, length.span, "an array", 1).unwrap_or(1))
            }
        };
        let initial = self.initial(decl, length, scope, context);
        let symbol = match (decl.constant, length) {
            (true, None) => Symbol::Constant(initial.first().copied().map_or(0, i64::from)),
            (true, Some(length)) => {
                let mut cells: Vec<i64> = initial.iter().copied().map(i64::from).collect();
                cells.resize(length, 0);
                Symbol::Table(Arc::new(Table { name: format!("{prefix}{}", decl.name.text), cells }))
            }
            (false, _) => Symbol::Variable(
                self.add(Variable {
                    name: format!("{prefix}{}", decl.name.text),
                    ty: TypeIx::new(if decl.ty == BasicType::Byte { BYTE } else { INT }),
                    length,
                    initial,
                    overflow: Overflow::Error,
                    scratch: false,
                    role: SlotRole::Variable,
                    span: Some(decl.name.span),
                }),
                length,
            ),
        };
        self.enter(scope, &decl.name, symbol);
    }

    /// A size that was computed, if it is one that can be.
    fn size(&mut self, value: Option<i64>, span: Span, what: &str, least: i64) -> Option<usize> {
        let value = value?;
        let most = BuildError::MOST_SLOTS.saturating_sub(self.slots) as i64;
        if (least..=most).contains(&value) {
            return usize::try_from(value).ok();
        }
        let label = if value < least {
            format!("at least {least}")
        } else {
            format!("the whole state can have {} cells, {most} are left", BuildError::MOST_SLOTS)
        };
        let message = format!("{what} cannot have {value} cells");
        self.problems.push(Diagnostic::error(message, span).label(label).help("choose another size"));
        None
    }

    fn initial(
        &mut self,
        decl: &VariableDecl,
        length: Option<usize>,
        scope: &mut Scope,
        context: Context<'_>,
    ) -> Vec<i32> {
        let (values, span): (&[ast::Expr], Span) = match (&decl.initial, length) {
            (None, _) => return Vec::new(),
            (Some(Initial::Single(value)), None) => (std::slice::from_ref(value), value.span),
            (Some(Initial::List(values, span)), Some(_)) => (values, *span),
            (Some(Initial::Single(value)), Some(_)) => {
                let problem = Diagnostic::error(format!("`{}` is an array", decl.name.text), value.span);
                self.problems.push(problem.help("write its values in braces: `= {0, 1}`"));
                return Vec::new();
            }
            (Some(Initial::List(_, span)), None) => {
                let problem = Diagnostic::error(format!("`{}` is not an array", decl.name.text), *span);
                self.problems.push(problem.help("write one value without braces, or give it a size"));
                return Vec::new();
            }
        };
        let length = length.unwrap_or(1);
        if values.len() > length {
            self.warnings.push(
                Diagnostic::warning(format!("{} initial values for {length} cells", values.len()), span)
                    .label("the last ones are not used"),
            );
        }
        let (lo, hi) = decl.ty.range();
        let mut initial = Vec::with_capacity(length.min(values.len()));
        for expr in values.iter().take(length) {
            let Some(value) = self.declared_constant(expr, scope, context) else { continue };
            if !(lo..=hi).contains(&value) {
                let message = format!("value {value} does not fit `{}`", decl.name.text);
                let label = format!("`{}` holds {lo} to {hi}", decl.ty.name());
                self.problems
                    .push(Diagnostic::error(message, expr.span).label(label).help("choose another value"));
            }
            initial.push(value.clamp(lo, hi) as i32);
        }
        initial
    }

    fn channel(&mut self, decl: &ChannelDecl, scope: &mut Scope, prefix: &str, context: Context<'_>) {
        let name = format!("{prefix}{}", decl.name.text);
        let capacity = match &decl.capacity {
            None => 0,
            Some(expr) => {
                let value = self.declared_constant(expr, scope, context);
                self.size(value, expr.span, "a channel", 0).unwrap_or(0)
            }
        };
        if capacity > 0 && decl.types.is_none() {
            self.problems.push(
                Diagnostic::error("a channel that holds messages needs their types", decl.name.span)
                    .help(format!("write `channel {{byte}} {}[{capacity}];`", decl.name.text)),
            );
        }
        let buffer = (capacity > 0).then(|| self.buffer(decl, &name, capacity));
        self.channels.push(Channel { name, types: decl.types.clone(), buffer });
        self.enter(scope, &decl.name, Symbol::Channel(self.channels.len() - 1));
    }

    fn buffer(&mut self, decl: &ChannelDecl, name: &str, capacity: usize) -> Buffer {
        let most = i32::try_from(capacity).unwrap_or(i32::MAX);
        self.program.types.push(Type::range(format!("{name}.count"), 0, most));
        let channel: Arc<str> = name.into();
        let part = |name: String, ty: usize, length: Option<usize>, role: SlotRole| Variable {
            name,
            ty: TypeIx::new(ty),
            length,
            initial: Vec::new(),
            overflow: Overflow::Error,
            scratch: false,
            role,
            span: Some(decl.name.span),
        };
        let role = SlotRole::ChannelLength(Arc::clone(&channel));
        let count = part(format!("{name}.count"), self.program.types.len() - 1, None, role);
        let count = self.add(count);
        let types = decl.types.as_deref().unwrap_or_default();
        let items = types.iter().enumerate().map(|(at, ty)| {
            let item = if types.len() == 1 { name.to_owned() } else { format!("{name}.{at}") };
            let role = SlotRole::ChannelField { channel: Arc::clone(&channel), field: at };
            self.add(part(item, if *ty == BasicType::Byte { BYTE } else { INT }, Some(capacity), role))
        });
        Buffer { capacity, count, items: items.collect() }
    }
}
