//! Names with their members and indices, as in `P_0.queue[x + 1]`: the part of the parser that meets the
//! model.

use base::{Diagnostic, SlotIx, Span};

use super::code::{Array, Binary, Lazy, Op, Reading};
use super::parse::{Meaning, Operand, Parsed, Parser, ValueName, level};
use super::token::{Operator, Token};

impl Parser<'_> {
    /// A name with its members and indices: `P_0.queue[x + 1]`.
    pub(crate) fn path(&mut self, mut name: String, mut span: Span) -> Parsed<Operand> {
        if let Some(end) = self.instance(&mut name, span) {
            span = span.to(end);
        }
        name = self.owner(name);
        loop {
            let arrow = self.arrow_leads_to_member(&name, span);
            match self.peek() {
                token if token == Token::Dot || arrow => {
                    self.advance();
                    let (member, end) = self.member()?;
                    span = span.to(end);
                    if let Some(cell) = self.names.message_cell(&name, &member) {
                        name = cell;
                        continue;
                    }
                    if let Some(slot) = self.state_of(&name, &member, arrow, span) {
                        return Ok(self.value_test(slot, &name, &member, span));
                    }
                    name = format!("{name}.{member}");
                }
                Token::OpenBracket => {
                    let opened = self.advance();
                    let start = self.code.len();
                    let index = self.expression(level::IFF)?;
                    self.settle(index);
                    span = span.to(self.expect(Token::CloseBracket, "`]`", opened)?);
                    match self.code.take_constant(start) {
                        Some(index) => {
                            let cell = self.fixed_cell(&name, index, span);
                            name = self.names.process_name(cell);
                        }
                        None => return self.computed_cell(&name, span),
                    }
                }
                _ => return Ok(self.named(name, span)),
            }
        }
    }

    /// The name of a process as slots have it, where one can only be meant. A name by itself may be that of a
    /// value.
    pub(crate) fn owner(&self, name: String) -> String {
        match self.peek() == Token::Dot || name.ends_with(')') {
            true => self.names.process_name(name),
            false => name,
        }
    }

    /// Reads on where a name is that of an instance, `Philosopher(0)`: no blank before the parenthesis, and
    /// only numbers in it. The answer is where it ends.
    pub(crate) fn instance(&mut self, name: &mut String, before: Span) -> Option<Span> {
        if self.peek() != Token::Open || self.span().start != before.end {
            return None;
        }
        let length = self.tokens[self.at..].iter().position(|(token, _)| *token == Token::Close)?;
        let mut arguments = Vec::new();
        let words: Vec<Token<'_>> =
            self.tokens[self.at + 1..self.at + length].iter().map(|(word, _)| *word).collect();
        for argument in words.split(|word| *word == Token::Comma).filter(|_| !words.is_empty()) {
            arguments.push(match argument {
                [Token::Number(number)] => number.to_string(),
                [Token::Operator(Operator::Strict(Binary::Subtract)), Token::Number(number)] => {
                    format!("-{number}")
                }
                _ => return None,
            });
        }
        *name = format!("{name}({})", arguments.join(","));
        self.at += length;
        Some(self.advance())
    }

    pub(crate) fn member(&mut self) -> Parsed<(String, Span)> {
        match self.peek() {
            Token::Name(name) => Ok((name.to_owned(), self.advance())),
            Token::Number(_) => Ok((self.source.slice(self.span()).to_owned(), self.advance())),
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
            && self.source.slice(arrow) == "->"
            && before.end == arrow.start
            && follower.is_some_and(|(token, span)| {
                span.start == arrow.end
                    && matches!(token, Token::Name(member) if self.names.is_member(name, member))
            })
    }

    /// The slot `name`, if a member of it can only be one of its values: a state, known or not, of a process.
    /// An arrow leads to the variable where both are there; of a dot nobody can tell which is meant.
    fn state_of(&mut self, name: &str, member: &str, arrow: bool, span: Span) -> Option<SlotIx> {
        let slot = self.names.slot(name)?;
        let full = format!("{name}.{member}");
        let goes_on = matches!(self.peek(), Token::OpenBracket | Token::Dot);
        let is_variable = if goes_on { self.names.begins(&full) } else { self.names.slot(&full).is_some() };
        if self.names.value(slot, member).is_none() {
            return (!self.names.begins(&full)).then_some(slot);
        }
        if is_variable && !goes_on && !arrow {
            let what = if self.names.is_process(slot) { "a state" } else { "a value" };
            let variable =
                if self.names.is_process(slot) { format!("{name}->{member}") } else { format!("`{full}`") };
            let problem =
                Diagnostic::error(format!("`{full}` is both {what} of `{name}` and a variable"), span);
            let help = format!("{name} == \"{member}\" asks for {what}; {variable} is the variable");
            self.problems.push(problem.label("which one?").help(help));
        }
        (!is_variable).then_some(slot)
    }

    /// 1 where the slot holds the named value.
    fn value_test(&mut self, slot: SlotIx, slot_name: &str, value_name: &str, span: Span) -> Operand {
        let found = self.names.later_value(slot, value_name);
        if found.is_none() {
            let problem = self.names.unknown(&format!("{slot_name}.{value_name}"), span);
            self.problems.push(problem);
        }
        self.code.emit(found.map_or(Op::Const(0), |value| Op::Holds(slot, value)));
        Operand::number(span)
    }

    /// A name that is complete: a slot, or perhaps the name of a value.
    fn named(&mut self, name: String, span: Span) -> Operand {
        let slot = self.names.slot(&name);
        let at = self.code.emit(slot.map_or(Op::Const(0), |slot| Op::Slot(slot, self.names.reading(slot))));
        let meaning = if slot.is_some() { Meaning::Slot } else { Meaning::Nothing };
        let name = ValueName { text: name, at, quoted: false, meaning };
        Operand { span, slot: slot.filter(|&slot| self.names.has_names(slot)), name: Some(name) }
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
                Some(_) => {
                    Diagnostic::error(format!("`{array}` is not an array"), span).label("it has no cells")
                }
                None => self.names.unknown(array, span),
            };
            self.problems.push(problem);
            return Ok(Operand::number(span));
        };
        if !self.cells_are_alike(&array) {
            let problem = Diagnostic::error(
                format!("the cells of `{}` have values of different types", array.name),
                span,
            );
            self.problems.push(problem.help(format!("name one of its cells: {}[0]", array.name)));
        }
        let slot = array.cells.first().map(|&(slot, _)| slot).filter(|&slot| self.names.has_names(slot));
        self.code.emit_cell(array);
        if self.peek() == Token::Dot
            && let Some(slot) = slot
        {
            self.advance();
            let (value, end) = self.member()?;
            let at = self.code.emit(Op::Const(0));
            let cell = Operand { span, slot: Some(slot), name: None };
            let name = ValueName { text: value, at, quoted: true, meaning: Meaning::Nothing };
            return Ok(self.strict(cell, Binary::Equal, Operand { span: end, slot: None, name: Some(name) }));
        }
        Ok(Operand { span, slot, name: None })
    }

    /// Whether what is read from one cell can be compared with what is read from another.
    fn cells_are_alike(&self, array: &Array) -> bool {
        let Some(&(first, reading)) = array.cells.first() else { return true };
        array.cells.iter().all(|&(cell, other)| match (reading, other) {
            (Reading::Position, Reading::Position) => self.names.same_positions(first, cell),
            (reading, other) => reading != Reading::Position && other != Reading::Position,
        })
    }
}
