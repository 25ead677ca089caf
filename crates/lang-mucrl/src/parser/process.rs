//! Process terms. From the weakest: `+`; then `||`, `|` and `||_`, of which a term has one kind only; then
//! `<| b |>`; then `.`, and `@`.

use crate::ast::{Kind, Term};
use crate::lexer::{Keyword, Token};
use crate::problems::Reported;

use super::Parser;

impl<'a> Parser<'a> {
    /// `p + q + …`
    pub(super) fn term(&mut self) -> Result<Term<'a>, Reported> {
        self.deeper()?;
        let first = self.parallel()?;
        let term = self.chain(first, "+", Self::parallel, Kind::Choice)?;
        self.depth -= 1;
        Ok(term)
    }

    /// More parts of an operator behind the first one.
    fn chain(
        &mut self,
        first: Term<'a>,
        sign: &'static str,
        part: fn(&mut Self) -> Result<Term<'a>, Reported>,
        kind: fn(Vec<Term<'a>>) -> Kind<'a>,
    ) -> Result<Term<'a>, Reported> {
        if !self.is_sign(sign) {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.take(sign) {
            parts.push(part(self)?);
        }
        let span = parts[0].span.to(parts[parts.len() - 1].span);
        Ok(Term { kind: kind(parts), span })
    }

    fn parallel(&mut self) -> Result<Term<'a>, Reported> {
        let first = self.conditional()?;
        let term = match self.peek() {
            Token::Sign("||") => self.chain(first, "||", Self::conditional, Kind::Merge)?,
            Token::Sign("|") => self.chain(first, "|", Self::conditional, Kind::Together)?,
            Token::Sign("||_") => {
                self.at += 1;
                let second = self.conditional()?;
                let span = first.span.to(second.span);
                Term { kind: Kind::LeftMerge(Box::new([first, second])), span }
            }
            _ => return Ok(first),
        };
        if matches!(self.peek(), Token::Sign("||" | "|" | "||_")) {
            let span = self.words[self.at].span;
            let message = "`||`, `|` and `||_` bind equally strong";
            return Err(self.problems.error(message, span, "say by parentheses what belongs together"));
        }
        Ok(term)
    }

    /// `p <| b |> q`; what stands behind `|>` may be another one.
    fn conditional(&mut self) -> Result<Term<'a>, Reported> {
        let first = self.sequence()?;
        if !self.take("<|") {
            return Ok(first);
        }
        self.deeper()?;
        let condition = self.data()?;
        self.sign("|>")?;
        let second = self.conditional()?;
        self.depth -= 1;
        let span = first.span.to(second.span);
        Ok(Term { kind: Kind::Condition(Box::new([first, second]), condition), span })
    }

    fn sequence(&mut self) -> Result<Term<'a>, Reported> {
        let first = self.timed()?;
        self.chain(first, ".", Self::timed, Kind::Sequence)
    }

    /// `p @ t`
    fn timed(&mut self) -> Result<Term<'a>, Reported> {
        let term = self.basic()?;
        if !self.take("@") {
            return Ok(term);
        }
        let time = self.data()?;
        let span = term.span.to(time.span);
        Ok(Term { kind: Kind::At(Box::new(term), time), span })
    }

    fn basic(&mut self) -> Result<Term<'a>, Reported> {
        let start = self.words[self.at].span;
        let kind = match self.peek() {
            Token::Name(_) => {
                let named = self.data()?;
                let span = named.span;
                return Ok(Term { kind: Kind::Named(named), span });
            }
            Token::Sign("(") => {
                self.at += 1;
                let term = self.term()?;
                self.sign(")")?;
                return Ok(term);
            }
            Token::Keyword(Keyword::Delta) => {
                self.at += 1;
                return Ok(Term { kind: Kind::Delta, span: start });
            }
            Token::Keyword(Keyword::Tau) => {
                self.at += 1;
                return Ok(Term { kind: Kind::Tau, span: start });
            }
            Token::Keyword(Keyword::Sum) => {
                self.at += 1;
                self.sign("(")?;
                let name = self.name("the name of a variable")?;
                self.sign(":")?;
                let sort = self.name("the sort of the variable")?;
                self.sign(",")?;
                Kind::Sum(name, sort, Box::new(self.term()?))
            }
            Token::Keyword(operator @ (Keyword::Encap | Keyword::Hide)) => {
                self.at += 1;
                self.sign("(")?;
                self.sign("{")?;
                let names = if self.is_sign("}") { Vec::new() } else { self.names("the name of an action")? };
                self.sign("}")?;
                self.sign(",")?;
                let term = Box::new(self.term()?);
                if operator == Keyword::Encap { Kind::Encap(names, term) } else { Kind::Hide(names, term) }
            }
            Token::Keyword(Keyword::Rename) => {
                self.at += 1;
                self.sign("(")?;
                self.sign("{")?;
                let mut renamings = Vec::new();
                while !self.is_sign("}") {
                    let from = self.name("the name of an action")?;
                    self.sign("->")?;
                    renamings.push((from, self.name("the name of an action")?));
                    if !self.take(",") {
                        break;
                    }
                }
                self.sign("}")?;
                self.sign(",")?;
                Kind::Rename(renamings, Box::new(self.term()?))
            }
            _ => return Err(self.expected("a process term")),
        };
        let end = self.sign(")")?;
        Ok(Term { kind, span: start.to(end) })
    }
}
