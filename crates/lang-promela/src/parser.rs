//! From words to the tree, by recursive descent. The grammar is that of Spin 6.5.2.
//!
//! A statement that cannot be read is reported and skipped up to its end, so that one text yields several
//! errors. Nesting is bounded: all that walks the tree later is recursive.

mod declarations;
mod expressions;
mod inlines;
mod options;
mod separators;
mod statements;
mod units;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use base::{Diagnostic, Severity, Source, Span};

use self::separators::Separators;
use crate::ast::{Name, Spec};
use crate::preprocess::include::not_found;
use crate::preprocess::{Options, Preprocessed, preprocess};
use crate::word::{Symbol, Symbols, Token, Word};
use inlines::{Frame, Inline};

/// A message was left; the statement is given up.
struct Stop;

type Parsed<T> = Result<T, Stop>;

/// After this many messages nobody reads on.
const MOST_PROBLEMS: usize = 20;

/// Reads a source whose includes were gathered: the tree and warnings, or what is wrong.
pub fn parse(source: &Source, options: &Options) -> Result<(Spec, Vec<Diagnostic>), Vec<Diagnostic>> {
    let Preprocessed { words, mut symbols, mut problems, missing } = preprocess(source, options);
    problems.extend(missing.iter().map(not_found));
    let is_error = |problem: &Diagnostic| problem.severity == Severity::Error;
    // Words that are missing make messages that are none of the user's.
    if problems.iter().any(is_error) {
        return Err(problems);
    }
    let mut separators = Separators::new(&mut symbols);
    let words = separators.text(&words);
    let mut parser = Parser {
        source,
        symbols,
        separators,
        words,
        at: 0,
        problems,
        depth: 0,
        nesting: 0,
        gave_up: false,
        cut: false,
        types: HashSet::new(),
        processes: HashSet::new(),
        inlines: HashMap::new(),
        frames: Vec::new(),
        called: false,
        inlined: 0,
        arguments: 0,
    };
    let spec = parser.spec();
    if parser.problems.iter().any(is_error) { Err(parser.problems) } else { Ok((spec, parser.problems)) }
}

struct Parser<'a> {
    source: &'a Source,
    symbols: Symbols,
    separators: Separators,
    /// The text, or the body of the innermost `inline` with its arguments in; an `End` is last.
    words: Vec<Word>,
    at: usize,
    problems: Vec<Diagnostic>,
    /// How deep the expression being read is nested.
    depth: usize,
    /// How deep the statement being read is nested.
    nesting: usize,
    /// The rest of the text was not read: what is missing from it is no error.
    gave_up: bool,
    /// The unit being read ended too early, and that was said.
    cut: bool,
    /// Types that were defined so far.
    types: HashSet<Symbol>,
    /// Processes that were met so far.
    processes: HashSet<Symbol>,
    inlines: HashMap<Symbol, Rc<Inline>>,
    /// The inlines being read, the innermost last.
    frames: Vec<Frame>,
    /// Whether the last statement was the use of an `inline`: no `;` is needed behind it.
    called: bool,
    /// How many words inlines made.
    inlined: usize,
    /// How many arguments were put into bodies.
    arguments: u32,
}

