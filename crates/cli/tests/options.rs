//! The table of options: each is in the help, each command has examples. That each is obeyed: `obeyed.rs`.

mod common;

use std::path::Path;

use common::pinscher;

#[test]
fn every_option_is_in_the_help() {
    let mut seen = 0;
    for command in cli::command_line().get_subcommands() {
        let name = command.get_name();
        let help = pinscher(&[name, "--help"]).exits(0).out;
        assert!(help.contains("Examples:"), "{name} has no examples");
        let short = pinscher(&[name, "-h"]).exits(0).out;
        for option in command.get_arguments() {
            let field = option.get_id().as_str();
            if let Some(long) = option.get_long() {
                assert!(help.contains(&format!("--{long}")), "--{long} is not in the help of {name}");
                assert!(short.contains(&format!("--{long}")), "--{long} is not in the short help of {name}");
            }
            assert!(option.get_help().is_some(), "{name} {field} has no help");
            seen += 1;
        }
    }
    assert!(seen > 40, "only {seen} options were looked at");
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
