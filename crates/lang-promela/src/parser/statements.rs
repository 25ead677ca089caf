//! Statements.

use base::Diagnostic;
use commands::BinaryOp as Op;

use super::units::begins_body;
use super::{Parsed, Parser, Stop};
use crate::ast::{BinaryOp, Expr, ExprKind, Name, Pattern, Reference, Sequence, Statement, StatementKind};
use crate::word::Token;

/// How deep statements may be nested.
const DEEPEST: usize = 100;

impl Parser<'_> {
    /// Statements up to a word that cannot start one. What cannot be read is skipped.
    pub(super) fn sequence(&mut self) -> Sequence {
        let mut statements = Vec::new();
        loop {
            let start = self.at;
            self.called = false;
            match self.step() {
                Ok(statement) => {
                    statements.push(statement);
                    let called = std::mem::take(&mut self.called);
                    if !(called || self.at_separator() || self.at_end()) {
                        self.behind_statement();
                        self.skip_statement();
                    }
                }
                Err(Stop) => {
                    self.skip_statement();
                    if self.at == start && !self.at_separator() && !self.at_end() {
                        self.next();
                    }
                }
            }
            while self.at_separator() {
                self.next();
            }
            if self.at_end() {
                return Sequence { statements };
            }
        }
    }

    fn at_end(&self) -> bool {
        matches!(self.peek(), Token::CloseBrace | Token::Options | Token::Fi | Token::Od | Token::End)
            || begins_body(self.peek())
    }

    /// Something follows a statement that goes on with none.
    fn behind_statement(&mut self) {
        let message = match self.peek() {
            Token::Unless => "only one `unless` may follow a statement; write `{ … }` around the first",
            _ => "expected `;` or `->` between statements",
        };
        let _: Parsed<()> = self.fail(message);
    }

    /// Skips the rest of a statement; stops before what ends it.
    fn skip_statement(&mut self) {
        let mut open = 0usize;
        loop {
            match self.peek() {
                Token::End => return,
                token if begins_body(token) => return,
                Token::OpenBrace | Token::If | Token::Do => open += 1,
                Token::CloseBrace
                | Token::Fi
                | Token::Od
                | Token::Options
                | Token::Semicolon
                | Token::Arrow
                    if open == 0 =>
                {
                    return;
                }
                Token::CloseBrace | Token::Fi | Token::Od => open -= 1,
                _ => {}
            }
            self.next();
        }
    }

    fn step(&mut self) -> Parsed<Statement> {
        let start = self.at;
        if self.at_separator() {
            return self.fail("expected a statement before this");
        }
        if self.at_end() {
            return self.fail("expected a statement");
        }
        if self.at_declaration() {
            if self.peek() == Token::Mtype && matches!(self.peek_behind(1), Token::Assign | Token::OpenBrace)
            {
                return self.fail("constants are declared outside processes");
            }
            let declaration = self.declaration()?;
            let span = declaration.span;
            return Ok(Statement { labels: Vec::new(), kind: StatementKind::Declare(declaration), span });
        }
        if matches!(self.peek(), Token::Xr | Token::Xs) {
            let receive = self.next().token == Token::Xr;
            let mut channels = vec![self.reference()?];
            while self.take(Token::Comma) {
                channels.push(self.reference()?);
            }
            let kind = StatementKind::Exclusive { receive, channels };
            return Ok(Statement { labels: Vec::new(), kind, span: self.since(start) });
        }
        let statement = self.statement()?;
        if !self.take(Token::Unless) {
            return Ok(statement);
        }
        let escape = self.statement()?;
        let kind = StatementKind::Unless(Box::new(statement), Box::new(escape));
        Ok(Statement { labels: Vec::new(), kind, span: self.since(start) })
    }

    /// A statement with its labels.
    fn statement(&mut self) -> Parsed<Statement> {
        let mut labels: Vec<Name> = Vec::new();
        while self.peek() == Token::Name
            && self.peek_behind(1) == Token::Colon
            && !self.processes.contains(&self.word().text)
        {
            labels.push(self.name("a label")?);
            self.next();
        }
        let start = self.at;
        if let Some(label) = labels.last() {
            if self.at_declaration() || matches!(self.peek(), Token::Xr | Token::Xs) {
                let problem = Diagnostic::error("a label cannot stand before a declaration", label.span)
                    .help("put it before a statement, or write `skip` behind it");
                self.report(problem);
                return Err(Stop);
            }
            // A label on its own is one of `skip`.
            if self.at_end() || self.at_separator() || self.peek() == Token::Unless {
                let span = label.span;
                let kind = StatementKind::Condition(Expr { kind: ExprKind::Number(1), span });
                return Ok(Statement { labels, kind, span });
            }
        }
        if self.nesting >= DEEPEST {
            return self.too_deep();
        }
        self.nesting += 1;
        let kind = self.kind();
        self.nesting -= 1;
        Ok(Statement { labels, kind: kind?, span: self.since(start) })
    }

    fn kind(&mut self) -> Parsed<StatementKind> {
        match self.peek() {
            Token::If => Ok(StatementKind::If(self.options(Token::Fi)?)),
            Token::Do => Ok(StatementKind::Do(self.options(Token::Od)?)),
            Token::For => self.for_loop(),
            Token::Select => self.select(),
            Token::Break => {
                self.next();
                Ok(StatementKind::Break)
            }
            Token::Else => {
                self.next();
                Ok(StatementKind::Else)
            }
            Token::Goto => {
                self.next();
                Ok(StatementKind::Goto(self.name("a label")?))
            }
            Token::Atomic => {
                self.next();
                Ok(StatementKind::Atomic(self.body()?.0))
            }
            Token::DStep => {
                self.next();
                Ok(StatementKind::DStep(self.body()?.0))
            }
            Token::OpenBrace => Ok(StatementKind::Block(self.body()?.0)),
            Token::Assert => {
                self.next();
                Ok(StatementKind::Assert(self.expression()?))
            }
            Token::Printf => self.printf(),
            Token::Printm => self.printm(),
            Token::SetPriority => self.set_priority(),
            Token::Return => self.return_value(),
            Token::CCode | Token::CDecl | Token::CState | Token::CTrack => self.c_code(),
            Token::Name => self.named_statement(),
            _ => self.condition(),
        }
    }

    fn condition(&mut self) -> Parsed<StatementKind> {
        let operator = matches!(
            self.peek(),
            Token::Plus
                | Token::Times
                | Token::Over
                | Token::Percent
                | Token::And
                | Token::Or
                | Token::Bar
                | Token::Caret
                | Token::Ampersand
                | Token::Equal
                | Token::NotEqual
                | Token::Less
                | Token::Greater
                | Token::AtMost
                | Token::AtLeast
        );
        if operator && self.word().newline {
            let problem = Diagnostic::error("expected a statement", self.span()).label(self.found()).help(
                "the line before this ends its statement; put parentheses around all of it, or move the operator up",
            );
            self.report(problem);
            return Err(Stop);
        }
        let starts = operator
            || self.peek().written().is_some_and(|text| text.starts_with([')', ']', ',', ':', '=', '?']));
        if starts {
            return self.fail("expected a statement");
        }
        Ok(StatementKind::Condition(self.expression()?))
    }

    fn printf(&mut self) -> Parsed<StatementKind> {
        self.next();
        self.expect(Token::Open, "and a text")?;
        let word = self.expect(Token::Text, "as what is printed")?;
        let text = self.text(word);
        let text = text.get(1..text.len() - 1).unwrap_or_default().to_owned();
        let values = if self.take(Token::Comma) { self.values()? } else { Vec::new() };
        self.expect(Token::Close, "behind what is printed")?;
        Ok(StatementKind::Print(text, values))
    }

    fn printm(&mut self) -> Parsed<StatementKind> {
        self.next();
        self.expect(Token::Open, "and a symbolic constant")?;
        let value = self.plain_operand()?;
        self.expect(Token::Close, "behind the constant")?;
        Ok(StatementKind::PrintMtype(value))
    }

    fn set_priority(&mut self) -> Parsed<StatementKind> {
        let start = self.at;
        self.next();
        self.expect(Token::Open, "and a process")?;
        let process = Box::new(self.plain_expression()?);
        self.expect(Token::Comma, "and the priority")?;
        let priority = Box::new(self.plain_expression()?);
        self.expect(Token::Close, "behind the priority")?;
        let span = self.since(start);
        Ok(StatementKind::Condition(Expr { kind: ExprKind::SetPriority(process, priority), span }))
    }

    /// All that begins with a name: assignments, sends, receives, uses of an `inline`, conditions.
    fn named_statement(&mut self) -> Parsed<StatementKind> {
        let start = self.at;
        if self.peek_behind(1) == Token::Open {
            return self.call(None);
        }
        let target = self.reference()?;
        match self.peek() {
            Token::Assign => {
                self.next();
                let word = self.word();
                if self.peek_behind(1) == Token::Open && self.inlines.contains_key(&word.text) {
                    return self.call(Some(target));
                }
                Ok(StatementKind::Assign(target, self.expression()?))
            }
            token @ (Token::Increment | Token::Decrement) => {
                self.next();
                let op = if token == Token::Increment { Op::Add } else { Op::Sub };
                let span = self.since(start);
                let old = Expr { kind: ExprKind::Name(target.clone()), span: target.span };
                let one = Expr { kind: ExprKind::Number(1), span };
                let kind = ExprKind::Binary(BinaryOp::Strict(op), Box::new(old), Box::new(one));
                Ok(StatementKind::Assign(target, Expr { kind, span }))
            }
            token @ (Token::Bang | Token::SortedSend) => {
                self.next();
                let sorted = token == Token::SortedSend;
                Ok(StatementKind::Send { channel: target, fields: self.sent()?, sorted })
            }
            Token::Question | Token::RandomReceive if self.peek_behind(1) != Token::OpenBracket => {
                self.receive(target)
            }
            _ => {
                self.at = start;
                self.condition()
            }
        }
    }

    /// `a, b` or `a(b, c)`.
    fn sent(&mut self) -> Parsed<Vec<Expr>> {
        let mut fields = vec![self.plain_expression()?];
        if self.take(Token::Open) {
            fields.extend(self.values()?);
            self.expect(Token::Close, "behind the fields")?;
        } else if self.take(Token::Comma) {
            fields.extend(self.values()?);
        }
        Ok(fields)
    }

    fn receive(&mut self, channel: Reference) -> Parsed<StatementKind> {
        let random = self.next().token == Token::RandomReceive;
        let peek = self.take(Token::Less);
        let fields = self.patterns()?;
        if peek {
            self.expect(Token::Greater, "behind the fields")?;
        }
        Ok(StatementKind::Receive { channel, fields, random, peek })
    }

    /// `a, b`, `a(b, c)` or `(a, b)`, and these in each other.
    pub(super) fn patterns(&mut self) -> Parsed<Vec<Pattern>> {
        let mut fields = Vec::new();
        let mut open = 0usize;
        loop {
            while self.take(Token::Open) {
                open += 1;
            }
            fields.push(self.pattern()?);
            match self.peek() {
                Token::Comma => {
                    self.next();
                }
                Token::Open => {}
                _ => break,
            }
        }
        for _ in 0..open {
            self.expect(Token::Close, "behind the fields")?;
        }
        Ok(fields)
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        match self.peek() {
            Token::Eval => {
                self.next();
                self.expect(Token::Open, "behind `eval`")?;
                let value = self.plain_expression()?;
                self.expect(Token::Close, "behind the value")?;
                Ok(Pattern::Eval(value))
            }
            Token::Name => Ok(Pattern::Name(self.reference()?)),
            Token::Number | Token::Character | Token::True | Token::False | Token::Skip => {
                Ok(Pattern::Constant(self.plain_operand()?))
            }
            Token::Minus if self.peek_behind(1) == Token::Number => {
                Ok(Pattern::Constant(self.plain_operand()?))
            }
            _ => self.fail("expected a variable, a constant or `eval(…)` in a receive"),
        }
    }
}
