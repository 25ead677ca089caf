//! Conditions behind `#if`: constant expressions of C.

use base::{Diagnostic, Span};

use super::{Preprocessor, Stop};
use crate::word::{Token, Word};

/// How deep conditions may be nested.
const DEEPEST: usize = 200;

/// What is wrong, and at which word.
struct ConditionError(&'static str, usize);

type Read = Result<i64, ConditionError>;

impl Preprocessor<'_> {
    /// Whether the condition on a line holds.
    pub(super) fn condition(&mut self, line: &[Word], span: Span) -> Result<bool, Stop> {
        if line.is_empty() {
            self.report(
                Diagnostic::error("expected a condition here", span)
                    .help("write `#if 1`, or `#if defined(NAME)`"),
            );
            return Ok(false);
        }
        let line = self.without_defined(line);
        let words = self.on_its_own(&line, span)?;
        let mut reader = Reader { words: &words, preprocessor: self, at: 0, depth: 0, unread: 0 };
        match reader.whole() {
            Ok(value) => Ok(value != 0),
            Err(ConditionError(message, at)) => {
                let at = words.get(at).map_or(span, |word| word.span);
                self.report(Diagnostic::error(message, at).label("in the condition of this directive"));
                Ok(false)
            }
        }
    }

    /// Expands the words of a directive.
    pub(super) fn on_its_own(&mut self, words: &[Word], span: Span) -> Result<Vec<Word>, Stop> {
        self.expand_all(words, span)
    }

    /// `defined X` as a number: X must not be expanded.
    fn without_defined(&mut self, line: &[Word]) -> Vec<Word> {
        let mut words = Vec::new();
        let mut at = 0;
        while at < line.len() {
            let word = line[at];
            let token = |ahead: usize| line.get(at + ahead).map(|word| word.token);
            if word.token == Token::Name && self.symbols.text(word.text) == "defined" {
                let name = match (token(1), token(2), token(3)) {
                    (Some(Token::Name), ..) => Some((1, 2)),
                    (Some(Token::Open), Some(Token::Name), Some(Token::Close)) => Some((2, 4)),
                    _ => None,
                };
                if let Some((name, length)) = name {
                    let value = if self.is_defined(line[at + name].text) { "1" } else { "0" };
                    let text = self.symbols.symbol(value);
                    words.push(Word { token: Token::RawNumber, text, ..word });
                    at += length;
                    continue;
                }
            }
            words.push(word);
            at += 1;
        }
        words
    }
}

struct Reader<'a, 'b> {
    words: &'a [Word],
    preprocessor: &'a Preprocessor<'b>,
    at: usize,
    depth: usize,
    /// How many operands around this one do not matter: what fails in them is no error.
    unread: usize,
}

/// The rank of an operator: higher binds tighter.
fn rank(token: Token) -> Option<u8> {
    Some(match token {
        Token::Or => 1,
        Token::And => 2,
        Token::Bar => 3,
        Token::Caret => 4,
        Token::Ampersand => 5,
        Token::Equal | Token::NotEqual => 6,
        Token::Less | Token::AtMost | Token::Greater | Token::AtLeast => 7,
        Token::ShiftLeft | Token::ShiftRight => 8,
        Token::Plus | Token::Minus => 9,
        Token::Times | Token::Over | Token::Percent => 10,
        _ => return None,
    })
}

impl Reader<'_, '_> {
    fn peek(&self) -> Option<Token> {
        self.words.get(self.at).map(|word| word.token)
    }

    fn wrong<T>(&self, message: &'static str) -> Result<T, ConditionError> {
        Err(ConditionError(message, self.at.min(self.words.len().saturating_sub(1))))
    }

    fn whole(&mut self) -> Read {
        let value = self.choice()?;
        if self.at < self.words.len() { self.wrong("expected an operator here") } else { Ok(value) }
    }

