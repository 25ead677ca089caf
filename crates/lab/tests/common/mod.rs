//! What the black-box tests share: running the tools and the program that they measure. Runs, folders and
//! small models are those of the command line's tests.
#![allow(dead_code, reason = "each test file uses a part of it")]

#[path = "../../../cli/tests/common/models.rs"]
mod models;
#[path = "../../../cli/tests/common/run.rs"]
mod run;

use std::path::PathBuf;
use std::process::{Command, Stdio};

#[allow(unused_imports, reason = "each test file uses a part of it")]
pub use models::{WORKER, counters};
#[allow(unused_imports, reason = "each test file uses a part of it")]
pub use run::{Run, Scratch};

/// A run of the tools, whose arguments are still to be said.
pub fn tools() -> Command {
    Command::new(env!("CARGO_BIN_EXE_pinscher-lab"))
}

/// Runs the tools.
pub fn lab(arguments: &[&str]) -> Run {
    let mut command = tools();
    command.args(arguments);
    Run::with(command, "")
}

/// Runs the tools on what is measured: the program has to be there.
pub fn measure(arguments: &[&str]) -> Run {
    program();
    lab(arguments)
}

/// Runs the program that the tools measure.
pub fn pinscher(arguments: &[&str]) -> Run {
    let mut command = Command::new(program());
    command.args(arguments);
    Run::with(command, "")
}

/// The program that the tools measure, which stands beside them.
pub fn program() -> PathBuf {
    let name = format!("pinscher{}", std::env::consts::EXE_SUFFIX);
    let program = PathBuf::from(env!("CARGO_BIN_EXE_pinscher-lab")).with_file_name(name);
    assert!(
        program.is_file(),
        "there is no {}: `cargo test --workspace` builds it, and so does `cargo build -p cli`",
        program.display()
    );
    program
}

/// A model of the project.
pub fn model(name: &str) -> String {
    format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Whether Spin and a C compiler are installed, which some tests need.
pub fn spin_is_there() -> bool {
    let there = |program: &str, option: &str| {
        let mut command = Command::new(program);
        command.arg(option).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    };
    let is_there = there("spin", "-V") && there("cc", "--version");
    if !is_there {
        eprintln!("Spin is not installed: only what is said without it is tested");
    }
    is_there
}
