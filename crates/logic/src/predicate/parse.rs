//! From text to code in one pass, by precedence climbing.
//!
//! A bare name can be a slot or the name of a value, and only the other side of a comparison tells: such an
//! operand is one instruction, which is put right when both sides are known.

use base::{Diagnostic, SlotIx, Source, Span};
use model::Signature;

use super::code::{Binary, Code, DEEPEST, Lazy, Op};
use super::names::Names;
use super::token::{LEAST, Operator, Token, tokens, too_large};

/// How tightly each operator binds.
pub(crate) mod level {
    pub(crate) const IFF: u8 = 1;
    pub(crate) const IMPLY: u8 = 2;
    pub(crate) const OR: u8 = 3;
    pub(crate) const AND: u8 = 4;
    pub(crate) const BIT_OR: u8 = 5;
    pub(crate) const BIT_XOR: u8 = 6;
    pub(crate) const BIT_AND: u8 = 7;
    pub(crate) const EQUALITY: u8 = 8;
    pub(crate) const RELATION: u8 = 9;
    pub(crate) const SHIFT: u8 = 10;
    pub(crate) const SUM: u8 = 11;
    pub(crate) const PRODUCT: u8 = 12;
}

impl Operator {
    fn level(self) -> u8 {
        match self {
            Self::Lazy(Lazy::Imply) => level::IMPLY,
            Self::Lazy(Lazy::Or) => level::OR,
            Self::Lazy(Lazy::And) => level::AND,
            Self::Strict(binary) => match binary {
                Binary::Iff => level::IFF,
                Binary::Or => level::BIT_OR,
                Binary::Xor => level::BIT_XOR,
                Binary::And => level::BIT_AND,
                Binary::Equal | Binary::Unequal => level::EQUALITY,
                Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => level::RELATION,
                Binary::ShiftLeft | Binary::ShiftRight => level::SHIFT,
                Binary::Add | Binary::Subtract => level::SUM,
                Binary::Multiply | Binary::Divide | Binary::Remainder => level::PRODUCT,
            },
        }
    }
}

/// What is known of an operand whose code was just emitted.
pub(crate) struct Operand {
    pub(crate) span: Span,
    /// The slot that it is the value of, if that slot's values have names; of several, as in an array, one.
    pub(crate) slot: Option<SlotIx>,
    /// What it would be called if it were the name of a value, and its one instruction.
    pub(crate) name: Option<ValueName>,
}

pub(crate) struct ValueName {
    pub(crate) text: String,
    pub(crate) at: usize,
    pub(crate) quoted: bool,
    pub(crate) meaning: Meaning,
}

/// What a name means by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    Nothing,
    Number,
    Slot,
}

impl Operand {
    /// A number that was computed: no name, and of no slot.
    pub(crate) fn number(span: Span) -> Self {
        Self { span, slot: None, name: None }
    }
}

/// The text is beyond repair; the reason is among the problems.
pub(crate) struct Halt;

pub(crate) type Parsed<T> = Result<T, Halt>;

/// The code of the text.
pub(crate) fn parse(source: &Source, signature: &Signature) -> Result<Code, Vec<Diagnostic>> {
    let (tokens, problems) = tokens(source);
    let (names, code) = (Names::new(signature), Code::default());
    let mut parser = Parser { source, tokens, at: 0, depth: 0, names, code, problems };
    // A halt has its message among the problems.
    let _: Parsed<()> = parser.whole();
    let Parser { names, mut code, problems, .. } = parser;
    if !problems.is_empty() {
        return Err(problems);
    }
    code.set_integers(names.into_integers());
    match code.constant_error() {
        None => Ok(code),
        Some(error) => {
            let problem = Diagnostic::error(error.to_string(), Span::new(0, source.text().trim_end().len()));
            Err(vec![problem.label("this has no value in any state")])
        }
    }
}

/// The state of reading.
pub(crate) struct Parser<'a> {
    pub(crate) source: &'a Source,
    pub(crate) tokens: Vec<(Token<'a>, Span)>,
    pub(crate) at: usize,
    depth: usize,
    pub(crate) names: Names<'a>,
    pub(crate) code: Code,
    pub(crate) problems: Vec<Diagnostic>,
}

