//! Process expressions, by precedence climbing.
//!
//! From loose to tight: `+`; `sum` and `dist`; `||`; `||_`; conditions; `<<`; `.`; `@`; `|`. What stands in
//! front of a process (`sum`, a condition) may stand behind any operator and reaches as far as its own rank
//! allows.

use base::{Diagnostic, Reported, Span};

use super::{Parsed, Parser};
use crate::ast::{Name, Process, ProcessKind};
use crate::lexer::Token;

/// The ranks of operators between processes.
const CHOICE: u8 = 1;
const PARALLEL: u8 = 3;
const LEFT_MERGE: u8 = 4;
const BEFORE: u8 = 6;
const SEQUENCE: u8 = 7;
const AT: u8 = 8;
const SYNC: u8 = 9;

fn rank(token: Token) -> Option<u8> {
    Some(match token {
        Token::Plus => CHOICE,
        Token::BarBar => PARALLEL,
        Token::LeftMerge => LEFT_MERGE,
        Token::Before => BEFORE,
        Token::Dot => SEQUENCE,
        Token::At => AT,
        Token::Bar => SYNC,
        _ => return None,
    })
}

impl<'a> Parser<'a> {
    /// A process expression.
    pub(super) fn process(&mut self) -> Parsed<Process<'a>> {
        self.process_of(CHOICE)
    }

    /// A process expression whose operators have at least this rank.
    fn process_of(&mut self, lowest: u8) -> Parsed<Process<'a>> {
        self.nested(|parser| {
            let mut left = parser.operand()?;
            parser.refuse_data()?;
            while let Some(rank) = rank(parser.words.peek())
                && rank >= lowest
            {
                left = match rank {
                    LEFT_MERGE => {
                        parser.words.step();
                        let right = parser.process_of(LEFT_MERGE)?;
                        parser.pair(ProcessKind::LeftMerge, left, right)?
                    }
                    BEFORE => {
                        parser.words.step();
                        let right = parser.process_of(BEFORE + 1)?;
                        parser.pair(ProcessKind::Before, left, right)?
                    }
                    AT => {
                        parser.words.step();
                        let time = parser.unit()?;
                        let (span, deepest) = (left.span.to(time.span), left.depth.max(time.depth));
                        parser.process_made(ProcessKind::At(Box::new(left), time), span, deepest)?
                    }
                    _ => parser.flat(left, rank)?,
                };
            }
            Ok(left)
        })
    }

    /// Complains of an operator of data behind what was read as a process, a condition without its
    /// parentheses most likely.
    fn refuse_data(&mut self) -> Parsed<()> {
        use Token::{AndAnd, AtLeast, AtMost, EqualEqual, Greater, Implies, In, Less, NotEqual};
        let is_data = [AndAnd, AtLeast, AtMost, EqualEqual, Greater, Implies, In, Less, NotEqual];
        if !is_data.contains(&self.words.peek()) {
            return Ok(());
        }
        let problem = Diagnostic::error("expected a process", self.words.span())
            .label("this is an operator of data")
            .help("a condition stands in parentheses: `(n > 0) -> p`");
        self.words.report(problem);
        Err(Reported)
    }

    fn process_made(&mut self, kind: ProcessKind<'a>, span: Span, deepest: u16) -> Parsed<Process<'a>> {
        Ok(Process { kind, span, depth: self.above(deepest, span)? })
    }

    fn pair(
        &mut self,
        kind: fn(Box<Process<'a>>, Box<Process<'a>>) -> ProcessKind<'a>,
        left: Process<'a>,
        right: Process<'a>,
    ) -> Parsed<Process<'a>> {
        let (span, deepest) = (left.span.to(right.span), left.depth.max(right.depth));
        self.process_made(kind(Box::new(left), Box::new(right)), span, deepest)
    }

    /// `p + q + r`: what is one operator in a row is one node. Long texts are long sums.
    fn flat(&mut self, first: Process<'a>, rank: u8) -> Parsed<Process<'a>> {
        let token = self.words.peek();
        let mut parts = vec![first];
        while self.words.take(token) {
            parts.push(self.process_of(rank + 1)?);
        }
        let span = parts[0].span.to(self.words.last_span());
        let deepest = parts.iter().map(|part| part.depth).max().unwrap_or(0);
        let kind = match rank {
            CHOICE => ProcessKind::Choice(parts),
            PARALLEL => ProcessKind::Parallel(parts),
            SEQUENCE => ProcessKind::Sequence(parts),
            _ => ProcessKind::Sync(parts),
        };
        self.process_made(kind, span, deepest)
    }

    fn operand(&mut self) -> Parsed<Process<'a>> {
        let start = self.words.span();
        if self.is_condition() {
            return self.condition();
        }
        match self.words.peek() {
            Token::Delta | Token::Tau => {
                let kind =
                    if self.words.peek() == Token::Delta { ProcessKind::Delta } else { ProcessKind::Tau };
                self.words.step();
                Ok(Process { kind, span: start, depth: 1 })
            }
            Token::Sum => {
                self.words.step();
                let variables = self.bindings()?;
                self.words.expect(Token::Dot, "behind the variables")?;
                let body = self.process_of(PARALLEL)?;
                let (span, deepest) = (start.to(body.span), body.depth);
                self.process_made(ProcessKind::Sum(variables, Box::new(body)), span, deepest)
            }
            Token::Dist => {
                self.words.step();
                let variables = self.bindings()?;
                self.words.expect(Token::OpenBracket, "and the distribution")?;
                let weight = self.expression()?;
                self.words.expect(Token::CloseBracket, "behind the distribution")?;
                self.words.expect(Token::Dot, "behind the distribution")?;
                let body = self.process_of(PARALLEL)?;
                let (span, deepest) = (start.to(body.span), body.depth.max(weight.depth));
                self.process_made(ProcessKind::Distribution(variables, weight, Box::new(body)), span, deepest)
            }
            Token::Open => {
                self.words.step();
                let inner = self.process()?;
                self.words.expect(Token::Close, "")?;
                Ok(inner)
            }
            Token::Name => self.call(),
            Token::Block | Token::Hide | Token::Allow | Token::Rename | Token::Comm => self.operator(),
            _ => self.words.fail("expected a process"),
        }
    }

    /// Whether a data expression and a `->` come next. Of what can begin both a process and a condition, only
    /// the `->` behind tells.
    fn is_condition(&self) -> bool {
        let mut at = match self.words.peek() {
            Token::Bang | Token::Minus | Token::Hash | Token::Number | Token::True | Token::False => {
                return true;
            }
            Token::Name => self.words.at() + 1,
            Token::Open => self.brackets.closing(self.words.at()) + 1,
            _ => return false,
        };
        let token = |at: usize| self.words.word(at);
        while token(at) == Token::Open {
            at = self.brackets.closing(at) + 1;
        }
        token(at) == Token::Arrow
    }

    fn condition(&mut self) -> Parsed<Process<'a>> {
        let condition = self.unit()?;
        let arrow = self.words.at();
        self.words.expect(Token::Arrow, "behind the condition")?;
        let (then, otherwise);
        if self.brackets.has_else(arrow) {
            then = self.process()?;
            self.words.expect(Token::Else, "")?;
            otherwise = Some(Box::new(self.process_of(BEFORE)?));
        } else {
            then = self.process_of(BEFORE)?;
            otherwise = None;
        }
        let span = condition.span.to(self.words.last_span());
        let deepest = condition.depth.max(then.depth).max(otherwise.as_ref().map_or(0, |other| other.depth));
        self.process_made(ProcessKind::Condition(condition, Box::new(then), otherwise), span, deepest)
    }

    fn call(&mut self) -> Parsed<Process<'a>> {
        let name = self.name("an action or a process")?;
        if !self.words.take(Token::Open) {
            return Ok(Process { kind: ProcessKind::Call(name, Vec::new()), span: name.span, depth: 1 });
        }
        let (kind, deepest) = if self.words.peek() == Token::Close {
            (ProcessKind::Assign(name, Vec::new()), 0)
        } else if self.words.peek() == Token::Name && self.words.peek_behind(1) == Token::Assign {
            let values = self.assignments("the name of a parameter")?;
            let deepest = values.iter().map(|(_, value)| value.depth).max().unwrap_or(0);
            (ProcessKind::Assign(name, values), deepest)
        } else {
            let arguments = self.expressions()?;
            let deepest = arguments.iter().map(|argument| argument.depth).max().unwrap_or(0);
            (ProcessKind::Call(name, arguments), deepest)
        };
        if self.words.peek() == Token::Colon && self.words.peek_behind(1) == Token::Assign {
            let problem = Diagnostic::error("expected `)` behind the arguments", self.words.span())
                .label("found `:=`")
                .help(format!("a parameter is given a value by `=`: `{}(n = 0)`", name.text));
            self.words.report(problem);
            return Err(Reported);
        }
        self.words.expect(Token::Close, "behind the arguments")?;
        self.process_made(kind, name.span.to(self.words.last_span()), deepest)
    }

    /// `block`, `hide`, `allow`, `rename`, `comm`.
    fn operator(&mut self) -> Parsed<Process<'a>> {
        let token = self.words.peek();
        let start = self.words.step();
        self.words.expect(Token::Open, "")?;
        let action = "the name of an action";
        self.words.expect(Token::OpenBrace, "and a set of actions")?;
        let mut single = Vec::new();
        let mut several = Vec::new();
        let mut renamed = Vec::new();
        let mut joined = Vec::new();
        while self.words.peek() != Token::CloseBrace {
            match token {
                Token::Block | Token::Hide => single.push(self.name(action)?),
                Token::Allow => several.push(self.multi_action()?),
                Token::Rename => {
                    let from = self.name(action)?;
                    self.words.expect(Token::Arrow, "and what it becomes")?;
                    renamed.push((from, self.name(action)?));
                }
                _ => {
                    let from = self.multi_action()?;
                    self.words.expect(Token::Arrow, "and what becomes of it")?;
                    joined.push((from, self.name(action)?));
                }
            }
            if !self.words.take(Token::Comma) {
                break;
            }
        }
        self.words.expect(Token::CloseBrace, "behind the actions")?;
        self.words.expect(Token::Comma, "and a process")?;
        let body = Box::new(self.process()?);
        self.words.expect(Token::Close, "behind the process")?;
        let deepest = body.depth;
        let kind = match token {
            Token::Block => ProcessKind::Block(single, body),
            Token::Hide => ProcessKind::Hide(single, body),
            Token::Allow => ProcessKind::Allow(several, body),
            Token::Rename => ProcessKind::Rename(renamed, body),
            _ => ProcessKind::Comm(joined, body),
        };
        self.process_made(kind, start.to(self.words.last_span()), deepest)
    }

    /// `a|b|c`, names only.
    fn multi_action(&mut self) -> Parsed<Vec<Name<'a>>> {
        let mut names = vec![self.name("the name of an action")?];
        while self.words.take(Token::Bar) {
            names.push(self.name("the name of an action")?);
        }
        Ok(names)
    }
}
