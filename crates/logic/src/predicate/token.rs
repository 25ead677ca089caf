//! The words of a predicate.

use base::{Diagnostic, Source, Span};

use super::code::{Binary, Lazy};

/// A word.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Token<'a> {
    /// At most 2^63: one more than the greatest literal, so that it can stand behind a minus.
    Number(u64),
    Truth(bool),
    /// A name, bare or in backticks.
    Name(&'a str),
    /// A text in double quotes.
    Text(&'a str),
    Operator(Operator),
    Not,
    Complement,
    Open,
    Close,
    OpenBracket,
    CloseBracket,
    Dot,
    Comma,
    End,
}

/// An operator between two operands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Operator {
    Strict(Binary),
    Lazy(Lazy),
}

/// The words that are not names or literals, longest first where one begins another.
const SIGNS: &[(&str, Token<'static>)] = {
    use Binary::{
        Add, And, Divide, Equal, Greater, GreaterEqual, Iff, Less, LessEqual, Multiply, Or, Remainder,
        ShiftLeft, ShiftRight, Subtract, Unequal, Xor,
    };
    use Token::{Close, CloseBracket, Comma, Complement, Dot, Not, Open, OpenBracket};
    const fn strict(binary: Binary) -> Token<'static> {
        Token::Operator(Operator::Strict(binary))
    }
    const fn lazy(lazy: Lazy) -> Token<'static> {
        Token::Operator(Operator::Lazy(lazy))
    }
    &[
        ("<->", strict(Iff)),
        ("->", lazy(Lazy::Imply)),
        ("=>", lazy(Lazy::Imply)),
        ("&&", lazy(Lazy::And)),
        ("||", lazy(Lazy::Or)),
        ("==", strict(Equal)),
        ("!=", strict(Unequal)),
        ("<<", strict(ShiftLeft)),
        (">>", strict(ShiftRight)),
        ("<=", strict(LessEqual)),
        (">=", strict(GreaterEqual)),
        ("=", strict(Equal)),
        ("<", strict(Less)),
        (">", strict(Greater)),
        ("+", strict(Add)),
        ("-", strict(Subtract)),
        ("*", strict(Multiply)),
        ("/", strict(Divide)),
        ("%", strict(Remainder)),
        ("&", strict(And)),
        ("|", strict(Or)),
        ("^", strict(Xor)),
        ("!", Not),
        ("~", Complement),
        ("(", Open),
        (")", Close),
        // LTSmin writes names of cells and members with backslashes: `queue\[0\]`.
        ("\\[", OpenBracket),
        ("\\]", CloseBracket),
        ("\\.", Dot),
        ("[", OpenBracket),
        ("]", CloseBracket),
        (".", Dot),
        (",", Comma),
    ]
};

const KEYWORDS: &[(&str, Token<'static>)] = &[
    ("and", Token::Operator(Operator::Lazy(Lazy::And))),
    ("or", Token::Operator(Operator::Lazy(Lazy::Or))),
    ("imply", Token::Operator(Operator::Lazy(Lazy::Imply))),
    ("not", Token::Not),
    ("true", Token::Truth(true)),
    ("false", Token::Truth(false)),
];

/// The words of the text, with an end, and what could not be read.
pub(crate) fn tokens(source: &Source) -> (Vec<(Token<'_>, Span)>, Vec<Diagnostic>) {
    let text = source.text();
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if text[at..].starts_with("//") {
            at += text[at..].find('\n').unwrap_or(text.len() - at);
            continue;
        }
        let (token, length) = word(&text[at..], first);
        let span = Span::new(at, at + length);
        match token {
            Ok(token) => found.push((token, span)),
            Err(problem) => {
                problems.push(Diagnostic { span: Some(span), ..problem });
                // A word that cannot be read still stands for an operand, so that one slip is one message.
                found.push((Token::Number(0), span));
            }
        }
        at += length;
    }
    found.push((Token::End, Span::new(text.len(), text.len())));
    (found, problems)
}

/// The first word of a text that does not begin with a blank, and its length.
fn word(text: &str, first: char) -> (Result<Token<'_>, Diagnostic>, usize) {
    if first.is_ascii_digit() {
        let length = text.find(|c: char| !is_name(c)).unwrap_or(text.len());
        return (number(&text[..length]), length);
    }
    if is_name(first) {
        let length = text.find(|c: char| !is_name(c)).unwrap_or(text.len());
        let name = &text[..length];
        let keyword = KEYWORDS.iter().find(|(keyword, _)| *keyword == name);
        return (Ok(keyword.map_or(Token::Name(name), |(_, token)| *token)), length);
    }
    if first == '"' || first == '`' {
        return quoted(text, first);
    }
    match SIGNS.iter().find(|(sign, _)| text.starts_with(sign)) {
        Some((sign, token)) => (Ok(*token), sign.len()),
        None => (Err(unreadable(first)), first.len_utf8()),
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '@')
}

/// What the least number is without its minus.
pub(crate) const LEAST: u64 = i64::MIN.unsigned_abs();

fn number(digits: &str) -> Result<Token<'static>, Diagnostic> {
    let nowhere = Span::new(0, 0);
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let (plain, radix) = hexadecimal.map_or((digits, 10), |plain| (plain, 16));
    if plain.is_empty() || !plain.chars().all(|c| c.is_digit(radix)) {
        return Err(Diagnostic::error(format!("`{digits}` is neither a number nor a name"), nowhere)
            .help("a name that begins with a digit goes in backticks"));
    }
    match u64::from_str_radix(plain, radix) {
        Ok(number) if number <= LEAST => Ok(Token::Number(number)),
        _ => Err(too_large(digits, nowhere)),
    }
}

/// What to say of a number that is too large.
pub(crate) fn too_large(digits: &str, span: Span) -> Diagnostic {
    Diagnostic::error(format!("the number {} does not fit 64 bits", shortened(digits)), span)
        .help(format!("the greatest is {}", i64::MAX))
}

fn shortened(digits: &str) -> String {
    if digits.len() > 40 {
        format!("{}… of {} digits", &digits[..20], digits.len())
    } else {
        digits.to_owned()
    }
}

fn quoted(text: &str, quote: char) -> (Result<Token<'_>, Diagnostic>, usize) {
    match text[1..].find(quote) {
        Some(length) if quote == '"' => (Ok(Token::Text(&text[1..=length])), length + 2),
        Some(length) => (Ok(Token::Name(&text[1..=length])), length + 2),
        None => {
            let problem = Diagnostic::error("the quotation does not end", Span::new(0, 0));
            (Err(problem.help(format!("put a {quote} after it"))), text.len())
        }
    }
}

fn unreadable(first: char) -> Diagnostic {
    Diagnostic::error(format!("`{}` has no meaning here", first.escape_debug()), Span::new(0, 0))
        .help("a name with odd characters goes in backticks: `my name`")
}