    fn choice(&mut self) -> Read {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.wrong("this is nested deeper than can be read");
        }
        let mut value = self.chain(0)?;
        if self.peek() == Some(Token::Question) {
            self.at += 1;
            let yes = self.unread_if(value == 0, Self::choice)?;
            if self.peek() != Some(Token::Colon) {
                return self.wrong("expected `:` here");
            }
            self.at += 1;
            let no = self.unread_if(value != 0, Self::choice)?;
            value = if value != 0 { yes } else { no };
        }
        self.depth -= 1;
        Ok(value)
    }

    fn chain(&mut self, least: u8) -> Read {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.wrong("this is nested deeper than can be read");
        }
        let mut left = self.operand()?;
        while let Some((op, rank)) =
            self.peek().and_then(|op| Some((op, rank(op)?))).filter(|(_, rank)| *rank > least)
        {
            let at = self.at;
            self.at += 1;
            let decided = (op == Token::And && left == 0) || (op == Token::Or && left != 0);
            let right = self.unread_if(decided, |reader| reader.chain(rank))?;
            left = match apply(op, left, right) {
                Some(value) => value,
                None if self.unread > 0 => 0,
                None => return Err(ConditionError("this divides by zero", at)),
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    /// Reads what matters only if not `unread`.
    fn unread_if(&mut self, unread: bool, read: impl FnOnce(&mut Self) -> Read) -> Read {
        self.unread += usize::from(unread);
        let value = read(self)?;
        self.unread -= usize::from(unread);
        Ok(value)
    }

    fn operand(&mut self) -> Read {
        // A stack of its own: signs may be many.
        let mut signs = Vec::new();
        while let Some(
            sign @ (Token::Bang
            | Token::Minus
            | Token::Plus
            | Token::Tilde
            | Token::SortedSend
            | Token::Decrement),
        ) = self.peek()
        {
            signs.push(sign);
            self.at += 1;
        }
        let Some(&word) = self.words.get(self.at) else { return self.wrong("expected a value behind this") };
        let text = self.preprocessor.symbols.text(word.text);
        let mut value = match word.token {
            Token::Open => {
                self.at += 1;
                let value = self.choice()?;
                if self.peek() != Some(Token::Close) {
                    return self.wrong("expected `)` here");
                }
                value
            }
            // What is not defined is zero.
            Token::Name => 0,
            Token::RawNumber | Token::Number => match number(text) {
                Some(value) => value,
                None => return self.wrong("this is no number"),
            },
            Token::Character => match crate::word::character(text) {
                Some(value) => value,
                None => return self.wrong("this is no character"),
            },
            _ => return self.wrong("expected a value here"),
        };
        self.at += 1;
        for sign in signs.into_iter().rev() {
            value = match sign {
                Token::Bang => i64::from(value == 0),
                Token::SortedSend => i64::from(value != 0),
                Token::Minus => value.wrapping_neg(),
                Token::Tilde => !value,
                _ => value,
            };
        }
        Ok(value)
    }
}

fn number(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        u64::from_str_radix(hex, 16)
    } else if digits.len() > 1 && digits.starts_with('0') {
        u64::from_str_radix(digits, 8)
    } else {
        digits.parse()
    };
    value.ok().map(u64::cast_signed)
}

fn apply(op: Token, left: i64, right: i64) -> Option<i64> {
    let shift = u32::try_from(right.clamp(0, 63)).unwrap_or(0);
    Some(match op {
        Token::Or => i64::from(left != 0 || right != 0),
        Token::And => i64::from(left != 0 && right != 0),
        Token::Bar => left | right,
        Token::Caret => left ^ right,
        Token::Ampersand => left & right,
        Token::Equal => i64::from(left == right),
        Token::NotEqual => i64::from(left != right),
        Token::Less => i64::from(left < right),
        Token::AtMost => i64::from(left <= right),
        Token::Greater => i64::from(left > right),
        Token::AtLeast => i64::from(left >= right),
        Token::ShiftLeft => left.wrapping_shl(shift),
        Token::ShiftRight => left.wrapping_shr(shift),
        Token::Plus => left.wrapping_add(right),
        Token::Minus => left.wrapping_sub(right),
        Token::Times => left.wrapping_mul(right),
        Token::Over if right != 0 => left.wrapping_div(right),
        Token::Percent if right != 0 => left.wrapping_rem(right),
        _ => return None,
    })
}
