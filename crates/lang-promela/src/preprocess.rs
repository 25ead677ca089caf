//! The preprocessor: C's, as Spin runs it (`gcc -std=gnu99 -E`), on words that know where they were written.
//!
//! Where a macro is used, its words are put before the rest of the text. While they are read the macro is
//! shut, and its own name among them is painted, which means that it is never expanded. Example: with
//! `#define f(x) f(x + 1)` the use `f(2)` becomes `f(2 + 1)` and no more. Differs from C: no names are
//! defined beforehand but `__LINE__` and `__FILE__`.
//!
//! A word from a macro carries the place of the use that the user wrote, a word of an argument its own
//! place.

mod condition;
mod directives;
mod finish;
pub(crate) mod include;
mod macros;
mod scan;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use base::{Diagnostic, Source, Span};

use crate::word::{Symbol, Symbols, Token, Word};
use directives::Conditional;
use macros::{Argument, Macro};
use scan::{Cursor, Lexeme, Numbers};

/// So many words may macros make; more is a mistake, or malice.
const MOST_WORDS: usize = 4_000_000;

/// So deep may uses of macros stand in arguments of macros.
const DEEPEST_ARGUMENT: usize = 200;

/// So deep may files include each other, as with gcc.
const DEEPEST_INCLUDE: usize = 200;

/// After this many messages nobody reads on.
const MOST_PROBLEMS: usize = 20;

/// What is set from outside the text.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// Macros that are defined before the first line: names and what they stand for.
    pub defines: Vec<(String, String)>,
}

/// A message was left, and nothing is left to read.
pub struct Stop;

/// An `#include` of a file that is not part of the source.
#[derive(Clone, Debug)]
pub struct Missing {
    /// What is written between the quotes.
    pub file: String,
    /// Where the directive stands.
    pub span: Span,
    /// The names under which it may be found, the best first.
    pub candidates: Vec<String>,
}

/// What the preprocessor leaves.
pub struct Preprocessed {
    /// The words, an `End` behind them.
    pub words: Vec<Word>,
    /// Their texts.
    pub symbols: Symbols,
    /// Warnings and errors.
    pub problems: Vec<Diagnostic>,
    /// Files that are not at hand.
    pub missing: Vec<Missing>,
}

/// Expands a source.
pub fn preprocess(source: &Source, options: &Options) -> Preprocessed {
    let mut preprocessor = Preprocessor::new(source);
    preprocessor.define_all(options);
    let words = preprocessor.run();
    let Preprocessor { symbols, problems, missing, .. } = preprocessor;
    Preprocessed { words, symbols, problems, missing }
}

/// A file that is being read.
struct File<'a> {
    part: usize,
    cursor: Cursor<'a>,
    conditionals: Vec<Conditional>,
    /// The line that the last word was read for.
    line: usize,
}

/// Words that stand before the rest of the text.
struct Context {
    words: Vec<Word>,
    at: usize,
    /// The macro that is shut while they are read.
    shut: Option<Symbol>,
}

struct Preprocessor<'a> {
    source: &'a Source,
    symbols: Symbols,
    macros: HashMap<Symbol, Rc<Macro>>,
    /// Macros that are not expanded now.
    shut: HashSet<Symbol>,
    files: Vec<File<'a>>,
    contexts: Vec<Context>,
    /// Contexts below this are out of sight: an argument or a directive is expanded on its own.
    floor: usize,
    /// How deep arguments are being expanded.
    depth: usize,
    /// Whether arguments are being collected: the end of a line in them is mere space.
    collecting: bool,
    /// How many words macros made.
    spent: usize,
    problems: Vec<Diagnostic>,
    missing: Vec<Missing>,
    line_name: Symbol,
    file_name: Symbol,
    rest_name: Symbol,
}

impl<'a> Preprocessor<'a> {
    fn new(source: &'a Source) -> Self {
        let mut symbols = Symbols::default();
        let (line_name, file_name) = (symbols.symbol("__LINE__"), symbols.symbol("__FILE__"));
        let rest_name = symbols.symbol("__VA_ARGS__");
        let mut this = Self {
            source,
            symbols,
            macros: HashMap::new(),
            shut: HashSet::new(),
            files: Vec::new(),
            contexts: Vec::new(),
            floor: 0,
            depth: 0,
            collecting: false,
            spent: 0,
            problems: Vec::new(),
            missing: Vec::new(),
            line_name,
            file_name,
            rest_name,
        };
        this.open(0);
        this
    }

    fn open(&mut self, part: usize) {
        let (_, span) = self.source.parts().nth(part).unwrap_or_else(|| panic!("BUG: no part {part}"));
        let cursor = Cursor::new(self.source.text(), span.start as usize, span.end as usize, Numbers::Raw);
        self.files.push(File { part, cursor, conditionals: Vec::new(), line: 0 });
    }

