//! How ETF writes names and values: a backslash before what is no letter, quotes or hexadecimal around
//! values. The rules of LTSmin's lexer, so that LTSmin reads what we write.

use std::collections::{HashMap, HashSet};

const KEYWORDS: [&str; 8] = ["begin", "end", "state", "edge", "init", "trans", "sort", "map"];

/// A name as it stands in a declaration.
pub(crate) fn name(text: &str) -> String {
    let mut written = String::with_capacity(text.len() + 2);
    for (at, c) in text.chars().enumerate() {
        let plain = if at == 0 {
            c.is_ascii_alphabetic()
        } else {
            c.is_ascii_alphanumeric() || matches!(c, '_' | '\'')
        };
        if !plain || (at == 0 && KEYWORDS.contains(&text)) {
            written.push('\\');
        }
        // A line cannot end inside a name, and no other control character can be read there.
        written.push(if c.is_control() { '?' } else { c });
    }
    if written.is_empty() { "\\ ".to_owned() } else { written }
}

/// A value as it stands in a sort section.
pub(crate) fn value(text: &str) -> String {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
    } else {
        let digits: String = text.bytes().map(|byte| format!("{byte:02X}")).collect();
        format!("#{digits}#")
    }
}

/// Gives out names that differ, also once they are written.
#[derive(Default)]
pub(crate) struct Distinct {
    taken: HashSet<String>,
    /// How often a text was wanted: thousands of actions may be called `tau`.
    wanted: HashMap<String, usize>,
}

impl Distinct {
    /// The name itself, or with a number behind it if it is taken.
    pub fn name(&mut self, wanted: &str) -> String {
        self.take(wanted.chars().map(|c| if c.is_control() { '?' } else { c }).collect())
    }

    /// The value itself, or with a number behind it if it is taken.
    pub fn value(&mut self, wanted: &str) -> String {
        self.take(wanted.to_owned())
    }

    fn take(&mut self, text: String) -> String {
        let count = self.wanted.entry(text.clone()).or_default();
        let mut distinct = text.clone();
        while !self.taken.insert(distinct.clone()) {
            *count += 1;
            distinct = format!("{text}'{count}");
        }
        distinct
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::{Scanned, Scanner};
    use base::Problems;

    #[test]
    fn what_is_written_is_read() {
        for text in ["x", "a.b[0]", "end", "_", "__x", "0", "a b", "x:y", "%", "\\", "é", "'", "map"] {
            let written = name(text);
            let mut problems = Problems::default();
            let read = Scanner::new(&written).name(&mut problems).and_then(|name| name.text);
            assert_eq!(read.as_deref(), Some(text), "{written}");
            assert!(!problems.any_error(), "{written}");
        }
        for text in ["", "x", "a b", "\"", "\\", "\\\"", "#61#", "12", "é\n", "%"] {
            let written = value(text);
            assert_eq!(Scanner::new(&written).value(), Ok(Scanned::Text(text.to_owned())), "{written}");
        }
    }

    #[test]
    fn names_are_told_apart() {
        let mut names = Distinct::default();
        let given = ["a", "a", "a'1", "a"].map(|wanted| names.name(wanted));
        assert_eq!(given, ["a", "a'1", "a'1'1", "a'2"]);
    }
}
