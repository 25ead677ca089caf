//! Words of Promela, and what is known of each: its text, where it was written, and how it came here.

use std::collections::HashMap;
use std::rc::Rc;

use base::Span;

/// A text that was met, by number: words are copied often, texts never.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symbol(u32);

/// All texts that were met.
#[derive(Default)]
pub struct Symbols {
    numbers: HashMap<Rc<str>, Symbol>,
    texts: Vec<Rc<str>>,
}

impl Symbols {
    /// The number of a text.
    pub fn symbol(&mut self, text: &str) -> Symbol {
        if let Some(&known) = self.numbers.get(text) {
            return known;
        }
        let symbol =
            Symbol(u32::try_from(self.texts.len()).unwrap_or_else(|_| panic!("BUG: more texts than bytes")));
        let text: Rc<str> = text.into();
        self.texts.push(Rc::clone(&text));
        self.numbers.insert(text, symbol);
        symbol
    }

    /// The text of a number.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }
}

/// A word where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// What it is.
    pub token: Token,
    /// How it is written.
    pub text: Symbol,
    /// Where the user wrote it; the use of a macro, for a word of the macro's body.
    pub span: Span,
    /// Where it stands in the body of an `inline`, if it is part of an argument; else the same as `span`.
    pub place: Span,
    /// Words of one argument, where the body names it, share this number; words that are no argument have
    /// zero.
    pub argument: u32,
    /// The macro that it comes from.
    pub origin: Option<Symbol>,
    /// Whether a line ends before it.
    pub newline: bool,
    /// Whether there is space before it.
    pub spaced: bool,
    /// Whether it names a macro inside that macro's own expansion, so that it is not expanded ever.
    pub painted: bool,
}

macro_rules! tokens {
    ($(#[$doc:meta])* keywords { $($keyword:ident $word:literal),* $(,)? } signs { $($sign:ident $written:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Token {
            $($keyword,)*
            $($sign,)*
            Name,
            Number,
            /// A number as the preprocessor sees it: `0..N` is one.
            RawNumber,
            Character,
            Text,
            /// A character or a stretch that is no word, with its reason in the preprocessor.
            Stray,
            End,
        }

        impl Token {
            /// The keyword that is written so.
            pub fn keyword(text: &str) -> Option<Self> {
                match text {
                    $($word => Some(Self::$keyword),)*
                    _ => None,
                }
            }

            /// How a keyword or a sign is written.
            pub fn written(self) -> Option<&'static str> {
                match self {
                    $(Self::$keyword => Some($word),)*
                    $(Self::$sign => Some($written),)*
                    _ => None,
                }
            }

            /// All signs, for the scanner.
            pub const SIGNS: &'static [(&'static str, Self)] = &[$(($written, Self::$sign),)*];
        }
    };
}

tokens! {
    /// A word. `in` is none: it means something only behind the variable of a `for`, as in Spin.
    keywords {
        Active "active", Assert "assert", Atomic "atomic", Bit "bit", Bool "bool", Break "break", Byte "byte",
        CCode "c_code", CDecl "c_decl", CExpr "c_expr", CState "c_state", CTrack "c_track", Chan "chan",
        DProctype "D_proctype", DStep "d_step", Do "do", Else "else", Empty "empty", Enabled "enabled", Eval "eval",
        False "false", Fi "fi", For "for", Full "full", GetPriority "get_priority", Goto "goto", Hidden "hidden",
        If "if", Init "init", Inline "inline", Int "int", Len "len", Local "local", Ltl "ltl", Mtype "mtype",
        Nempty "nempty", Never "never", Nfull "nfull", Notrace "notrace", NonProgress "np_", Od "od", Of "of",
        PcValue "pc_value", Pid "pid", Printf "printf", Printm "printm", Priority "priority", Proctype "proctype",
        Provided "provided", Return "return", Run "run", Select "select", SetPriority "set_priority", Short "short",
        Show "show", Skip "skip", Timeout "timeout", Trace "trace", True "true", Typedef "typedef", Unless "unless",
        Unsigned "unsigned", Xr "xr", Xs "xs",
    }
    signs {
        Options "::", Arrow "->", Decrement "--", Increment "++", ShiftLeft "<<", AtMost "<=", ShiftRight ">>",
        AtLeast ">=", Equal "==", NotEqual "!=", SortedSend "!!", RandomReceive "??", And "&&", Or "||", To "..",
        HashHash "##", Hash "#", Colon ":", Minus "-", Plus "+", Less "<", Greater ">", Assign "=", Bang "!",
        Question "?", Ampersand "&", Bar "|", Caret "^", Tilde "~", Dot ".", Comma ",", Semicolon ";", At "@",
        Times "*", Over "/", Percent "%", Open "(", Close ")", OpenBracket "[", CloseBracket "]", OpenBrace "{",
        CloseBrace "}", Backslash "\\",
    }
}

/// The value of `'c'`, with the escapes that Spin knows.
pub fn character(text: &str) -> Option<i64> {
    let inside = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut characters = inside.chars();
    let value = match (characters.next()?, characters.next(), characters.next()) {
        (c, None, _) if c != '\\' => c,
        ('\\', Some(escaped), None) => match escaped {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'f' => '\u{C}',
            c => c,
        },
        _ => return None,
    };
    // Spin reads bytes; what takes more than one is no character to it.
    value.is_ascii().then_some(i64::from(u32::from(value)))
}

impl Token {
    /// How it is called in messages.
    pub fn describe(self) -> String {
        match (self.written(), self) {
            (Some(written), _) => format!("`{written}`"),
            (None, Self::Name) => "a name".into(),
            (None, Self::Number | Self::RawNumber) => "a number".into(),
            (None, Self::Character) => "a character".into(),
            (None, Self::Text) => "a text in quotes".into(),
            (None, Self::End) => "the end of the file".into(),
            (None, _) => "what is no word".into(),
        }
    }
}
