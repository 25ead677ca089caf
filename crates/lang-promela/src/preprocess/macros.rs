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
    pub body: Vec<BodyWord>,
    /// Where its name stands in the definition.
    pub span: Span,
}

/// A word of a macro's body.
#[derive(Clone, Copy, Debug)]
pub struct BodyWord {
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

/// The words that a use of a macro stands for, as they are put together.
struct Substitution<'m> {
    definition: &'m Macro,
    /// Where the user wrote the use.
    use_span: Span,
    /// The macro that the user named.
    origin: Symbol,
    result: Vec<Word>,
    /// What stands left of `##` when nothing stands there: an empty argument pastes to nothing.
    left_is_empty: bool,
}

impl Substitution<'_> {
    /// A word of the macro, as one that the user wrote at the use.
    fn stamped(&self, word: Word) -> Word {
        let (span, origin) = (self.use_span, Some(self.origin));
        Word { span, place: span, origin, newline: false, ..word }
    }
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
        let mut made =
            Substitution { definition, use_span, origin, result: Vec::new(), left_is_empty: false };
        let body = &definition.body;
        let takes_arguments = definition.parameters.is_some();
        let mut at = 0;
        while at < body.len() {
            self.spend(1, use_span)?;
            let piece = body[at];
            let quoted = body.get(at + 1).and_then(|next| next.parameter);
            if let Some(parameter) = quoted.filter(|_| takes_arguments && piece.word.token == Token::Hash) {
                let text = self.quoted(&arguments[parameter].written);
                let text = self.symbols.symbol(&text);
                made.result.push(made.stamped(Word { token: Token::Text, text, ..piece.word }));
                made.left_is_empty = false;
                at += 2;
                continue;
            }
            if piece.word.token == Token::HashHash && at > 0 && at + 1 < body.len() {
                self.paste(&mut made, arguments, at + 1)?;
                at += 2;
                continue;
            }
            match piece.parameter {
                Some(parameter) => {
                    let pasted_next = at + 2 < body.len() && body[at + 1].word.token == Token::HashHash;
                    let argument = &mut arguments[parameter];
                    self.insert(&mut made, argument, pasted_next, piece.word.spaced)?;
                }
                None => {
                    made.left_is_empty = false;
                    made.result.push(made.stamped(piece.word));
                }
            }
            at += 1;
        }
        Ok(made.result)
    }

    /// `##` before the piece at a position: its first word becomes one with the last word so far.
    fn paste(
        &mut self,
        made: &mut Substitution<'_>,
        arguments: &[Argument],
        position: usize,
    ) -> Result<(), Stop> {
        let definition = made.definition;
        let right = definition.body[position];
        let words = match right.parameter.filter(|_| definition.parameters.is_some()) {
            Some(parameter) => arguments[parameter].written.clone(),
            None => vec![made.stamped(right.word)],
        };
        self.spend(words.len(), made.use_span)?;
        let last_is_comma = made.result.last().is_some_and(|word| word.token == Token::Comma);
        let rest = definition.variadic && right.parameter.is_some_and(|p| p + 1 == arguments.len());
        if last_is_comma && rest {
            // GNU: the comma before the rest of the arguments goes with them.
            if words.is_empty() {
                made.result.pop();
            }
            made.result.extend(words);
            return Ok(());
        }
        let mut words = words.into_iter();
        match (words.next(), made.left_is_empty) {
            (None, _) => {}
            (Some(first), true) => {
                made.result.push(first);
                made.left_is_empty = false;
            }
            (Some(first), false) => {
                let left = made.result.pop().unwrap_or_else(|| panic!("BUG: nothing left of `##`"));
                made.result.push(self.pasted(left, first, made.use_span, made.origin)?);
            }
        }
        made.result.extend(words);
        Ok(())
    }

    /// An argument in the place of its parameter: expanded, but as it was written where `##` follows.
    fn insert(
        &mut self,
        made: &mut Substitution<'_>,
        argument: &mut Argument,
        pasted_next: bool,
        spaced: bool,
    ) -> Result<(), Stop> {
        if !pasted_next && argument.expanded.is_none() {
            let written = std::mem::take(&mut argument.written);
            let expanded = self.expand_all(&written, made.use_span)?;
            (argument.written, argument.expanded) = (written, Some(expanded));
        }
        let words = if pasted_next { &argument.written } else { argument.expanded.as_deref().unwrap_or(&[]) };
        self.spend(words.len(), made.use_span)?;
        made.left_is_empty = words.is_empty();
        let start = made.result.len();
        made.result.extend(words.iter().map(|word| Word { newline: false, ..*word }));
        if let Some(first) = made.result.get_mut(start) {
            first.spaced = spaced;
        }
        Ok(())
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
