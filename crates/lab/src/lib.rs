//! The tools of Pinscher's own developers, the binary `pinscher-lab`: is what Pinscher says right, and how
//! fast does it say it?
//!
//! In comes a command line; out go tables and lines on the standard output, remarks on the standard error,
//! and an exit code. There are three commands, with the table of their options in [`options`]:
//!
//! - `corpus` (`corpus.rs`): the models of a folder, compared with a table of known answers.
//! - `bench` (`bench.rs`): models in every combination of engines and strategies, each run measured; with
//!   `--spin` (`spin/bench.rs`) in the same minute as Spin.
//! - `compare` (`spin/compare.rs`): Spin and Pinscher on the same models in Promela, side by side.
//!
//! Verdicts come from the library [`pinscher`] in this process (`search.rs`). What is measured, or may not
//! weigh on the next run, is the program `pinscher` (`program.rs`) in a process of its own (`child.rs`). The
//! modules `csv.rs` and `files.rs` read tables and folders.

#![forbid(unsafe_code)]

mod bench;
mod child;
mod corpus;
mod csv;
mod files;
pub mod options;
mod program;
mod refusal;
mod search;
mod spin;

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

use clap::{CommandFactory, Parser};

pub use program::Program;

use options::{Command, Options};

/// The exit code of wrong usage and wrong models.
const WRONG: u8 = 2;

/// The table of options, as the parser sees it.
pub fn command_line() -> clap::Command {
    Options::command()
}

/// Carries out a command line, its first word being the program's name. Where this program is says where the
/// one is that is measured. The answer is the exit code.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    this: &Path,
    out: &mut dyn Write,
    errors: &mut dyn Write,
) -> u8 {
    let mut options = match Options::try_parse_from(arguments) {
        Ok(options) => options,
        Err(refusal) => {
            // Help and version go to stdout and are no error; the rest goes to stderr.
            let _ = refusal.print();
            return u8::try_from(refusal.exit_code()).unwrap_or(WRONG);
        }
    };
    options.command.complete(|| Program::beside(this));
    let done = match &options.command {
        Command::Corpus(options) => corpus::run(options, out),
        Command::Bench(options) if options.spin => spin::bench::run(&options.filled(), out, errors),
        Command::Bench(options) => bench::run(&options.filled(), out, errors),
        Command::Compare(options) => spin::compare::run(options, out),
    };
    done.unwrap_or_else(|failure| {
        // Where the message itself cannot be written, the exit code is left.
        let _ = errors.write_all(report::words::shown_lines(&failure.to_string()).as_bytes());
        failure.exit_code()
    })
}
