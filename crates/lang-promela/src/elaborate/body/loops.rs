//! The loops that Spin makes of `for`.

use base::{Diagnostic, Span};
use commands::BinaryOp as Op;

use super::Body;
use crate::ast::{self};
use crate::elaborate::names::{Problem, wrong};
use crate::flow::ElementIx;
use crate::resolved::{Basic, Expr, Initial, Pattern, Place, Scope, ValueType, Variable};

impl Body<'_> {
    /// The loop of a `for`, its counter set already.
    pub(super) fn counted(
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

    pub(super) fn for_in(
        &mut self,
        counter: &ast::Reference,
        collection: &ast::Reference,
        body: &ast::Sequence,
        span: Span,
        problems: &mut Vec<Diagnostic>,
    ) -> Result<ElementIx, Problem> {
        let lookup = self.lookup();
        // As in Spin a record goes through the messages of a channel, the first of an array of them, and
        // anything else through the cells of the name in front, whatever field of it is asked for.
        let cells = lookup.cells(&collection.name)?;
        let of_messages = lookup.is_record(counter);
        let first = ast::Expr { kind: ast::ExprKind::Number(0), span: collection.span };
        let index = collection.index.clone().or(cells.map(|_| Box::new(first)));
        let channel = lookup.place(&ast::Reference { index, ..collection.clone() });
        let channel = channel.ok().filter(|place| lookup.ty(place) == ValueType::Channel);
        if let Some(whole) = channel.filter(|_| of_messages || cells.is_none()) {
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
            let within = binary(Op::Lt, Expr::Read(place.clone()), messages, span);
            let receive = Basic::Receive {
                channel: whole.clone(),
                fields: fields.iter().cloned().map(Pattern::Into).collect(),
                random: false,
                peek: false,
            };
            let send = Basic::Send {
                channel: whole,
                fields: fields.into_iter().map(Expr::Read).collect(),
                sorted: false,
            };
            return Ok(self.counted(&place, within, &[receive, send], body, span, problems));
        }
        let Some(cells) = cells.filter(|_| !of_messages) else {
            return Err(wrong(
                "`for … in` goes through an array, or a record through a channel",
                collection.span,
            ));
        };
        let counter = self.lookup().place(counter)?;
        self.builder.basic(Basic::Assign(counter.clone(), Expr::Number(0)), span);
        let last = Expr::Number(cells as i64 - 1);
        let within = binary(Op::Le, Expr::Read(counter.clone()), last, span);
        Ok(self.counted(&counter, within, &[], body, span, problems))
    }
}

pub(super) fn binary(op: Op, left: Expr, right: Expr, span: Span) -> Expr {
    Expr::Binary(ast::BinaryOp::Strict(op), Box::new(left), Box::new(right), span)
}

pub(super) fn increment(counter: &Place, span: Span) -> Basic {
    let more = binary(Op::Add, Expr::Read(counter.clone()), Expr::Number(1), span);
    Basic::Assign(counter.clone(), more)
}
