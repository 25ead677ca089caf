//! Words of mCRL2.

use base::{Diagnostic, Span, Word, Words};
use logos::Logos;

/// A word. Names that only formulas give a meaning (`mu`, `nil`, `val`, …) stay names.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\f]+")]
#[logos(skip r"%[^\n\r]*")]
pub enum Token {
    #[token("sort")]
    Sort,
    #[token("cons")]
    Cons,
    #[token("map")]
    Map,
    #[token("var")]
    Var,
    #[token("eqn")]
    Eqn,
    #[token("glob")]
    Glob,
    #[token("act")]
    Act,
    #[token("proc")]
    Proc,
    #[token("init")]
    Init,
    #[token("struct")]
    Struct,
    #[token("Bool")]
    Bool,
    #[token("Pos")]
    Pos,
    #[token("Nat")]
    Nat,
    #[token("Int")]
    Int,
    #[token("Real")]
    Real,
    #[token("List")]
    List,
    #[token("Set")]
    Set,
    #[token("Bag")]
    Bag,
    #[token("FSet")]
    FSet,
    #[token("FBag")]
    FBag,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("forall")]
    Forall,
    #[token("exists")]
    Exists,
    #[token("lambda")]
    Lambda,
    #[token("whr")]
    Whr,
    #[token("end")]
    EndWhr,
    #[token("in")]
    In,
    #[token("div")]
    Div,
    #[token("mod")]
    Mod,
    #[token("delta")]
    Delta,
    #[token("tau")]
    Tau,
    #[token("sum")]
    Sum,
    #[token("dist")]
    Dist,
    #[token("block")]
    Block,
    #[token("allow")]
    Allow,
    #[token("hide")]
    Hide,
    #[token("rename")]
    Rename,
    #[token("comm")]
    Comm,
    #[regex("[A-Za-z_][A-Za-z0-9_']*")]
    Name,
    #[regex("[0-9]+")]
    Number,
    #[token("=>")]
    Implies,
    #[token("||_")]
    LeftMerge,
    #[token("||")]
    BarBar,
    #[token("&&")]
    AndAnd,
    #[token("==")]
    EqualEqual,
    #[token("!=")]
    NotEqual,
    #[token("<=")]
    AtMost,
    #[token(">=")]
    AtLeast,
    #[token("<<")]
    Before,
    #[token("<>")]
    Else,
    #[token("<|")]
    Snoc,
    #[token("|>")]
    Prepend,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("++")]
    PlusPlus,
    #[token("+")]
    Plus,
    #[token("->")]
    Arrow,
    #[token("-")]
    Minus,
    #[token("*")]
    Times,
    #[token("/")]
    Over,
    #[token(".")]
    Dot,
    #[token("#")]
    Hash,
    #[token("!")]
    Bang,
    #[token("?")]
    Question,
    #[token("@")]
    At,
    #[token("|")]
    Bar,
    #[token("=")]
    Assign,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    /// The end of the text.
    End,
}

/// All words with their places; what is no word is reported and left out.
pub fn words(text: &str) -> Words<Token> {
    let mut found = Words::default();
    for (word, range) in Token::lexer(text).spanned() {
        let span = Span::new(range.start, range.end);
        match word {
            Ok(token) => found.push(token, span),
            Err(()) => found.noise(span, |span| {
                Diagnostic::error("this is no word of mCRL2", span)
                    .help("is it an mCRL2 specification in text? Remove what stands here")
            }),
        }
    }
    found
}

impl Token {
    /// Whether a part of a specification begins with it.
    pub fn begins_section(self) -> bool {
        use Token::{Act, Cons, Eqn, Glob, Init, Map, Proc, Sort, Var};
        matches!(self, Sort | Cons | Map | Var | Eqn | Glob | Act | Proc | Init)
    }
}

impl Word for Token {
    const END: Self = Self::End;

    fn is_one_of_many(self) -> bool {
        matches!(self, Self::Name | Self::Number)
    }

    fn describe(self) -> &'static str {
        match self {
            Self::Sort => "`sort`",
            Self::Cons => "`cons`",
            Self::Map => "`map`",
            Self::Var => "`var`",
            Self::Eqn => "`eqn`",
            Self::Glob => "`glob`",
            Self::Act => "`act`",
            Self::Proc => "`proc`",
            Self::Init => "`init`",
            Self::Struct => "`struct`",
            Self::Bool => "`Bool`",
            Self::Pos => "`Pos`",
            Self::Nat => "`Nat`",
            Self::Int => "`Int`",
            Self::Real => "`Real`",
            Self::List => "`List`",
            Self::Set => "`Set`",
            Self::Bag => "`Bag`",
            Self::FSet => "`FSet`",
            Self::FBag => "`FBag`",
            Self::True => "`true`",
            Self::False => "`false`",
            Self::Forall => "`forall`",
            Self::Exists => "`exists`",
            Self::Lambda => "`lambda`",
            Self::Whr => "`whr`",
            Self::EndWhr => "`end`",
            Self::In => "`in`",
            Self::Div => "`div`",
            Self::Mod => "`mod`",
            Self::Delta => "`delta`",
            Self::Tau => "`tau`",
            Self::Sum => "`sum`",
            Self::Dist => "`dist`",
            Self::Block => "`block`",
            Self::Allow => "`allow`",
            Self::Hide => "`hide`",
            Self::Rename => "`rename`",
            Self::Comm => "`comm`",
            Self::Name => "a name",
            Self::Number => "a number",
            Self::Implies => "`=>`",
            Self::LeftMerge => "`||_`",
            Self::BarBar => "`||`",
            Self::AndAnd => "`&&`",
            Self::EqualEqual => "`==`",
            Self::NotEqual => "`!=`",
            Self::AtMost => "`<=`",
            Self::AtLeast => "`>=`",
            Self::Before => "`<<`",
            Self::Else => "`<>`",
            Self::Snoc => "`<|`",
            Self::Prepend => "`|>`",
            Self::Less => "`<`",
            Self::Greater => "`>`",
            Self::PlusPlus => "`++`",
            Self::Plus => "`+`",
            Self::Arrow => "`->`",
            Self::Minus => "`-`",
            Self::Times => "`*`",
            Self::Over => "`/`",
            Self::Dot => "`.`",
            Self::Hash => "`#`",
            Self::Bang => "`!`",
            Self::Question => "`?`",
            Self::At => "`@`",
            Self::Bar => "`|`",
            Self::Assign => "`=`",
            Self::Colon => "`:`",
            Self::Semicolon => "`;`",
            Self::Comma => "`,`",
            Self::Open => "`(`",
            Self::Close => "`)`",
            Self::OpenBracket => "`[`",
            Self::CloseBracket => "`]`",
            Self::OpenBrace => "`{`",
            Self::CloseBrace => "`}`",
            Self::End => "the end of the file",
        }
    }
}
