//! What the black-box tests share: running the binary, and models in a folder of their own. The tests of
//! `lab` share the same.
#![allow(dead_code, reason = "each test file uses a part of it")]

mod models;
mod run;

use std::process::Command;

#[allow(unused_imports, reason = "each test file uses a part of it")]
pub use models::{WORKER, counters};
#[allow(unused_imports, reason = "each test file uses a part of it")]
pub use run::{Run, Scratch};

/// Runs the binary.
pub fn pinscher(arguments: &[&str]) -> Run {
    pinscher_with(arguments, "")
}

/// Runs the binary with this on its standard input.
pub fn pinscher_with(arguments: &[&str], input: &str) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pinscher"));
    command.args(arguments);
    Run::with(command, input)
}
