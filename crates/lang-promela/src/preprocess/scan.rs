//! Characters to words, as the C preprocessor that Spin runs sees them: comments and joined lines are gone,
//! `0..N` is one number, and each word knows whether it starts a line.

use std::borrow::Cow;

use crate::word::Token;

/// How numbers are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbers {
    /// As C does before expansion: letters and points go on with a number.
    Raw,
    /// As Spin does behind it: digits alone.
    Digits,
}

/// A word of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lexeme {
    pub token: Token,
    pub start: usize,
    pub end: usize,
    /// The line that it is on, counted from one.
    pub line: usize,
    /// Whether it is the first of its line; a line that starts inside a comment does not count.
    pub first: bool,
    /// Whether there is space before it.
    pub spaced: bool,
    /// Whether lines are joined inside it.
    spliced: bool,
}

/// A place in a text.
#[derive(Clone, Copy)]
pub struct Cursor<'a> {
    text: &'a str,
    at: usize,
    end: usize,
    line: usize,
    first: bool,
    numbers: Numbers,
    /// Where a comment starts that does not end.
    pub open_comment: Option<usize>,
}

impl<'a> Cursor<'a> {
    /// Reads the text from `start` up to `end`.
    pub fn new(text: &'a str, start: usize, end: usize, numbers: Numbers) -> Self {
        let mut cursor = Self { text, at: start, end, line: 1, first: true, numbers, open_comment: None };
        cursor.join_lines();
        cursor
    }

