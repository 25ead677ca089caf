//! A line of an `.aut` file.

use std::borrow::Cow;

/// The first line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub(super) initial: u64,
    pub(super) transitions: u64,
    pub(super) states: u64,
}

/// Any other line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Transition<'a> {
    pub(super) source: u64,
    pub(super) label: Cow<'a, [u8]>,
    pub(super) target: u64,
}

/// What is wrong with a line, and at which byte.
pub(super) type Wrong = (usize, &'static str);

/// `des (initial, transitions, states)`
pub(super) fn header(line: &[u8]) -> Result<Header, Wrong> {
    let mut scan = Scan { line, at: 0 };
    scan.blanks();
    if !line[scan.at..].starts_with(b"des") {
        return Err((scan.at, "expected `des (INITIAL, TRANSITIONS, STATES)`: this is no .aut file"));
    }
    scan.at += 3;
    scan.token(b'(', "expected `(` after `des`")?;
    let initial = scan.number("expected the number of the initial state")?;
    scan.comma_after_state("expected `,` after the initial state")?;
    let transitions = scan.number("expected the number of transitions")?;
    scan.token(b',', "expected `,` after the number of transitions")?;
    let states = scan.number("expected the number of states")?;
    scan.token(b')', "expected `)` after the number of states")?;
    scan.end()?;
    Ok(Header { initial, transitions, states })
}

/// `(source, label, target)`
#[inline]
pub(super) fn transition(line: &[u8]) -> Result<Transition<'_>, Wrong> {
    let mut scan = Scan { line, at: 0 };
    scan.token(b'(', "expected a transition: `(SOURCE, LABEL, TARGET)`")?;
    let source = scan.number("expected the number of the source")?;
    scan.token(b',', "expected `,` after the source")?;
    scan.blanks();
    // Behind a label with quotes there is a number, so the last quote of the line is its end; so is, without
    // quotes, the last comma.
    let start = scan.at;
    let is_quoted = line.get(start) == Some(&b'"');
    let end = if is_quoted { b'"' } else { b',' };
    let Some(last) = line[start..].iter().rposition(|&byte| byte == end).map(|at| start + at) else {
        return Err((start, "expected a label and `,` behind it"));
    };
    let label = if is_quoted {
        if last == start {
            return Err((start, "this label has no closing quote"));
        }
        scan.at = last + 1;
        let label = &line[start + 1..last];
        let second = label
            .iter()
            .enumerate()
            .filter(|&(_, &byte)| byte == b'"')
            .find_map(|(at, _)| second(&label[at + 1..]));
        if let Some(rest) = second {
            return Err((last - rest, SECOND));
        }
        Cow::Borrowed(label)
    } else {
        scan.at = last;
        if let Some(at) = line[start..last].iter().position(|&byte| byte == b'"') {
            return Err((start + at, "a label with a quote in it stands in quotes"));
        }
        if let Some(at) = unbalanced(&line[start..last]) {
            return Err((start + at, "expected `)` of a transition a line, or quotes around the label"));
        }
        without_blanks(&line[start..last])
    };
    scan.token(b',', "expected `,` after the label")?;
    let target = scan.number("expected the number of the target")?;
    scan.blanks();
    if scan.peek().is_some_and(|byte| byte.is_ascii_digit()) {
        return Err((scan.at, PROBABILITIES));
    }
    scan.token(b')', "expected `)` after the target")?;
    scan.end()?;
    if label.is_empty() {
        return Err((start, "expected a label"));
    }
    Ok(Transition { source, label, target })
}

const PROBABILITIES: &str = "transitions with probabilities are not there yet";

const SECOND: &str = "expected the end of the line: a transition a line";

/// Where, from its end, a text goes on with a second transition behind the end of a first: `, TARGET) (`.
/// Control characters are blanks here, as they will be where the label is written.
fn second(text: &[u8]) -> Option<usize> {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || byte.is_ascii_control();
    let after_blanks = |text| skipped(text, is_blank);
    let number = after_blanks(after_blanks(text).strip_prefix(b",")?);
    let behind = skipped(number, u8::is_ascii_digit);
    let end = after_blanks(after_blanks(behind).strip_prefix(b")")?);
    (behind.len() < number.len() && end.first() == Some(&b'(')).then_some(end.len())
}

/// The text behind its first bytes of a kind.
fn skipped(text: &[u8], is_one: impl Fn(&u8) -> bool) -> &[u8] {
    &text[text.iter().position(|byte| !is_one(byte)).unwrap_or(text.len())..]
}

