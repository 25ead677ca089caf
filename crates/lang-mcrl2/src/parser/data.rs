//! Data expressions, by precedence climbing.
//!
//! From loose to tight: `whr`; `forall exists lambda`; `=>`; `||`; `&&`; `== !=`; `< <= >= > in`; `|>`; `<|`;
//! `++`; `+ -`; `/ div mod`; `*`; `! - #`; `.`; application and update. `=> || && |>` group to the right, the
//! others to the left. Differs: the reference gives `*`, `.` and `! - #` one rank, which makes sense of
//! `l.0 * 2`, but not of `2 * l.0` and `!l.0`.

use base::{Diagnostic, Reported, Span};

use super::{Parsed, Parser};
use crate::ast::{Binder, Binding, Expr, ExprKind, Junction};
use crate::lexer::Token;

/// The ranks of the two operators that are read as flat chains.
const OR: u8 = 3;
const AND: u8 = 4;

/// The rank of `.`, the tightest.
const ELEMENT: u8 = 13;

/// The lowest rank of an operator.
const LOWEST: u8 = 2;

/// An operator between two operands: rank, name, whether it groups to the right.
fn infix(token: Token) -> Option<(u8, &'static str, bool)> {
    Some(match token {
        Token::Implies => (LOWEST, "=>", true),
        Token::BarBar => (OR, "||", true),
        Token::AndAnd => (AND, "&&", true),
        Token::EqualEqual => (5, "==", false),
        Token::NotEqual => (5, "!=", false),
        Token::Less => (6, "<", false),
        Token::AtMost => (6, "<=", false),
        Token::AtLeast => (6, ">=", false),
        Token::Greater => (6, ">", false),
        Token::In => (6, "in", false),
        Token::Prepend => (7, "|>", true),
        Token::Snoc => (8, "<|", false),
        Token::PlusPlus => (9, "++", false),
        Token::Plus => (10, "+", false),
        Token::Minus => (10, "-", false),
        Token::Over => (11, "/", false),
        Token::Div => (11, "div", false),
        Token::Mod => (11, "mod", false),
        Token::Times => (12, "*", false),
        Token::Dot => (ELEMENT, ".", false),
        _ => return None,
    })
}

fn prefix(token: Token) -> Option<&'static str> {
    match token {
        Token::Bang => Some("!"),
        Token::Minus => Some("-"),
        Token::Hash => Some("#"),
        _ => None,
    }
}

fn deepest<'e, 'a: 'e>(parts: impl IntoIterator<Item = &'e Expr<'a>>) -> u16 {
    parts.into_iter().map(|part| part.depth).max().unwrap_or(0)
}

