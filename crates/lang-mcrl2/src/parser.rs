//! From words to the tree, by recursive descent. The grammar is that of mCRL2's language reference.
//!
//! A declaration that cannot be read is reported and skipped up to its end, so that one text yields all its
//! errors.

mod brackets;
mod data;
mod process;
mod sorts;

use base::{Cursor, Diagnostic, Reported, Source, Span, Word};

use crate::ast::{
    ActionDecl, Binding, Equation, EquationSection, Name, ProcessDecl, SortDecl, Specification,
};
use crate::lexer::{Token, words};
use brackets::Brackets;

type Parsed<T> = Result<T, Reported>;

/// How deep parentheses and the like may be nested: the parser is recursive.
const DEEPEST_NESTING: usize = 400;

/// How deep a tree may be, long chains of operators included: all that walks it later is recursive.
const DEEPEST_TREE: u16 = 1000;

/// Reads a text.
pub(crate) fn parse(source: &Source) -> Result<Specification<'_>, Vec<Diagnostic>> {
    let words = Cursor::new(source, words(source.text()));
    let brackets = Brackets::new(words.rest());
    let mut parser = Parser { words, brackets, nesting: 0 };
    let specification = parser.specification();
    parser.words.finish(specification)
}

struct Parser<'a> {
    words: Cursor<'a, Token>,
    brackets: Brackets,
    nesting: usize,
}

impl<'a> Parser<'a> {
    fn name(&mut self, what: &str) -> Parsed<Name<'a>> {
        let (text, span) = self.words.name(Token::Name, what)?;
        Ok(Name { text, span })
    }

    fn names(&mut self, what: &str) -> Parsed<Vec<Name<'a>>> {
        let mut names = vec![self.name(what)?];
        while self.words.take(Token::Comma) {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// Runs a reader one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= DEEPEST_NESTING {
            return self.too_deep(self.words.span());
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }

    fn too_deep<T>(&mut self, span: Span) -> Parsed<T> {
        let problem = Diagnostic::error("this is nested deeper, or longer, than can be read", span)
            .help("give a part of it a name of its own");
        self.words.report(problem);
        self.words.give_up();
        Err(Reported)
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
        while self.words.peek() != Token::End && !self.words.peek().begins_section() {
            if self.words.take(Token::Semicolon) {
                return;
            }
            self.words.step();
        }
    }

    fn specification(&mut self) -> Specification<'a> {
        let mut all = Specification::default();
        while self.words.peek() != Token::End {
            let section = self.words.peek();
            if !section.begins_section() {
                let _: Parsed<()> = self
                    .words
                    .fail("expected `sort`, `cons`, `map`, `var`, `eqn`, `act`, `glob`, `proc` or `init`");
                while self.words.peek() != Token::End && !self.words.peek().begins_section() {
                    self.words.step();
                }
                continue;
            }
            self.words.step();
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
            let problem = Diagnostic::error("the specification has no `init`", self.words.span())
                .help("say which process to begin with, as in `init P;`");
            if !self.words.has_problems() {
                self.words.report(problem);
            }
        }
        all
    }

    /// Declarations up to the next part, at least one.
    fn declarations(&mut self, section: Token, mut read: impl FnMut(&mut Self) -> Parsed<()>) {
        if self.words.peek().begins_section() || self.words.peek() == Token::End {
            let _: Parsed<()> =
                self.words.fail(&format!("expected a declaration behind {}", section.describe()));
        }
        while !self.words.peek().begins_section() && self.words.peek() != Token::End {
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
                let sorts = if self.words.take(Token::Colon) { self.sort_product()? } else { Vec::new() };
                all.actions.push(ActionDecl { names, sorts });
            }
            Token::Proc => {
                let declared = self.process_declaration()?;
                all.processes.push(declared);
            }
            _ => panic!("BUG: {section:?} has no declarations"),
        }
        self.words.expect(Token::Semicolon, "at the end of the declaration")?;
        Ok(())
    }

    fn sort_declaration(&mut self, sorts: &mut Vec<SortDecl<'a>>) -> Parsed<()> {
        let names = self.names("the name of a sort")?;
        if let [name] = names[..]
            && self.words.take(Token::Assign)
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
        self.words.expect(Token::Colon, "and the sort")?;
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
            if !self.words.take(Token::Comma) {
                return Ok(());
            }
        }
    }

    fn variables_and_equations(&mut self, all: &mut Specification<'a>) {
        let mut vars = Vec::new();
        self.declarations(Token::Var, |parser| {
            parser.bindings_into(&mut vars)?;
            parser.words.expect(Token::Semicolon, "at the end of the declaration")?;
            Ok(())
        });
        if self.words.take(Token::Eqn) {
            self.equations(vars, all);
        } else {
            let _: Parsed<()> = self.words.fail("expected `eqn` behind the variables of equations");
        }
    }

    fn equations(&mut self, vars: Vec<Binding<'a>>, all: &mut Specification<'a>) {
        let mut equations = Vec::new();
        self.declarations(Token::Eqn, |parser| {
            let start = parser.words.span();
            let mut left = parser.expression()?;
            let mut condition = None;
            if parser.words.take(Token::Arrow) {
                condition = Some(std::mem::replace(&mut left, parser.expression()?));
            }
            parser.words.expect(Token::Assign, "behind the left side of the equation")?;
            let right = parser.expression()?;
            let span = start.to(parser.words.last_span());
            parser.words.expect(Token::Semicolon, "at the end of the equation")?;
            equations.push(Equation { condition, left, right, span });
            Ok(())
        });
        all.equations.push(EquationSection { vars, equations });
    }

    fn process_declaration(&mut self) -> Parsed<ProcessDecl<'a>> {
        let name = self.name("the name of a process")?;
        let mut parameters = Vec::new();
        if self.words.take(Token::Open) {
            parameters = self.bindings()?;
            self.words.expect(Token::Close, "behind the parameters")?;
        }
        self.words.expect(Token::Assign, "and what the process does")?;
        let body = self.process()?;
        let span = name.span.to(self.words.last_span());
        Ok(ProcessDecl { name, parameters, body, span })
    }

    fn init(&mut self, all: &mut Specification<'a>) -> Parsed<()> {
        let span = self.words.last_span();
        let process = self.process()?;
        self.words.expect(Token::Semicolon, "behind the initial process")?;
        if all.init.is_some() {
            self.words.report(
                Diagnostic::error("the specification has a second `init`", span).help("keep one of them"),
            );
        }
        all.init = Some(process);
        Ok(())
    }
}
