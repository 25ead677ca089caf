//! Lines that start with `#`.

use std::path::Path;
use std::rc::Rc;

use base::{Diagnostic, Span};

use super::macros::{BodyWord, Macro};
use super::scan::{Cursor, Lexeme, Numbers};
use super::{DEEPEST_INCLUDE, Missing, Options, Preprocessor, Stop, plain};
use crate::word::{Symbol, Token, Word};

/// An `#if` that is not closed yet.
pub struct Conditional {
    /// Where it stands.
    pub span: Span,
    /// Whether one of its branches was read.
    taken: bool,
    /// Whether its `#else` was met.
    last: bool,
}

const NAMES: [&str; 15] = [
    "define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif", "include", "error", "warning",
    "pragma", "line", "ident", "sccs",
];

impl Preprocessor<'_> {
    /// Defines what the options say.
    pub(super) fn define_all(&mut self, options: &Options) {
        for (name, value) in &options.defines {
            let nowhere = Span::new(0, 0);
            let mut words = Vec::new();
            let mut cursor = Cursor::new(name, 0, name.len(), Numbers::Raw);
            let whole =
                cursor.next().filter(|lexeme| lexeme.token == Token::Name && lexeme.end == name.len());
            if whole.is_none() {
                let message = format!("`{name}` is no name that can be defined");
                let problem = Diagnostic::error(message, nowhere).help("a name is letters, digits and `_`");
                self.report(Diagnostic { span: None, ..problem });
                continue;
            }
            let name = self.symbols.symbol(name);
            let mut cursor = Cursor::new(value, 0, value.len(), Numbers::Raw);
            while let Some(lexeme) = cursor.next() {
                let text = self.symbols.symbol(&cursor.text(&lexeme));
                words.push(plain(lexeme.token, text, nowhere, lexeme.spaced));
            }
            let body = words.into_iter().map(|word| BodyWord { word, parameter: None }).collect();
            self.macros
                .insert(name, Rc::new(Macro { parameters: None, variadic: false, body, span: nowhere }));
        }
    }

    /// The rest of the line being read.
    fn line(&mut self) -> Vec<Word> {
        let mut words = Vec::new();
        while let Some(lexeme) = self.on_line() {
            words.push(self.word(&lexeme));
        }
        words
    }

    /// The next word if it is on the line being read.
    fn on_line(&mut self) -> Option<Lexeme> {
        let file = self.files.last_mut()?;
        let mut ahead = file.cursor;
        let lexeme = ahead.next().filter(|lexeme| !lexeme.first)?;
        file.cursor = ahead;
        Some(lexeme)
    }

    /// Does the directive behind a `#`.
    pub(super) fn directive(&mut self, hash: &Lexeme) -> Result<(), Stop> {
        let hash = Span::new(hash.start, hash.end);
        // Many directives are work too, in files that include themselves.
        self.spend(1, hash)?;
        let Some(lexeme) = self.on_line() else { return Ok(()) };
        let name = self.word(&lexeme);
        let span = hash.to(name.span);
        let text = self.symbols.text(name.text).to_owned();
        match text.as_str() {
            "define" => self.define(span),
            "undef" => {
                let line = self.line();
                match line.first().filter(|word| word.token == Token::Name) {
                    Some(name) => {
                        self.macros.remove(&name.text);
                    }
                    None => self.wrong("expected the name of a macro behind `#undef`", span),
                }
            }
            "if" => {
                let line = self.line();
                let holds = self.condition(&line, span)?;
                return self.conditional(span, holds);
            }
            "ifdef" | "ifndef" => {
                let line = self.line();
                let Some(name) = line.first().filter(|word| word.token == Token::Name) else {
                    self.wrong("expected the name of a macro here", span);
                    return self.conditional(span, false);
                };
                let defined = self.is_defined(name.text);
                return self.conditional(span, defined == (text == "ifdef"));
            }
            "elif" | "else" => {
                self.line();
                return self.alternative(span, text == "else");
            }
            "endif" => {
                self.line();
                if self.conditionals().pop().is_none() {
                    self.wrong("there is no `#if` that this could end", span);
                }
            }
            "include" => self.include(span)?,
            "error" => {
                let said = self.rest_of_line();
                self.wrong(format!("#error {said}").trim_end(), span);
            }
            "pragma" | "line" | "ident" | "sccs" | "warning" => {
                self.line();
            }
            _ => {
                self.line();
                // `# 12 "file"`, as a preprocessor leaves it.
                if name.token != Token::RawNumber {
                    let mut problem = Diagnostic::error(format!("there is no directive `#{text}`"), span);
                    if let Some(close) = base::closest(&text, NAMES) {
                        problem = problem.help(format!("did you mean `#{close}`?"));
                    }
                    self.report(problem);
                }
            }
        }
        Ok(())
    }

    fn wrong(&mut self, message: &str, span: Span) {
        self.report(Diagnostic::error(message, span));
    }

    pub(super) fn is_defined(&self, name: Symbol) -> bool {
        self.macros.contains_key(&name) || name == self.line_name || name == self.file_name
    }

    fn conditionals(&mut self) -> &mut Vec<Conditional> {
        &mut self.files.last_mut().unwrap_or_else(|| panic!("BUG: a directive of no file")).conditionals
    }

    fn rest_of_line(&mut self) -> String {
        let words = self.line();
        match (words.first(), words.last()) {
            (Some(first), Some(last)) => self.source.slice(first.span.to(last.span)).to_owned(),
            _ => String::new(),
        }
    }

    /// An `#if` of any kind.
    fn conditional(&mut self, span: Span, holds: bool) -> Result<(), Stop> {
        self.conditionals().push(Conditional { span, taken: holds, last: false });
        if holds { Ok(()) } else { self.skip() }
    }

    /// `#elif` or `#else` behind a branch that was read: the rest is skipped.
    fn alternative(&mut self, span: Span, last: bool) -> Result<(), Stop> {
        match self.conditionals().last_mut() {
            None => {
                self.wrong("there is no `#if` before this", span);
                Ok(())
            }
            Some(open) => {
                let twice = open.last;
                open.last |= last;
                if twice {
                    self.wrong("this stands behind the `#else` of the same `#if`", span);
                }
                self.skip()
            }
        }
    }

    /// Skips to the branch that is read, or behind the `#endif`.
    fn skip(&mut self) -> Result<(), Stop> {
        let mut inner = 0usize;
        loop {
            let Some(file) = self.files.last_mut() else { return Ok(()) };
            let Some(lexeme) = file.cursor.next() else { return Ok(()) };
            if !(lexeme.first && lexeme.token == Token::Hash) {
                continue;
            }
            let hash = Span::new(lexeme.start, lexeme.end);
            let Some(lexeme) = self.on_line() else { continue };
            let name = self.word(&lexeme);
            let span = hash.to(name.span);
            match self.symbols.text(name.text) {
                "if" | "ifdef" | "ifndef" => inner += 1,
                "endif" if inner > 0 => inner -= 1,
                "endif" => {
                    self.line();
                    self.conditionals().pop();
                    return Ok(());
                }
                word @ ("elif" | "else") if inner == 0 => {
                    let last = word == "else";
                    let line = self.line();
                    let Some(open) = self.conditionals().last_mut() else { return Ok(()) };
                    let (taken, twice) = (open.taken, open.last);
                    open.last |= last;
                    if twice {
                        self.wrong("this stands behind the `#else` of the same `#if`", span);
                    }
                    // A condition that cannot matter is not even read.
                    if !taken && (last || self.condition(&line, span)?) {
                        if let Some(open) = self.conditionals().last_mut() {
                            open.taken = true;
                        }
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
    }

    fn define(&mut self, span: Span) {
        let name = match self.on_line() {
            Some(lexeme) if lexeme.token == Token::Name => self.word(&lexeme),
            _ => {
                self.line();
                return self.wrong("expected the name of a macro behind `#define`", span);
            }
        };
        let words = self.line();
        let mut definition = Macro { parameters: None, variadic: false, body: Vec::new(), span: name.span };
        let mut body = words.as_slice();
        // Only a parenthesis right behind the name opens parameters.
        if words.first().is_some_and(|word| word.token == Token::Open && !word.spaced) {
            match self.parameters(&words[1..], &mut definition) {
                Some(behind) => body = &words[1 + behind..],
                None => {
                    let text = self.symbols.text(name.text).to_owned();
                    let problem = Diagnostic::error(
                        format!("the parameters of macro `{text}` cannot be read"),
                        name.span,
                    )
                    .help("write names with commas between them, and `)`");
                    return self.report(problem);
                }
            }
        }
        let parameters = definition.parameters.clone().unwrap_or_default();
        let parameter =
            |word: &Word| parameters.iter().position(|&p| word.token == Token::Name && p == word.text);
        definition.body =
            body.iter().map(|word| BodyWord { word: *word, parameter: parameter(word) }).collect();
        self.check_signs(&definition);
        if let Some(known) = self.macros.get(&name.text).filter(|known| !known.same(&definition)) {
            let line = self.source.position(known.span).line;
            let text = self.symbols.text(name.text);
            let problem = Diagnostic::warning(format!("macro `{text}` is defined anew"), name.span)
                .label(format!("first defined in line {line} of {}", self.source.name_at(known.span)))
                .help(format!("if this is meant, write `#undef {text}` before it"));
            self.report(problem);
        }
        self.macros.insert(name.text, Rc::new(definition));
    }

    /// Reads parameters, and says where the body starts.
    fn parameters(&self, words: &[Word], definition: &mut Macro) -> Option<usize> {
        let mut names = Vec::new();
        let mut at = 0;
        if words.first()?.token == Token::Close {
            definition.parameters = Some(names);
            return Some(1);
        }
        loop {
            let word = words.get(at)?;
            // `...` is read as `..` and `.`.
            let rest = |at: usize| {
                words.get(at).is_some_and(|word| word.token == Token::To)
                    && words.get(at + 1).is_some_and(|word| word.token == Token::Dot)
            };
            match word.token {
                Token::Name if names.contains(&word.text) => return None,
                Token::Name => {
                    names.push(word.text);
                    at += 1;
                    if rest(at) {
                        definition.variadic = true;
                        at += 2;
                    }
                }
                Token::To if rest(at) => {
                    names.push(self.rest_name);
                    definition.variadic = true;
                    at += 2;
                }
                _ => return None,
            }
            match words.get(at)?.token {
                Token::Comma if !definition.variadic => at += 1,
                Token::Close => break,
                _ => return None,
            }
        }
        definition.parameters = Some(names);
        Some(at + 1)
    }

    /// What stands where it cannot.
    fn check_signs(&mut self, definition: &Macro) {
        let pastes =
            |piece: Option<&BodyWord>| piece.is_some_and(|piece| piece.word.token == Token::HashHash);
        if pastes(definition.body.first()) || pastes(definition.body.last()) {
            self.wrong("`##` needs a word on either side", definition.span);
        }
        if definition.parameters.is_none() {
            return;
        }
        for (at, piece) in definition.body.iter().enumerate() {
            let parameter = definition.body.get(at + 1).is_some_and(|next| next.parameter.is_some());
            if piece.word.token == Token::Hash && !parameter {
                self.wrong("`#` needs a parameter of the macro behind it", piece.word.span);
            }
        }
    }

    /// Goes into a file, or notes that it is not at hand.
    fn include(&mut self, span: Span) -> Result<(), Stop> {
        let line = self.line();
        let file = match line.first().map(|word| word.token) {
            Some(Token::Text | Token::Less) => self.included(&line),
            _ => {
                let expanded = self.on_its_own(&line, span)?;
                self.included(&expanded)
            }
        };
        let Some(file) = file else {
            let problem =
                Diagnostic::error("expected a file behind `#include`", span).help("write it as `\"file\"`");
            self.report(problem);
            return Ok(());
        };
        let span = line.iter().fold(span, |span, word| span.to(word.span));
        let candidates = self.candidates(&file);
        let known = candidates.iter().find_map(|name| self.source.parts().position(|(part, _)| part == name));
        let Some(part) = known else {
            self.missing.push(Missing { file, span, candidates });
            return Ok(());
        };
        if self.files.len() >= DEEPEST_INCLUDE {
            let itself = self.files.iter().filter(|file| file.part == part).count() > 1;
            let what =
                if itself { "includes itself, directly or through others" } else { "is included too deep" };
            let problem = Diagnostic::error(format!("`{file}` {what}"), span)
                .help("let no file include itself, or guard its text with `#ifndef`");
            self.report(problem);
            return Err(Stop);
        }
        self.open(part);
        Ok(())
    }

    /// The file named by `"…"` or `<…>`.
    fn included(&self, line: &[Word]) -> Option<String> {
        let first = line.first()?;
        let text = match first.token {
            Token::Text => self.symbols.text(first.text).trim_matches('"').to_owned(),
            Token::Less => {
                let end = line.iter().position(|word| word.token == Token::Greater)?;
                line[1..end].iter().map(|word| self.symbols.text(word.text)).collect()
            }
            _ => return None,
        };
        Some(text).filter(|text| !text.is_empty())
    }

    /// Where a file may be: beside the file that includes it, else beside the main file.
    fn candidates(&self, file: &str) -> Vec<String> {
        let here = self.files.last().map_or(0, |file| file.part);
        let mut candidates: Vec<String> = Vec::new();
        for (_, (name, _)) in self.source.parts().enumerate().filter(|(part, _)| *part == here || *part == 0)
        {
            let beside = Path::new(name)
                .parent()
                .map_or_else(|| Path::new(file).to_owned(), |folder| folder.join(file));
            candidates.push(beside.display().to_string());
        }
        // Parts come in order: the main file first, which is asked last.
        candidates.reverse();
        candidates.dedup();
        candidates
    }
}
