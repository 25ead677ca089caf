//! The binary: hands the command line to the commands.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Where a system does not tell it, the folder that the program is started in is as good as any.
    let this = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("pinscher-lab"));
    ExitCode::from(lab::run(std::env::args_os(), &this, &mut std::io::stdout(), &mut std::io::stderr()))
}
