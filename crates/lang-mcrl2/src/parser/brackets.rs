//! What must be known before the words are read one by one: which bracket closes which, and which `->` of a
//! process has a `<>`.
//!
//! A process may begin with a condition, and a condition looks like a process until its `->` is seen. In
//! `c -> p <> q`, p may be a choice, which it may not be without the `<>`. Both are answered by one walk over
//! all words.

use base::Span;

use crate::lexer::Token;

/// Answers by the numbers of words.
pub(super) struct Brackets {
    /// Of an opening bracket: the closing one; the last word if there is none.
    closing: Vec<u32>,
    /// Of a `->`: whether a `<>` belongs to it.
    has_else: Vec<bool>,
}

/// What stands between two brackets.
#[derive(Default)]
struct Level {
    opened_at: usize,
    /// Arrows that wait for their `<>`.
    arrows: Vec<usize>,
    /// Between `sum` and its `.`: arrows are those of sorts.
    in_declarations: bool,
}

impl Brackets {
    pub(super) fn new(words: &[(Token, Span)]) -> Self {
        let end = words.len().saturating_sub(1) as u32;
        let mut answers = Self { closing: vec![end; words.len()], has_else: vec![false; words.len()] };
        let mut levels = vec![Level::default()];
        for (at, &(token, _)) in words.iter().enumerate() {
            let level = levels.last_mut().expect("BUG: the outermost level stays");
            match token {
                Token::Open | Token::OpenBracket | Token::OpenBrace => {
                    levels.push(Level { opened_at: at, ..Level::default() });
                }
                Token::Close | Token::CloseBracket | Token::CloseBrace => {
                    let opened_at = level.opened_at;
                    if levels.len() > 1 {
                        answers.closing[opened_at] = at as u32;
                        levels.pop();
                    }
                }
                // Declarations end here, whatever was left open in them.
                Token::Semicolon => {
                    levels.truncate(1);
                    levels[0] = Level::default();
                }
                Token::Comma if !level.in_declarations => level.arrows.clear(),
                Token::Sum | Token::Dist => level.in_declarations = true,
                Token::Dot => level.in_declarations = false,
                Token::Arrow if !level.in_declarations => level.arrows.push(at),
                Token::Else => {
                    if let Some(arrow) = level.arrows.pop() {
                        answers.has_else[arrow] = true;
                    }
                }
                _ => {}
            }
        }
        answers
    }

    /// The bracket that closes the one that is word number `open`.
    pub(super) fn closing(&self, open: usize) -> usize {
        self.closing[open] as usize
    }

    /// Whether the `->` that is word number `arrow` has a `<>`.
    pub(super) fn has_else(&self, arrow: usize) -> bool {
        self.has_else[arrow]
    }
}
