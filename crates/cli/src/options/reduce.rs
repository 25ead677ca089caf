//! The options of `pinscher reduce`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Input, OUTPUT, Search};

/// `pinscher reduce`.
#[derive(Args, Debug)]
pub(crate) struct Reduce {
    #[command(flatten)]
    pub(crate) input: Input,
    /// What must not be told apart
    #[arg(short, long, value_enum, default_value_t = Equivalence::Strong)]
    pub(crate) equivalence: Equivalence,
    /// The file to write, .aut, or - for the standard output; without it only the sizes are told
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) search: Search,
    /// Print one JSON object
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) json: bool,
}

/// The equivalences.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Equivalence {
    /// Strong bisimilarity: what each can do the other can, to equivalent states; tau and i count as seen
    #[value(alias = "bisim")]
    Strong,
}

impl Equivalence {
    /// Its word on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Strong => "strong",
        }
    }
}