/// The first closing parenthesis that none was opened for.
fn unbalanced(label: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    label.iter().position(|&byte| match byte {
        b'(' => {
            depth += 1;
            false
        }
        b')' if depth == 0 => true,
        b')' => {
            depth -= 1;
            false
        }
        _ => false,
    })
}

fn without_blanks(label: &[u8]) -> Cow<'_, [u8]> {
    if label.iter().any(u8::is_ascii_whitespace) {
        Cow::Owned(label.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect())
    } else {
        Cow::Borrowed(label)
    }
}

struct Scan<'a> {
    line: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    #[inline]
    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    #[inline]
    fn blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    #[inline]
    fn token(&mut self, token: u8, wrong: &'static str) -> Result<(), Wrong> {
        self.blanks();
        if self.peek() != Some(token) {
            return Err((self.at, wrong));
        }
        self.at += 1;
        Ok(())
    }

    #[inline]
    fn number(&mut self, wrong: &'static str) -> Result<u64, Wrong> {
        self.blanks();
        let start = self.at;
        let mut number = 0u64;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            number = number
                .checked_mul(10)
                .and_then(|number| number.checked_add(u64::from(digit - b'0')))
                .ok_or((start, "this number is larger than 64 bits"))?;
            self.at += 1;
        }
        if self.at == start { Err((start, wrong)) } else { Ok(number) }
    }

    fn comma_after_state(&mut self, wrong: &'static str) -> Result<(), Wrong> {
        self.blanks();
        if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err((self.at, PROBABILITIES));
        }
        self.token(b',', wrong)
    }

    fn end(&mut self) -> Result<(), Wrong> {
        self.blanks();
        if self.at == self.line.len() { Ok(()) } else { Err((self.at, "expected the end of the line")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_between_tokens_do_not_matter() {
        for text in ["des(0,3,2)", " des ( 0 ,\t3 , 2 ) \r"] {
            assert_eq!(
                header(text.as_bytes()),
                Ok(Header { initial: 0, transitions: 3, states: 2 }),
                "{text}"
            );
        }
    }

    #[test]
    fn labels_with_and_without_quotes() {
        for (text, label) in [
            ("(0,\"a b\",1)", "a b"),
            (" ( 0 , \" a\" , 1 ) ", " a"),
            ("(0,\"say \"hello\", twice\",1)", "say \"hello\", twice"),
            ("(0,\"\\\"\",1)", "\\\""),
            ("(0, i , 1)", "i"),
            ("(0,*,1)", "*"),
            ("(0, a(1, 2), 1)", "a(1,2)"),
        ] {
            let label = Cow::Borrowed(label.as_bytes());
            assert_eq!(transition(text.as_bytes()), Ok(Transition { source: 0, label, target: 1 }), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_where_it_is() {
        for (text, at, part) in [
            ("0,a,1", 0, "expected a transition"),
            ("(x,a,1)", 1, "number of the source"),
            ("(0 a,1)", 3, "`,` after the source"),
            ("(0,\"a,1)", 3, "no closing quote"),
            ("(0,a)", 3, "a label and `,`"),
            ("(0,a\"b,1)", 4, "stands in quotes"),
            ("(0,\"a\" 1)", 7, "`,` after the label"),
            ("(0,a,)", 5, "number of the target"),
            ("(0,a,1", 6, "`)` after the target"),
            ("(0,a,1) (0,b,1)", 6, "a transition a line"),
            ("(0,\"a\",1) (0,\"b\",1)", 10, "a transition a line"),
            ("(0,\"a\",1)\x1a(0,\"b\",1)", 10, "a transition a line"),
            ("(0,\"a\",1) x", 10, "end of the line"),
            ("(0,\"\",1)", 3, "expected a label"),
            ("(0,\"a\",1 1/2 2)", 9, "probabilities"),
            ("(99999999999999999999,a,1)", 1, "64 bits"),
        ] {
            let (found, message) = transition(text.as_bytes()).unwrap_err();
            assert!(found == at && message.contains(part), "{text}: {found} {message}");
        }
        for (text, at, part) in [
            ("", 0, "des"),
            ("des 0,1,2)", 4, "`(`"),
            ("des (0 1/2 1,1,2)", 7, "probabilities"),
            ("des (0,1)", 8, "`,` after the number of transitions"),
            ("des (0,1,2) 3", 12, "end of the line"),
        ] {
            let (found, message) = header(text.as_bytes()).unwrap_err();
            assert!(found == at && message.contains(part), "{text}: {found} {message}");
        }
    }
}
