//! Words of DVE.

use base::{Diagnostic, Span, Word, Words};
use logos::Logos;

/// The words with one spelling: each with how it is written, for the lexer and for messages.
macro_rules! tokens {
    ($($token:ident $written:tt,)*) => {
        /// A word. Names that only DiVinE 3 gives a meaning (`input`, `for`, `key`, …) stay names: BEEM uses
        /// some.
        #[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
        #[logos(skip r"[ \t\r\n\f]+")]
        #[logos(skip r"//[^\n]*")]
        pub enum Token {
            #[token("/*")]
            CommentStart,
            #[token("and")]
            #[token("&&")]
            And,
            #[token("or")]
            #[token("||")]
            Or,
            #[regex("[A-Za-z_][A-Za-z0-9_]*")]
            Name,
            #[regex("[0-9]+")]
            Number,
            #[regex("\"[^\"\n]*\"")]
            Text,
            $(#[token($written)] $token,)*
            /// The end of the text.
            End,
        }

        impl Word for Token {
            const END: Self = Self::End;

            fn is_one_of_many(self) -> bool {
                matches!(self, Self::Name | Self::Number)
            }

            fn describe(self) -> &'static str {
                match self {
                    Self::CommentStart => "`/*`",
                    Self::And => "`and`",
                    Self::Or => "`or`",
                    Self::Name => "a name",
                    Self::Number => "a number",
                    Self::Text => "a text in quotes",
                    $(Self::$token => concat!("`", $written, "`"),)*
                    Self::End => "the end of the file",
                }
            }
        }
    };
}

tokens! {
    Const "const", Int "int", Byte "byte", Channel "channel", Process "process", State "state",
    Init "init", Commit "commit", Accept "accept", Assert "assert", Trans "trans", Guard "guard",
    Sync "sync", Effect "effect", System "system", Async "async", Property "property", True "true",
    False "false", Not "not", Imply "imply",
    Arrow "->", WideArrow "=>", To "..", Equal "==", NotEqual "!=", AtMost "<=", AtLeast ">=",
    ShiftLeft "<<", ShiftRight ">>", Less "<", Greater ">", Assign "=", Plus "+", Minus "-", Times "*",
    Over "/", Percent "%", Ampersand "&", Bar "|", Caret "^", Tilde "~", Bang "!", Question "?",
    Open "(", Close ")", OpenBracket "[", CloseBracket "]", OpenBrace "{", CloseBrace "}", Comma ",",
    Semicolon ";", Colon ":", Dot ".",
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
