//! The binary: hands the command line to the commands.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(lab::run(std::env::args_os(), &mut std::io::stdout(), &mut std::io::stderr()))
}
