//! `if`, `do`, `for` and `select`.

use base::{Diagnostic, Span};

use super::{Parsed, Parser, Stop};
use crate::ast::{Expr, ExprKind, Reference, Sequence, Statement, StatementKind};
use crate::word::Token;

/// So many values `select` offers at once; among more it counts.
const MOST_OFFERED: i64 = 33;

impl Parser<'_> {
    /// `:: … :: …` up to the word that ends them.
    pub(super) fn options(&mut self, end: Token) -> Parsed<Vec<Sequence>> {
        let start = self.next();
        let mut options = Vec::new();
        if self.peek() != Token::Options {
            let result = self.fail(&format!("expected `::` behind {}", start.token.describe()));
            self.take(end);
            return result;
        }
        while self.take(Token::Options) {
            options.push(self.sequence());
        }
        self.check_closed(start, end)?;
        if self.peek() == end {
            self.next();
            return Ok(options);
        }
        let result = self.fail(&format!("expected {} behind the options", end.describe()));
        // The wrong word is meant as the end all the same.
        if matches!(self.peek(), Token::Fi | Token::Od) {
            self.next();
        }
        result
    }

    pub(super) fn for_loop(&mut self) -> Parsed<StatementKind> {
        self.next();
        self.expect(Token::Open, "behind `for`")?;
        let counter = self.reference()?;
        if self.at_name("in") {
            self.next();
            let collection = self.reference()?;
            self.expect(Token::Close, "behind the array or channel")?;
            let body = self.for_body()?;
            return Ok(StatementKind::ForIn { counter, collection, body });
        }
        let (from, to) = self.range("or `in` behind the variable")?;
        let body = self.for_body()?;
        Ok(StatementKind::For { counter, from, to, body })
    }

    /// `: from .. to )`
    fn range(&mut self, or: &str) -> Parsed<(Expr, Expr)> {
        self.expect(Token::Colon, or)?;
        let from = self.plain_expression()?;
        self.expect(Token::To, "between the bounds")?;
        let to = self.plain_expression()?;
        self.expect(Token::Close, "behind the bounds")?;
        Ok((from, to))
    }

    fn for_body(&mut self) -> Parsed<Sequence> {
        // The end of the line behind the parenthesis is one.
        self.take(Token::Semicolon);
        Ok(self.body()?.0)
    }

    /// Spin's lexer makes an `if` of `select (x : 1 .. 3)`, if both bounds are plain numbers that are not too
    /// far apart and all is on one line and in no `inline`: a step each. Else `select` counts up, and the
    /// tree says so.
    pub(super) fn select(&mut self) -> Parsed<StatementKind> {
        let plain = self.frames.is_empty() && self.plain_select();
        self.next();
        self.expect(Token::Open, "behind `select`")?;
        let start = self.at;
        let counter = self.reference()?;
        let (from, to) = self.range("behind the variable")?;
        if let (true, &ExprKind::Number(least), &ExprKind::Number(most)) = (plain, &from.kind, &to.kind) {
            if most < least {
                let problem = Diagnostic::error("there is nothing to select from", from.span.to(to.span));
                self.report(problem.help("write the smaller number first"));
                return Err(Stop);
            }
            if most - least < MOST_OFFERED {
                let span = self.between(self.words[start], self.words[self.at - 2]);
                return Ok(offer(&counter, least, most, span));
            }
        }
        Ok(StatementKind::Select { counter, from, to })
    }

    /// Whether a `select` starts here that is written so plainly that Spin's lexer takes it.
    fn plain_select(&self) -> bool {
        let pattern =
            [Token::Open, Token::Name, Token::Colon, Token::Number, Token::To, Token::Number, Token::Close];
        let words = &self.words[self.at + 1..];
        words.len() > pattern.len()
            && words.iter().zip(pattern).all(|(word, token)| word.token == token)
            && words[1..pattern.len()].iter().all(|word| !word.newline)
            && self.text(words[1]).bytes().all(|byte| byte.is_ascii_alphanumeric())
    }
}

/// `if :: x = least … :: x = most fi`
fn offer(counter: &Reference, least: i64, most: i64, span: Span) -> StatementKind {
    let option = |value| {
        let value = Expr { kind: ExprKind::Number(value), span };
        let kind = StatementKind::Assign(counter.clone(), value);
        Sequence { statements: vec![Statement { labels: Vec::new(), kind, span }] }
    };
    StatementKind::If((least..=most).map(option).collect())
}
