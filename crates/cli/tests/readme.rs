//! The README's commands do what it says.

mod common;

use common::{Run, Scratch, pinscher};

fn readme() -> String {
    std::fs::read_to_string(format!("{}/../../README.md", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The words of a command, single quotes taken off.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in command.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(c),
        }
    }
    words
}

/// Runs a command of the README, which stands at the root of the project, on models cut to a size for tests.
fn run(command: &str, scratch: &Scratch) -> Run {
    let root = format!("{}/../../", env!("CARGO_MANIFEST_DIR"));
    let mut words: Vec<String> = words(command)
        .into_iter()
        .skip(1)
        .map(|word| match word.as_str() {
            "crossing.aut" | "readers.svg" => scratch.path().join(&word).to_str().unwrap().to_owned(),
            _ if word.starts_with("models/") => format!("{root}{word}"),
            _ => word,
        })
        .collect();
    if command.contains("tickets") {
        words.extend(["--states".into(), "10000".into()]);
    }
    pinscher(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn every_command_of_the_table_works() {
    let scratch = Scratch::new();
    let readme = readme();
    let commands: Vec<&str> = readme
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(command, _)| command)
        .filter(|command| command.starts_with("pinscher "))
        .collect();
    assert!(commands.len() >= 8, "{commands:?}");
    for command in commands {
        let run = run(command, &scratch);
        let violated = ["hasty", "account", "odometer", "NUMBERS", "readers.xml"]
            .iter()
            .any(|name| command.contains(name));
        let code = if violated {
            1
        } else if command.contains("tickets") {
            3
        } else {
            0
        };
        assert_eq!(run.code, code, "{command}\n{}{}", run.out, run.err);
        assert!(!run.out.is_empty() || command.contains("--svg"), "{command}");
    }
}

#[test]
fn the_first_command_answers_as_shown() {
    let scratch = Scratch::new();
    let readme = readme();
    let command = readme.lines().find_map(|line| line.strip_prefix("cargo run --release -- ")).unwrap();
    let out = run(&format!("pinscher {command}"), &scratch).exits(1).out;
    let shown = readme.lines().filter_map(|line| line.strip_prefix("    ")).filter(|line| *line != "…");
    for line in shown {
        assert!(out.contains(line), "`{line}` is not in\n{out}");
    }
}
