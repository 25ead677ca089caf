//! Colours for people at a terminal: words at the beginning of a line that say what it is, and what changed.
//!
//! Reports and messages are plain text. A [`Painter`] stands between them and a stream, and knows their lines
//! by how they begin.

use std::io::{Result, Write};

const BOLD_RED: &str = "\x1b[1;31m";
const BOLD_GREEN: &str = "\x1b[1;32m";
const BOLD_YELLOW: &str = "\x1b[1;33m";
const RED: &str = "\x1b[31m";
const CYAN: &str = "\x1b[36m";
const PLAIN: &str = "\x1b[0m";

/// The words at the beginning of lines, and their colours.
const WORDS: [(&str, &str); 7] = [
    ("violated", BOLD_RED),
    ("holds", BOLD_GREEN),
    ("unknown", BOLD_YELLOW),
    ("error", BOLD_RED),
    ("warning", BOLD_YELLOW),
    ("note", CYAN),
    ("  help", CYAN),
];

/// What stands between the old and the new value of a slot.
const BECOMES: &str = " → ";

/// A stream whose lines are coloured.
pub(crate) struct Painter<'a> {
    stream: &'a mut dyn Write,
    is_on: bool,
    /// Whether the next text begins a line.
    at_start: bool,
}

impl<'a> Painter<'a> {
    /// A stream that is coloured if `is_on`.
    pub(crate) fn new(stream: &'a mut dyn Write, is_on: bool) -> Self {
        Self { stream, is_on, at_start: true }
    }

    /// A line, or what is left of it.
    fn line(&mut self, line: &str) -> Result<()> {
        let painted = if self.at_start { painted(line) } else { None };
        self.at_start = line.ends_with('\n');
        self.stream.write_all(painted.as_deref().unwrap_or(line).as_bytes())
    }
}

impl Write for Painter<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        // Text comes whole; of what is no text the bytes go on as they are.
        match std::str::from_utf8(bytes) {
            Ok(text) if self.is_on => text.split_inclusive('\n').try_for_each(|line| self.line(line))?,
            _ => self.stream.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.stream.flush()
    }
}

/// The line in colours, if there is something to colour in it.
fn painted(line: &str) -> Option<String> {
    for (word, colour) in WORDS {
        if let Some(rest) = line.strip_prefix(word)
            && rest.starts_with([' ', ':', '\n'])
        {
            return Some(format!("{colour}{word}{PLAIN}{rest}"));
        }
    }
    let (text, end) = line.strip_suffix('\n').map_or((line, ""), |text| (text, "\n"));
    let is_indented = line.starts_with("   ");
    if let Some((before, after)) = text.split_once(BECOMES).filter(|_| is_indented) {
        return Some(format!("{before}{BECOMES}{CYAN}{after}{PLAIN}{end}"));
    }
    // The carets below a line of a text: ` |    ^^^ not declared`.
    let (before, carets) = text.split_once("| ").filter(|(before, _)| before.trim().is_empty())?;
    carets.trim_start().starts_with('^').then(|| format!("{before}| {RED}{carets}{PLAIN}{end}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through(text: &str, is_on: bool) -> String {
        let mut out = Vec::new();
        Painter::new(&mut out, is_on).write_all(text.as_bytes()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn words_that_begin_a_line_are_coloured() {
        assert_eq!(through("violated: x\n", true), "\x1b[1;31mviolated\x1b[0m: x\n");
        assert_eq!(through("holds\n  help: y\n", true), "\x1b[1;32mholds\x1b[0m\n\x1b[36m  help\x1b[0m: y\n");
        assert_eq!(through("         x: 0 → 1\n", true), "         x: 0 → \x1b[36m1\x1b[0m\n");
        assert_eq!(through("   |  ^^ no\n", true), "   | \x1b[31m ^^ no\x1b[0m\n");
        for plain in ["it holds\n", "holdsx\n", "violatedness", "a → b\n", "3 | x ^ y\n"] {
            assert_eq!(through(plain, true), plain);
        }
    }

    #[test]
    fn nothing_is_coloured_where_that_is_off() {
        assert_eq!(through("violated: x\n", false), "violated: x\n");
    }
}
