//! From words of the preprocessor to words of Promela, and what is no word of it.

use base::{Diagnostic, Span};

use super::Preprocessor;
use super::scan::{Cursor, Numbers};
use crate::word::{Token, Word};

impl Preprocessor<'_> {
    /// From a word of the preprocessor to words of Promela.
    pub(super) fn finish(&mut self, word: Word, finished: &mut Vec<Word>) {
        let text = self.symbols.text(word.text);
        match word.token {
            Token::Name => finished.push(Word { token: Token::keyword(text).unwrap_or(Token::Name), ..word }),
            Token::RawNumber if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                finished.push(Word { token: Token::Number, ..word });
            }
            Token::RawNumber => self.finish_number(word, finished),
            Token::Stray => self.stray(word),
            _ => finished.push(word),
        }
    }

    /// `0..N` is one number to the preprocessor and three words to Spin.
    fn finish_number(&mut self, word: Word, finished: &mut Vec<Word>) {
        let text = self.symbols.text(word.text).to_owned();
        let whole = word.origin.is_none()
            && word.span.end - word.span.start == u32::try_from(text.len()).unwrap_or(0);
        let mut cursor = Cursor::new(&text, 0, text.len(), Numbers::Digits);
        let mut first = true;
        while let Some(lexeme) = cursor.next() {
            let symbol = self.symbols.symbol(&text[lexeme.start..lexeme.end]);
            let start = word.span.start as usize;
            let span = if whole { Span::new(start + lexeme.start, start + lexeme.end) } else { word.span };
            let token = match lexeme.token {
                Token::Name => {
                    if self.macros.contains_key(&symbol) {
                        let name = &text[lexeme.start..lexeme.end];
                        let problem =
                            Diagnostic::warning(format!("macro `{name}` is not expanded here"), span)
                                .label(format!("to the C preprocessor, `{text}` is one number"))
                                .help(format!("put a space before `{name}`"));
                        self.report(problem);
                    }
                    Token::keyword(&text[lexeme.start..lexeme.end]).unwrap_or(Token::Name)
                }
                token => token,
            };
            let (newline, spaced) = (word.newline && first, word.spaced && first);
            finished.push(Word { token, text: symbol, span, place: span, newline, spaced, ..word });
            first = false;
        }
    }

    /// Spin passes over a `*/` that ends no comment. Answers whether a new line began with it.
    pub(super) fn drop_end_of_comment(&mut self, finished: &mut Vec<Word>) -> bool {
        let [.., star, slash] = finished[..] else { return false };
        if (star.token, slash.token) != (Token::Times, Token::Over) || slash.spaced || slash.newline {
            return false;
        }
        finished.truncate(finished.len() - 2);
        let span = if star.span.end == slash.span.start { star.span.to(slash.span) } else { slash.span };
        const MESSAGE: &str = "this `*/` ends no comment";
        // One message is enough for a text that has many.
        if !self.problems.iter().any(|problem| problem.message == MESSAGE) {
            let problem = Diagnostic::warning(MESSAGE, span)
                .label("passed over, as Spin does")
                .help("remove it, or put `/*` where the comment begins; comments do not nest");
            self.report(problem);
        }
        star.newline
    }

    fn stray(&mut self, word: Word) {
        let text = self.symbols.text(word.text);
        let problem =
            match text.chars().next() {
                Some('"') => Diagnostic::error("this text does not end on its line", word.span)
                    .help("close it with `\"`"),
                Some('\'') => Diagnostic::error("this character does not end", word.span)
                    .help("write one character in quotes, as `'a'`"),
                Some('$') => Diagnostic::error("this text does not end on its line", word.span)
                    .help("close it with `$`"),
                _ => {
                    // Noise comes in stretches; one message tells of a whole stretch.
                    let last = self.problems.last_mut().and_then(|problem| problem.span.as_mut());
                    if let Some(last) = last.filter(|last| last.end == word.span.start) {
                        last.end = word.span.end;
                        return;
                    }
                    Diagnostic::error("this is no word of Promela", word.span)
                        .help("is it a Promela model? Remove what stands here")
                }
            };
        self.report(problem);
    }
}
