//! The words of a formula, with their places.

use base::Span;

/// A word where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// How it is written.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// Signs of more than one character; of two that begin alike the longer comes first.
const SIGNS: &[&str] =
    &["<->", "[]", "<>", "->", "&&", "||", "/\\", "\\/", "==", "!=", "<=", ">=", "<<", ">>", "??"];

/// The words of a text that starts at this place of its file.
pub fn words(text: &str, start: usize) -> Vec<Word> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let rest = &text[at..];
        let length = if is_part_of_name(first) {
            rest.find(|c: char| !is_part_of_name(c)).unwrap_or(rest.len())
        } else if let Some(inside) = rest.strip_prefix('\'').and_then(|rest| rest.find('\'')) {
            inside + 2
        } else {
            SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(first.len_utf8(), |sign| sign.len())
        };
        let span = Span::new(start + at, start + at + length);
        words.push(Word { text: rest[..length].to_owned(), span });
        at += length;
    }
    words
}

/// Whether a word is a name, a number or a character in quotes.
pub(super) fn is_name(word: &str) -> bool {
    word.starts_with(is_part_of_name) || word.starts_with('\'')
}

fn is_part_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Words as one text, with spaces as a person puts them.
pub(super) fn joined(words: &[Word]) -> String {
    let mut text = String::new();
    for (at, word) in words.iter().enumerate() {
        if let Some(before) = at.checked_sub(1).map(|before| words[before].text.as_str())
            && is_spaced(before, &word.text)
        {
            text.push(' ');
        }
        text.push_str(&word.text);
    }
    text
}

/// Whether a space stands between two words.
fn is_spaced(before: &str, word: &str) -> bool {
    match (before, word) {
        ("(" | "[" | "." | "@" | ":" | "!" | "~", _) => false,
        (_, ")" | "]" | "," | "." | "@" | ":" | "?" | "??") => false,
        ("?" | "??", "[") => false,
        (name, "(" | "[") => !(is_name(name) || name == "]"),
        _ => true,
    }
}