    fn report(&mut self, problem: Diagnostic) {
        self.problems.push(problem);
    }

    /// Takes so many words from what macros may make.
    fn spend(&mut self, words: usize, at: Span) -> Result<(), Stop> {
        self.spent += words;
        if self.spent <= MOST_WORDS {
            return Ok(());
        }
        let message = format!("macros make more than {} million words here", MOST_WORDS / 1_000_000);
        self.report(Diagnostic::error(message, at).help("let the macros on this line stand for less"));
        Err(Stop)
    }

    fn run(&mut self) -> Vec<Word> {
        let mut finished = Vec::new();
        let mut newline = false;
        while let Ok(Some(word)) = self.expanded(&mut newline) {
            let before = self.problems.len();
            self.finish(Word { newline: std::mem::take(&mut newline), ..word }, &mut finished);
            newline |= self.drop_end_of_comment(&mut finished);
            if self.problems.len() > before && self.problems.len() >= MOST_PROBLEMS {
                break;
            }
        }
        let (_, main) = self.source.parts().next().unwrap_or_else(|| panic!("BUG: a source without text"));
        let span = Span::new(main.end as usize, main.end as usize);
        let text = self.symbols.symbol("");
        finished.push(plain(Token::End, text, span, true));
        finished
    }

    /// The next word with macros expanded. `newline` is set if a line ends before it.
    fn expanded(&mut self, newline: &mut bool) -> Result<Option<Word>, Stop> {
        loop {
            let Some(mut word) = self.raw()? else { return Ok(None) };
            *newline |= word.newline;
            if word.token != Token::Name || word.painted {
                return Ok(Some(word));
            }
            if word.text == self.line_name || word.text == self.file_name {
                return Ok(Some(self.builtin(word)));
            }
            let Some(definition) = self.macros.get(&word.text) else { return Ok(Some(word)) };
            if self.shut.contains(&word.text) {
                word.painted = true;
                return Ok(Some(word));
            }
            let takes_arguments = definition.parameters.is_some();
            if takes_arguments && !self.open_follows() {
                return Ok(Some(word));
            }
            let definition = Rc::clone(definition);
            self.expand(word, &definition, takes_arguments)?;
        }
    }

    /// Puts what a use of a macro stands for before the rest of the text.
    fn expand(&mut self, name: Word, definition: &Macro, takes_arguments: bool) -> Result<(), Stop> {
        let origin = name.origin.unwrap_or(name.text);
        let (mut arguments, close) =
            if takes_arguments { self.arguments(name, definition)? } else { (Vec::new(), name.span) };
        // Inside an expansion everything carries the place of the outermost use already.
        let use_span = if name.origin.is_none()
            && self.source.same_part(name.span, close)
            && close.end > name.span.end
        {
            name.span.to(close)
        } else {
            name.span
        };
        let mut words = self.substitute(definition, &mut arguments, use_span, origin)?;
        if let Some(first) = words.first_mut() {
            first.spaced = name.spaced;
        }
        self.shut.insert(name.text);
        self.contexts.push(Context { words, at: 0, shut: Some(name.text) });
        Ok(())
    }

    fn builtin(&mut self, word: Word) -> Word {
        let (token, text) = if word.text == self.line_name {
            (Token::RawNumber, self.source.position(word.span).line.to_string())
        } else {
            (Token::Text, format!("\"{}\"", self.source.name_at(word.span).replace(['"', '\\', '\n'], "?")))
        };
        Word { token, text: self.symbols.symbol(&text), ..word }
    }

    /// Expands words on their own, as if nothing stood behind them.
    fn expand_all(&mut self, words: &[Word], at: Span) -> Result<Vec<Word>, Stop> {
        // Most arguments hold nothing to expand.
        if !words.iter().any(|word| word.token == Token::Name) {
            return Ok(words.to_vec());
        }
        if self.depth == DEEPEST_ARGUMENT {
            let problem = Diagnostic::error("macros are nested deeper here than can be read", at)
                .help("give some of the arguments names of their own with `#define`");
            self.report(problem);
            return Err(Stop);
        }
        let (floor, collecting) = (self.floor, std::mem::take(&mut self.collecting));
        self.depth += 1;
        self.floor = self.contexts.len();
        self.contexts.push(Context { words: words.to_vec(), at: 0, shut: None });
        let mut result = Vec::new();
        while let Some(word) = self.expanded(&mut false)? {
            result.push(word);
        }
        self.floor = floor;
        self.depth -= 1;
        self.collecting = collecting;
        Ok(result)
    }

    /// The next word before expansion, `None` at the end of what is in sight. Directives are done on the way.
    fn raw(&mut self) -> Result<Option<Word>, Stop> {
        while self.contexts.len() > self.floor {
            let context =
                self.contexts.last_mut().unwrap_or_else(|| panic!("BUG: a floor above the contexts"));
            if let Some(&word) = context.words.get(context.at) {
                context.at += 1;
                return Ok(Some(word));
            }
            if let Some(name) = context.shut {
                self.shut.remove(&name);
            }
            self.contexts.pop();
        }
        if self.floor > 0 || self.depth > 0 { Ok(None) } else { self.next_of_file() }
    }

