//! `inline`: a text with parameters that a use puts in its place, as a block.
//!
//! Arguments take the place of the names of parameters wherever these stand, as words: `f(a + b)` with
//! `2 * x` in the body is `2 * a + b`, as in Spin. `x = f(…)` lets `return e` in the body mean `x = e`.

use std::collections::HashMap;
use std::rc::Rc;

use base::{Diagnostic, Span};

use super::{Parsed, Parser, Stop};
use crate::ast::{ExprKind, Reference, StatementKind};
use crate::word::{Symbol, Token, Word};

/// So many words may uses of inlines make.
const MOST_WORDS: usize = 4_000_000;

/// An `inline`.
pub(super) struct Inline {
    parameters: Vec<Symbol>,
    /// The body with its braces.
    body: Vec<Word>,
    span: Span,
}

/// A use that is being read.
pub(super) struct Frame {
    pub name: Symbol,
    /// Where the use stands.
    pub call: Span,
    /// What `return` gives its value to.
    result: Option<Reference>,
}

impl Parser<'_> {
    /// `inline f(a, b) { … }`
    pub(super) fn inline(&mut self) -> Parsed<()> {
        self.next();
        let word = self.word();
        let name = self.name("the name of the `inline`")?;
        self.expect(Token::Open, "before the parameters")?;
        let mut parameters = Vec::new();
        while self.peek() != Token::Close {
            let parameter = self.word();
            self.name("the name of a parameter")?;
            parameters.push(parameter.text);
            if !self.take(Token::Comma) {
                break;
            }
        }
        self.expect(Token::Close, "behind the parameters")?;
        let open = self.word();
        let start = self.at;
        if open.token != Token::OpenBrace {
            return self.fail("expected `{` before the body");
        }
        self.skip_balanced(Token::OpenBrace, Token::CloseBrace);
        if self.words[self.at - 1].token != Token::CloseBrace {
            self.check_closed(open, Token::CloseBrace)?;
        }
        let body = self.words[start..self.at].to_vec();
        let inline = Inline { parameters, body, span: name.span };
        if let Some(known) = self.inlines.insert(word.text, Rc::new(inline)) {
            let line = self.source.position(known.span).line;
            let problem = Diagnostic::error(format!("`inline {}` is defined already", name.text), name.span)
                .label(format!("first defined in line {line} of {}", self.source.name_at(known.span)))
                .help("choose another name");
            self.report(problem);
        }
        Ok(())
    }

    /// `f(…)` as a statement, or as what is assigned.
    pub(super) fn call(&mut self, result: Option<Reference>) -> Parsed<StatementKind> {
        let start = self.at;
        let word = self.next();
        let Some(inline) = self.inlines.get(&word.text).map(Rc::clone) else { return self.unknown(word) };
        let arguments = self.arguments()?;
        let call = self.since(start);
        let name = self.text(word).to_owned();
        if arguments.len() != inline.parameters.len() {
            let line = self.source.position(inline.span).line;
            let problem = Diagnostic::error(
                format!("`inline {name}` takes {} arguments", inline.parameters.len()),
                call,
            )
            .label(format!("{} given", arguments.len()))
            .help(format!("it is defined in line {line} of {}", self.source.name_at(inline.span)));
            self.report(problem);
            return Err(Stop);
        }
        if self.frames.iter().any(|frame| frame.name == word.text) {
            let problem = Diagnostic::error(format!("`inline {name}` uses itself"), call)
                .label("this would never end")
                .help("use a process, or a loop");
            self.report(problem);
            return Err(Stop);
        }
        let words = self.substitute(&inline, &arguments, call)?;
        self.frames.push(Frame { name: word.text, call, result });
        let outside = std::mem::replace(&mut self.words, words);
        let at = std::mem::replace(&mut self.at, 0);
        let body = self.body();
        self.words = outside;
        self.at = at;
        self.frames.pop();
        if self.gave_up {
            self.give_up();
        }
        let (body, _) = body?;
        self.called = true;
        Ok(StatementKind::Block(body))
    }

    /// The words between the parentheses, cut at commas.
    fn arguments(&mut self) -> Parsed<Vec<Vec<Word>>> {
        let open = self.next();
        let mut arguments = vec![Vec::new()];
        let mut depth = 0usize;
        loop {
            match self.peek() {
                Token::End | Token::Semicolon => {
                    let problem = Diagnostic::error("this parenthesis is not closed", open.span)
                        .help("write `)` behind the last argument");
                    self.report(problem);
                    return Err(Stop);
                }
                Token::Close if depth == 0 => break,
                Token::Comma if depth == 0 => {
                    self.next();
                    arguments.push(Vec::new());
                    continue;
                }
                Token::Open | Token::OpenBracket => depth += 1,
                Token::Close | Token::CloseBracket => depth = depth.saturating_sub(1),
                _ => {}
            }
            let word = self.next();
            arguments.last_mut().unwrap_or_else(|| panic!("BUG: no argument")).push(word);
        }
        let close = self.next();
        if arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if arguments.iter().any(Vec::is_empty) {
            let span = self.between(open, close);
            self.report(Diagnostic::error("an argument is missing here", span));
            return Err(Stop);
        }
        Ok(arguments)
    }

    /// The body with arguments in, and an `End`.
    fn substitute(&mut self, inline: &Inline, arguments: &[Vec<Word>], call: Span) -> Parsed<Vec<Word>> {
        let given: HashMap<Symbol, &[Word]> =
            inline.parameters.iter().copied().zip(arguments.iter().map(Vec::as_slice)).collect();
        let mut words: Vec<Word> = Vec::with_capacity(inline.body.len() + 1);
        for &word in &inline.body {
            let argument = given.get(&word.text).filter(|_| word.token == Token::Name);
            match argument {
                None => words.push(word),
                Some(argument) => {
                    self.arguments += 1;
                    let number = self.arguments;
                    let start = words.len();
                    words.extend(argument.iter().map(|inner| Word {
                        place: word.place,
                        argument: number,
                        newline: false,
                        ..*inner
                    }));
                    words[start].newline = word.newline;
                }
            }
            if self.inlined + words.len() > MOST_WORDS {
                let problem = Diagnostic::error("inlines make more than 4 million words here", call)
                    .help("use processes instead of inlines that use each other many times");
                self.report(problem);
                self.give_up();
                return Err(Stop);
            }
        }
        let mut words = self.separators.body(&words);
        self.inlined += words.len();
        let last = words.last().copied().unwrap_or_else(|| panic!("BUG: a body without braces"));
        words.push(Word { token: Token::End, ..last });
        Ok(words)
    }

    fn unknown<T>(&mut self, word: Word) -> Parsed<T> {
        let name = self.text(word).to_owned();
        let mut problem = Diagnostic::error(format!("there is no `inline {name}` before this"), word.span)
            .help("define it above the place where it is used");
        let known = self.inlines.keys().map(|&name| self.symbols.text(name));
        if let Some(close) = base::closest(&name, known) {
            problem = problem.label(format!("did you mean `{close}`?"));
        } else if self.processes.contains(&word.text) {
            problem = Diagnostic::error(format!("`{name}` is a process"), word.span)
                .help(format!("write `run {name}(…)`"));
        }
        self.report(problem);
        Err(Stop)
    }

    /// An `inline` where a value is expected.
    pub(super) fn inline_in_expression(&mut self, word: Word) -> Parsed<ExprKind> {
        let name = self.text(word).to_owned();
        let problem = Diagnostic::error(format!("`inline {name}` is a statement, no value"), word.span)
            .help(format!("write it on its own, or as `x = {name}(…)`"));
        self.report(problem);
        Err(Stop)
    }

    /// `return e`
    pub(super) fn return_value(&mut self) -> Parsed<StatementKind> {
        let word = self.next();
        let result = self.frames.last().and_then(|frame| frame.result.clone());
        let Some(result) = result else {
            let problem = if self.frames.is_empty() {
                Diagnostic::error("`return` stands in no `inline`", word.span)
            } else {
                Diagnostic::error("this `return` has nothing to give its value to", word.span)
                    .help("use the `inline` as `x = f(…)`")
            };
            self.report(problem);
            return Err(Stop);
        };
        Ok(StatementKind::Assign(result, self.expression()?))
    }
}
