//! The command line: what users type, and what they read.
//!
//! In comes a command line; out go a report on the standard output, remarks and progress on the standard
//! error, and an exit code. [`options`] is the one table of all options. Each command is a file in
//! `commands/`: it maps its options onto the library [`pinscher`], runs it within limits (`watch.rs`), which
//! Ctrl-C ends (`interrupt.rs`), and prints. What is in the way becomes a [`Failure`], which says what to do
//! in the words of the command line (`failure.rs`, `advice.rs`).

#![forbid(unsafe_code)]

mod advice;
pub mod aut_file;
mod commands;
mod failure;
mod input;
pub mod interrupt;
pub mod options;
pub mod output;
mod progress;
mod refused;
mod watch;

use std::ffi::OsString;
use std::io::Write;

use clap::CommandFactory;

pub use failure::Failure;

use commands::{check, count, lts, mcc, reduce, show, simulate};
use options::{Command, Options};

/// The exit code of wrong usage and wrong models.
const WRONG: u8 = 2;

/// The table of options, as the parser sees it.
pub fn command_line() -> clap::Command {
    Options::command()
}

/// Carries out a command line, its first word being the program's name. The answer is the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>, out: &mut dyn Write, errors: &mut dyn Write) -> u8 {
    let (options, given) = match Options::parse_line(arguments) {
        Ok(parsed) => parsed,
        Err(refusal) => {
            // Help and version go to stdout and are no error; the rest goes to stderr.
            let _ = refusal.print();
            return u8::try_from(refusal.exit_code()).unwrap_or(WRONG);
        }
    };
    let done = refused::check(&options.command, &given);
    let done = done.and_then(|()| carry_out(&options.command, out, errors));
    done.unwrap_or_else(|failure| {
        // Where the messages themselves cannot be written, the exit code is left.
        let _ = errors.write_all(report::words::shown_lines(&failure.to_string()).as_bytes());
        if options.command.json() {
            let _ = output::print(out, &failure.json());
        }
        failure.exit_code()
    })
}

fn carry_out(command: &Command, out: &mut dyn Write, errors: &mut dyn Write) -> Result<u8, Failure> {
    match command {
        Command::Check(options) => check::run(options, out, errors),
        Command::Count(options) => count::run(options, out, errors),
        Command::Lts(options) => lts::run(options, out, errors),
        Command::Reduce(options) => reduce::run(options, out, errors),
        Command::Mcc(options) => mcc::run(options, out, errors),
        Command::Show(options) => show::run(options, out, errors),
        Command::Simulate(options) => simulate::run(options, &mut std::io::stdin().lock(), out, errors),
    }
}