impl<'a> Parser<'a> {
    pub(crate) fn peek(&self) -> Token<'a> {
        self.tokens[self.at].0
    }

    pub(crate) fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    pub(crate) fn advance(&mut self) -> Span {
        let span = self.span();
        // The end stays the last token for ever.
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        span
    }

    pub(crate) fn halt<T>(&mut self, problem: Diagnostic) -> Parsed<T> {
        self.problems.push(problem);
        Err(Halt)
    }

    pub(crate) fn expect(&mut self, wanted: Token<'_>, what: &str, opened: Span) -> Parsed<Span> {
        if self.peek() == wanted {
            return Ok(self.advance());
        }
        let problem = Diagnostic::error(format!("expected {what}"), self.span());
        let opened = self.source.position(opened);
        let line = if opened.line > 1 { format!("line {}, ", opened.line) } else { String::new() };
        let help = format!("to close what was opened at {line}character {}", opened.column);
        self.halt(problem.label("here").help(help))
    }

    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            let problem = Diagnostic::error(format!("nested more than {DEEPEST} deep"), self.span());
            return self.halt(problem.help("split the predicate in several, or remove needless parentheses"));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn whole(&mut self) -> Parsed<()> {
        if self.peek() == Token::End {
            let problem = Diagnostic::error("the predicate is empty", self.span());
            return self.halt(problem.help("write an expression such as P_0.CS + P_1.CS <= 1"));
        }
        let operand = self.expression(level::IFF)?;
        self.settle(operand);
        if self.peek() != Token::End {
            let problem = Diagnostic::error("expected an operator or the end", self.span());
            return self.halt(problem.label("this does not belong to what stands before it"));
        }
        Ok(())
    }

    /// An expression of operators that bind at least this tightly.
    pub(crate) fn expression(&mut self, least: u8) -> Parsed<Operand> {
        self.nested(|parser| {
            let left = if parser.peek() == Token::Not && least <= level::RELATION {
                parser.negation()?
            } else {
                parser.unary()?
            };
            parser.rest(left, least)
        })
    }

    /// `!` where a comparison can begin. It negates all of that comparison, as in LTSmin; C would negate only
    /// the left side, which for an integer is never meant. Where both readings make sense it is refused.
    fn negation(&mut self) -> Parsed<Operand> {
        let sign = self.advance();
        let operand = if self.peek() == Token::Not { self.nested(Self::negation)? } else { self.unary()? };
        let operand = match self.peek() {
            Token::Operator(operator) if operator.level() >= level::SHIFT => {
                let problem = Diagnostic::error("what does `!` negate here?", sign);
                self.problems.push(problem.help("write (!a) + b or !(a + b)"));
                operand
            }
            _ => self.rest(operand, level::EQUALITY)?,
        };
        let span = sign.to(operand.span);
        self.settle(operand);
        self.operate(Op::Not, span);
        Ok(Operand::number(span))
    }

    /// What follows an operand, as long as it binds at least this tightly.
    fn rest(&mut self, mut left: Operand, least: u8) -> Parsed<Operand> {
        let mut compared = None;
        while let Token::Operator(operator) = self.peek() {
            let level = operator.level();
            if level < least {
                break;
            }
            let sign = self.advance();
            let comparison = level == level::EQUALITY || level == level::RELATION;
            if comparison && compared == Some(level) {
                let problem = Diagnostic::error("comparisons do not chain", sign);
                self.problems.push(problem.help("write a < b && b < c, or use parentheses"));
            }
            compared = comparison.then_some(level);
            left = match operator {
                Operator::Strict(binary) => {
                    let right = self.expression(level + 1)?;
                    self.strict(left, binary, right)
                }
                Operator::Lazy(lazy) => self.lazy(left, lazy, level)?,
            };
        }
        Ok(left)
    }

    fn lazy(&mut self, left: Operand, lazy: Lazy, level: u8) -> Parsed<Operand> {
        let start = left.span;
        self.settle(left);
        let decision = self.code.emit(Op::Decide(lazy, 0));
        let right = self.expression(if lazy == Lazy::Imply { level } else { level + 1 })?;
        let span = start.to(right.span);
        self.settle(right);
        self.code.emit(Op::Truth);
        self.code.land(decision);
        Ok(Operand::number(span))
    }

    fn unary(&mut self) -> Parsed<Operand> {
        let op = match self.peek() {
            Token::Not => Op::Not,
            Token::Complement => Op::Complement,
            Token::Operator(Operator::Strict(Binary::Subtract)) => Op::Negate,
            _ => return self.primary(),
        };
        let sign = self.advance();
        if op == Op::Negate && self.peek() == Token::Number(LEAST) {
            let span = sign.to(self.advance());
            return Ok(self.literal(i64::MIN, span));
        }
        let start = self.code.len();
        let operand = self.nested(Self::unary)?;
        let span = sign.to(operand.span);
        self.settle(operand);
        self.operate(op, span);
        // So that -1 is a literal too: it can be the name of a value.
        if op == Op::Negate
            && let Some(number) = self.code.take_constant(start)
        {
            return Ok(self.literal(number, span));
        }
        Ok(Operand::number(span))
    }

    fn literal(&mut self, number: i64, span: Span) -> Operand {
        self.constant(number, number.to_string(), span)
    }

    fn constant(&mut self, number: i64, text: String, span: Span) -> Operand {
        let at = self.code.emit(Op::Const(number));
        let name = ValueName { text, at, quoted: false, meaning: Meaning::Number };
        Operand { span, slot: None, name: Some(name) }
    }

    fn primary(&mut self) -> Parsed<Operand> {
        let span = self.span();
        match self.peek() {
            Token::Number(number) => {
                self.advance();
                let Ok(number) = i64::try_from(number) else {
                    self.problems.push(too_large(&number.to_string(), span));
                    return Ok(self.literal(0, span));
                };
                Ok(self.literal(number, span))
            }
            Token::Truth(truth) => {
                self.advance();
                Ok(self.constant(i64::from(truth), truth.to_string(), span))
            }
            Token::Text(text) => {
                self.advance();
                let at = self.code.emit(Op::Const(0));
                let name = ValueName { text: text.to_owned(), at, quoted: true, meaning: Meaning::Nothing };
                Ok(Operand { span, slot: None, name: Some(name) })
            }
            Token::Open => {
                self.advance();
                let inner = self.expression(level::IFF)?;
                let end = self.expect(Token::Close, "`)`", span)?;
                Ok(Operand { span: span.to(end), ..inner })
            }
            Token::Name(name) => {
                self.advance();
                match self.is_question(name) {
                    true => self.question(name, span),
                    false => self.path(name.to_owned(), span),
                }
            }
            _ => {
                let problem = Diagnostic::error("expected a name, a number or `(`", span);
                self.halt(problem.label("an operand is missing here"))
            }
        }
    }
}
