//! Words of DVE.

use base::{Diagnostic, Span, Word, Words};
use logos::Logos;

/// A word. Names that only DiVinE 3 gives a meaning (`input`, `for`, `key`, …) stay names: BEEM uses some.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\f]+")]
#[logos(skip r"//[^\n]*")]
pub enum Token {
    #[token("/*")]
    CommentStart,
    #[token("const")]
    Const,
    #[token("int")]
    Int,
    #[token("byte")]
    Byte,
    #[token("channel")]
    Channel,
    #[token("process")]
    Process,
    #[token("state")]
    State,
    #[token("init")]
    Init,
    #[token("commit")]
    Commit,
    #[token("accept")]
    Accept,
    #[token("assert")]
    Assert,
    #[token("trans")]
    Trans,
    #[token("guard")]
    Guard,
    #[token("sync")]
    Sync,
    #[token("effect")]
    Effect,
    #[token("system")]
    System,
    #[token("async")]
    Async,
    #[token("property")]
    Property,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("and")]
    #[token("&&")]
    And,
    #[token("or")]
    #[token("||")]
    Or,
    #[token("not")]
    Not,
    #[token("imply")]
    Imply,
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Name,
    #[regex("[0-9]+")]
    Number,
    #[regex("\"[^\"\n]*\"")]
    Text,
    #[token("->")]
    Arrow,
    #[token("=>")]
    WideArrow,
    #[token("..")]
    To,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<=")]
    AtMost,
    #[token(">=")]
    AtLeast,
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("=")]
    Assign,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Times,
    #[token("/")]
    Over,
    #[token("%")]
    Percent,
    #[token("&")]
    Ampersand,
    #[token("|")]
    Bar,
    #[token("^")]
    Caret,
    #[token("~")]
    Tilde,
    #[token("!")]
    Bang,
    #[token("?")]
    Question,
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
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token(".")]
    Dot,
    /// The end of the text.
    End,
}

/// All words with their places; what is no word is reported and left out.
pub fn words(text: &str) -> Words<Token> {
    let mut found = Words::default();
    let mut lexer = Token::lexer(text);
    while let Some(word) = lexer.next() {
        let range = lexer.span();
        let span = Span::new(range.start, range.end);
        match word {
            Ok(Token::CommentStart) => match lexer.remainder().find("*/") {
                Some(end) => lexer.bump(end + 2),
                None => {
                    let problem =
                        Diagnostic::error("this comment does not end", span).help("close it with `*/`");
                    found.problems.push(problem);
                    lexer.bump(lexer.remainder().len());
                }
            },
            Ok(token) => found.push(token, span),
            Err(()) => found.noise(span, |span| {
                Diagnostic::error("this is no word of DVE", span)
                    .help("is it a DVE model? Remove what stands here")
            }),
        }
    }
    found
}

impl Word for Token {
    const END: Self = Self::End;

    fn is_one_of_many(self) -> bool {
        matches!(self, Self::Name | Self::Number)
    }

    fn describe(self) -> &'static str {
        match self {
            Self::CommentStart => "`/*`",
            Self::Const => "`const`",
            Self::Int => "`int`",
            Self::Byte => "`byte`",
            Self::Channel => "`channel`",
            Self::Process => "`process`",
            Self::State => "`state`",
            Self::Init => "`init`",
            Self::Commit => "`commit`",
            Self::Accept => "`accept`",
            Self::Assert => "`assert`",
            Self::Trans => "`trans`",
            Self::Guard => "`guard`",
            Self::Sync => "`sync`",
            Self::Effect => "`effect`",
            Self::System => "`system`",
            Self::Async => "`async`",
            Self::Property => "`property`",
            Self::True => "`true`",
            Self::False => "`false`",
            Self::And => "`and`",
            Self::Or => "`or`",
            Self::Not => "`not`",
            Self::Imply => "`imply`",
            Self::Name => "a name",
            Self::Number => "a number",
            Self::Text => "a text in quotes",
            Self::Arrow => "`->`",
            Self::WideArrow => "`=>`",
            Self::To => "`..`",
            Self::Equal => "`==`",
            Self::NotEqual => "`!=`",
            Self::AtMost => "`<=`",
            Self::AtLeast => "`>=`",
            Self::ShiftLeft => "`<<`",
            Self::ShiftRight => "`>>`",
            Self::Less => "`<`",
            Self::Greater => "`>`",
            Self::Assign => "`=`",
            Self::Plus => "`+`",
            Self::Minus => "`-`",
            Self::Times => "`*`",
            Self::Over => "`/`",
            Self::Percent => "`%`",
            Self::Ampersand => "`&`",
            Self::Bar => "`|`",
            Self::Caret => "`^`",
            Self::Tilde => "`~`",
            Self::Bang => "`!`",
            Self::Question => "`?`",
            Self::Open => "`(`",
            Self::Close => "`)`",
            Self::OpenBracket => "`[`",
            Self::CloseBracket => "`]`",
            Self::OpenBrace => "`{`",
            Self::CloseBrace => "`}`",
            Self::Comma => "`,`",
            Self::Semicolon => "`;`",
            Self::Colon => "`:`",
            Self::Dot => "`.`",
            Self::End => "the end of the file",
        }
    }
}
