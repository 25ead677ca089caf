//! From words to the tree, by recursive descent. The grammar is that of mCRL2's language reference.
//!
//! A declaration that cannot be read is reported and skipped up to its end, so that one text yields all its errors.

mod brackets;
mod data;
mod process;
mod sorts;

use base::{Diagnostic, Source, Span};

use crate::ast::{ActionDecl, Binding, Equation, EquationSection, Name, ProcessDecl, SortDecl, Specification};
use crate::lexer::{Token, words};
use brackets::Brackets;

/// A message was left; the declaration is given up.
struct Stop;

type Parsed<T> = Result<T, Stop>;

/// After this many messages nobody reads on.
const MOST_PROBLEMS: usize = 100;

/// How deep parentheses and the like may be nested: the parser is recursive.
const DEEPEST_NESTING: usize = 400;

/// How deep a tree may be, long chains of operators included: all that walks it later is recursive.
const DEEPEST_TREE: u16 = 1000;

/// Reads a text.
pub(crate) fn parse(source: &Source) -> Result<Specification<'_>, Vec<Diagnostic>> {
    let (words, problems) = words(source.text());
    let brackets = Brackets::new(&words);
    let mut parser = Parser { source, words, brackets, at: 0, problems, nesting: 0, gave_up: false };
    let specification = parser.specification();
    if parser.problems.is_empty() { Ok(specification) } else { Err(parser.problems) }
}

