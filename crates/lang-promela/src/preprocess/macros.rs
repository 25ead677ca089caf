//! Definitions of macros, and what one use of a macro becomes: arguments in, `#` and `##` done.

use base::{Diagnostic, Span};

use super::scan::{Cursor, Numbers};
use super::{Preprocessor, Stop};
use crate::word::{Symbol, Token, Word};

/// What a name stands for.
#[derive(Clone, Debug)]
pub struct Macro {
    /// The parameters, if it takes arguments.
    pub parameters: Option<Vec<Symbol>>,
    /// Whether the last parameter takes all arguments that are left.
    pub variadic: bool,
    /// What it stands for.
    pub body: Vec<Piece>,
    /// Where its name stands in the definition.
    pub span: Span,
}

/// A word of a macro's body.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The word.
    pub word: Word,
    /// Which parameter it is.
    pub parameter: Option<usize>,
}

impl Macro {
    /// Whether both stand for the same, as C counts it: space counts as far as there is some or none.
    pub fn same(&self, other: &Self) -> bool {
        self.parameters == other.parameters
            && self.variadic == other.variadic
            && self.body.len() == other.body.len()
            && self.body.iter().zip(&other.body).enumerate().all(|(at, (one, two))| {
                one.word.text == two.word.text && (at == 0 || one.word.spaced == two.word.spaced)
            })
    }

    /// How many arguments fit: from, to.
    pub fn arity(&self) -> (usize, usize) {
        let count = self.parameters.as_ref().map_or(0, Vec::len);
        if self.variadic { (count - 1, usize::MAX) } else { (count, count) }
    }
}

/// An argument as it was written, and expanded once somebody asks.
pub struct Argument {
    pub written: Vec<Word>,
    pub expanded: Option<Vec<Word>>,
}

impl Preprocessor<'_> {
    /// The words that a use stands for. `use_span` is where the user wrote it, `origin` the macro that the
    /// user named.
    pub(super) fn substitute(
        &mut self,
        definition: &Macro,
        arguments: &mut [Argument],
        use_span: Span,
        origin: Symbol,
    ) -> Result<Vec<Word>, Stop> {
        let mut result: Vec<Word> = Vec::new();
        let stamp = |word: Word| Word {
            span: use_span,
            place: use_span,
            origin: Some(origin),
            newline: false,
            ..word
        };
        let body = &definition.body;
        let takes_arguments = definition.parameters.is_some();
        let mut at = 0;
        // What stands left of `##` when nothing stands there: an empty argument pastes to nothing.
        let mut left_is_empty = false;
        while at < body.len() {
            self.spend(1, use_span)?;
            let piece = body[at];
            let quoted = body.get(at + 1).and_then(|next| next.parameter);
            if let Some(parameter) = quoted.filter(|_| takes_arguments && piece.word.token == Token::Hash) {
                let text = self.quoted(&arguments[parameter].written);
                let text = self.symbols.symbol(&text);
                result.push(stamp(Word { token: Token::Text, text, ..piece.word }));
                left_is_empty = false;
                at += 2;
                continue;
            }
            if piece.word.token == Token::HashHash && at > 0 && at + 1 < body.len() {
                let right = body[at + 1];
                let words = match right.parameter {
                    Some(parameter) if takes_arguments => arguments[parameter].written.clone(),
                    _ => vec![stamp(right.word)],
                };
                self.spend(words.len(), use_span)?;
                let last_is_comma = result.last().is_some_and(|word| word.token == Token::Comma);
                let rest = definition.variadic && right.parameter.is_some_and(|p| p + 1 == arguments.len());
                if last_is_comma && rest {
                    // GNU: the comma before the rest of the arguments goes with them.
                    if words.is_empty() {
                        result.pop();
                    }
                    result.extend(words);
                } else {
                    let mut words = words.into_iter();
                    match (words.next(), left_is_empty) {
                        (None, _) => {}
                        (Some(first), true) => {
                            result.push(first);
                            left_is_empty = false;
                        }
                        (Some(first), false) => {
                            let left = result.pop().unwrap_or_else(|| panic!("BUG: nothing left of `##`"));
                            result.push(self.pasted(left, first, use_span, origin)?);
                        }
                    }
                    result.extend(words);
                }
                at += 2;
                continue;
            }
            let pasted_next = body.get(at + 1).is_some_and(|next| next.word.token == Token::HashHash)
                && at + 2 < body.len();
            match piece.parameter {
                Some(parameter) => {
                    let argument = &mut arguments[parameter];
                    if !pasted_next && argument.expanded.is_none() {
                        let written = std::mem::take(&mut argument.written);
                        let expanded = self.expand_all(&written, use_span)?;
                        (argument.written, argument.expanded) = (written, Some(expanded));
                    }
                    let words = if pasted_next {
                        &argument.written
                    } else {
                        argument.expanded.as_deref().unwrap_or(&[])
                    };
                    self.spend(words.len(), use_span)?;
                    left_is_empty = words.is_empty();
                    let start = result.len();
                    result.extend(words.iter().map(|word| Word { newline: false, ..*word }));
                    if let Some(first) = result.get_mut(start) {
                        first.spaced = piece.word.spaced;
                    }
                }
                None => {
                    left_is_empty = false;
                    result.push(stamp(piece.word));
                }
            }
            at += 1;
        }
        Ok(result)
    }

    /// `#argument`: the argument as text.
    fn quoted(&self, words: &[Word]) -> String {
        let mut text = String::from("\"");
        for (at, word) in words.iter().enumerate() {
            if at > 0 && (word.spaced || word.newline) {
                text.push(' ');
            }
            let written = self.symbols.text(word.text);
            let escape = matches!(word.token, Token::Text | Token::Character);
            for c in written.chars() {
                if escape && matches!(c, '"' | '\\') {
                    text.push('\\');
                }
                text.push(c);
            }
        }
        text.push('"');
        text
    }

    /// `left ## right`: one word of both.
    fn pasted(&mut self, left: Word, right: Word, use_span: Span, origin: Symbol) -> Result<Word, Stop> {
        let text = format!("{}{}", self.symbols.text(left.text), self.symbols.text(right.text));
        let mut cursor = Cursor::new(&text, 0, text.len(), Numbers::Raw);
        let whole = cursor.next().filter(|lexeme| (lexeme.start, lexeme.end) == (0, text.len()));
        match whole {
            Some(lexeme) if lexeme.token != Token::Stray => {
                let text = self.symbols.symbol(&text);
                let origin = Some(origin);
                let (span, place) = (use_span, use_span);
                Ok(Word { token: lexeme.token, text, span, place, origin, painted: false, ..left })
            }
            _ => {
                let (one, two) = (self.symbols.text(left.text), self.symbols.text(right.text));
                let problem =
                    Diagnostic::error(format!("`{one}` and `{two}` make no word together"), use_span)
                        .label(format!("pasted in the expansion of `{}`", self.symbols.text(origin)))
                        .help("remove the `##` between them");
                self.report(problem);
                Err(Stop)
            }
        }
    }
}
