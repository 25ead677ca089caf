//! Semicolons that need not be written, by the rules of Spin's lexer.
//!
//! In the body of a process, a claim or a type, outside parentheses, the end of a line ends a statement if it
//! can: `x = y` and `- 1` in the next line are two. A `;` is understood behind `}` and behind `else`.
//! Differs: none is understood before `unless` and `,`, where Spin would refuse the text.

use std::collections::HashSet;

use crate::word::{Symbol, Symbols, Token, Word};

/// What is known while the words pass.
pub struct Separators {
    /// The text of a semicolon that was not written.
    nothing: Symbol,
    /// Names of types, processes and inlines that were met: a line may end behind them, and the statement go
    /// on.
    declared: HashSet<Symbol>,
}

/// Where the words stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Region {
    /// Outside all bodies.
    Outside,
    /// Behind the word that a body belongs to.
    Before,
    /// In a body, so many braces deep.
    Body(usize),
    /// In the text of an `inline` or a formula, which is left alone: braces, and whether one was met.
    Verbatim(usize, bool),
}

impl Separators {
    /// Nothing was met.
    pub fn new(symbols: &mut Symbols) -> Self {
        Self { nothing: symbols.symbol(""), declared: HashSet::new() }
    }

    /// The whole text with semicolons where they are understood.
    pub fn text(&mut self, words: &[Word]) -> Vec<Word> {
        self.fill(words, Region::Outside)
    }

    /// The same for the text of an `inline` at its use, which is always in a body.
    pub fn body(&mut self, words: &[Word]) -> Vec<Word> {
        self.fill(words, Region::Body(0))
    }

    fn fill(&mut self, words: &[Word], mut place: Region) -> Vec<Word> {
        let mut filled: Vec<Word> = Vec::with_capacity(words.len() + words.len() / 8);
        let mut parentheses = 0usize;
        let mut last: Option<Word> = None;
        for &word in words {
            if let Some(last) = last.filter(|_| !matches!(place, Region::Verbatim(..))) {
                let ended = word.newline
                    && matches!(place, Region::Body(_))
                    && parentheses == 0
                    && self.can_end(last);
                if ended || understood(last.token, word.token) {
                    self.semicolon_behind(last, word, &mut filled);
                }
            }
            filled.push(word);
            match word.token {
                Token::Open => parentheses += 1,
                Token::Close => parentheses = parentheses.saturating_sub(1),
                _ => {}
            }
            if last.is_some_and(|last| declares(last.token)) && word.token == Token::Name {
                self.declared.insert(word.text);
            }
            let entered = place;
            place = next_place(place, word.token);
            if entered == Region::Before && place != Region::Before {
                parentheses = 0;
            }
            last = Some(word);
        }
        filled
    }

    fn semicolon_behind(&self, last: Word, next: Word, filled: &mut Vec<Word>) {
        let ends = matches!(next.token, Token::CloseBrace | Token::Semicolon | Token::Arrow | Token::End);
        if ends || matches!(next.token, Token::Unless | Token::Comma) {
            return;
        }
        let (span, place) = (behind(last.span), behind(last.place));
        filled.push(Word {
            token: Token::Semicolon,
            text: self.nothing,
            span,
            place,
            newline: false,
            ..last
        });
    }

    /// Whether a statement can end with this word.
    fn can_end(&self, word: Word) -> bool {
        match word.token {
            Token::Name => !self.declared.contains(&word.text),
            Token::CloseBrace | Token::Close | Token::CloseBracket => true,
            Token::Od | Token::Fi | Token::Else | Token::Break | Token::Timeout | Token::NonProgress => true,
            Token::Number | Token::Character | Token::True | Token::False | Token::Skip => true,
            Token::Increment | Token::Decrement => true,
            _ => false,
        }
    }
}

/// The place just behind a span, as a span that marks its last character.
fn behind(span: base::Span) -> base::Span {
    base::Span { start: span.end.saturating_sub(1).max(span.start), end: span.end }
}

/// Whether a `;` is understood between the two, wherever they stand.
fn understood(last: Token, next: Token) -> bool {
    match last {
        Token::Else => next != Token::Fi,
        Token::CloseBrace => !matches!(
            next,
            Token::Proctype
                | Token::Init
                | Token::Never
                | Token::Options
                | Token::Fi
                | Token::Od
                | Token::Close
        ),
        _ => false,
    }
}

fn declares(token: Token) -> bool {
    matches!(token, Token::Typedef | Token::Proctype | Token::DProctype | Token::Inline)
}

fn next_place(place: Region, token: Token) -> Region {
    match (place, token) {
        (
            Region::Outside,
            Token::Proctype | Token::DProctype | Token::Init | Token::Never | Token::Typedef,
        ) => Region::Before,
        (Region::Outside, Token::Trace | Token::Notrace) => Region::Before,
        (Region::Outside | Region::Before, Token::Inline | Token::Ltl) => Region::Verbatim(0, false),
        (Region::Outside, Token::CCode | Token::CDecl) => Region::Verbatim(0, false),
        (Region::Before, Token::OpenBrace) => Region::Body(0),
        (Region::Body(braces), Token::OpenBrace) => Region::Body(braces + 1),
        (Region::Body(0), Token::CloseBrace) => Region::Outside,
        (Region::Body(braces), Token::CloseBrace) => Region::Body(braces - 1),
        (Region::Verbatim(braces, _), Token::OpenBrace) => Region::Verbatim(braces + 1, true),
        (Region::Verbatim(0 | 1, true), Token::CloseBrace) => Region::Outside,
        (Region::Verbatim(braces, true), Token::CloseBrace) => Region::Verbatim(braces - 1, true),
        (place, _) => place,
    }
}
