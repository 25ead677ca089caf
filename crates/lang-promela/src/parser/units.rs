//! What stands at the outermost level.

use base::{Diagnostic, Span};
use logic::ltl;

use super::{Parsed, Parser, Stop};
use crate::ast::{Ltl, Name, Never, Process, Sequence, Spec, Trace, Typedef, Unit};
use crate::word::{Token, Word};

impl Parser<'_> {
    pub(super) fn spec(&mut self) -> Spec {
        let mut spec = Spec::default();
        while self.peek() != Token::End {
            let start = self.at;
            self.cut = false;
            if self.unit(&mut spec.units).is_err() {
                self.skip_unit(start);
            }
        }
        spec
    }

    /// Skips what is left of a unit that started at `start`, at least one word.
    fn skip_unit(&mut self, start: usize) {
        if self.at == start {
            self.next();
        }
        let has_body = begins_body(self.words[start].token);
        let opened = self.words[start..self.at].iter().any(|word| word.token == Token::OpenBrace);
        loop {
            match self.peek() {
                Token::End => return,
                token if begins_body(token) => return,
                Token::OpenBrace => {
                    self.skip_balanced(Token::OpenBrace, Token::CloseBrace);
                    if has_body && !opened {
                        return;
                    }
                }
                Token::Semicolon if !has_body => return,
                _ => {
                    self.next();
                }
            }
        }
    }

    fn unit(&mut self, units: &mut Vec<Unit>) -> Parsed<()> {
        match self.peek() {
            Token::Active | Token::Proctype | Token::DProctype => units.push(Unit::Process(self.process()?)),
            Token::Init => units.push(Unit::Process(self.init()?)),
            Token::Never => units.push(Unit::Never(self.never()?)),
            Token::Ltl => units.push(Unit::Ltl(self.ltl()?)),
            Token::Trace | Token::Notrace => units.push(Unit::Trace(self.trace()?)),
            Token::Typedef => units.push(Unit::Typedef(self.typedef()?)),
            Token::Inline => self.inline()?,
            Token::Semicolon | Token::Arrow => {
                self.next();
            }
            Token::CCode | Token::CDecl | Token::CState | Token::CTrack | Token::CExpr => {
                return self.c_code();
            }
            Token::CloseBrace => return self.fail("there is no `{` that this could close"),
            _ if self.at_declaration() => match self.mtype_constants()? {
                Some(constants) => units.push(Unit::Mtype(constants)),
                None => units.push(Unit::Global(self.declaration()?)),
            },
            _ => {
                return self.fail(
                    "expected a declaration, `proctype`, `init`, `never`, `ltl`, `inline` or `typedef`",
                );
            }
        }
        Ok(())
    }

    /// C inside the model.
    pub(super) fn c_code<T>(&mut self) -> Parsed<T> {
        let word = self.next();
        let written = word.token.written().unwrap_or_default();
        let problem = Diagnostic::error(format!("`{written}` cannot be used here"), word.span)
            .label("C code can neither be analysed nor run")
            .help("say the same in Promela, or use Spin for this model");
        self.report(problem);
        // Behind the code, which is no Promela.
        while matches!(self.peek(), Token::Text) {
            self.next();
        }
        if self.peek() == Token::OpenBracket {
            self.skip_balanced(Token::OpenBracket, Token::CloseBracket);
        }
        if self.peek() == Token::OpenBrace {
            self.skip_balanced(Token::OpenBrace, Token::CloseBrace);
        }
        Err(Stop)
    }

    /// Skips from an opening word behind the one that closes it.
    pub(super) fn skip_balanced(&mut self, open: Token, close: Token) {
        let mut count = 0usize;
        while self.peek() != Token::End {
            let token = self.next().token;
            if token == open {
                count += 1;
            } else if token == close {
                count -= 1;
                if count == 0 {
                    return;
                }
            }
        }
    }

    fn process(&mut self) -> Parsed<Process> {
        let mut active = None;
        if self.take(Token::Active) {
            let mut count = None;
            if self.take(Token::OpenBracket) {
                count = Some(self.plain_expression()?);
                self.expect(Token::CloseBracket, "behind the number of processes")?;
            }
            active = Some(count);
        }
        let deterministic = match self.peek() {
            Token::Proctype => false,
            Token::DProctype => true,
            _ => return self.fail("expected `proctype` behind `active`"),
        };
        self.next();
        let word = self.word();
        let name = self.name("the name of the process")?;
        self.processes.insert(word.text);
        self.expect(Token::Open, "before the parameters")?;
        let mut parameters = Vec::new();
        while self.peek() != Token::Close {
            parameters.push(self.declaration()?);
            if self.peek() != Token::Semicolon {
                break;
            }
            while self.take(Token::Semicolon) {}
        }
        if self.peek() == Token::Comma {
            return self.fail("expected a name behind `,`; before a type, write `;`");
        }
        self.expect(Token::Close, "behind the parameters")?;
        let priority = if self.take(Token::Priority) { Some(self.constant()?) } else { None };
        let provided = if self.take(Token::Provided) {
            self.expect(Token::Open, "behind `provided`")?;
            let condition = self.expression()?;
            self.expect(Token::Close, "behind the condition")?;
            Some(condition)
        } else {
            None
        };
        let (body, end) = self.body()?;
        Ok(Process { name, is_init: false, active, deterministic, parameters, priority, provided, body, end })
    }

    fn init(&mut self) -> Parsed<Process> {
        let name = Name { text: ":init:".into(), span: self.next().span };
        let priority = if self.take(Token::Priority) { Some(self.constant()?) } else { None };
        let (body, end) = self.body()?;
        let (parameters, provided) = (Vec::new(), None);
        Ok(Process {
            name,
            is_init: true,
            active: Some(None),
            deterministic: false,
            parameters,
            priority,
            provided,
            body,
            end,
        })
    }

    /// `{ … }`, and where it closes.
    pub(super) fn body(&mut self) -> Parsed<(Sequence, Span)> {
        let open = self.expect(Token::OpenBrace, "before the body")?;
        let body = self.sequence();
        self.check_closed(open, Token::CloseBrace)?;
        let close = self.expect(Token::CloseBrace, "behind the statements")?;
        Ok((body, close.span))
    }

    fn never(&mut self) -> Parsed<Never> {
        let start = self.at;
        self.next();
        let name = if self.peek() == Token::Name { Some(self.name("a name")?) } else { None };
        let (body, _) = self.body()?;
        Ok(Never { name, body, span: self.since(start) })
    }

    fn trace(&mut self) -> Parsed<Trace> {
        let start = self.at;
        let negated = self.next().token == Token::Notrace;
        let (body, _) = self.body()?;
        Ok(Trace { negated, body, span: self.since(start) })
    }

    fn typedef(&mut self) -> Parsed<Typedef> {
        self.next();
        let word = self.word();
        let name = self.name("the name of the type")?;
        self.expect(Token::OpenBrace, "before the fields")?;
        let mut fields = Vec::new();
        loop {
            fields.push(self.declaration()?);
            if !self.at_separator() {
                break;
            }
            while self.at_separator() {
                self.next();
            }
            if self.peek() == Token::CloseBrace {
                break;
            }
        }
        self.expect(Token::CloseBrace, "behind the fields")?;
        self.types.insert(word.text);
        Ok(Typedef { name, fields })
    }

    fn ltl(&mut self) -> Parsed<Ltl> {
        self.next();
        let name = if self.peek() == Token::Name { Some(self.name("a name")?) } else { None };
        let open = self.expect(Token::OpenBrace, "before the formula")?;
        let start = self.at;
        let mut braces = 0usize;
        loop {
            match self.peek() {
                Token::End => self.check_closed(open, Token::CloseBrace)?,
                Token::OpenBrace => braces += 1,
                Token::CloseBrace if braces == 0 => break,
                Token::CloseBrace => braces -= 1,
                Token::CExpr => return self.c_code(),
                _ => {}
            }
            self.next();
        }
        let mut end = self.at;
        while end > start && matches!(self.words[end - 1].token, Token::Semicolon) {
            end -= 1;
        }
        if end == start {
            return self.fail("expected a formula");
        }
        let words = self.formula(&self.words[start..end]);
        let span = self.between(self.words[start], self.words[end - 1]);
        self.next();
        Ok(Ltl { name, words, span })
    }

    /// The words of a formula. `[]`, `<>`, `<->`, `/\` and `\/` are words in formulas only.
    fn formula(&self, words: &[Word]) -> Vec<ltl::Word> {
        let mut formula: Vec<ltl::Word> = Vec::new();
        let mut last: Option<Token> = None;
        for word in words {
            let together = matches!(
                (last, word.token),
                (Some(Token::OpenBracket), Token::CloseBracket)
                    | (Some(Token::Less), Token::Greater | Token::Arrow)
                    | (Some(Token::Over), Token::Backslash)
                    | (Some(Token::Backslash), Token::Over)
            );
            let joined = together && !word.spaced && !word.newline;
            let text = self.symbols.text(word.text);
            match formula.last_mut().filter(|_| joined) {
                Some(first) => {
                    first.text.push_str(text);
                    first.span = first.span.to(word.span);
                }
                None => formula.push(ltl::Word { text: text.to_owned(), span: word.span }),
            }
            // Each word is joined once: `[][]` is two.
            last = if joined { Some(Token::End) } else { Some(word.token) };
        }
        formula
    }
}

/// Whether a word begins a unit that has a body in braces.
pub(super) fn begins_body(token: Token) -> bool {
    matches!(
        token,
        Token::Active
            | Token::Proctype
            | Token::DProctype
            | Token::Init
            | Token::Never
            | Token::Ltl
            | Token::Trace
            | Token::Notrace
            | Token::Typedef
            | Token::Inline
    )
}
