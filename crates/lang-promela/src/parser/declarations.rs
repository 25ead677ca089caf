//! Declarations of variables and of symbolic constants.

use base::Diagnostic;

use super::{Parsed, Parser, Stop};
use crate::ast::{Declaration, Expr, ExprKind, Initial, MtypeDecl, TypeName, Variable, Visibility};
use crate::word::Token;

impl Parser<'_> {
    /// Whether a declaration starts here. A name before a name is a type, known or not.
    pub(super) fn at_declaration(&self) -> bool {
        match self.peek() {
            Token::Hidden | Token::Show | Token::Local => true,
            Token::Name => self.peek_behind(1) == Token::Name,
            token => is_type(token),
        }
    }

    /// `mtype = { … }`, if it is this that starts here and not a declaration.
    pub(super) fn mtype_constants(&mut self) -> Parsed<Option<MtypeDecl>> {
        let start = self.at;
        let hidden = matches!(self.peek(), Token::Hidden | Token::Show | Token::Local);
        if hidden {
            self.next();
        }
        let mut set = None;
        if self.take(Token::Mtype) {
            if self.peek() == Token::Colon && self.peek_behind(2) == Token::Assign {
                self.next();
                set = Some(self.name("the name of the set")?);
            }
            let assigned = self.take(Token::Assign);
            if self.peek() == Token::OpenBrace {
                if hidden {
                    let span = self.words[start].span;
                    self.report(Diagnostic::error("constants cannot be hidden, shown or local", span));
                }
                return self.constants(set).map(Some);
            }
            if assigned {
                return self.fail("expected `{` and the constants behind `mtype =`");
            }
        }
        self.at = start;
        Ok(None)
    }

    fn constants(&mut self, set: Option<crate::ast::Name>) -> Parsed<MtypeDecl> {
        self.next();
        let mut names = vec![self.name("the name of a constant")?];
        // Commas are for the eye.
        loop {
            match self.peek() {
                Token::Comma => {
                    self.next();
                }
                Token::Name => names.push(self.name("the name of a constant")?),
                _ => break,
            }
        }
        self.expect(Token::CloseBrace, "behind the constants")?;
        Ok(MtypeDecl { set, names })
    }

    /// `type x, y = 1, …`
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let start = self.at;
        let visibility = match self.peek() {
            Token::Hidden => Visibility::Hidden,
            Token::Show => Visibility::Show,
            Token::Local => Visibility::Local,
            _ => Visibility::Plain,
        };
        if visibility != Visibility::Plain {
            self.next();
        }
        let ty = self.type_name()?;
        let mut variables = vec![self.variable()?];
        while self.take(Token::Comma) {
            variables.push(self.variable()?);
        }
        Ok(Declaration { visibility, ty, variables, span: self.since(start) })
    }

    fn type_name(&mut self) -> Parsed<TypeName> {
        let ty = match self.peek() {
            Token::Bit => TypeName::Bit,
            Token::Bool => TypeName::Bool,
            Token::Byte => TypeName::Byte,
            Token::Pid => TypeName::Pid,
            Token::Short => TypeName::Short,
            Token::Int => TypeName::Int,
            Token::Unsigned => TypeName::Unsigned,
            Token::Chan => TypeName::Chan,
            Token::Mtype => {
                self.next();
                let set = if self.take(Token::Colon) {
                    Some(self.name("the name of a set of constants")?)
                } else {
                    None
                };
                return Ok(TypeName::Mtype(set));
            }
            Token::Name => return Ok(TypeName::User(self.name("the name of a type")?)),
            _ => return self.fail("expected a type"),
        };
        self.next();
        Ok(ty)
    }

    fn variable(&mut self) -> Parsed<Variable> {
        let name = self.name("the name of a variable")?;
        let (mut width, mut length, mut initial) = (None, None, None);
        if self.take(Token::Colon) {
            width = Some(self.constant()?);
        } else if self.take(Token::OpenBracket) {
            length = Some(self.plain_expression()?);
            self.expect(Token::CloseBracket, "behind the number of cells")?;
        }
        if self.take(Token::Assign) {
            initial = Some(self.initial()?);
        }
        Ok(Variable { name, width, length, initial })
    }

    fn initial(&mut self) -> Parsed<Initial> {
        if self.take(Token::OpenBrace) {
            let mut cells = vec![self.plain_expression()?];
            while self.take(Token::Comma) {
                cells.push(self.plain_expression()?);
            }
            self.expect(Token::CloseBrace, "behind the initial values")?;
            return Ok(Initial::Cells(cells));
        }
        if !self.take(Token::OpenBracket) {
            return Ok(Initial::Value(self.plain_expression()?));
        }
        let capacity = self.plain_expression()?;
        self.expect(Token::CloseBracket, "behind the capacity of the channel")?;
        self.expect(Token::Of, "and the types of a message")?;
        self.expect(Token::OpenBrace, "before the types of a message")?;
        let mut fields = vec![self.field_type()?];
        while self.take(Token::Comma) {
            fields.push(self.field_type()?);
        }
        self.expect(Token::CloseBrace, "behind the types of a message")?;
        Ok(Initial::Channel { capacity, fields })
    }

    fn field_type(&mut self) -> Parsed<TypeName> {
        let span = self.span();
        let ty = self.type_name()?;
        if ty == TypeName::Unsigned {
            let problem = Diagnostic::error("a message cannot have a field of type `unsigned`", span)
                .help("use `byte`, `short` or `int`");
            self.report(problem);
            return Err(Stop);
        }
        Ok(ty)
    }

    /// A number on its own.
    pub(super) fn constant(&mut self) -> Parsed<Expr> {
        let expr = match self.peek() {
            Token::Number | Token::Character | Token::True | Token::False | Token::Skip => {
                self.plain_operand()?
            }
            // Symbolic constants are names here.
            Token::Name => self.plain_operand()?,
            _ => return self.fail("expected a number"),
        };
        match expr.kind {
            ExprKind::Number(_) | ExprKind::Name(_) => Ok(expr),
            _ => {
                self.report(Diagnostic::error("expected a number", expr.span));
                Err(Stop)
            }
        }
    }
}

pub(super) fn is_type(token: Token) -> bool {
    matches!(
        token,
        Token::Bit
            | Token::Bool
            | Token::Byte
            | Token::Pid
            | Token::Short
            | Token::Int
            | Token::Unsigned
            | Token::Chan
            | Token::Mtype
    )
}
