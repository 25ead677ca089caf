//! The options of the commands that write documents made from the table of options.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

/// `pinscher completions`.
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}

/// `pinscher man`.
#[derive(Args, Debug)]
pub(crate) struct Man {
    /// The command whose page is printed; without one, the page of the program
    #[arg(value_name = "COMMAND")]
    pub(crate) of: Option<String>,
    /// Write all pages into this folder instead
    #[arg(long, value_name = "DIR", conflicts_with = "of")]
    pub(crate) dir: Option<PathBuf>,
}
