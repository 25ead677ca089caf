//! The words of a text, read one after the other: what lexers leave and recursive-descent parsers stand on.

use crate::{Diagnostic, Source, Span};

/// After this many messages nobody reads on.
const MOST_PROBLEMS: usize = 100;

/// A kind of word in some language.
pub trait Word: Copy + PartialEq {
    /// What stands behind the last word.
    const END: Self;

    /// How it is written, or what it is, for messages.
    fn describe(self) -> &'static str;

    /// Whether there are many of the kind, as of names and numbers, so that a message shows which one it is.
    fn is_one_of_many(self) -> bool;
}

/// An error that was reported: a message about it is among the problems, and what was being read is given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reported;

/// Words with their places, and what was said about those that are none.
///
/// ```
/// use base::{Diagnostic, Span, Words};
///
/// let mut words = Words::default();
/// words.push('a', Span::new(0, 1));
/// let strange = |span| Diagnostic::error("this is no word", span);
/// words.noise(Span::new(2, 3), strange);
/// words.noise(Span::new(3, 4), strange);
/// assert_eq!(words.problems.len(), 1);
/// assert_eq!(words.problems[0].span, Some(Span::new(2, 4)));
/// ```
#[derive(Debug)]
pub struct Words<T> {
    /// The words, in the order of the text.
    pub words: Vec<(T, Span)>,
    /// What is wrong with the text.
    pub problems: Vec<Diagnostic>,
}

impl<T> Default for Words<T> {
    fn default() -> Self {
        Self { words: Vec::new(), problems: Vec::new() }
    }
}

impl<T> Words<T> {
    /// Adds a word.
    pub fn push(&mut self, word: T, span: Span) {
        self.words.push((word, span));
    }

    /// Adds what is no word. Noise comes in stretches; one message tells of a whole stretch.
    pub fn noise(&mut self, span: Span, message: impl FnOnce(Span) -> Diagnostic) {
        match self.problems.last_mut().and_then(|problem| problem.span.as_mut()) {
            Some(last) if last.end == span.start => last.end = span.end,
            _ => self.problems.push(message(span)),
        }
    }
}

/// A place between the words of a text, and what was said about it so far.
#[derive(Debug)]
pub struct Cursor<'a, T> {
    source: &'a Source,
    /// Never empty: the last one is the end.
    words: Vec<(T, Span)>,
    at: usize,
    problems: Vec<Diagnostic>,
    /// The rest of the text was not read: what is missing from it is no error.
    gave_up: bool,
}

impl<'a, T: Word> Cursor<'a, T> {
    /// Before the first word.
    pub fn new(source: &'a Source, found: Words<T>) -> Self {
        let Words { mut words, problems } = found;
        let end = source.text().len();
        words.push((T::END, Span::new(end, end)));
        Self { source, words, at: 0, problems, gave_up: false }
    }

    /// The next word.
    pub fn peek(&self) -> T {
        self.words[self.at].0
    }

    /// A word further on.
    pub fn peek_behind(&self, ahead: usize) -> T {
        self.word(self.at + ahead)
    }

    /// The word with a number; the end, where there are fewer.
    pub fn word(&self, at: usize) -> T {
        self.words[at.min(self.words.len() - 1)].0
    }

    /// The number of the next word.
    pub fn at(&self) -> usize {
        self.at
    }

    /// All words that were not taken yet.
    pub fn rest(&self) -> &[(T, Span)] {
        &self.words[self.at..]
    }

    /// Where the next word stands.
    pub fn span(&self) -> Span {
        self.words[self.at].1
    }

    /// Where the last word that was taken stands.
    pub fn last_span(&self) -> Span {
        self.words[self.at.saturating_sub(1)].1
    }

    /// How the next word is written.
    pub fn text(&self) -> &'a str {
        self.slice(self.span())
    }

    /// The text between two places.
    pub fn slice(&self, span: Span) -> &'a str {
        self.source.slice(span)
    }

    /// Takes a word.
    pub fn step(&mut self) -> Span {
        let span = self.span();
        self.at = (self.at + 1).min(self.words.len() - 1);
        span
    }

    /// Takes a word if it is this one.
    pub fn take(&mut self, word: T) -> bool {
        let found = self.peek() == word;
        if found {
            self.step();
        }
        found
    }

    /// Takes this word, or leaves a message.
    pub fn expect(&mut self, word: T, where_to: &str) -> Result<Span, Reported> {
        if self.peek() == word {
            return Ok(self.step());
        }
        self.fail(format!("expected {} {where_to}", word.describe()).trim_end())
    }

    /// Takes a word that is a name, or leaves a message.
    pub fn name(&mut self, name: T, what: &str) -> Result<(&'a str, Span), Reported> {
        let word = self.text();
        if self.peek() == name {
            return Ok((word, self.step()));
        }
        if word.starts_with(char::is_alphabetic) {
            let problem = Diagnostic::error(format!("expected {what}"), self.span())
                .label(format!("`{word}` is a word of the language"))
                .help("choose another name");
            self.report(problem);
            return Err(Reported);
        }
        self.fail(&format!("expected {what}"))
    }

    /// Leaves a message at the next word.
    pub fn fail<R>(&mut self, message: &str) -> Result<R, Reported> {
        let word = self.peek();
        let found =
            if word.is_one_of_many() { format!("`{}`", self.text()) } else { word.describe().to_owned() };
        self.report(Diagnostic::error(message, self.span()).label(format!("found {found}")));
        Err(Reported)
    }

    /// Leaves a message, unless there are too many already.
    pub fn report(&mut self, problem: Diagnostic) {
        if self.gave_up {
            return;
        }
        self.problems.push(problem);
        if self.problems.len() >= MOST_PROBLEMS {
            self.give_up();
        }
    }

    /// Leaves the rest of the text unread; what follows from that is not said.
    pub fn give_up(&mut self) {
        self.gave_up = true;
        self.at = self.words.len() - 1;
    }

    /// Whether anything was said.
    pub fn has_problems(&self) -> bool {
        !self.problems.is_empty()
    }

    /// What was read, if nothing was said.
    pub fn finish<R>(self, read: R) -> Result<R, Vec<Diagnostic>> {
        if self.problems.is_empty() { Ok(read) } else { Err(self.problems) }
    }
}