impl Parser<'_> {
    fn word(&self) -> Word {
        self.words[self.at]
    }

    fn peek(&self) -> Token {
        self.word().token
    }

    fn peek_behind(&self, ahead: usize) -> Token {
        self.words[(self.at + ahead).min(self.words.len() - 1)].token
    }

    fn span(&self) -> Span {
        self.word().span
    }

    fn next(&mut self) -> Word {
        let word = self.word();
        self.at = (self.at + 1).min(self.words.len() - 1);
        word
    }

    fn take(&mut self, token: Token) -> bool {
        let found = self.peek() == token;
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, token: Token, where_to: &str) -> Parsed<Word> {
        if self.peek() == token {
            return Ok(self.next());
        }
        self.fail(format!("expected {} {where_to}", token.describe()).trim_end())
    }

    /// Where the words from `start` up to the last that was taken stand.
    fn since(&self, start: usize) -> Span {
        let first = self.words[start.min(self.words.len() - 1)];
        let last = self.words[self.at.saturating_sub(1).max(start).min(self.words.len() - 1)];
        self.between(first, last)
    }

    /// The span of two words and all between them. Words of an argument and of the body around it are places
    /// in the body; words of different files are no one place.
    fn between(&self, first: Word, last: Word) -> Span {
        let (one, other) =
            if first.argument == last.argument { (first.span, last.span) } else { (first.place, last.place) };
        if one.start <= other.end && self.source.same_part(one, other) { one.to(other) } else { one }
    }

    fn text(&self, word: Word) -> &str {
        self.symbols.text(word.text)
    }

    /// Leaves a message at the next word.
    fn fail<T>(&mut self, message: &str) -> Parsed<T> {
        let problem = Diagnostic::error(message, self.span()).label(self.found());
        self.report(problem);
        Err(Stop)
    }

    /// What stands at the next word, and how it came there.
    fn found(&self) -> String {
        let word = self.word();
        let mut label = match word.token {
            Token::Semicolon if self.text(word).is_empty() && self.at > 0 => {
                "found the end of the line".into()
            }
            Token::End if !self.frames.is_empty() => "found the end of the `inline`".into(),
            Token::Name | Token::Number | Token::Character => format!("found `{}`", self.text(word)),
            token => format!("found {}", token.describe()),
        };
        if let Some(origin) = word.origin {
            label += &format!(", in the expansion of `{}`", self.symbols.text(origin));
        }
        label
    }

    fn report(&mut self, mut problem: Diagnostic) {
        if self.gave_up {
            return;
        }
        if let Some(frame) = self.frames.last() {
            let line = self.source.position(self.frames[0].call).line;
            let name = self.symbols.text(frame.name);
            let within = format!("in `inline {name}`, as it is used in line {line}");
            problem.label =
                if problem.label.is_empty() { within } else { format!("{}, {within}", problem.label) };
        }
        // An inline that is used twice is wrong once.
        let same = |known: &Diagnostic| known.span == problem.span && known.message == problem.message;
        if self.problems.iter().any(same) {
            return;
        }
        let warning = problem.severity == Severity::Warning;
        if warning || self.problems.len() < MOST_PROBLEMS {
            self.problems.push(problem);
        } else {
            self.give_up();
        }
    }

    /// Reads no further.
    fn give_up(&mut self) {
        self.gave_up = true;
        self.at = self.words.len() - 1;
    }

    /// Gives up if the text, or this unit of it, ends before something does. That is said once, not for all
    /// around it.
    fn check_closed(&mut self, open: Word, close: Token) -> Parsed<()> {
        let next = self.word();
        if next.token != Token::End && !units::begins_body(next.token) {
            return Ok(());
        }
        if !self.cut {
            let message = format!("this {} is not closed", open.token.describe());
            let mut problem = Diagnostic::error(message, open.span)
                .help(format!("write {} where it ends", close.describe()));
            if next.token != Token::End {
                let line = self.source.position(next.span).line;
                problem = problem.label(format!("{} follows in line {line}", next.token.describe()));
            }
            self.report(problem);
        }
        self.cut = true;
        Err(Stop)
    }

    fn too_deep<T>(&mut self) -> Parsed<T> {
        let problem = Diagnostic::error("this is nested deeper, or longer, than can be read", self.span())
            .help("take some of it into a variable or a process of its own");
        self.report(problem);
        self.give_up();
        Err(Stop)
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        let word = self.word();
        if word.token == Token::Name {
            self.next();
            return Ok(self.name_of(word));
        }
        if let Some(written) =
            word.token.written().filter(|text| text.starts_with(|c: char| c.is_ascii_alphabetic()))
        {
            let problem = Diagnostic::error(format!("expected {what}"), word.span)
                .label(format!("`{written}` is a word of the language"))
                .help("choose another name");
            self.report(problem);
            return Err(Stop);
        }
        self.fail(&format!("expected {what}"))
    }

    fn name_of(&self, word: Word) -> Name {
        Name { text: self.text(word).to_owned(), span: word.span }
    }

    /// Whether the next word is this name, which means something only here.
    fn at_name(&self, name: &str) -> bool {
        self.peek() == Token::Name && self.text(self.word()) == name
    }

    fn at_separator(&self) -> bool {
        matches!(self.peek(), Token::Semicolon | Token::Arrow)
    }
}