    fn next_of_file(&mut self) -> Result<Option<Word>, Stop> {
        loop {
            let collecting = self.collecting;
            let Some(file) = self.files.last_mut() else { return Ok(None) };
            match file.cursor.next() {
                None => {
                    // Arguments end with their file.
                    if collecting {
                        return Ok(None);
                    }
                    self.close();
                }
                Some(lexeme) if lexeme.first && lexeme.token == Token::Hash => self.directive(&lexeme)?,
                Some(lexeme) => {
                    // gcc starts a line behind arguments and comments that go over several, if there is
                    // space.
                    let newline =
                        !collecting && (lexeme.first || (lexeme.spaced && lexeme.line != file.line));
                    if !collecting {
                        file.line = lexeme.line;
                    }
                    return Ok(Some(Word { newline, ..self.word(&lexeme) }));
                }
            }
        }
    }

    /// The word of the file being read.
    fn word(&mut self, lexeme: &Lexeme) -> Word {
        let file = self.files.last().unwrap_or_else(|| panic!("BUG: a word of no file"));
        let text = self.symbols.symbol(&file.cursor.text(lexeme));
        plain(lexeme.token, text, Span::new(lexeme.start, lexeme.end), lexeme.spaced || lexeme.first)
    }

    /// The end of a file.
    fn close(&mut self) {
        let Some(file) = self.files.pop() else { return };
        if let Some(start) = file.cursor.open_comment {
            let problem = Diagnostic::error("this comment does not end", Span::new(start, start + 2))
                .help("close it with `*/`");
            self.report(problem);
        }
        for open in file.conditionals {
            let problem =
                Diagnostic::error("this condition does not end", open.span).help("close it with `#endif`");
            self.report(problem);
        }
    }

    /// Whether the next word is `(`. Nothing is taken.
    fn open_follows(&self) -> bool {
        for context in self.contexts[self.floor..].iter().rev() {
            if let Some(word) = context.words.get(context.at) {
                return word.token == Token::Open;
            }
        }
        if self.floor > 0 || self.depth > 0 {
            return false;
        }
        let next = self.files.last().and_then(|file| { file.cursor }.next());
        next.is_some_and(|lexeme| lexeme.token == Token::Open)
    }

    /// Takes the arguments of a use, parentheses included, and where they end.
    fn arguments(&mut self, name: Word, definition: &Macro) -> Result<(Vec<Argument>, Span), Stop> {
        let collecting = std::mem::replace(&mut self.collecting, true);
        let (least, most) = definition.arity();
        let mut arguments: Vec<Vec<Word>> = vec![Vec::new()];
        let mut open = 0usize;
        let close = loop {
            let Some(mut word) = self.raw()? else {
                let text = self.symbols.text(name.text);
                let problem =
                    Diagnostic::error(format!("the arguments of macro `{text}` do not end"), name.span)
                        .help("close them with `)`");
                self.report(problem);
                return Err(Stop);
            };
            // Arguments in arguments are read once for each level.
            self.spend(1, name.span)?;
            word.painted |= word.token == Token::Name && self.shut.contains(&word.text);
            let last = arguments.len();
            match word.token {
                Token::Open => {
                    open += 1;
                    if open == 1 {
                        continue;
                    }
                }
                Token::Close => {
                    open -= 1;
                    if open == 0 {
                        break word.span;
                    }
                }
                Token::Comma if open == 1 && (!definition.variadic || last <= least) => {
                    arguments.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            arguments[last - 1].push(word);
        };
        self.collecting = collecting;
        let mut count = arguments.len();
        if count == 1 && least == 0 && arguments[0].is_empty() {
            count = 0;
        }
        if count < least || count > most {
            let text = self.symbols.text(name.text);
            let takes = if least == most { least.to_string() } else { format!("at least {least}") };
            let line = self.source.position(definition.span).line;
            let problem = Diagnostic::error(format!("macro `{text}` takes {takes} arguments"), name.span)
                .label(format!("{count} given"))
                .help(format!("it is defined in line {line} of {}", self.source.name_at(definition.span)));
            self.report(problem);
            return Err(Stop);
        }
        arguments.resize_with(definition.parameters.as_ref().map_or(0, Vec::len).max(1), Vec::new);
        let arguments = arguments.into_iter().map(|written| Argument { written, expanded: None }).collect();
        Ok((arguments, close))
    }
}

fn plain(token: Token, text: Symbol, span: Span, spaced: bool) -> Word {
    Word { token, text, span, place: span, argument: 0, origin: None, newline: false, spaced, painted: false }
}