impl<'a> Parser<'a> {
    /// An expression.
    pub(super) fn expression(&mut self) -> Parsed<Expr<'a>> {
        self.nested(|parser| {
            let mut expr = parser.operators(LOWEST)?;
            while parser.words.take(Token::Whr) {
                let bound = parser.assignments("the name of a variable")?;
                parser.words.expect(Token::EndWhr, "behind what is bound by `whr`")?;
                let depth = expr.depth.max(deepest(bound.iter().map(|(_, value)| value)));
                let span = expr.span.to(parser.words.last_span());
                expr = parser.made(ExprKind::Where(Box::new(expr), bound), span, depth)?;
            }
            Ok(expr)
        })
    }

    /// `x = e, y = f`
    pub(super) fn assignments(&mut self, what: &str) -> Parsed<Vec<(crate::ast::Name<'a>, Expr<'a>)>> {
        let mut all = Vec::new();
        loop {
            let name = self.name(what)?;
            self.words.expect(Token::Assign, "and a value")?;
            all.push((name, self.expression()?));
            if !self.words.take(Token::Comma) {
                return Ok(all);
            }
        }
    }

    /// `e, f`
    pub(super) fn expressions(&mut self) -> Parsed<Vec<Expr<'a>>> {
        let mut all = vec![self.expression()?];
        while self.words.take(Token::Comma) {
            all.push(self.expression()?);
        }
        Ok(all)
    }

    fn made(&mut self, kind: ExprKind<'a>, span: Span, deepest: u16) -> Parsed<Expr<'a>> {
        Ok(Expr { kind, span, depth: self.above(deepest, span)? })
    }

    fn operators(&mut self, lowest: u8) -> Parsed<Expr<'a>> {
        let mut left = self.unary()?;
        while let Some((rank, name, to_the_right)) = infix(self.words.peek()) {
            if rank < lowest {
                break;
            }
            if rank == AND || rank == OR {
                left = self.chain(left, rank)?;
                continue;
            }
            let at = self.words.step();
            let right = match to_the_right {
                true => self.nested(|parser| parser.operators(rank))?,
                false => self.operators(rank + 1)?,
            };
            left = self.binary(name, at, left, right)?;
        }
        Ok(left)
    }

    fn binary(&mut self, name: &'static str, at: Span, left: Expr<'a>, right: Expr<'a>) -> Parsed<Expr<'a>> {
        let span = left.span.to(right.span);
        let depth = left.depth.max(right.depth);
        self.made(ExprKind::Operator(name, at, vec![left, right]), span, depth)
    }

    /// `a && b && c`: what is one operator in a row is one node.
    fn chain(&mut self, first: Expr<'a>, rank: u8) -> Parsed<Expr<'a>> {
        let (token, junction) =
            if rank == AND { (Token::AndAnd, Junction::And) } else { (Token::BarBar, Junction::Or) };
        let mut parts = vec![first];
        while self.words.take(token) {
            parts.push(self.operators(rank + 1)?);
        }
        let span = parts[0].span.to(self.words.last_span());
        let depth = deepest(&parts);
        self.made(ExprKind::Chain(junction, parts), span, depth)
    }

    fn unary(&mut self) -> Parsed<Expr<'a>> {
        let binder = match self.words.peek() {
            Token::Forall => Some(Binder::Forall),
            Token::Exists => Some(Binder::Exists),
            Token::Lambda => Some(Binder::Lambda),
            _ => None,
        };
        if let Some(binder) = binder {
            return self.binder(binder);
        }
        let Some(name) = prefix(self.words.peek()) else { return self.applied(Self::primary) };
        let at = self.words.step();
        let operand = self.nested(|parser| parser.operators(ELEMENT))?;
        let (span, depth) = (at.to(operand.span), operand.depth);
        self.made(ExprKind::Operator(name, at, vec![operand]), span, depth)
    }

    fn binder(&mut self, binder: Binder) -> Parsed<Expr<'a>> {
        let start = self.words.step();
        let variables = self.bindings()?;
        self.words.expect(Token::Dot, "behind the variables")?;
        let body = self.nested(|parser| parser.operators(LOWEST))?;
        let (span, depth) = (start.to(body.span), body.depth);
        self.made(ExprKind::Binder(binder, variables, Box::new(body)), span, depth)
    }

    /// What `read` reads, with arguments and updates behind it.
    fn applied(&mut self, read: impl FnOnce(&mut Self) -> Parsed<Expr<'a>>) -> Parsed<Expr<'a>> {
        let mut expr = read(self)?;
        loop {
            match self.words.peek() {
                Token::Open => expr = self.arguments(expr)?,
                Token::OpenBracket => {
                    self.words.step();
                    let argument = self.expression()?;
                    self.words.expect(Token::Arrow, "and the new value")?;
                    let value = self.expression()?;
                    self.words.expect(Token::CloseBracket, "behind the new value")?;
                    let depth = expr.depth.max(argument.depth).max(value.depth);
                    let span = expr.span.to(self.words.last_span());
                    let kind = ExprKind::Update(Box::new(expr), Box::new(argument), Box::new(value));
                    expr = self.made(kind, span, depth)?;
                }
                _ => return Ok(expr),
            }
        }
    }

    fn arguments(&mut self, function: Expr<'a>) -> Parsed<Expr<'a>> {
        self.words.expect(Token::Open, "")?;
        let arguments = self.expressions()?;
        self.words.expect(Token::Close, "behind the arguments")?;
        let span = function.span.to(self.words.last_span());
        let depth = function.depth.max(deepest(&arguments));
        self.made(ExprKind::Apply(Box::new(function), arguments), span, depth)
    }

    fn primary(&mut self) -> Parsed<Expr<'a>> {
        match self.words.peek() {
            Token::OpenBracket => {
                let start = self.words.step();
                let elements =
                    if self.words.peek() == Token::CloseBracket { Vec::new() } else { self.expressions()? };
                self.words.expect(Token::CloseBracket, "behind the elements")?;
                let depth = deepest(&elements);
                self.made(ExprKind::List(elements), start.to(self.words.last_span()), depth)
            }
            Token::OpenBrace => self.braces(),
            _ => self.simple(),
        }
    }

    /// A name, a number, a truth value, or anything in parentheses.
    fn simple(&mut self) -> Parsed<Expr<'a>> {
        let span = self.words.span();
        let kind = match self.words.peek() {
            Token::Name => ExprKind::Name(self.words.slice(span)),
            Token::Number => ExprKind::Number(self.words.slice(span)),
            Token::True => ExprKind::Truth(true),
            Token::False => ExprKind::Truth(false),
            Token::Open => {
                self.words.step();
                let inner = self.expression()?;
                if self.words.peek() == Token::Assign {
                    let problem = Diagnostic::error("expected `)`", self.words.span()).label("found `=`");
                    self.words.report(problem.help("`==` compares"));
                    return Err(Reported);
                }
                self.words.expect(Token::Close, "")?;
                return Ok(inner);
            }
            _ => return self.words.fail("expected an expression"),
        };
        if let ExprKind::Number(digits) = kind
            && digits.len() > 1
            && digits.starts_with('0')
        {
            let problem =
                Diagnostic::error("a number does not begin with 0", span).help("leave the zeros out");
            self.words.report(problem);
        }
        self.words.step();
        Ok(Expr { kind, span, depth: 1 })
    }

    /// `{}`, `{:}`, `{a, b}`, `{a: 1}`, `{x: S | e}`
    fn braces(&mut self) -> Parsed<Expr<'a>> {
        let open = self.words.at();
        let start = self.words.step();
        let (kind, depth) = match self.words.peek() {
            Token::CloseBrace => (ExprKind::Set(Vec::new()), 0),
            Token::Colon => {
                self.words.step();
                (ExprKind::Bag(Vec::new()), 0)
            }
            _ if self.is_comprehension(open) => {
                let name = self.name("the name of a variable")?;
                self.words.expect(Token::Colon, "and the sort")?;
                let sort = self.sort()?;
                self.words.expect(Token::Bar, "and what the elements are like")?;
                let body = self.expression()?;
                let depth = body.depth;
                (ExprKind::Comprehension(Binding { names: vec![name], sort }, Box::new(body)), depth)
            }
            _ => {
                let first = self.expression()?;
                if self.words.peek() == Token::Colon { self.bag(first)? } else { self.set(first)? }
            }
        };
        self.words.expect(Token::CloseBrace, "behind the elements")?;
        self.made(kind, start.to(self.words.last_span()), depth)
    }

    /// In a bag `{x: n}` there is no `|` between the braces.
    fn is_comprehension(&self, open: usize) -> bool {
        if self.words.peek() != Token::Name || self.words.peek_behind(1) != Token::Colon {
            return false;
        }
        let (mut at, end) = (open + 1, self.brackets.closing(open));
        while at < end {
            match self.words.word(at) {
                Token::Bar => return true,
                Token::Comma => return false,
                Token::Open | Token::OpenBracket | Token::OpenBrace => at = self.brackets.closing(at),
                _ => {}
            }
            at += 1;
        }
        false
    }

    fn set(&mut self, first: Expr<'a>) -> Parsed<(ExprKind<'a>, u16)> {
        let mut elements = vec![first];
        while self.words.take(Token::Comma) {
            elements.push(self.expression()?);
        }
        let depth = deepest(&elements);
        Ok((ExprKind::Set(elements), depth))
    }

    fn bag(&mut self, first: Expr<'a>) -> Parsed<(ExprKind<'a>, u16)> {
        let mut elements = Vec::new();
        let mut element = first;
        loop {
            self.words.expect(Token::Colon, "and how often the element is there")?;
            let number = self.expression()?;
            elements.push((element, number));
            if !self.words.take(Token::Comma) {
                break;
            }
            element = self.expression()?;
        }
        let depth = deepest(elements.iter().flat_map(|(element, number)| [element, number]));
        Ok((ExprKind::Bag(elements), depth))
    }

    /// What may stand as a condition or a time in a process: anything larger needs parentheses.
    pub(super) fn unit(&mut self) -> Parsed<Expr<'a>> {
        if let Some(name) = prefix(self.words.peek()) {
            let at = self.words.step();
            let operand = self.nested(Self::unit)?;
            let (span, depth) = (at.to(operand.span), operand.depth);
            return self.made(ExprKind::Operator(name, at, vec![operand]), span, depth);
        }
        let mut expr = self.simple()?;
        while self.words.peek() == Token::Open {
            expr = self.arguments(expr)?;
        }
        Ok(expr)
    }
}
