//! The binary: hands the command line to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(pinscher::run(std::env::args_os(), &mut std::io::stdout(), &mut std::io::stderr()))
}
