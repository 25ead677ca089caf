//! When output is coloured.

use clap::ValueEnum;

/// When output is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless the environment has NO_COLOR
    Auto,
    /// Also in files and pipes
    Always,
    /// Not at all
    Never,
}

impl Colour {
    /// Whether a stream is coloured, which may be a terminal.
    pub(crate) fn is_on(self, is_terminal: bool) -> bool {
        match self {
            Self::Auto => is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
            Self::Always => true,
            Self::Never => false,
        }
    }
}
