//! From words to the tree, by recursive descent. The grammar is DiVinE's, with what DiVinE 3 added.
//!
//! A statement that cannot be read is reported and skipped up to its end, so that one text yields all its errors.

mod expression;
mod process;

use base::{Diagnostic, Source, Span};

use crate::ast::{BasicType, ChannelDecl, Declaration, Expr, Initial, Item, Name, System, VariableDecl};
use crate::lexer::{Token, words};

/// A message was left; the statement is given up.
struct Stop;

type Parsed<T> = Result<T, Stop>;

/// After this many messages nobody reads on.
const MOST_PROBLEMS: usize = 100;

/// Reads a text.
pub fn parse(source: &Source) -> Result<System, Vec<Diagnostic>> {
    let (words, problems) = words(source.text());
    let mut parser = Parser { source, words, at: 0, problems, depth: 0, gave_up: false };
    let system = parser.system();
    if parser.problems.is_empty() { Ok(system) } else { Err(parser.problems) }
}

struct Parser<'a> {
    source: &'a Source,
    words: Vec<(Token, Span)>,
    at: usize,
    problems: Vec<Diagnostic>,
    /// How deep the expression being read is nested.
    depth: usize,
    /// The rest of the text was not read: what is missing from it is no error.
    gave_up: bool,
}

