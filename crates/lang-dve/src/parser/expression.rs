//! Expressions, by precedence climbing.
//!
//! DiVinE gives `and` and `or` the same rank, and `&`, `|`, `^` too, and reads them from the left:
//! `a or b and c` is `(a or b) and c`. So do we, with a warning from the checker where it matters.

use base::Diagnostic;
use commands::{BinaryOp, UnaryOp};

use super::{Parsed, Parser, Reported};
use crate::ast::{Expr, ExprKind, Name, ProcessRef};
use crate::lexer::Token;

/// How long a chain of operators may be, and how deep expressions may be nested. All that walks the tree
/// later is recursive, so this bounds its stack.
const DEEPEST: usize = 1000;

/// What one level of nesting takes of it: more than a link of a chain, because the parser itself goes deeper.
const NEST: usize = 4;

/// An operator between two operands.
#[derive(Clone, Copy)]
enum Infix {
    Binary(BinaryOp),
    And,
    Or,
    Imply,
}

/// The operator that a word is, and its rank: higher binds tighter.
fn infix(token: Token) -> Option<(Infix, u8)> {
    let binary = |op, rank| Some((Infix::Binary(op), rank));
    match token {
        Token::Imply => Some((Infix::Imply, 1)),
        Token::Or => Some((Infix::Or, 2)),
        Token::And => Some((Infix::And, 2)),
        Token::Bar => binary(BinaryOp::BitOr, 3),
        Token::Ampersand => binary(BinaryOp::BitAnd, 3),
        Token::Caret => binary(BinaryOp::BitXor, 3),
        Token::Equal => binary(BinaryOp::Eq, 4),
        Token::NotEqual => binary(BinaryOp::Ne, 4),
        Token::Less => binary(BinaryOp::Lt, 5),
        Token::AtMost => binary(BinaryOp::Le, 5),
        Token::Greater => binary(BinaryOp::Gt, 5),
        Token::AtLeast => binary(BinaryOp::Ge, 5),
        Token::ShiftLeft => binary(BinaryOp::Shl, 6),
        Token::ShiftRight => binary(BinaryOp::Shr, 6),
        Token::Plus => binary(BinaryOp::Add, 7),
        Token::Minus => binary(BinaryOp::Sub, 7),
        Token::Times => binary(BinaryOp::Mul, 8),
        Token::Over => binary(BinaryOp::Div, 8),
        Token::Percent => binary(BinaryOp::Mod, 8),
        _ => None,
    }
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let before = self.depth;
        let result = self.chain(0);
        self.depth = before;
        result
    }

    /// Runs a reader one level deeper.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            return self.too_deep();
        }
        let before = self.depth;
        self.depth += NEST;
        let result = read(self);
        self.depth = before;
        result
    }

    fn too_deep<T>(&mut self) -> Parsed<T> {
        let problem =
            Diagnostic::error("this is nested deeper, or longer, than can be read", self.words.span())
                .help("take some of it into a variable");
        self.words.report(problem);
        self.words.give_up();
        Err(Reported)
    }

    /// Operands with operators of at least this rank between them, all read from the left.
    fn chain(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = self.nested(Self::operand)?;
        let before = self.depth;
        while let Some((op, rank)) = infix(self.words.peek()).filter(|(_, rank)| *rank >= least) {
            self.words.step();
            let right = self.nested(|parser| parser.chain(rank + 1))?;
            let span = left.span.to(right.span);
            let (l, r) = (Box::new(left), Box::new(right));
            let kind = match op {
                Infix::Binary(op) => ExprKind::Binary(op, l, r),
                Infix::And => ExprKind::And(l, r),
                Infix::Or => ExprKind::Or(l, r),
                Infix::Imply => ExprKind::Imply(l, r),
            };
            left = Expr { kind, span };
            // The tree leans to the left: each link makes it one level deeper.
            self.depth += 1;
            if self.depth >= DEEPEST {
                return self.too_deep();
            }
        }
        self.depth = before;
        Ok(left)
    }

    fn operand(&mut self) -> Parsed<Expr> {
        let start = self.words.span();
        let kind = match self.words.peek() {
            Token::True => self.literal(1),
            Token::False => self.literal(0),
            Token::Number => self.number()?,
            Token::Minus => self.unary(UnaryOp::Negate)?,
            Token::Tilde => self.unary(UnaryOp::BitNot)?,
            Token::Not | Token::Bang => self.unary(UnaryOp::Not)?,
            Token::Open => {
                self.words.step();
                let inside = self.chain(0)?;
                self.words.expect(Token::Close, "")?;
                inside.kind
            }
            Token::Name => self.named()?,
            _ => return self.words.fail("expected an expression"),
        };
        Ok(Expr { kind, span: start.to(self.words.last_span()) })
    }

    fn literal(&mut self, value: i64) -> ExprKind {
        self.words.step();
        ExprKind::Number(value)
    }

    fn number(&mut self) -> Parsed<ExprKind> {
        let span = self.words.step();
        // Larger than any variable can hold is larger than anyone means.
        match self.words.slice(span).parse::<i64>().ok().filter(|value| i32::try_from(*value).is_ok()) {
            Some(value) => Ok(ExprKind::Number(value)),
            None => {
                let problem = Diagnostic::error("this number is too large", span)
                    .label(format!("at most {}", i32::MAX))
                    .help("use a smaller number; `byte` holds 0 to 255, `int` -32768 to 32767");
                self.words.report(problem);
                Ok(ExprKind::Broken)
            }
        }
    }

    fn unary(&mut self, op: UnaryOp) -> Parsed<ExprKind> {
        self.words.step();
        let operand = self.nested(Self::operand)?;
        Ok(ExprKind::Unary(op, Box::new(operand)))
    }

    /// All that begins with a name.
    fn named(&mut self) -> Parsed<ExprKind> {
        let name = self.name("a name")?;
        match self.words.peek() {
            Token::OpenBracket => {
                self.words.step();
                let index = self.chain(0)?;
                self.words.expect(Token::CloseBracket, "")?;
                Ok(ExprKind::Cell(name.text, Box::new(index)))
            }
            Token::Dot | Token::Arrow => self.of_process(ProcessRef { name, keys: Vec::new() }),
            Token::Open => {
                self.words.step();
                let keys = self.expressions(Token::Close)?;
                self.words.expect(Token::Close, "")?;
                if keys.is_empty() {
                    return Ok(ExprKind::Call(name.text));
                }
                self.of_process(ProcessRef { name, keys })
            }
            _ => Ok(ExprKind::Name(name.text)),
        }
    }

    fn of_process(&mut self, process: ProcessRef) -> Parsed<ExprKind> {
        if self.words.take(Token::Dot) {
            let state = self.name("the name of a state")?;
            return Ok(ExprKind::At(process, state));
        }
        self.words.expect(Token::Arrow, "or `.` behind the process")?;
        let variable: Name = self.name("the name of a variable")?;
        let index = match self.words.take(Token::OpenBracket) {
            false => None,
            true => {
                let index = self.chain(0)?;
                self.words.expect(Token::CloseBracket, "")?;
                Some(Box::new(index))
            }
        };
        Ok(ExprKind::Foreign(process, variable, index))
    }
}
