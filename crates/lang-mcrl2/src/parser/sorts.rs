//! Sorts: `List(S)`, `struct a | b(p: S)?is_b`, `S # T -> U`.

use base::Diagnostic;

use super::{Parsed, Parser};
use crate::ast::{ConstructorDecl, Container, SortExpr, SortKind};
use crate::lexer::Token;

impl<'a> Parser<'a> {
    /// A sort.
    pub(super) fn sort(&mut self) -> Parsed<SortExpr<'a>> {
        let sort = self.sort_or_product()?;
        if let SortKind::Product(_) = sort.kind {
            let problem = Diagnostic::error("a product is no sort by itself", sort.span)
                .label("only the arguments of functions and actions are written so")
                .help("write the result behind it, as in `S # T -> U`, or make it a structured sort");
            self.words.report(problem);
        }
        Ok(sort)
    }

    /// `S # T`, the arguments of an action.
    pub(super) fn sort_product(&mut self) -> Parsed<Vec<SortExpr<'a>>> {
        let sort = self.sort_or_product()?;
        Ok(factors(sort))
    }

    fn sort_or_product(&mut self) -> Parsed<SortExpr<'a>> {
        self.nested(|parser| {
            let start = parser.words.span();
            let mut arguments = factors(parser.sort_primary()?);
            while parser.words.take(Token::Hash) {
                let more = parser.sort_primary()?;
                arguments.extend(factors(more));
            }
            let deepest = arguments.iter().map(|sort| sort.depth).max().unwrap_or(0);
            if parser.words.take(Token::Arrow) {
                let result = parser.sort()?;
                let span = start.to(parser.words.last_span());
                let depth = parser.above(deepest.max(result.depth), span)?;
                return Ok(SortExpr { kind: SortKind::Function(arguments, Box::new(result)), span, depth });
            }
            if arguments.len() == 1 {
                return Ok(arguments.remove(0));
            }
            let span = start.to(parser.words.last_span());
            Ok(SortExpr { kind: SortKind::Product(arguments), span, depth: parser.above(deepest, span)? })
        })
    }

    fn sort_primary(&mut self) -> Parsed<SortExpr<'a>> {
        let start = self.words.span();
        let token = self.words.peek();
        let plain = |kind| Ok(SortExpr { kind, span: start, depth: 1 });
        let plain = match token {
            Token::Bool => plain(SortKind::Bool),
            Token::Pos => plain(SortKind::Pos),
            Token::Nat => plain(SortKind::Nat),
            Token::Int => plain(SortKind::Int),
            Token::Real => plain(SortKind::Real),
            Token::Name => plain(SortKind::Name(self.words.slice(start))),
            Token::List => return self.container(Container::List),
            Token::Set => return self.container(Container::Set),
            Token::Bag => return self.container(Container::Bag),
            Token::FSet => return self.container(Container::FSet),
            Token::FBag => return self.container(Container::FBag),
            Token::Struct => return self.structure(),
            Token::Open => {
                self.words.step();
                let sort = self.sort_or_product()?;
                self.words.expect(Token::Close, "")?;
                return Ok(sort);
            }
            _ => return self.words.fail("expected a sort"),
        };
        self.words.step();
        plain
    }

    fn container(&mut self, container: Container) -> Parsed<SortExpr<'a>> {
        let start = self.words.step();
        self.words.expect(Token::Open, "and the sort of the elements")?;
        let element = self.sort()?;
        self.words.expect(Token::Close, "behind the sort of the elements")?;
        let span = start.to(self.words.last_span());
        let depth = self.above(element.depth, span)?;
        Ok(SortExpr { kind: SortKind::Container(container, Box::new(element)), span, depth })
    }

    fn structure(&mut self) -> Parsed<SortExpr<'a>> {
        let start = self.words.step();
        let mut constructors = vec![self.constructor()?];
        while self.words.take(Token::Bar) {
            constructors.push(self.constructor()?);
        }
        let sorts = constructors.iter().flat_map(|constructor| &constructor.arguments);
        let deepest = sorts.map(|(_, sort)| sort.depth).max().unwrap_or(0);
        let span = start.to(self.words.last_span());
        Ok(SortExpr { kind: SortKind::Struct(constructors), span, depth: self.above(deepest, span)? })
    }

    fn constructor(&mut self) -> Parsed<ConstructorDecl<'a>> {
        let name = self.name("the name of a constructor")?;
        let mut arguments = Vec::new();
        if self.words.take(Token::Open) {
            loop {
                let mut projection = None;
                if self.words.peek() == Token::Name && self.words.peek_behind(1) == Token::Colon {
                    projection = Some(self.name("the name of a projection")?);
                    self.words.step();
                }
                arguments.push((projection, self.sort()?));
                if !self.words.take(Token::Comma) {
                    break;
                }
            }
            self.words.expect(Token::Close, "behind the arguments of the constructor")?;
        }
        let recogniser = if self.words.take(Token::Question) {
            Some(self.name("the name of a recogniser")?)
        } else {
            None
        };
        Ok(ConstructorDecl { name, arguments, recogniser })
    }
}

/// The parts of a product, or the sort alone.
fn factors(sort: SortExpr<'_>) -> Vec<SortExpr<'_>> {
    match sort.kind {
        SortKind::Product(parts) => parts,
        _ => vec![sort],
    }
}
