//! The table of options: each is in the help, each command has examples. That each is obeyed: `obeyed.rs`.

mod common;

use std::path::Path;
use std::process::{Command, Stdio};

use common::{Scratch, pinscher};

#[test]
fn every_option_is_in_the_help() {
    let mut seen = 0;
    for command in cli::command_line().get_subcommands() {
        let name = command.get_name();
        let help = pinscher(&[name, "--help"]).exits(0).out;
        assert!(help.contains("Examples:"), "{name} has no examples");
        for option in command.get_arguments() {
            let field = option.get_id().as_str();
            if let Some(long) = option.get_long() {
                assert!(help.contains(&format!("--{long}")), "--{long} is not in the help of {name}");
            }
            assert!(option.get_help().is_some(), "{name} {field} has no help");
            seen += 1;
        }
    }
    assert!(seen > 40, "only {seen} options were looked at");
}

/// `check -h` is what most people need, and fits on a screen; `--help` has the rest, in groups.
#[test]
fn short_help_fits_on_a_screen() {
    let help = pinscher(&["check", "-h"]).exits(0).out;
    assert!(help.lines().count() <= 40, "{} lines", help.lines().count());
    let widest = help.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 115, "{widest} columns");
    for wanted in ["--invariant", "--time", "--json"] {
        assert!(help.contains(wanted), "{wanted} is not in the short help");
    }
    assert!(!help.contains("--split-guards"));
    let whole = pinscher(&["check", "--help"]).exits(0).out;
    let groups = ["What to check:", "Limits:", "Output:", "Search:", "Symbolic search:", "Expert:"];
    for group in groups {
        assert!(whole.contains(&format!("\n{group}\n")), "there is no group {group}");
    }
}

/// The command lines of all help texts, as they stand there.
fn examples() -> Vec<String> {
    let mut line = cli::command_line();
    let pages =
        line.get_subcommands().flat_map(|command| [command.get_after_help(), command.get_after_long_help()]);
    let mut pages: Vec<String> = pages.flatten().map(ToString::to_string).collect();
    pages.push(line.render_help().to_string());
    let mut examples: Vec<String> = Vec::new();
    for text in pages.iter().flat_map(|page| page.lines()).map(str::trim) {
        // What follows several spaces says what the command does.
        let command = text.split("   ").next().unwrap_or(text).trim_end();
        let is_command = ["pinscher ", "printf ", "BK_TIME"].iter().any(|begin| command.starts_with(begin));
        if is_command && !examples.iter().any(|known| known == command) {
            examples.push(command.to_owned());
        }
    }
    examples
}

/// Each example of a help text does what it says: it can be typed, and what it is to show is there.
#[cfg(unix)]
#[test]
fn examples_run() {
    let scratch = Scratch::new();
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    std::os::unix::fs::symlink(models.canonicalize().unwrap(), scratch.path().join("models")).unwrap();
    let net = std::fs::read_to_string(models.join("readers.pnml")).unwrap();
    let formulas = std::fs::read_to_string(models.join("readers.xml")).unwrap();
    scratch.file("net.pnml", &net);
    scratch.file("never.inv", "not (North.green and East.green)");
    scratch.file("system.aut", "des (0, 2, 3)\n(0, \"a\", 1)\n(0, \"a\", 2)\n");
    let folder = scratch.path().join("Kanban-PT-00050");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("model.pnml"), net).unwrap();
    std::fs::write(folder.join("ReachabilityCardinality.xml"), formulas).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_pinscher")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let examples = examples();
    assert!(examples.len() > 30, "only {} examples", examples.len());
    for example in &examples {
        let run = Command::new("sh")
            .args(["-c", example])
            .env("PATH", &path)
            .current_dir(scratch.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        // A property may hold or be violated.
        let is_done = matches!(run.status.code(), Some(0 | 1));
        assert!(is_done && !err.contains("error"), "{example}: {:?}\n{out}\n{err}", run.status.code());
        assert!(!err.contains("there is no run to show"), "{example} shows nothing: {err}");
    }
}

#[test]
fn examples_name_models_that_are_there() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut seen = 0;
    let commands = cli::command_line();
    let helps = commands
        .get_subcommands()
        .flat_map(|command| [[command.get_name(), "--help"], [command.get_name(), "-h"]]);
    let pages: Vec<String> =
        helps.map(|help| pinscher(&help).exits(0).out).chain([pinscher(&["--help"]).out]).collect();
    for line in pages.iter().flat_map(|page| page.lines()).filter(|line| line.contains("pinscher ")) {
        // What stands behind -o is made by the command.
        let read = line.split(" -o ").next().unwrap().split_whitespace();
        for word in read.filter(|word| [".dve", ".etf", ".pml"].iter().any(|end| word.ends_with(end))) {
            assert!(models.join(word).is_file(), "there is no {word}: {line}");
            seen += 1;
        }
    }
    assert!(seen > 15, "only {seen} models were looked at");
}

#[test]
fn help_and_version_are_no_errors() {
    assert!(pinscher(&["--version"]).exits(0).out.starts_with("pinscher 0."));
    assert!(pinscher(&["--help"]).exits(0).out.contains("Exit codes"));
    let help = pinscher(&["check", "--help"]).exits(0).out;
    for wanted in ["P_0.CS", "imply", "queue[x + 1]", "<->"] {
        assert!(help.contains(wanted), "{wanted} is not in the syntax of invariants");
    }
    pinscher(&[]).exits(2);
}
