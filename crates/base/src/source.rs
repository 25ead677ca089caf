//! Source text: a file's name and content, and spans that know their file, line and column.
//!
//! A source may be joined of several files, the main one first. All of them are one text, so a span in any of
//! them is two offsets like any other; which file it is in is looked up where a person reads it.

use crate::{Diagnostic, Span};

/// A line and a column, both counted from one, the column in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// A named text, or several that belong together.
#[derive(Clone, Debug)]
pub struct Source {
    /// The files, in the order of the text; never empty.
    parts: Vec<Part>,
    text: String,
    line_starts: Vec<usize>,
    /// What readers of the files had to assume.
    notes: Vec<Diagnostic>,
}

/// A file that a source is joined of.
#[derive(Clone, Debug)]
struct Part {
    name: String,
    start: usize,
    end: usize,
    /// How many lines of the text stand before it, less those of its file that are left out.
    lines_before: isize,
}

impl Source {
    /// Sources are addressed with 32 bits, and a model in text past this size is not one a person wrote.
    const LARGEST: usize = 1 << 30;

    /// A source with this name, as messages show it, and this text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let part = Part { name: name.into(), start: 0, end: text.len(), lines_before: 0 };
        Self { parts: vec![part], text, line_starts, notes: Vec::new() }
    }

    /// Lines of a file that is not kept as a whole, each with its number, and where each of them starts in
    /// the text. Messages tell the places that the lines have in the file.
    ///
    /// ```
    /// let (source, starts) = base::Source::of_lines("large.aut", [(7, "seven"), (90, "ninety")]);
    /// let place = source.position(base::Span::new(starts[1] + 1, starts[1] + 2));
    /// assert_eq!((place.line, place.column), (90, 2));
    /// ```
    pub fn of_lines<'a>(
        name: impl Into<String>,
        lines: impl IntoIterator<Item = (usize, &'a str)>,
    ) -> (Self, Vec<usize>) {
        let (name, mut text, mut parts) = (name.into(), String::new(), Vec::new());
        for (place, (number, line)) in lines.into_iter().enumerate() {
            if place > 0 {
                text.push('\n');
            }
            let start = text.len();
            // One line is one line, whatever is in it.
            text.extend(line.chars().map(|c| if c == '\n' { ' ' } else { c }));
            let lines_before = (place + 1).cast_signed() - number.cast_signed();
            parts.push(Part { name: name.clone(), start, end: text.len(), lines_before });
        }
        let starts = parts.iter().map(|part| part.start).collect();
        let whole = Self::new(name, text);
        let parts = if parts.is_empty() { whole.parts.clone() } else { parts };
        (Self { parts, ..whole }, starts)
    }

    /// The same with another source behind it, or why that is too much. Spans of `self` stay what they are.
    pub fn join(mut self, other: &Self) -> Result<Self, Box<(Self, Diagnostic)>> {
        // A line end between files: the end of one file is a place of that file, not of the next.
        let start = self.text.len() + 1;
        if start + other.text.len() > Self::LARGEST {
            let problem = Diagnostic::error("the files are larger than 1 GiB together", Span::new(0, 0))
                .help("is this a model? If so, split it");
            return Err(Box::new((self, problem)));
        }
        let lines_before = self.line_starts.len().cast_signed();
        self.text.push('\n');
        self.text.push_str(&other.text);
        self.line_starts.extend(other.line_starts.iter().map(|at| at + start));
        self.parts.extend(other.parts.iter().map(|part| Part {
            name: part.name.clone(),
            start: part.start + start,
            end: part.end + start,
            lines_before: part.lines_before + lines_before,
        }));
        let moved = |span: Span| Span::new(span.start as usize + start, span.end as usize + start);
        let notes = other.notes.iter().cloned();
        self.notes.extend(notes.map(|note| Diagnostic { span: note.span.map(moved), ..note }));
        Ok(self)
    }

    /// The source in these bytes, or why they are no text. A byte-order mark before it is no part of it. Old
    /// texts are in Latin-1; that is told by [`Source::notes`].
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
        String::from_utf8(bytes).map(|text| Self::new(name.clone(), text)).or_else(|failure| {
            let good = failure.utf8_error().valid_up_to();
            if let Some(text) = latin(failure.as_bytes()) {
                // All before it is the same in both.
                let first = text.find(|c: char| !c.is_ascii()).unwrap_or(0);
                let end = first + text[first..].chars().next().map_or(0, char::len_utf8);
                let note =
                    Diagnostic::warning("this is not UTF-8, and is read as Latin-1", Span::new(first, end))
                        .label("the first character that is not ASCII")
                        .help("save the file as UTF-8 if names or comments look wrong");
                return Ok(Self { notes: vec![note], ..Self::new(name, text) });
            }
            let text = String::from_utf8_lossy(failure.as_bytes()).into_owned();
            let problem = Diagnostic::error("this is not text in UTF-8", Span::new(good, good + 1))
                .label("not a character")
                .help("is it a model, or a compiled or compressed file? Save it as UTF-8 text");
            Err(Box::new((Self::new(name, text), problem)))
        })
    }

    /// What had to be assumed to read the files, to be told as warnings.
    pub fn notes(&self) -> &[Diagnostic] {
        &self.notes
    }

    /// The name of the first file, as messages show it.
    pub fn name(&self) -> &str {
        &self.parts[0].name
    }

    /// The name of the file that the span starts in.
    pub fn name_at(&self, span: Span) -> &str {
        &self.part(span.start as usize).name
    }

    /// The files, each with the span of its text.
    pub fn parts(&self) -> impl ExactSizeIterator<Item = (&str, Span)> {
        self.parts.iter().map(|part| (part.name.as_str(), Span::new(part.start, part.end)))
    }

    /// Whether both spans start in the same file.
    pub fn same_part(&self, one: Span, other: Span) -> bool {
        self.parts.len() == 1 || self.part(one.start as usize).start == self.part(other.start as usize).start
    }

    fn part(&self, at: usize) -> &Part {
        &self.parts[self.parts.partition_point(|part| part.start <= at).max(1) - 1]
    }

    /// The whole text, of all files.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span, as far as it is in one file.
    pub fn slice(&self, span: Span) -> &str {
        let end = (span.end as usize).min(self.part(span.start as usize).end);
        self.text.get((span.start as usize).min(end)..end).unwrap_or("")
    }

    /// The span's first line and column, in its file.
    pub fn position(&self, span: Span) -> Position {
        let at = (span.start as usize).min(self.text.len());
        let line = self.line_starts.partition_point(|&start| start <= at).max(1);
        let start = self.line_starts[line - 1];
        let column =
            self.text.as_bytes()[start..at].iter().filter(|&&byte| !is_continuation(byte)).count() + 1;
        Position { line: line.saturating_add_signed(-self.part(at).lines_before), column }
    }

    /// The text of the span's first line, without its end.
    pub fn line(&self, span: Span) -> &str {
        let at = (span.start as usize).min(self.text.len());
        let line = self.line_starts.partition_point(|&start| start <= at).max(1);
        let end = self.line_starts.get(line).map_or(self.text.len(), |&next| next - 1);
        self.text[self.line_starts[line - 1]..end].trim_end_matches('\r')
    }
}

