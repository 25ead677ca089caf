//! The runs that `docs/runs.md` prints are those of today. With `PINSCHER_UPDATE=1` the page is written anew.

mod common;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use common::Run;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a command of the page prints, which is typed at the root of the project.
fn printed(command: &str) -> String {
    let mut shell = Command::new("sh");
    let program =
        format!("{} {}", env!("CARGO_BIN_EXE_pinscher"), command.strip_prefix("pinscher ").unwrap());
    shell.args(["-c", &program]).current_dir(root());
    let Run { code, out, err } = Run::with(shell, "");
    assert!(err.is_empty() && code != 2, "{command}: {code}\n{err}");
    out
}

/// The same without what differs from run to run: times, memory, and which means was first.
fn lasting(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split_whitespace().next() {
        Some(first @ ("time" | "memory")) => first,
        _ => line.split(" (shown by").next().and_then(|line| line.split(" (found by").next()).unwrap(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The page with what its commands print today, and whether what it says now is the same.
fn renewed(page: &str) -> (String, Vec<String>) {
    let (mut new, mut changed) = (String::new(), Vec::new());
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        new += line;
        new.push('\n');
        let Some(command) = line.strip_prefix("$ ") else { continue };
        let old: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let out = printed(command);
        if lasting(&out) != lasting(&old.join("\n")) {
            changed.push(format!("$ {command}\n{out}"));
        }
        let _ = writeln!(new, "{}\n```", out.trim_end());
    }
    (new, changed)
}

#[cfg(unix)]
#[test]
fn the_page_prints_what_the_commands_print() {
    let path = root().join("docs/runs.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (new, changed) = renewed(&page);
    assert!(new.matches("\n$ pinscher ").count() >= 10, "there are to be ten runs");
    if std::env::var_os("PINSCHER_UPDATE").is_some() {
        std::fs::write(&path, new).unwrap();
        return;
    }
    assert!(changed.is_empty(), "PINSCHER_UPDATE=1 writes the page anew:\n{}", changed.join("\n"));
}
