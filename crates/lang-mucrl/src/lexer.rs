//! Words of a text. A name is any sequence of letters, digits, `_`, `'`, `^` and `-`, so `0`, `d'` and
//! `C2-Bool` are names; the `-` of `->` is none. Comments go from `%` to the end of the line, or from `/*` to
//! `*/`.

use base::{Diagnostic, Span};

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token<'a> {
    Name(&'a str),
    Keyword(Keyword),
    /// A sign: one of [`SIGNS`].
    Sign(&'static str),
    End,
}

macro_rules! keywords {
    ($($name:ident $text:literal,)*) => {
        /// Words that are no names.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Keyword { $($name),* }

        impl Keyword {
            fn of(text: &str) -> Option<Self> {
                match text {
                    $($text => Some(Self::$name),)*
                    _ => None,
                }
            }

            pub(crate) fn text(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

keywords! {
    Sort "sort",
    Func "func",
    Map "map",
    Var "var",
    Rew "rew",
    Act "act",
    Comm "comm",
    Proc "proc",
    Init "init",
    Delta "delta",
    Tau "tau",
    Sum "sum",
    Encap "encap",
    Hide "hide",
    Rename "rename",
}

impl Keyword {
    /// Whether a section begins with it.
    pub(crate) fn opens_section(self) -> bool {
        use Keyword::{Act, Comm, Func, Init, Map, Proc, Rew, Sort, Var};
        matches!(self, Sort | Func | Map | Var | Rew | Act | Comm | Proc | Init)
    }
}

/// All signs; one that begins like another comes after it.
const SIGNS: [&str; 18] =
    ["||_", "||", "|>", "|", "->", "<|", "<<", "(", ")", "{", "}", ",", ".", "+", ":", "#", "=", "@"];

/// A word and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'a> {
    pub(crate) token: Token<'a>,
    pub(crate) span: Span,
}

/// The words of a text, an end behind them, and what is none.
pub(crate) fn words(text: &str) -> (Vec<Word<'_>>, Vec<Diagnostic>) {
    let (mut words, mut problems) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let next = rest.chars().next().unwrap_or(' ');
        if next.is_whitespace() {
            at += next.len_utf8();
        } else if next == '%' {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            match rest.find("*/") {
                Some(end) => at += end + 2,
                None => {
                    let span = Span::new(at, at + 2);
                    problems
                        .push(Diagnostic::error("this comment has no end", span).help("close it with `*/`"));
                    at = text.len();
                }
            }
        } else if let Some(sign) = SIGNS.into_iter().find(|&sign| rest.starts_with(sign)) {
            words.push(Word { token: Token::Sign(sign), span: Span::new(at, at + sign.len()) });
            at += sign.len();
        } else {
            let length = name_length(rest);
            if length == 0 {
                let span = Span::new(at, at + next.len_utf8());
                problems
                    .push(Diagnostic::error(format!("`{}` means nothing here", next.escape_debug()), span));
                at += next.len_utf8();
            } else {
                let name = &rest[..length];
                let token = Keyword::of(name).map_or(Token::Name(name), Token::Keyword);
                words.push(Word { token, span: Span::new(at, at + length) });
                at += length;
            }
        }
    }
    words.push(Word { token: Token::End, span: Span::new(text.len(), text.len()) });
    (words, problems)
}

/// How many bytes of the text, from its beginning, are a name.
fn name_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let goes_on = |at: &usize| match bytes[*at] {
        b'-' => *at > 0 && bytes.get(at + 1) != Some(&b'>'),
        byte => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'\'' | b'^'),
    };
    (0..bytes.len()).find(|at| !goes_on(at)).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let (words, problems) = words(text);
        assert_eq!(problems, []);
        words.iter().map(|word| text[word.span.start as usize..word.span.end as usize].to_owned()).collect()
    }

    #[test]
    fn names_take_a_dash_but_no_arrow() {
        let all = texts("C2-Bool:Bool#d'->0 % x\n/* y */ a||_b||c|d<|T|>e");
        let wanted = "C2-Bool : Bool # d' -> 0 a ||_ b || c | d <| T |> e";
        assert_eq!(all.join(" ").trim_end(), wanted);
    }

    #[test]
    fn what_is_no_word_is_reported() {
        let (words, problems) = words("a § b ! /* c");
        assert_eq!((words.len(), problems.len()), (3, 3));
        assert_eq!(problems[1].span, Some(Span::new(7, 8)));
    }
}