/// What the bytes 0x80 to 0x9F are in the Latin-1 of Windows: quotation marks and the like. In the older one
/// no text has them.
#[rustfmt::skip]
const WINDOWS: [Option<char>; 32] = [
    Some('€'), None, Some('‚'), Some('ƒ'), Some('„'), Some('…'), Some('†'), Some('‡'),
    Some('ˆ'), Some('‰'), Some('Š'), Some('‹'), Some('Œ'), None, Some('Ž'), None,
    None, Some('‘'), Some('’'), Some('“'), Some('”'), Some('•'), Some('–'), Some('—'),
    Some('˜'), Some('™'), Some('š'), Some('›'), Some('œ'), None, Some('ž'), Some('Ÿ'),
];

/// Bytes as a text in Latin-1; `None` where they can hardly be a text. What is compiled or compressed soon
/// has control characters, and 0xFF, which stands for erased memory, in a text of two bytes for a character,
/// and for a letter that begins no word.
fn latin(bytes: &[u8]) -> Option<String> {
    let character = |&byte: &u8| match byte {
        b'\t' | b'\n' | b'\r' | 0x0C | b' '..=b'~' | 0xA0..=0xFE => Some(char::from(byte)),
        0x80..=0x9F => WINDOWS[usize::from(byte - 0x80)],
        _ => None,
    };
    bytes.iter().map(character).collect()
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
        assert_eq!(source.line(Span::new(7, 8)), "x y");
        assert_eq!(source.line(Span::new(99, 99)), "");
    }

    #[test]
    fn a_place_in_a_joined_file_is_told_as_in_that_file() {
        let texts = ["", "a", "b\n", "\n\nx\ny", "é\r\nz"];
        // Every way to join three of the texts: each place is told as in its file alone.
        for (first, second, third) in (0..125).map(|n| (texts[n / 25], texts[n / 5 % 5], texts[n % 5])) {
            let files = [("one", first), ("two", second), ("three", third)];
            let pair = Source::new(files[1].0, second).join(&Source::new(files[2].0, third)).unwrap();
            let source = Source::new(files[0].0, first).join(&pair).unwrap();
            assert_eq!(source.name(), "one");
            for ((name, whole), (expected, text)) in source.parts().zip(files) {
                let alone = Source::new(expected, text);
                assert_eq!((name, source.slice(whole)), (expected, text));
                for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
                    let here = Span::new(whole.start as usize + at, whole.start as usize + at);
                    let there = Span::new(at, at);
                    assert_eq!(source.name_at(here), expected);
                    assert_eq!(source.position(here), alone.position(there));
                    assert_eq!(source.line(here), alone.line(there));
                }
            }
        }
    }

    #[test]
    fn old_texts_are_in_latin_1() {
        let old = Source::from_bytes("old", b"% caf\xe9\n% \x93na\xefve\x94\n".to_vec()).unwrap();
        assert_eq!(old.text(), "% café\n% “naïve”\n");
        let [note] = old.notes() else { panic!("{:?}", old.notes()) };
        assert!(note.message.contains("Latin-1"), "{note:?}");
        assert_eq!(old.slice(note.span.unwrap()), "é");
        let whole = Source::new("main", "α\n").join(&old).unwrap();
        let [note] = whole.notes() else { panic!("{:?}", whole.notes()) };
        assert_eq!((whole.slice(note.span.unwrap()), whole.name_at(note.span.unwrap())), ("é", "old"));
        // Some of both: the note is at the first that is neither.
        let mixed = Source::from_bytes("mixed", b"a\xc3\xa9\xe9".to_vec()).unwrap();
        assert_eq!((mixed.text(), mixed.slice(mixed.notes()[0].span.unwrap())), ("aÃ©é", "Ã"));
        assert_eq!(Source::from_bytes("new", "é".into()).unwrap().notes(), []);
    }

    #[test]
    fn a_place_in_a_line_that_was_kept_is_told_as_in_its_file() {
        let text = "\none\n\nthrée x\nfour";
        let (whole, lines) = (Source::new("file", text), text.split('\n').collect::<Vec<_>>());
        // Every choice of lines.
        for chosen in 0..1u32 << lines.len() {
            let kept: Vec<usize> = (0..lines.len()).filter(|line| chosen >> line & 1 == 1).collect();
            let (source, starts) = Source::of_lines("file", kept.iter().map(|&line| (line + 1, lines[line])));
            for (&line, start) in kept.iter().zip(starts) {
                let before: usize = lines[..line].iter().map(|line| line.len() + 1).sum();
                for at in (0..=lines[line].len()).filter(|&at| lines[line].is_char_boundary(at)) {
                    let (here, there) =
                        (Span::new(start + at, start + at), Span::new(before + at, before + at));
                    assert_eq!(source.position(here), whole.position(there), "{kept:?}");
                    assert_eq!((source.line(here), source.name_at(here)), (whole.line(there), "file"));
                }
            }
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_where_they_stop_being_text() {
        let (source, problem) = *Source::from_bytes("noise", b"ok\n\xff\xfe".to_vec()).unwrap_err();
        assert_eq!(source.position(problem.span.unwrap()), Position { line: 2, column: 1 });
        for noise in [&b"caf\xe9\0"[..], b"\xfe\xff\0b", b"caf\xe9\x1b[31m", b"caf\xe9\x81"] {
            assert!(Source::from_bytes("noise", noise.to_vec()).is_err(), "{noise:?}");
        }
        assert_eq!(Source::from_bytes("marked", b"\xEF\xBB\xBFbyte x;".to_vec()).unwrap().text(), "byte x;");
    }
}