impl Parser<'_> {
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
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(problem);
        } else {
            self.at = self.words.len() - 1;
        }
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        if self.peek() == Token::Name {
            let span = self.next();
            return Ok(Name { text: self.source.slice(span).to_owned(), span });
        }
        if self.source.slice(self.span()).chars().next().is_some_and(char::is_alphabetic) {
            let word = self.source.slice(self.span()).to_owned();
            let problem = Diagnostic::error(format!("expected {what}"), self.span())
                .label(format!("`{word}` is a word of the language"))
                .help("choose another name");
            self.report(problem);
            return Err(Stop);
        }
        self.fail(&format!("expected {what}"))
    }

    /// Whether the next word is this name, which means something only here.
    fn at_word(&self, word: &str) -> bool {
        self.peek() == Token::Name && self.source.slice(self.span()) == word
    }

    fn names(&mut self, what: &str) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.take(Token::Comma) {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// Skips the rest of a statement, its end included; stops before a `}` that closes what is around it.
    fn skip_statement(&mut self) {
        let mut braces = 0usize;
        loop {
            match self.peek() {
                Token::End => return,
                Token::OpenBrace => braces += 1,
                Token::CloseBrace if braces == 0 => return,
                Token::CloseBrace => braces -= 1,
                Token::Semicolon if braces == 0 => {
                    self.next();
                    return;
                }
                _ => {}
            }
            self.next();
        }
    }

    fn system(&mut self) -> System {
        let mut system = System::default();
        while self.peek() != Token::End {
            let start = self.at;
            match self.peek() {
                Token::System => {
                    if self.system_line(&mut system).is_err() {
                        self.skip_statement();
                    }
                    if self.peek() != Token::End {
                        let _: Parsed<()> = self.fail("nothing may follow the `system` line");
                    }
                    return system;
                }
                Token::Const | Token::Int | Token::Byte | Token::Channel => self.declaration(&mut system.declarations),
                Token::Name if self.at_word("input") => self.declaration(&mut system.declarations),
                _ => {
                    if self.item(&mut system.items).is_err() {
                        self.skip_item(start);
                    }
                }
            }
            if self.at == start {
                self.next();
            }
        }
        let problem =
            Diagnostic::error("the `system` line is missing", self.span()).help("end the model with `system async;`");
        self.report(problem);
        system
    }

    /// Skips to the next word that can begin an item, at least one word on.
    fn skip_item(&mut self, start: usize) {
        if self.at == start {
            self.next();
        }
        while !matches!(self.peek(), Token::Process | Token::System | Token::Property | Token::End) {
            self.next();
        }
    }

    fn system_line(&mut self, system: &mut System) -> Parsed<()> {
        self.expect(Token::System, "")?;
        match self.peek() {
            Token::Async => system.synchronous = false,
            Token::Sync => system.synchronous = true,
            _ => return self.fail("expected `async` or `sync` behind `system`"),
        }
        self.next();
        if self.take(Token::Property) {
            system.property = Some(self.name("the name of the property process")?);
        }
        self.expect(Token::Semicolon, "at the end of the `system` line")?;
        Ok(())
    }

    /// One declaration, which may declare several names.
    fn declaration(&mut self, declarations: &mut Vec<Declaration>) {
        let result =
            if self.peek() == Token::Channel { self.channels(declarations) } else { self.variables(declarations) };
        if result.is_err() {
            self.skip_statement();
        }
    }

    fn basic_type(&mut self) -> Parsed<BasicType> {
        let ty = match self.peek() {
            Token::Byte => BasicType::Byte,
            Token::Int => BasicType::Int,
            _ => return self.fail("expected a type: `byte` or `int`"),
        };
        self.next();
        Ok(ty)
    }

    fn variables(&mut self, declarations: &mut Vec<Declaration>) -> Parsed<()> {
        let constant = if self.at_word("input") {
            self.next();
            true
        } else {
            self.take(Token::Const)
        };
        let ty = self.basic_type()?;
        loop {
            let name = self.name("the name of a variable")?;
            let length = self.in_brackets()?;
            let initial = if self.take(Token::Assign) { Some(self.initial()?) } else { None };
            declarations.push(Declaration::Variable(VariableDecl { name, ty, constant, length, initial }));
            if !self.take(Token::Comma) {
                break;
            }
        }
        self.expect(Token::Semicolon, "at the end of the declaration")?;
        Ok(())
    }

    fn in_brackets(&mut self) -> Parsed<Option<Expr>> {
        if !self.take(Token::OpenBracket) {
            return Ok(None);
        }
        let inside = self.expression()?;
        self.expect(Token::CloseBracket, "")?;
        Ok(Some(inside))
    }

    fn initial(&mut self) -> Parsed<Initial> {
        let start = self.span();
        if !self.take(Token::OpenBrace) {
            return Ok(Initial::Single(self.expression()?));
        }
        let values = self.expressions(Token::CloseBrace)?;
        let end = self.expect(Token::CloseBrace, "behind the initial values")?;
        Ok(Initial::List(values, start.to(end)))
    }

    /// Expressions with commas between them, maybe none, up to the closing word.
    fn expressions(&mut self, close: Token) -> Parsed<Vec<Expr>> {
        let mut list = Vec::new();
        if self.peek() != close {
            list.push(self.expression()?);
            while self.take(Token::Comma) {
                list.push(self.expression()?);
            }
        }
        Ok(list)
    }

    fn channels(&mut self, declarations: &mut Vec<Declaration>) -> Parsed<()> {
        self.expect(Token::Channel, "")?;
        let types = if self.take(Token::OpenBrace) {
            let mut types = vec![self.basic_type()?];
            while self.take(Token::Comma) {
                types.push(self.basic_type()?);
            }
            self.expect(Token::CloseBrace, "behind the types of the channel")?;
            Some(types)
        } else {
            None
        };
        loop {
            let name = self.name("the name of a channel")?;
            let capacity = self.in_brackets()?;
            declarations.push(Declaration::Channel(ChannelDecl { name, types: types.clone(), capacity }));
            if !self.take(Token::Comma) {
                break;
            }
        }
        self.expect(Token::Semicolon, "at the end of the declaration")?;
        Ok(())
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        match self.peek() {
            Token::Process => items.push(self.process(false)?),
            Token::Property => items.push(self.property()?),
            Token::Name if self.at_word("for") => items.push(self.for_loop()?),
            Token::Name if self.at_word("expression") => items.push(self.named_expression()?),
            _ => return self.fail("expected a declaration, a process or the `system` line"),
        }
        Ok(())
    }

    fn property(&mut self) -> Parsed<Item> {
        self.expect(Token::Property, "")?;
        if self.peek() == Token::Process {
            return self.process(true);
        }
        if !self.at_word("ltl") {
            return self.fail("expected `process` or `ltl` behind `property`");
        }
        self.next();
        let name = self.name("the name of the property")?;
        let span = self.expect(Token::Text, "with the formula")?;
        self.take(Token::Semicolon);
        Ok(Item::Ltl(name, self.source.slice(span).trim_matches('"').to_owned()))
    }

    fn for_loop(&mut self) -> Parsed<Item> {
        self.next();
        self.expect(Token::Open, "behind `for`")?;
        let name = self.name("the name that runs")?;
        self.expect(Token::Colon, "behind the name")?;
        let first = self.expression()?;
        self.expect(Token::To, "between the bounds")?;
        let last = self.expression()?;
        self.expect(Token::Close, "behind the bounds")?;
        self.expect(Token::OpenBrace, "before the processes")?;
        let mut items = Vec::new();
        while !matches!(self.peek(), Token::CloseBrace | Token::End) {
            self.nested(|parser| parser.item(&mut items))?;
        }
        self.expect(Token::CloseBrace, "behind the processes")?;
        Ok(Item::For(name, first, last, items))
    }

    fn named_expression(&mut self) -> Parsed<Item> {
        self.next();
        let name = self.name("the name of the expression")?;
        self.expect(Token::Open, "behind the name")?;
        self.expect(Token::Close, "(expressions have no parameters here)")?;
        self.expect(Token::OpenBrace, "before the expression")?;
        let body = self.expression()?;
        self.expect(Token::CloseBrace, "behind the expression")?;
        Ok(Item::Expression(name, body))
    }
}
