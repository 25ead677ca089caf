//! The programs in `examples/` do what they are there to show. `cargo test -p pinscher` builds them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs an example; answers its exit code and what it printed.
fn run(name: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let program = folder().join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(program.is_file(), "{} is not built: cargo test -p pinscher builds it", program.display());
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let output: Output = Command::new(program).args(arguments).current_dir(models).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

/// Where cargo puts examples: beside the folder of this test.
fn folder() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().and_then(Path::parent).unwrap().join("examples")
}

#[test]
fn check_file_prints_the_run_to_a_deadlock() {
    let (code, text) = run("check_file", &["philosophers.5.dve"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("deadlock: violated\n    1  Philosopher(0).thinking->hungry\n"), "{text}");
}

#[test]
fn count_states_counts_and_can_be_cancelled() {
    assert_eq!(run("count_states", &["philosophers.5.dve", "600"]), (Some(0), "392 states\n".to_owned()));
    let (code, text) = run("count_states", &["philosophers.5.dve", "0"]);
    // Cancelled after no time at all, it is done or it says that it is not.
    let is_told = code == Some(0) || text.contains("(interrupted)");
    assert!(is_told, "{code:?} {text}");
}

#[test]
fn both_engines_find_four_litres() {
    let (code, text) = run("model_in_rust", &[]);
    assert_eq!(code, Some(0), "{text}");
    for engine in ["explicit", "symbolic"] {
        assert!(text.contains(&format!("{engine}: invariant large != 4 is violated")), "{text}");
    }
    assert_eq!(text.matches("  3 and 4\n").count(), 2, "{text}");
}