struct Parser<'a> {
    source: &'a Source,
    words: Vec<(Token, Span)>,
    brackets: Brackets,
    at: usize,
    problems: Vec<Diagnostic>,
    nesting: usize,
    /// The rest of the text was not read: what is missing from it is no error.
    gave_up: bool,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token {
        self.words[self.at].0
    }

    fn peek_behind(&self, ahead: usize) -> Token {
        self.words[(self.at + ahead).min(self.words.len() - 1)].0
    }

    fn span(&self) -> Span {
        self.words[self.at].1
    }

    /// Where the last word that was taken ends.
    fn last_span(&self) -> Span {
        self.words[self.at.saturating_sub(1)].1
    }

    fn next(&mut self) -> Span {
        let span = self.span();
        self.at = (self.at + 1).min(self.words.len() - 1);
        span
    }

    fn take(&mut self, token: Token) -> bool {
        let found = self.peek() == token;
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, token: Token, where_to: &str) -> Parsed<Span> {
        if self.peek() == token {
            return Ok(self.next());
        }
        self.fail(format!("expected {} {where_to}", token.describe()).trim_end())
    }

    /// Leaves a message at the next word.
    fn fail<T>(&mut self, message: &str) -> Parsed<T> {
        let found = match self.peek() {
            Token::Name | Token::Number => format!("found `{}`", self.source.slice(self.span())),
            token => format!("found {}", token.describe()),
        };
        self.report(Diagnostic::error(message, self.span()).label(found));
        Err(Stop)
    }

    fn report(&mut self, problem: Diagnostic) {
        if self.gave_up {
            return;
        }
        self.problems.push(problem);
        if self.problems.len() >= MOST_PROBLEMS {
            self.give_up();
        }
    }

    fn give_up(&mut self) {
        self.gave_up = true;
        self.at = self.words.len() - 1;
    }

    fn name(&mut self, what: &str) -> Parsed<Name<'a>> {
        if self.peek() == Token::Name {
            let span = self.next();
            return Ok(Name { text: self.source.slice(span), span });
        }
        let word = self.source.slice(self.span());
        if word.starts_with(|c: char| c.is_alphabetic()) {
            let problem = Diagnostic::error(format!("expected {what}"), self.span())
                .label(format!("`{word}` is a word of the language"))
                .help("choose another name");
            self.report(problem);
            return Err(Stop);
        }
        self.fail(&format!("expected {what}"))
    }

    fn names(&mut self, what: &str) -> Parsed<Vec<Name<'a>>> {
        let mut names = vec![self.name(what)?];
        while self.take(Token::Comma) {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// Runs a reader one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= DEEPEST_NESTING {
            return self.too_deep(self.span());
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }

    fn too_deep<T>(&mut self, span: Span) -> Parsed<T> {
        let problem = Diagnostic::error("this is nested deeper, or longer, than can be read", span)
            .help("give a part of it a name of its own");
        self.report(problem);
        self.give_up();
        Err(Stop)
    }

    /// The depth of a tree above parts that are at most this deep.
    fn above(&mut self, deepest: u16, span: Span) -> Parsed<u16> {
        if deepest >= DEEPEST_TREE {
            return self.too_deep(span);
        }
        Ok(deepest + 1)
    }

    /// Skips the rest of a declaration, its `;` included; stops before the next part of the specification.
    fn skip_declaration(&mut self) {
        while self.peek() != Token::End && !self.peek().begins_section() {
            if self.take(Token::Semicolon) {
                return;
            }
            self.next();
        }
    }

    fn specification(&mut self) -> Specification<'a> {
        let mut all = Specification::default();
        while self.peek() != Token::End {
            let section = self.peek();
            if !section.begins_section() {
                let _: Parsed<()> =
                    self.fail("expected `sort`, `cons`, `map`, `var`, `eqn`, `act`, `glob`, `proc` or `init`");
                while self.peek() != Token::End && !self.peek().begins_section() {
                    self.next();
                }
                continue;
            }
            self.next();
            match section {
                Token::Var => self.variables_and_equations(&mut all),
                Token::Eqn => self.equations(Vec::new(), &mut all),
                Token::Init => {
                    if self.init(&mut all).is_err() {
                        self.skip_declaration();
                    }
                }
                _ => self.declarations(section, |parser| parser.declaration(section, &mut all)),
            }
        }
        if all.init.is_none() {
            let problem = Diagnostic::error("the specification has no `init`", self.span())
                .help("say which process to begin with, as in `init P;`");
            if self.problems.is_empty() {
                self.report(problem);
            }
        }
        all
    }

    /// Declarations up to the next part, at least one.
    fn declarations(&mut self, section: Token, mut read: impl FnMut(&mut Self) -> Parsed<()>) {
        if self.peek().begins_section() || self.peek() == Token::End {
            let _: Parsed<()> = self.fail(&format!("expected a declaration behind {}", section.describe()));
        }
        while !self.peek().begins_section() && self.peek() != Token::End {
            if read(self).is_err() {
                self.skip_declaration();
            }
        }
    }

    fn declaration(&mut self, section: Token, all: &mut Specification<'a>) -> Parsed<()> {
        match section {
            Token::Sort => self.sort_declaration(&mut all.sorts)?,
            Token::Cons => all.constructors.push(self.binding("the name of a constructor")?),
            Token::Map => all.mappings.push(self.binding("the name of a mapping")?),
            Token::Glob => self.bindings_into(&mut all.globals)?,
            Token::Act => {
                let names = self.names("the name of an action")?;
                let sorts = if self.take(Token::Colon) { self.sort_product()? } else { Vec::new() };
                all.actions.push(ActionDecl { names, sorts });
            }
            Token::Proc => {
                let declared = self.process_declaration()?;
                all.processes.push(declared);
            }
            _ => panic!("BUG: {section:?} has no declarations"),
        }
        self.expect(Token::Semicolon, "at the end of the declaration")?;
        Ok(())
    }

    fn sort_declaration(&mut self, sorts: &mut Vec<SortDecl<'a>>) -> Parsed<()> {
        let names = self.names("the name of a sort")?;
        if let [name] = names[..]
            && self.take(Token::Assign)
        {
            let is = Some(self.sort()?);
            sorts.push(SortDecl { name, is });
            return Ok(());
        }
        sorts.extend(names.into_iter().map(|name| SortDecl { name, is: None }));
        Ok(())
    }

    /// `x, y: S`
    fn binding(&mut self, what: &str) -> Parsed<Binding<'a>> {
        let names = self.names(what)?;
        self.expect(Token::Colon, "and the sort")?;
        Ok(Binding { names, sort: self.sort()? })
    }

    /// `x, y: S, z: T`
    fn bindings(&mut self) -> Parsed<Vec<Binding<'a>>> {
        let mut all = Vec::new();
        self.bindings_into(&mut all)?;
        Ok(all)
    }

    fn bindings_into(&mut self, all: &mut Vec<Binding<'a>>) -> Parsed<()> {
        loop {
            all.push(self.binding("the name of a variable")?);
            if !self.take(Token::Comma) {
                return Ok(());
            }
        }
    }

    fn variables_and_equations(&mut self, all: &mut Specification<'a>) {
        let mut vars = Vec::new();
        self.declarations(Token::Var, |parser| {
            parser.bindings_into(&mut vars)?;
            parser.expect(Token::Semicolon, "at the end of the declaration")?;
            Ok(())
        });
        if self.take(Token::Eqn) {
            self.equations(vars, all);
        } else {
            let _: Parsed<()> = self.fail("expected `eqn` behind the variables of equations");
        }
    }

    fn equations(&mut self, vars: Vec<Binding<'a>>, all: &mut Specification<'a>) {
        let mut equations = Vec::new();
        self.declarations(Token::Eqn, |parser| {
            let start = parser.span();
            let mut left = parser.expression()?;
            let mut condition = None;
            if parser.take(Token::Arrow) {
                condition = Some(std::mem::replace(&mut left, parser.expression()?));
            }
            parser.expect(Token::Assign, "behind the left side of the equation")?;
            let right = parser.expression()?;
            let span = start.to(parser.last_span());
            parser.expect(Token::Semicolon, "at the end of the equation")?;
            equations.push(Equation { condition, left, right, span });
            Ok(())
        });
        all.equations.push(EquationSection { vars, equations });
    }

    fn process_declaration(&mut self) -> Parsed<ProcessDecl<'a>> {
        let name = self.name("the name of a process")?;
        let mut parameters = Vec::new();
        if self.take(Token::Open) {
            parameters = self.bindings()?;
            self.expect(Token::Close, "behind the parameters")?;
        }
        self.expect(Token::Assign, "and what the process does")?;
        let body = self.process()?;
        let span = name.span.to(self.last_span());
        Ok(ProcessDecl { name, parameters, body, span })
    }

    fn init(&mut self, all: &mut Specification<'a>) -> Parsed<()> {
        let span = self.last_span();
        let process = self.process()?;
        self.expect(Token::Semicolon, "behind the initial process")?;
        if all.init.is_some() {
            self.report(Diagnostic::error("the specification has a second `init`", span).help("keep one of them"));
        }
        all.init = Some(process);
        Ok(())
    }
}