    /// What a word says, with its lines joined.
    pub fn text(&self, lexeme: &Lexeme) -> Cow<'a, str> {
        let whole = &self.text[lexeme.start..lexeme.end];
        if !lexeme.spliced {
            return Cow::Borrowed(whole);
        }
        let mut inside = Self::new(self.text, lexeme.start, lexeme.end, self.numbers);
        let mut bytes = Vec::new();
        while let Some(byte) = inside.peek() {
            bytes.push(byte);
            inside.bump();
        }
        Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn peek(&self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..self.end];
        match rest {
            // gcc ends a line at a carriage return on its own, too.
            [b'\r', next, ..] if *next != b'\n' => Some(b'\n'),
            _ => rest.first().copied(),
        }
    }

    fn peek_behind(&self) -> Option<u8> {
        let mut ahead = *self;
        ahead.bump();
        ahead.peek()
    }

    fn bump(&mut self) {
        if self.at < self.end {
            self.line += usize::from(self.peek() == Some(b'\n'));
            self.at += 1;
            self.join_lines();
        }
    }

    /// A backslash at the end of a line joins it to the next, whatever stands there.
    fn join_lines(&mut self) {
        let bytes = self.text.as_bytes();
        while self.at < self.end && bytes[self.at] == b'\\' {
            let rest = &bytes[self.at + 1..self.end];
            let blank = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
            if rest.get(blank) != Some(&b'\n') {
                return;
            }
            self.at += blank + 2;
            self.line += 1;
        }
    }

    fn bump_while(&mut self, test: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&test) {
            self.bump();
        }
    }

    /// Skips space and comments, and says whether there was some.
    fn skip_space(&mut self) -> bool {
        let start = self.at;
        loop {
            match self.peek() {
                Some(b'\n') => {
                    self.first = true;
                    self.bump();
                }
                // Spin passes over null characters too.
                Some(b' ' | b'\t' | b'\r' | 0x0B | 0x0C | 0) => self.bump(),
                Some(b'/') if self.peek_behind() == Some(b'/') => self.bump_while(|byte| byte != b'\n'),
                Some(b'/') if self.peek_behind() == Some(b'*') => self.skip_comment(),
                _ => return self.at > start,
            }
        }
    }

    fn skip_comment(&mut self) {
        let start = self.at;
        self.bump();
        self.bump();
        loop {
            self.bump_while(|byte| byte != b'*');
            if self.peek().is_none() {
                self.open_comment = Some(start);
                return;
            }
            self.bump();
            if self.peek() == Some(b'/') {
                self.bump();
                return;
            }
        }
    }

    /// The next word.
    pub fn next(&mut self) -> Option<Lexeme> {
        let spaced = self.skip_space();
        let (start, line, first) = (self.at, self.line, self.first);
        let byte = self.peek()?;
        self.first = false;
        let mut read = 0;
        let token = self.word(byte, &mut read);
        Some(Lexeme {
            token,
            start,
            end: self.last_end(start, read),
            line,
            first,
            spaced,
            spliced: self.at - start != read,
        })
    }

    /// Where a word of so many bytes ends: joined lines behind it are no part of it.
    fn last_end(&self, start: usize, read: usize) -> usize {
        // Without joined lines this is where the cursor is.
        if self.at - start == read {
            return self.at;
        }
        let mut inside = Self { at: start, ..*self };
        for _ in 1..read {
            inside.bump();
        }
        inside.at + 1
    }

    fn word(&mut self, byte: u8, read: &mut usize) -> Token {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.count_while(read, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
                Token::Name
            }
            b'0'..=b'9' => self.number(read),
            b'.' if self.numbers == Numbers::Raw
                && self.peek_behind().is_some_and(|next| next.is_ascii_digit()) =>
            {
                self.number(read)
            }
            b'"' | b'\'' | b'$' => self.quoted(byte, read),
            _ => self.sign(byte, read),
        }
    }

    fn count(&mut self, read: &mut usize) {
        self.bump();
        *read += 1;
    }

    fn count_while(&mut self, read: &mut usize, test: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&test) {
            self.count(read);
        }
    }

    fn number(&mut self, read: &mut usize) -> Token {
        if self.numbers == Numbers::Digits {
            self.count_while(read, |byte| byte.is_ascii_digit());
            return Token::Number;
        }
        let mut last = 0;
        while let Some(byte) = self.peek() {
            let sign = matches!(byte, b'+' | b'-') && matches!(last, b'e' | b'E' | b'p' | b'P');
            if !(sign || byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_')) {
                break;
            }
            last = byte;
            self.count(read);
        }
        Token::RawNumber
    }

    /// `"…"`, `'…'`, or `$…$`, which Spin reads as text too; what does not end on its line is no word.
    fn quoted(&mut self, quote: u8, read: &mut usize) -> Token {
        self.count(read);
        loop {
            match self.peek() {
                None | Some(b'\n') => return Token::Stray,
                Some(b'\\') => {
                    self.count(read);
                    if !matches!(self.peek(), None | Some(b'\n')) {
                        self.count(read);
                    }
                }
                Some(byte) => {
                    self.count(read);
                    if byte == quote {
                        return if quote == b'\'' { Token::Character } else { Token::Text };
                    }
                }
            }
        }
    }

    fn sign(&mut self, byte: u8, read: &mut usize) -> Token {
        let next = self.peek_behind();
        for &(written, token) in Token::SIGNS {
            let written = written.as_bytes();
            if written[0] == byte && (written.len() == 1 || next == Some(written[1])) {
                for _ in written {
                    self.count(read);
                }
                return token;
            }
        }
        // All of a character, so that spans never cut one.
        self.count(read);
        self.count_while(read, |byte| byte & 0xC0 == 0x80);
        Token::Stray
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(String, usize, bool)> {
        let mut cursor = Cursor::new(text, 0, text.len(), Numbers::Raw);
        let mut words = Vec::new();
        while let Some(lexeme) = cursor.next() {
            words.push((cursor.text(&lexeme).into_owned(), lexeme.line, lexeme.first));
        }
        words
    }

    fn texts(text: &str) -> Vec<String> {
        words(text).into_iter().map(|(text, ..)| text).collect()
    }

    #[test]
    fn the_longest_sign_is_read() {
        assert_eq!(
            texts("q!!x??<y> ::a->b--c..d"),
            "q !! x ?? < y > :: a -> b -- c .. d".split(' ').collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_number_goes_on_as_in_c() {
        assert_eq!(texts("0..N 1e+x 0 ..N x.y"), "0..N 1e+x 0 .. N x . y".split(' ').collect::<Vec<_>>());
    }

    #[test]
    fn joined_lines_are_no_part_of_a_word() {
        let text = "a\\\nb\\\n\\\n c // x \\\n y\nd";
        assert_eq!(words(text), [("ab".into(), 1, true), ("c".into(), 4, false), ("d".into(), 6, true)]);
        let mut cursor = Cursor::new(text, 0, text.len(), Numbers::Raw);
        let first = cursor.next().unwrap();
        assert_eq!((first.start, first.end), (0, 4));
    }

    #[test]
    fn a_comment_is_space_and_starts_no_line() {
        assert_eq!(
            words("a/*\n*/b\n/* */c"),
            [("a".into(), 1, true), ("b".into(), 2, false), ("c".into(), 3, true)]
        );
        assert_eq!(
            words("a // x\rb\r\nc"),
            [("a".into(), 1, true), ("b".into(), 2, true), ("c".into(), 3, true)]
        );
    }

    #[test]
    fn what_does_not_end_on_its_line_is_no_word() {
        let text = "it's\n\"a\\\"b\" 'x' \"c";
        let mut cursor = Cursor::new(text, 0, text.len(), Numbers::Raw);
        let tokens: Vec<Token> = std::iter::from_fn(|| cursor.next()).map(|lexeme| lexeme.token).collect();
        assert_eq!(tokens, [Token::Name, Token::Stray, Token::Text, Token::Character, Token::Stray]);
    }
}
