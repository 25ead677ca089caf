//! Names with their members and indices, as in `P_0.queue[x + 1]`: the part of the parser that meets the model.

use base::{Diagnostic, Span};

use crate::code::{Array, Binary, Lazy, Op};
use crate::parse::{Operand, Parsed, Parser, ValueName, level};
use crate::token::{Operator, Token};

impl Parser<'_> {
    /// A name with its members and indices: `P_0.queue[x + 1]`.
    pub(crate) fn path(&mut self, mut name: String, mut span: Span) -> Parsed<Operand> {
        loop {
            match self.peek() {
                token if token == Token::Dot || self.arrow_leads_to_member(&name, span) => {
                    self.advance();
                    let (member, end) = self.member()?;
                    span = span.to(end);
                    if self.names.slot(&name).is_some() && !self.names.begins(&format!("{name}.{member}")) {
                        return Ok(self.value_test(&name, &member, span));
                    }
                    name = format!("{name}.{member}");
                }
                Token::OpenBracket => {
                    let opened = self.advance();
                    let start = self.code.len();
                    let index = self.expression(level::IFF)?;
                    self.settle(index, None);
                    span = span.to(self.expect(Token::CloseBracket, "`]`", opened)?);
                    match self.code.take_constant(start) {
                        Some(index) => name = self.fixed_cell(&name, index, span),
                        None => return self.computed_cell(&name, span),
                    }
                }
                _ => return Ok(self.named(name, span)),
            }
        }
    }

    fn member(&mut self) -> Parsed<(String, Span)> {
        match self.peek() {
            Token::Name(name) => Ok((name.to_owned(), self.advance())),
            Token::Number(number) => Ok((number.to_string(), self.advance())),
            _ => {
                let problem = Diagnostic::error("expected a name after the dot", self.span());
                self.halt(problem.label("a name is missing here"))
            }
        }
    }

    /// Whether an arrow follows that means a dot: no blanks around it, and a member behind it.
    fn arrow_leads_to_member(&self, name: &str, before: Span) -> bool {
        let arrow = self.span();
        let follower = self.tokens.get(self.at + 1);
        self.peek() == Token::Operator(Operator::Lazy(Lazy::Imply))
            && before.end == arrow.start
            && follower.is_some_and(|(token, span)| {
                span.start == arrow.end && matches!(token, Token::Name(member) if self.names.is_member(name, member))
            })
    }

    /// 1 where the slot holds the named value.
    fn value_test(&mut self, slot_name: &str, value_name: &str, span: Span) -> Operand {
        let found = self
            .names
            .slot(slot_name)
            .and_then(|slot| self.names.value(slot, value_name).map(|value| Op::Holds(slot, value)));
        if found.is_none() {
            let problem = self.names.unknown(&format!("{slot_name}.{value_name}"), span);
            self.problems.push(problem);
        }
        self.code.emit(found.unwrap_or(Op::Const(0)));
        Operand { span, slot: None, name: None }
    }

    /// A name that is complete: a slot, or perhaps the name of a value.
    fn named(&mut self, name: String, span: Span) -> Operand {
        let slot = self.names.slot(&name);
        let has_names = slot.filter(|&slot| self.names.has_named_values(slot));
        let at = self.code.emit(match slot {
            None => Op::Const(0),
            Some(slot) if has_names.is_some() => Op::Named(slot),
            Some(slot) => Op::Signed(slot),
        });
        let name = ValueName { text: name, at, quoted: false, otherwise_known: slot.is_some() };
        Operand { span, slot: has_names, name: Some(name) }
    }

    /// The name of the cell at an index that is known now.
    fn fixed_cell(&mut self, array: &str, index: i64, span: Span) -> String {
        let cell = format!("{array}[{index}]");
        if self.names.slot(&cell).is_none()
            && let Some(Array { cells, .. }) = self.names.array(array)
        {
            let problem = Diagnostic::error(format!("index {index} is outside `{array}`"), span);
            self.problems.push(problem.label(format!("its cells are 0 to {}", cells.len() - 1)));
            // One message is enough: go on with a cell that is there.
            return format!("{array}[0]");
        }
        cell
    }

    /// The cell at the index whose code was emitted.
    fn computed_cell(&mut self, array: &str, span: Span) -> Parsed<Operand> {
        let Some(array) = self.names.array(array) else {
            let problem = match self.names.slot(array) {
                Some(_) => Diagnostic::error(format!("`{array}` is not an array"), span).label("it has no cells"),
                None => self.names.unknown(array, span),
            };
            self.problems.push(problem);
            return Ok(Operand { span, slot: None, name: None });
        };
        let slot = array.cells.first().copied().filter(|&slot| self.names.has_named_values(slot));
        self.code.emit_cell(array);
        if self.peek() == Token::Dot
            && let Some(slot) = slot
        {
            self.advance();
            let (value, end) = self.member()?;
            let span = span.to(end);
            let at = self.code.emit(Op::Const(0));
            let cell = Operand { span, slot: Some(slot), name: None };
            let name = ValueName { text: value, at, quoted: false, otherwise_known: false };
            return Ok(self.strict(cell, Binary::Equal, Operand { span: end, slot: None, name: Some(name) }));
        }
        Ok(Operand { span, slot, name: None })
    }
}
