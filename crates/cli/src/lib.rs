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
mod colour;
mod commands;
mod failure;
mod input;
pub mod interrupt;
pub mod options;
pub mod output;
mod peers;
mod progress;
mod property_file;
mod refused;
mod watch;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};

use clap::CommandFactory;

pub use failure::Failure;

use colour::Painter;
use commands::{check, count, documents, lts, mcc, reduce, show, simulate};
use options::{Colour, Command, Options};

/// The exit code of wrong usage and wrong models.
const WRONG: u8 = 2;

/// The table of options, as the parser sees it.
pub fn command_line() -> clap::Command {
    Options::command()
}

/// Carries out a command line, its first word being the program's name. The answer is the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>, out: &mut dyn Write, errors: &mut dyn Write) -> u8 {
    let is_terminal = (std::io::stdout().is_terminal(), std::io::stderr().is_terminal());
    let (options, given) = match Options::parse_line(arguments) {
        Ok(parsed) => parsed,
        Err(refusal) => {
            // Help and version go to stdout and are no error; the rest goes to stderr.
            match refusal.use_stderr() {
                true => show(&refusal, errors, is_terminal.1),
                false => show(&refusal, out, is_terminal.0),
            }
            return u8::try_from(refusal.exit_code()).unwrap_or(WRONG);
        }
    };
    let out_is_on = options.color.is_on(is_terminal.0) && options.command.prints_text();
    let out = &mut Painter::new(out, out_is_on);
    let errors = &mut Painter::new(errors, options.color.is_on(is_terminal.1));
    let done = refused::check(&options.command, &given);
    let done = done.and_then(|()| carry_out(&options.command, out, errors));
    done.unwrap_or_else(|failure| {
        let _ = errors.write_all(base::shown_lines(&failure.to_string()).as_bytes());
        if options.command.json() {
            let _ = output::print(out, &failure.json());
        }
        failure.exit_code()
    })
}

/// Prints what the parser has to say.
fn show(refusal: &clap::Error, stream: &mut dyn Write, is_terminal: bool) {
    let text = refusal.render();
    let text = if Colour::Auto.is_on(is_terminal) { text.ansi().to_string() } else { text.to_string() };
    let text = text + &peers::hint(refusal).unwrap_or_default();
    // Where the messages themselves cannot be written, the exit code is left.
    let _ = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
}

fn carry_out(command: &Command, out: &mut dyn Write, errors: &mut dyn Write) -> Result<u8, Failure> {
    match command {
        Command::Check(options) => check::run(options, out, errors),
        Command::Count(options) => count::run(options, out, errors),
        Command::Lts(options) => lts::run(options, out, errors),
        Command::Reduce(options) => reduce::run(options, out, errors),
        Command::Mcc(options) => mcc::run(options, out, errors),
        Command::Completions(options) => documents::completions(options, out),
        Command::Man(options) => documents::man(options, out),
        Command::Show(options) => show::run(options, out, errors),
        Command::Simulate(options) => simulate::run(options, &mut std::io::stdin().lock(), out, errors),
    }
}
