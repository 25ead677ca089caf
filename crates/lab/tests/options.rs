//! The table of options: each is in the help, each command has examples, of models that are there. Users'
//! program knows none of these commands.

mod common;

use std::path::Path;

use common::lab as run;

#[test]
fn every_option_is_in_the_help_and_examples_name_models_that_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut options, mut models) = (0, 0);
    for command in lab::command_line().get_subcommands() {
        let name = command.get_name();
        let help = run(&[name, "--help"]).exits(0).out;
        for option in command.get_arguments() {
            let long = option.get_long().map(|long| format!("--{long}"));
            assert!(long.is_none_or(|long| help.contains(&long)), "{} of {name}", option.get_id());
            assert!(option.get_help().is_some(), "{} of {name} has no help", option.get_id());
            options += 1;
        }
        let examples = help.split_once("Examples:").expect("examples").1;
        for word in examples.split_whitespace().filter(|word| word.starts_with("models")) {
            assert!(root.join(word).exists(), "there is no {word}");
            models += 1;
        }
    }
    assert!(options > 30 && models > 5, "only {options} options and {models} models were looked at");
}

#[test]
fn users_have_no_such_commands() {
    let tools: Vec<String> =
        lab::command_line().get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for command in cli::command_line().get_subcommands() {
        assert!(!tools.iter().any(|tool| tool == command.get_name()), "{}", command.get_name());
    }
}

#[test]
fn help_and_version_are_no_errors() {
    assert!(run(&["--version"]).exits(0).out.starts_with("pinscher-lab 0."));
    assert!(run(&["--help"]).exits(0).out.contains("Exit codes"));
    run(&[]).exits(2);
}
