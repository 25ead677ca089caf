//! What can be asked of channels that keep messages: `len(c)`, `empty(c)`, `nempty(c)`, `full(c)`,
//! `nfull(c)`, as in Promela, and the messages that are in them.
//!
//! The messages of a channel `c` are its cells, the oldest first: `c[0]`, or `c.1[0]` for the second of
//! several fields, which may be written `c[0].1`, too. A cell without a message holds zero.

use base::{Diagnostic, SlotIx, Span, closest};
use model::Domain;

use super::code::{Array, Binary, Op};
use super::names::Names;
use super::parse::{Operand, Parsed, Parser, level};
use super::token::Token;

/// The questions, and how the length of a channel answers each.
const QUESTIONS: &[(&str, Question)] = &[
    ("len", Question::Length),
    ("empty", Question::Compare(Binary::Equal, Bound::Nothing)),
    ("nempty", Question::Compare(Binary::Unequal, Bound::Nothing)),
    ("full", Question::Compare(Binary::Equal, Bound::Capacity)),
    ("nfull", Question::Compare(Binary::Unequal, Bound::Capacity)),
];

#[derive(Clone, Copy)]
enum Question {
    Length,
    Compare(Binary, Bound),
}

/// What a length is compared with.
#[derive(Clone, Copy)]
enum Bound {
    Nothing,
    Capacity,
}

/// Where the length of a channel was put on the stack, and how many messages it can be.
struct Length {
    capacity: i64,
    span: Span,
}

impl Parser<'_> {
    /// Whether a name is that of a question about a channel.
    pub(crate) fn is_question(&self, name: &str) -> bool {
        self.peek() == Token::Open
            && QUESTIONS.iter().any(|(known, _)| *known == name)
            && !self.names.begins(name)
    }

    /// A question about a channel, whose name has been read.
    pub(crate) fn question(&mut self, name: &str, start: Span) -> Parsed<Operand> {
        let opened = self.advance();
        let Length { capacity, span } = self.length(name)?;
        let span = start.to(span).to(self.expect(Token::Close, "`)`", opened)?);
        let question = QUESTIONS.iter().find(|(known, _)| *known == name).map(|(_, question)| *question);
        if let Some(Question::Compare(binary, bound)) = question {
            let bound = match bound {
                Bound::Nothing => 0,
                Bound::Capacity => capacity,
            };
            self.code.emit(Op::Const(bound));
            self.operate(Op::Binary(binary), span);
        }
        Ok(Operand::number(span))
    }

    /// Puts the length of the channel that is named here on the stack.
    fn length(&mut self, question: &str) -> Parsed<Length> {
        let mut span = self.span();
        let Token::Name(name) = self.peek() else {
            let problem = Diagnostic::error(format!("`{question}` asks for a channel"), span);
            return self.halt(problem.label("the name of a channel is missing here"));
        };
        self.advance();
        let mut name = name.to_owned();
        if let Some(end) = self.instance(&mut name, span) {
            span = span.to(end);
        }
        name = self.owner(name);
        loop {
            match self.peek() {
                Token::Dot => {
                    self.advance();
                    let (member, end) = self.member()?;
                    span = span.to(end);
                    name = format!("{name}.{member}");
                }
                Token::OpenBracket => {
                    let opened = self.advance();
                    let start = self.code.len();
                    let index = self.expression(level::IFF)?;
                    self.settle(index);
                    span = span.to(self.expect(Token::CloseBracket, "`]`", opened)?);
                    match self.code.take_constant(start) {
                        Some(index) => name = self.names.process_name(format!("{name}[{index}]")),
                        None => return Ok(self.length_at(&name, span)),
                    }
                }
                _ => break,
            }
        }
        match self.names.length(&name) {
            Some(slot) => {
                self.code.emit(Op::Slot(slot, self.names.reading(slot)));
                Ok(Length { capacity: self.capacity(slot), span })
            }
            None => Ok(self.no_channel(&name, span)),
        }
    }

    /// Replaces the index on the stack by the length of that channel of an array.
    fn length_at(&mut self, array: &str, span: Span) -> Length {
        let cells = (0..).map_while(|index: usize| self.names.length(&format!("{array}[{index}]")));
        let cells: Vec<_> = cells.map(|slot| (slot, self.names.reading(slot))).collect();
        let Some(&(first, _)) = cells.first() else {
            return self.no_channel(array, span);
        };
        // Channels of one array have the same room.
        let capacity = self.capacity(first);
        self.code.emit_cell(Array { name: array.to_owned(), cells });
        Length { capacity, span }
    }

    fn capacity(&self, length: SlotIx) -> i64 {
        match &self.names.type_of(length).domain {
            Domain::Range { hi, .. } => i64::from(*hi),
            Domain::Names(names) => names.len() as i64 - 1,
            Domain::Interned(_) | Domain::Shown(_) => i64::MAX,
        }
    }

    fn no_channel(&mut self, name: &str, span: Span) -> Length {
        let known = self.names.channels();
        let problem =
            Diagnostic::error(format!("the model has no channel `{name}` that keeps messages"), span);
        let problem = match closest(name, known.iter().copied()) {
            Some(near) => problem.label(format!("not known; did you mean `{near}`?")),
            None => problem.label("not a channel with room for messages"),
        };
        const SHOWN: usize = 12;
        let rest = if known.len() > SHOWN { ", …" } else { "" };
        let list = known[..known.len().min(SHOWN)].join(", ");
        self.problems.push(match known.is_empty() {
            true => problem.help("no channel of the model has room for messages"),
            false => problem.help(format!("those that can be asked are {list}{rest}")),
        });
        self.code.emit(Op::Const(0));
        Length { capacity: 0, span }
    }
}

impl Names<'_> {
    /// The name of the cell where a field of a message stands, `c.1[0]` for `c[0]` and `1`, if that is one.
    /// Of a channel whose messages have one field the cells are messages.
    pub(crate) fn message_cell(&self, message: &str, field: &str) -> Option<String> {
        let (channel, position) = message.strip_suffix(']')?.rsplit_once('[')?;
        self.length(channel)?;
        let several = format!("{channel}.{field}[{position}]");
        let cell = if field == "0" && self.slot(&several).is_none() { message.to_owned() } else { several };
        self.slot(&cell).map(|_| cell)
    }
}
