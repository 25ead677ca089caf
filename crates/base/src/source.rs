//! Source text: a file's name and content, and spans that know their line and column.

use crate::Diagnostic;

/// A stretch of a source text, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// Where it starts.
    pub start: u32,
    /// Just past its end.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { start: clamp(start), end: clamp(end) }
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A line and a column, both counted from one, the column in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// A named text.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<usize>,
}

impl Source {
    /// Sources are addressed with 32 bits, and a model in text past this size is not one a person wrote.
    const LARGEST: usize = 1 << 30;

    /// A source with this name, as messages show it, and this text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { name: name.into(), text, line_starts }
    }

    /// The source in these bytes, or why they are no text. A byte-order mark before it is no part of it.
    pub fn from_bytes(name: impl Into<String>, mut bytes: Vec<u8>) -> Result<Self, Box<(Self, Diagnostic)>> {
        let name = name.into();
        if bytes.starts_with(b"\xEF\xBB\xBF") {
            bytes.drain(..3);
        }
        if bytes.len() > Self::LARGEST {
            let source = Self::new(name, "");
            let problem = Diagnostic::error("the file is larger than 1 GiB", Span::new(0, 0))
                .help("is this a model? If so, split it");
            return Err(Box::new((source, problem)));
        }
        String::from_utf8(bytes).map(|text| Self::new(name.clone(), text)).map_err(|failure| {
            let good = failure.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(failure.as_bytes()).into_owned();
            let problem = Diagnostic::error("this is not text in UTF-8", Span::new(good, good + 1))
                .label("not a character")
                .help("is it a model, or a compiled or compressed file? Save it as UTF-8 text");
            Box::new((Self::new(name, text), problem))
        })
    }

    /// The name, as messages show it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        let end = (span.end as usize).min(self.text.len());
        self.text.get((span.start as usize).min(end)..end).unwrap_or("")
    }

    /// The span's first line and column.
    pub fn position(&self, span: Span) -> Position {
        let at = (span.start as usize).min(self.text.len());
        let line = self.line_starts.partition_point(|&start| start <= at).max(1);
        let start = self.line_starts[line - 1];
        let column = self.text.as_bytes()[start..at].iter().filter(|&&byte| !is_continuation(byte)).count() + 1;
        Position { line, column }
    }

    /// A line's text, counted from one, without its end.
    pub fn line(&self, line: usize) -> &str {
        let start = self.line_starts[line - 1];
        let end = self.line_starts.get(line).map_or(self.text.len(), |&next| next - 1);
        self.text[start..end].trim_end_matches('\r')
    }
}

/// Whether the byte goes on with a character of UTF-8 that started before it.
fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let source = Source::new("a", "αβ\nx y\n");
        assert_eq!(source.position(Span::new(2, 4)), Position { line: 1, column: 2 });
        assert_eq!(source.position(Span::new(7, 8)), Position { line: 2, column: 3 });
        assert_eq!(source.position(Span::new(99, 99)), Position { line: 3, column: 1 });
        assert_eq!(source.line(2), "x y");
        assert_eq!(source.line(3), "");
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_where_they_stop_being_text() {
        let (source, problem) = *Source::from_bytes("noise", b"ok\n\xff\xfe".to_vec()).unwrap_err();
        assert_eq!(source.position(problem.span.unwrap()), Position { line: 2, column: 1 });
        assert_eq!(Source::from_bytes("marked", b"\xEF\xBB\xBFbyte x;".to_vec()).unwrap().text(), "byte x;");
    }
}
