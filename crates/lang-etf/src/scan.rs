//! The words of an ETF text: names with backslash escapes, numbers, and values that are bare, quoted or
//! in hexadecimal. There is no token list: what a word means depends on the section it stands in, so the
//! parser asks for what it expects.

use std::borrow::Cow;

use base::{Diagnostic, Problems, Span};

/// Values are 32-bit and ranges are signed, so this is the greatest number of a slot.
const GREATEST: u32 = i32::MAX as u32;

/// A name and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    /// The name without escapes; none where the text says `_`.
    pub text: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// A value: a number is a position in the sort, a text is the value itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Scanned {
    /// The position in the sort.
    Number(u32),
    /// The value itself.
    Text(String),
}

/// A place in a text.
pub(crate) struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    pub fn new(text: &'t str) -> Self {
        let mark = '\u{feff}';
        Self { text, at: if text.starts_with(mark) { mark.len_utf8() } else { 0 } }
    }

    pub fn at(&self) -> usize {
        self.at
    }

    /// The span from a place up to here.
    pub fn since(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }

    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub fn at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    pub fn at_line_end(&self) -> bool {
        matches!(self.peek(), None | Some(b'\n' | b'\r'))
    }

    /// Passes blanks and a comment, but no end of line.
    pub fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        if self.peek() == Some(b'%') {
            while !self.at_line_end() {
                self.at += 1;
            }
        }
    }

    /// Passes blanks, comments and ends of lines.
    pub fn space(&mut self) {
        self.blanks();
        while !self.at_end() && self.at_line_end() {
            self.at += 1;
            self.blanks();
        }
    }

    /// Passes the rest of the line and its end.
    pub fn skip_line(&mut self) {
        while !self.at_line_end() {
            self.at += 1;
        }
        if !self.at_end() {
            self.at += 1;
        }
    }

    /// The letters up to the next blank.
    pub fn word(&self) -> &'t str {
        let rest = &self.text[self.at..];
        &rest[..rest.find([' ', '\t', '\n', '\r']).unwrap_or(rest.len())]
    }

    pub fn word_span(&self) -> Span {
        Span::new(self.at, self.at + self.word().len())
    }

    pub fn skip_word(&mut self) {
        self.at += self.word().len();
    }

    /// Passes this byte, if it is the next.
    pub fn take(&mut self, byte: u8) -> bool {
        let here = self.peek() == Some(byte);
        self.at += usize::from(here);
        here
    }

    /// A number; the caller saw its first digit.
    pub fn number(&mut self) -> Result<u32, Diagnostic> {
        let start = self.at;
        let mut number = 0u32;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            number = number.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
            self.at += 1;
        }
        if number > GREATEST {
            return Err(Diagnostic::error("this number is too large", self.since(start))
                .label(format!("larger than {GREATEST}"))
                .help("a value is a position in its sort, or a number that fits 31 bits"));
        }
        Ok(number)
    }

    /// A name. One that is written wrongly is reported, and taken as it was probably meant.
    pub fn name(&mut self, problems: &mut Problems) -> Option<Name> {
        let start = self.at;
        let mut text = String::new();
        let mut wrong = None;
        while let Some(c) = self.text[self.at..].chars().next() {
            let place = self.at;
            match c {
                ' ' | '\t' | '\n' | '\r' | ':' | '%' => break,
                '\\' => {
                    self.at += 1;
                    match self.text[self.at..].chars().next().filter(|c| !matches!(c, '\n' | '\r')) {
                        Some(escaped) => {
                            text.push(escaped);
                            self.at += escaped.len_utf8();
                        }
                        None => wrong = wrong.or(Some((place, c))),
                    }
                }
                _ => {
                    if !(c.is_alphanumeric() || matches!(c, '_' | '\'')) {
                        wrong = wrong.or(Some((place, c)));
                    }
                    text.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
        let span = self.since(start);
        if let Some((place, c)) = wrong {
            problems.push(
                Diagnostic::error(
                    format!("`{}` cannot stand in a name", c.escape_default()),
                    Span::new(place, place + c.len_utf8()),
                )
                .label("not a letter, digit, `_` or `'`")
                .help("write a backslash before it: `a\\.b`, `a\\[0\\]`"),
            );
        }
        let raw = &self.text[start..self.at];
        if raw.is_empty() || matches!(raw, "begin" | "end") {
            self.at = start;
            let found =
                if self.at_line_end() { "the line ends here".to_owned() } else { "not a name".to_owned() };
            problems.push(
                Diagnostic::error("a name is missing", self.word_span())
                    .label(found)
                    .help("a name has letters, digits, `_`; write `\\end` for a name that is a keyword"),
            );
            return None;
        }
        Some(Name { text: (raw != "_").then_some(text), span })
    }

    /// A value: a number, a quoted string, `#` and `#` around hexadecimal, or a word.
    pub fn value(&mut self) -> Result<Scanned, Diagnostic> {
        if self.peek() == Some(b'"') {
            return self.quoted().map(Scanned::Text);
        }
        let (word, span) = (self.word(), self.word_span());
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.number().map(Scanned::Number);
        }
        self.skip_word();
        match word.strip_prefix('#').and_then(|rest| rest.strip_suffix('#')) {
            None => Ok(Scanned::Text(word.to_owned())),
            Some(digits) => hexadecimal(digits).map(Scanned::Text).ok_or_else(|| {
                Diagnostic::error("this is not hexadecimal", span)
                    .label("between `#` and `#` stand pairs of the digits 0-9 and a-f")
                    .help("put the value in double quotes if it is a plain text")
            }),
        }
    }

    fn quoted(&mut self) -> Result<String, Diagnostic> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        while let Some(c) = self.text[self.at..].chars().next() {
            match c {
                '\n' | '\r' => break,
                '"' => {
                    self.at += 1;
                    return Ok(text);
                }
                '\\' if matches!(self.text.as_bytes().get(self.at + 1), Some(b'\\' | b'"')) => {
                    text.push(char::from(self.text.as_bytes()[self.at + 1]));
                    self.at += 2;
                }
                _ => {
                    text.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
        Err(Diagnostic::error("this value is not closed", self.since(start))
            .label("the line ends before the second `\"`")
            .help("end it with `\"`; write `\\\"` for a quote inside"))
    }
}

/// The text that pairs of hexadecimal digits encode. Bytes that are no text are shown as they are written.
fn hexadecimal(digits: &str) -> Option<String> {
    if !digits.len().is_multiple_of(2) || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let bytes: Vec<u8> =
        digits.as_bytes().chunks(2).map(|pair| nibble(pair[0]) << 4 | nibble(pair[1])).collect();
    Some(match String::from_utf8_lossy(&bytes) {
        Cow::Borrowed(text) => text.to_owned(),
        Cow::Owned(_) => format!("#{}#", digits.to_ascii_uppercase()),
    })
}

fn nibble(digit: u8) -> u8 {
    char::from(digit).to_digit(16).map_or(0, |value| value as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<Scanned> {
        Scanner::new(text).value().ok()
    }

    #[test]
    fn values_are_numbers_words_quoted_or_hexadecimal() {
        let text = |text: &str| Some(Scanned::Text(text.to_owned()));
        assert_eq!(value("12 x"), Some(Scanned::Number(12)));
        assert_eq!(value("\"12\""), text("12"));
        assert_eq!(value("\"x \\\" y\\\\\" z"), text("x \" y\\"));
        assert_eq!(value("a/b% c"), text("a/b%"));
        assert_eq!(value("#616263#"), text("abc"));
        assert_eq!(value("##"), text(""));
        assert_eq!(value("#ff#"), text("#FF#"));
        assert_eq!(value("#a"), text("#a"));
        assert_eq!(value("#abc#"), None);
        assert_eq!(value("\"x\ny\""), None);
        assert_eq!(value("2147483647"), Some(Scanned::Number(2_147_483_647)));
        assert_eq!(value("2147483648"), None);
        assert_eq!(value("99999999999999999999999999"), None);
    }

    #[test]
    fn names_lose_their_escapes() {
        let name = |text: &str| Scanner::new(text).name(&mut Problems::default()).map(|name| name.text);
        assert_eq!(name(r"GearControl\.dir:int"), Some(Some("GearControl.dir".to_owned())));
        assert_eq!(name(r"pos\[0\] x"), Some(Some("pos[0]".to_owned())));
        assert_eq!(name(r"\end"), Some(Some("end".to_owned())));
        assert_eq!(name("_:_"), Some(None));
        assert_eq!(name(r"\_:_"), Some(Some("_".to_owned())));
        assert_eq!(name("end"), None);
        assert_eq!(name(":x"), None);
    }
}
