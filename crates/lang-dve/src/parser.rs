//! From words to the tree, by recursive descent. The grammar is DiVinE's, with what DiVinE 3 added.
//!
//! A statement that cannot be read is reported and skipped up to its end, so that one text yields all its
//! errors.

mod expression;
mod process;

use base::{Cursor, Diagnostic, Reported, Source, Span};
use logic::ltl::{self, Dialect};

use crate::ast::{BasicType, ChannelDecl, Declaration, Expr, Initial, Item, Name, System, VariableDecl};
use crate::lexer::{Token, words};

type Parsed<T> = Result<T, Reported>;

/// Reads a text.
pub fn parse(source: &Source) -> Result<System, Vec<Diagnostic>> {
    let mut parser = Parser { words: Cursor::new(source, words(source.text())), depth: 0 };
    let system = parser.system();
    parser.words.finish(system)
}

struct Parser<'a> {
    words: Cursor<'a, Token>,
    /// How deep the expression being read is nested.
    depth: usize,
}

impl Parser<'_> {
    fn name(&mut self, what: &str) -> Parsed<Name> {
        let (text, span) = self.words.name(Token::Name, what)?;
        Ok(Name { text: text.to_owned(), span })
    }

    /// Whether the next word is this name, which means something only here.
    fn at_word(&self, word: &str) -> bool {
        self.words.peek() == Token::Name && self.words.text() == word
    }

    fn names(&mut self, what: &str) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.words.take(Token::Comma) {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// Skips the rest of a statement, its end included; stops before a `}` that closes what is around it.
    fn skip_statement(&mut self) {
        let mut braces = 0usize;
        loop {
            match self.words.peek() {
                Token::End => return,
                Token::OpenBrace => braces += 1,
                Token::CloseBrace if braces == 0 => return,
                Token::CloseBrace => braces -= 1,
                Token::Semicolon if braces == 0 => {
                    self.words.step();
                    return;
                }
                _ => {}
            }
            self.words.step();
        }
    }

    fn system(&mut self) -> System {
        let mut system = System::default();
        while self.words.peek() != Token::End {
            let start = self.words.at();
            match self.words.peek() {
                Token::System => {
                    if self.system_line(&mut system).is_err() {
                        self.skip_statement();
                    }
                    if self.words.peek() != Token::End {
                        let _: Parsed<()> = self.words.fail("nothing may follow the `system` line");
                    }
                    return system;
                }
                Token::Const | Token::Int | Token::Byte | Token::Channel => {
                    self.declaration(&mut system.declarations)
                }
                Token::Name if self.at_word("input") => self.declaration(&mut system.declarations),
                _ => {
                    if self.item(&mut system.items).is_err() {
                        self.skip_item(start);
                    }
                }
            }
            if self.words.at() == start {
                self.words.step();
            }
        }
        let problem = Diagnostic::error("the `system` line is missing", self.words.span())
            .help("end the model with `system async;`");
        self.words.report(problem);
        system
    }

    /// Skips to the next word that can begin an item, at least one word on.
    fn skip_item(&mut self, start: usize) {
        if self.words.at() == start {
            self.words.step();
        }
        while !matches!(self.words.peek(), Token::Process | Token::System | Token::Property | Token::End) {
            self.words.step();
        }
    }

    fn system_line(&mut self, system: &mut System) -> Parsed<()> {
        self.words.expect(Token::System, "")?;
        match self.words.peek() {
            Token::Async => system.synchronous = false,
            Token::Sync => system.synchronous = true,
            _ => return self.words.fail("expected `async` or `sync` behind `system`"),
        }
        self.words.step();
        if self.words.take(Token::Property) {
            system.property = Some(self.name("the name of the property process")?);
        }
        self.words.expect(Token::Semicolon, "at the end of the `system` line")?;
        Ok(())
    }

    /// One declaration, which may declare several names.
    fn declaration(&mut self, declarations: &mut Vec<Declaration>) {
        let result = if self.words.peek() == Token::Channel {
            self.channels(declarations)
        } else {
            self.variables(declarations)
        };
        if result.is_err() {
            self.skip_statement();
        }
    }

    fn basic_type(&mut self) -> Parsed<BasicType> {
        let ty = match self.words.peek() {
            Token::Byte => BasicType::Byte,
            Token::Int => BasicType::Int,
            _ => return self.words.fail("expected a type: `byte` or `int`"),
        };
        self.words.step();
        Ok(ty)
    }

    fn variables(&mut self, declarations: &mut Vec<Declaration>) -> Parsed<()> {
        let constant = if self.at_word("input") {
            self.words.step();
            true
        } else {
            self.words.take(Token::Const)
        };
        let ty = self.basic_type()?;
        loop {
            let name = self.name("the name of a variable")?;
            let length = self.in_brackets()?;
            let initial = if self.words.take(Token::Assign) { Some(self.initial()?) } else { None };
            declarations.push(Declaration::Variable(VariableDecl { name, ty, constant, length, initial }));
            if !self.words.take(Token::Comma) {
                break;
            }
        }
        self.words.expect(Token::Semicolon, "at the end of the declaration")?;
        Ok(())
    }

    fn in_brackets(&mut self) -> Parsed<Option<Expr>> {
        if !self.words.take(Token::OpenBracket) {
            return Ok(None);
        }
        let inside = self.expression()?;
        self.words.expect(Token::CloseBracket, "")?;
        Ok(Some(inside))
    }

    fn initial(&mut self) -> Parsed<Initial> {
        let start = self.words.span();
        if !self.words.take(Token::OpenBrace) {
            return Ok(Initial::Single(self.expression()?));
        }
        let values = self.expressions(Token::CloseBrace)?;
        let end = self.words.expect(Token::CloseBrace, "behind the initial values")?;
        Ok(Initial::List(values, start.to(end)))
    }

    /// Expressions with commas between them, maybe none, up to the closing word.
    fn expressions(&mut self, close: Token) -> Parsed<Vec<Expr>> {
        let mut list = Vec::new();
        if self.words.peek() != close {
            list.push(self.expression()?);
            while self.words.take(Token::Comma) {
                list.push(self.expression()?);
            }
        }
        Ok(list)
    }

    fn channels(&mut self, declarations: &mut Vec<Declaration>) -> Parsed<()> {
        self.words.expect(Token::Channel, "")?;
        let types = if self.words.take(Token::OpenBrace) {
            let mut types = vec![self.basic_type()?];
            while self.words.take(Token::Comma) {
                types.push(self.basic_type()?);
            }
            self.words.expect(Token::CloseBrace, "behind the types of the channel")?;
            Some(types)
        } else {
            None
        };
        loop {
            let name = self.name("the name of a channel")?;
            let capacity = self.in_brackets()?;
            declarations.push(Declaration::Channel(ChannelDecl { name, types: types.clone(), capacity }));
            if !self.words.take(Token::Comma) {
                break;
            }
        }
        self.words.expect(Token::Semicolon, "at the end of the declaration")?;
        Ok(())
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        match self.words.peek() {
            Token::Process => items.push(self.process(false)?),
            Token::Property => items.push(self.property()?),
            Token::Name if self.at_word("for") => items.push(self.for_loop()?),
            Token::Name if self.at_word("expression") => items.push(self.named_expression()?),
            _ => return self.words.fail("expected a declaration, a process or the `system` line"),
        }
        Ok(())
    }

    fn property(&mut self) -> Parsed<Item> {
        self.words.expect(Token::Property, "")?;
        if self.words.peek() == Token::Process {
            return self.process(true);
        }
        if !self.at_word("ltl") {
            return self.words.fail("expected `process` or `ltl` behind `property`");
        }
        self.words.step();
        let name = self.name("the name of the property")?;
        let span = self.words.expect(Token::Text, "with the formula")?;
        self.words.take(Token::Semicolon);
        let inside = Span { start: span.start + 1, end: span.end - 1 };
        let words = ltl::words(self.words.slice(inside), inside.start as usize);
        match ltl::parse(&words, inside, Dialect::Letters) {
            Ok(formula) => Ok(Item::Ltl(name, formula)),
            Err(problem) => {
                self.words.report(problem);
                Err(Reported)
            }
        }
    }

    fn for_loop(&mut self) -> Parsed<Item> {
        self.words.step();
        self.words.expect(Token::Open, "behind `for`")?;
        let name = self.name("the name that runs")?;
        self.words.expect(Token::Colon, "behind the name")?;
        let first = self.expression()?;
        self.words.expect(Token::To, "between the bounds")?;
        let last = self.expression()?;
        self.words.expect(Token::Close, "behind the bounds")?;
        self.words.expect(Token::OpenBrace, "before the processes")?;
        let mut items = Vec::new();
        while !matches!(self.words.peek(), Token::CloseBrace | Token::End) {
            self.nested(|parser| parser.item(&mut items))?;
        }
        self.words.expect(Token::CloseBrace, "behind the processes")?;
        Ok(Item::For(name, first, last, items))
    }

    fn named_expression(&mut self) -> Parsed<Item> {
        self.words.step();
        let name = self.name("the name of the expression")?;
        self.words.expect(Token::Open, "behind the name")?;
        self.words.expect(Token::Close, "(expressions have no parameters here)")?;
        self.words.expect(Token::OpenBrace, "before the expression")?;
        let body = self.expression()?;
        self.words.expect(Token::CloseBrace, "behind the expression")?;
        Ok(Item::Expression(name, body))
    }
}
