//! Texts of others, made safe to be printed. A file can put anything into a name: what would move the cursor,
//! colour the screen or fake a line of the report is shown escaped.

use std::borrow::Cow;

/// The text on one line, its control characters escaped.
pub fn shown(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c.is_control())
}

/// A text of several lines, its control characters but for line ends escaped.
pub fn shown_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c.is_control() && c != '\n')
}

fn escaped(text: &str, is_bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_bad) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_bad(c) {
            safe.extend(c.escape_default());
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_nothing_else_is() {
        assert_eq!(shown("a\u{1b}[31mb\nc\u{9b}"), "a\\u{1b}[31mb\\nc\\u{9b}");
        assert_eq!(shown_lines("a\u{7f}\nb"), "a\\u{7f}\nb");
        assert!(matches!(shown("é → \\ \"x\""), Cow::Borrowed(_)));
    }
}
