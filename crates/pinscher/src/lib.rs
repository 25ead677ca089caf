//! The façade: the registry of languages, the planner that stacks layers and runs the engine, the command
//! line and its reports. The one crate that prints.

mod actions;
mod arrangement;
mod aut_file;
mod bench;
mod bench_combinations;
mod bench_csv;
mod bench_ldd;
mod bench_results;
mod bench_run;
mod bench_scatter;
mod bench_spin;
mod bench_spin_pan;
mod bench_spin_rows;
mod bench_spin_verifier;
mod bench_table;
mod caching;
mod chart;
mod chart_svg;
mod chart_text;
mod check;
mod check_net;
mod child;
mod compare;
mod compare_findings;
mod corpus;
mod corpus_compare;
mod corpus_nets;
mod corpus_processes;
mod corpus_spin;
mod corpus_systems;
mod corpus_table;
mod corpus_tally;
mod count;
mod examine;
mod exploration;
pub mod failure;
mod interrupt;
pub mod languages;
mod lts;
mod matrix;
mod matrix_svg;
mod mcc;
pub mod memory;
mod method;
mod net_layout;
mod net_svg;
mod nodes_svg;
mod options;
mod outcome;
mod plan;
mod processor;
mod progress;
mod questions;
mod race;
mod random;
mod reduce;
mod report_json;
mod report_text;
mod scatter_svg;
mod search;
mod show;
mod simulate;
mod simulation;
mod spin_trail;
mod state_text;
mod watch;
mod witness_file;
mod witness_text;
mod words;

use std::ffi::OsString;
use std::io::{ErrorKind, Write};

use clap::{CommandFactory, Parser};

pub use failure::Failure;

use options::{Command, Options};

/// The exit code of wrong usage and wrong models.
const WRONG: u8 = 2;

/// The table of options, as the parser sees it.
pub fn command_line() -> clap::Command {
    Options::command()
}

/// Carries out a command line, its first word being the program's name. The answer is the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>, out: &mut dyn Write, errors: &mut dyn Write) -> u8 {
    let options = match Options::try_parse_from(arguments) {
        Ok(options) => options,
        Err(refusal) => {
            // Help and version go to stdout and are no error; the rest goes to stderr.
            let _ = refusal.print();
            return u8::try_from(refusal.exit_code()).unwrap_or(WRONG);
        }
    };
    let done = match &options.command {
        Command::Check(options) => check::run(options, out, errors),
        Command::Count(options) => count::run(options, out, errors),
        Command::Lts(options) => lts::run(options, out, errors),
        Command::Reduce(options) => reduce::run(options, out, errors),
        Command::Mcc(options) => mcc::run(options, out, errors),
        Command::Show(options) => show::run(options, out, errors),
        Command::Simulate(options) => simulate::run(options, &mut std::io::stdin().lock(), out, errors),
        Command::Corpus(options) => corpus::run(options, out),
        Command::Compare(options) => compare::run(options, out),
        Command::Bench(options) => bench::run(options, out, errors),
    };
    done.unwrap_or_else(|failure| {
        // Where the messages themselves cannot be written, the exit code is left.
        let _ = errors.write_all(words::shown_lines(&failure.to_string()).as_bytes());
        if options.command.json() {
            let _ = print(out, &report_json::failure(&failure));
        }
        failure.exit_code()
    })
}

/// Prints a text. A reader who has seen enough and closed the pipe is not an error: the verdict stands.
fn print(out: &mut dyn Write, text: &str) -> Result<(), Failure> {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::file("standard output", &error)),
        _ => Ok(()),
    }
}
