//! Expressions, by precedence climbing.
//!
//! Spin's grammar keeps `full(q)` and its relatives apart: they can be joined with `&&` and `||`, and nothing
//! else can be done with them, so that its reductions may rely on them. So do we.

use base::{Diagnostic, Span};
use commands::BinaryOp as Op;

use super::{Parsed, Parser, Stop};
use crate::ast::{BinaryOp, ChannelTest, Expr, ExprKind, Reference, UnaryOp};
use crate::word::{Token, character};

/// How long a chain of operators may be, and how deep expressions may be nested.
const DEEPEST: usize = 1000;

/// What one level of nesting takes of it: more than a link of a chain, because the parser itself goes deeper.
const NEST: usize = 4;

/// An expression, and where a test of a channel is in it that nothing may be done with.
pub(super) struct Read {
    expr: Expr,
    test: Option<Span>,
}

fn infix(token: Token) -> Option<(BinaryOp, u8)> {
    let (op, rank) = match token {
        Token::Or => return Some((BinaryOp::Or, 1)),
        Token::And => return Some((BinaryOp::And, 2)),
        Token::Bar => (Op::BitOr, 3),
        Token::Caret => (Op::BitXor, 4),
        Token::Ampersand => (Op::BitAnd, 5),
        Token::Equal => (Op::Eq, 6),
        Token::NotEqual => (Op::Ne, 6),
        Token::Greater => (Op::Gt, 7),
        Token::Less => (Op::Lt, 7),
        Token::AtLeast => (Op::Ge, 7),
        Token::AtMost => (Op::Le, 7),
        Token::ShiftLeft => (Op::Shl, 8),
        Token::ShiftRight => (Op::Shr, 8),
        Token::Plus => (Op::Add, 9),
        Token::Minus => (Op::Sub, 9),
        Token::Times => (Op::Mul, 10),
        Token::Over => (Op::Div, 10),
        Token::Percent => (Op::Mod, 10),
        _ => return None,
    };
    Some((BinaryOp::Strict(op), rank))
}

