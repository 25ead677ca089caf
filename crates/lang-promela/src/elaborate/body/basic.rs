//! Statements that are done in one step.

use base::{Diagnostic, Span};

use super::Body;
use crate::ast::{self, ExprKind, Statement, StatementKind};
use crate::elaborate::expressions::{Lookup, run_in};
use crate::elaborate::names::Problem;
use crate::resolved::{Basic, Expr, Initial, Place, Scope, ValueType};

impl Body<'_> {
    pub(super) fn channel(&self, reference: &ast::Reference) -> Result<Place, Problem> {
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
    pub(super) fn count_fields(
        &self,
        channel: &Place,
        fields: usize,
        done: &str,
        span: Span,
    ) -> Result<(), Problem> {
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

    pub(super) fn basic(&self, statement: &Statement) -> Result<Basic, Problem> {
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

    pub(super) fn run(
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
                Diagnostic::error(
                    format!("`{}` takes {most} arguments, not {}", name.text, given.len()),
                    name.span,
                )
                .help("give as many arguments as the proctype has parameters"),
            ));
        }
        let priority = priority.map_or(Ok(Expr::Number(1)), |priority| self.lookup().expr(priority))?;
        Ok(Basic::Run { process, arguments: given, priority, into })
    }
}