impl Parser<'_> {
    /// Any expression, tests of channels included.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let before = self.depth;
        let result = self.chain(0);
        self.depth = before;
        Ok(result?.expr)
    }

    /// An expression that is a value.
    pub(super) fn plain_expression(&mut self) -> Parsed<Expr> {
        let before = self.depth;
        let result = self.chain(0).and_then(|read| self.plain(read));
        self.depth = before;
        result
    }

    /// One operand that is a value.
    pub(super) fn plain_operand(&mut self) -> Parsed<Expr> {
        let read = self.nested(Self::operand)?;
        self.plain(read)
    }

    /// Runs a reader one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            return self.too_deep();
        }
        let before = self.depth;
        self.depth += NEST;
        let result = read(self);
        self.depth = before;
        result
    }

    fn plain(&mut self, read: Read) -> Parsed<Expr> {
        let Some(span) = read.test else { return Ok(read.expr) };
        let problem = Diagnostic::error("a test of a channel is no value here", span)
            .label("only `&&` and `||` may join it")
            .help("use `nfull` for not `full`, `nempty` for not `empty`, or `len(q)`");
        self.report(problem);
        Err(Stop)
    }

    /// Operands with operators of at least this rank between them, all read from the left.
    fn chain(&mut self, least: u8) -> Parsed<Read> {
        let start = self.at;
        let mut left = self.nested(Self::operand)?;
        let before = self.depth;
        while let Some((op, rank)) = infix(self.peek()).filter(|(_, rank)| *rank > least) {
            self.next();
            let right = self.nested(|parser| parser.chain(rank))?;
            let logical = matches!(op, BinaryOp::And | BinaryOp::Or);
            let (one, other, test) = if logical {
                (left.expr, right.expr, left.test.or(right.test))
            } else {
                (self.plain(left)?, self.plain(right)?, None)
            };
            let kind = ExprKind::Binary(op, Box::new(one), Box::new(other));
            left = Read { expr: Expr { kind, span: self.since(start) }, test };
            // The tree leans to the left: each link makes it one level deeper.
            self.depth += 1;
            if self.depth >= DEEPEST {
                return self.too_deep();
            }
        }
        self.depth = before;
        Ok(left)
    }

    fn operand(&mut self) -> Parsed<Read> {
        let start = self.at;
        let mut test = None;
        let kind = match self.peek() {
            Token::True | Token::Skip => self.literal(1),
            Token::False => self.literal(0),
            Token::Number => self.number(),
            Token::Character => self.character()?,
            Token::Minus => self.unary(UnaryOp::Minus)?,
            Token::Tilde => self.unary(UnaryOp::Complement)?,
            Token::Bang => self.unary(UnaryOp::Not)?,
            Token::Open => {
                let inside = self.parenthesis()?;
                test = inside.test;
                inside.expr.kind
            }
            Token::Run => self.run()?,
            Token::Len => ExprKind::Channel(ChannelTest::Len, Box::new(self.of_channel()?)),
            token @ (Token::Empty | Token::Full | Token::Nempty | Token::Nfull) => {
                let channel = Box::new(self.of_channel()?);
                test = Some(self.since(start));
                let asked = match token {
                    Token::Empty => ChannelTest::Empty,
                    Token::Full => ChannelTest::Full,
                    Token::Nempty => ChannelTest::Nempty,
                    _ => ChannelTest::Nfull,
                };
                ExprKind::Channel(asked, channel)
            }
            Token::Enabled => ExprKind::Enabled(self.of_process()?),
            Token::PcValue => ExprKind::PcValue(self.of_process()?),
            Token::GetPriority => ExprKind::GetPriority(self.of_process()?),
            Token::Timeout => {
                self.next();
                ExprKind::Timeout
            }
            Token::NonProgress => {
                self.next();
                ExprKind::NonProgress
            }
            Token::Name => self.named()?,
            Token::CExpr => return self.c_code(),
            Token::Eval => return self.fail("`eval` can stand in the fields of a receive only"),
            _ => return self.fail("expected an expression"),
        };
        Ok(Read { expr: Expr { kind, span: self.since(start) }, test })
    }

    fn literal(&mut self, value: i64) -> ExprKind {
        self.next();
        ExprKind::Number(value)
    }

    /// Numbers have 32 bits, as in Spin.
    fn number(&mut self) -> ExprKind {
        let word = self.next();
        let text = self.text(word).to_owned();
        let value = text.parse::<i64>().unwrap_or(i64::MAX);
        #[expect(clippy::cast_possible_truncation, reason = "as Spin does, and said below")]
        let kept = i64::from(value as i32);
        if kept != value {
            let problem = Diagnostic::warning(
                format!("this number does not fit into 32 bits and is read as {kept}"),
                word.span,
            )
            .help(format!("the largest number is {}", i32::MAX));
            self.report(problem);
        }
        ExprKind::Number(kept)
    }

    fn character(&mut self) -> Parsed<ExprKind> {
        let word = self.next();
        match character(self.text(word)) {
            Some(value) => Ok(ExprKind::Number(value)),
            None => {
                let problem = Diagnostic::error("this is not one character", word.span)
                    .help("write one, as `'a'` or `'\\n'`");
                self.report(problem);
                Err(Stop)
            }
        }
    }

    fn unary(&mut self, op: UnaryOp) -> Parsed<ExprKind> {
        self.next();
        let operand = self.plain_operand()?;
        Ok(ExprKind::Unary(op, Box::new(operand)))
    }

    /// `(e)` or `(c -> a : b)`.
    fn parenthesis(&mut self) -> Parsed<Read> {
        let open = self.next();
        let start = self.at;
        let inside = self.chain(0)?;
        if self.peek() != Token::Arrow {
            if self.peek() == Token::Semicolon {
                let problem = Diagnostic::error("this parenthesis is not closed", open.span)
                    .help("write `)` where it ends");
                self.report(problem);
                return Err(Stop);
            }
            self.expect(Token::Close, "to close the parenthesis")?;
            return Ok(inside);
        }
        self.next();
        let condition = Box::new(self.plain(inside)?);
        let then = self.nested(|parser| parser.chain(0))?;
        let then = Box::new(self.plain(then)?);
        self.expect(Token::Colon, "and the value if the condition does not hold")?;
        let otherwise = self.nested(|parser| parser.chain(0))?;
        let otherwise = Box::new(self.plain(otherwise)?);
        let span = self.since(start);
        self.expect(Token::Close, "to close the parenthesis")?;
        let expr = Expr { kind: ExprKind::Conditional(condition, then, otherwise), span };
        Ok(Read { expr, test: None })
    }

    fn run(&mut self) -> Parsed<ExprKind> {
        self.next();
        let process = self.name("the name of a process")?;
        self.expect(Token::Open, "before the arguments")?;
        let mut arguments = Vec::new();
        if self.peek() != Token::Close {
            arguments = self.values()?;
        }
        self.expect(Token::Close, "behind the arguments")?;
        let priority = if self.take(Token::Priority) { Some(Box::new(self.constant()?)) } else { None };
        Ok(ExprKind::Run { process, arguments, priority })
    }

    /// Values with commas between them.
    pub(super) fn values(&mut self) -> Parsed<Vec<Expr>> {
        let mut values = vec![self.nested(Self::value)?];
        while self.take(Token::Comma) {
            values.push(self.nested(Self::value)?);
        }
        Ok(values)
    }

    fn value(&mut self) -> Parsed<Expr> {
        let read = self.chain(0)?;
        self.plain(read)
    }

    /// `(q)`, behind a word.
    fn of_channel(&mut self) -> Parsed<Reference> {
        self.next();
        self.expect(Token::Open, "and a channel")?;
        let channel = self.reference()?;
        self.expect(Token::Close, "behind the channel")?;
        Ok(channel)
    }

    /// `(p)`, behind a word.
    fn of_process(&mut self) -> Parsed<Box<Expr>> {
        self.next();
        self.expect(Token::Open, "and the number of a process")?;
        let process = self.nested(Self::value)?;
        self.expect(Token::Close, "behind the number of the process")?;
        Ok(Box::new(process))
    }

    /// `a[i].b`
    pub(super) fn reference(&mut self) -> Parsed<Reference> {
        let start = self.at;
        let name = self.name("the name of a variable")?;
        let index = self.index()?;
        let field = if self.take(Token::Dot) { Some(Box::new(self.nested(Self::reference)?)) } else { None };
        Ok(Reference { name, index, field, span: self.since(start) })
    }

    fn index(&mut self) -> Parsed<Option<Box<Expr>>> {
        if !self.take(Token::OpenBracket) {
            return Ok(None);
        }
        let index = self.nested(Self::value)?;
        self.expect(Token::CloseBracket, "behind the index")?;
        Ok(Some(Box::new(index)))
    }

    /// All that begins with a name.
    fn named(&mut self) -> Parsed<ExprKind> {
        let start = self.at;
        let word = self.word();
        let is_process = self.processes.contains(&word.text);
        // A parenthesis behind a name is nothing but the use of an `inline`, or meant as one.
        if self.peek_behind(1) == Token::Open && self.inlines.contains_key(&word.text) {
            return self.inline_in_expression(word);
        }
        let reference = self.reference()?;
        match self.peek() {
            Token::At if reference.field.is_none() => {
                self.next();
                let label = self.name("the name of a label")?;
                Ok(ExprKind::RemoteLabel { process: reference.name, pid: reference.index, label })
            }
            Token::Colon if is_process && reference.field.is_none() => {
                self.next();
                let variable = Box::new(self.nested(Self::reference)?);
                Ok(ExprKind::RemoteVariable { process: reference.name, pid: reference.index, variable })
            }
            Token::Question | Token::RandomReceive if self.peek_behind(1) == Token::OpenBracket => {
                let random = self.next().token == Token::RandomReceive;
                self.next();
                let fields = self.patterns()?;
                self.expect(Token::CloseBracket, "behind the fields")?;
                Ok(ExprKind::Poll { channel: Box::new(reference), fields, random })
            }
            Token::Question | Token::RandomReceive => {
                let problem = Diagnostic::error("a receive is a statement, no value", self.since(start))
                    .help("write `q?[…]` to ask whether it could be taken");
                self.report(problem);
                Err(Stop)
            }
            _ => Ok(ExprKind::Name(reference)),
        }
    }
}
