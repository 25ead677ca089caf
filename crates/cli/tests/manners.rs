//! What users of a command line expect of it: pipes, units, colours, documents.

mod common;

use common::{Scratch, WORKER, pinscher, pinscher_with};

#[test]
fn the_standard_input_is_a_model() {
    let named = pinscher_with(&["count", "-", "--lang", "etf"], WORKER).exits(0);
    assert!(named.out.contains("states"), "{}", named.out);
    // Only one language can read it.
    let found = pinscher_with(&["count", "-", "--json"], WORKER).exits(0).json();
    assert_eq!((&found["language"], &found["model"]), (&"etf".into(), &"standard input".into()));
    let wrong = pinscher_with(&["count", "-"], "no language at all").exits(2);
    assert!(wrong.err.contains("--lang"), "{}", wrong.err);
    let broken = pinscher_with(&["count", "-", "--lang", "dve"], "byte x\n").exits(2);
    assert!(broken.err.contains("standard input:"), "{}", broken.err);
}

#[test]
fn a_text_whose_name_has_no_ending_tells_its_language() {
    let scratch = Scratch::new();
    let worker = scratch.file("worker", WORKER);
    assert_eq!(pinscher(&["count", &worker, "--json"]).exits(0).json()["language"], "etf");
    let system = scratch.file("system", "des (0, 1, 2)\n(0, a, 1)\n");
    assert_eq!(pinscher(&["count", &system, "--json"]).exits(0).json()["language"], "aut");
    let other = scratch.file("worker.txt", WORKER);
    assert!(pinscher(&["count", &other]).exits(2).err.contains("--lang"));
}

#[cfg(unix)]
#[test]
fn files_without_an_end_are_not_read_for_ever() {
    let scratch = Scratch::new();
    let run = pinscher(&["count", "/dev/zero", "--lang", "dve", "--memory", "64M"]).exits(3);
    assert!(run.err.starts_with("unknown: memory: /dev/zero has more than 32.0 MiB"), "{}", run.err);
    let model = scratch.file("worker.etf", WORKER);
    let run = pinscher(&["check", &model, "--invariant", "@/dev/zero"]).exits(2);
    assert!(run.err.contains("/dev/zero has more than"), "{}", run.err);
}

#[test]
fn colours_come_when_they_are_asked_for() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    let check = |more: &[&str]| pinscher(&[&["check", &model, "--invariant", "true"], more].concat()).out;
    assert!(check(&["--color", "always"]).starts_with("\u{1b}[1;32mholds\u{1b}[0m: "));
    for plain in [check(&[]), check(&["--color", "never"]), check(&["--color", "always", "--json"])] {
        assert!(!plain.contains('\u{1b}'), "{plain}");
    }
    let wrong = pinscher(&["check", "no.dve", "--color", "always"]).exits(2);
    assert!(wrong.err.starts_with("\u{1b}[1;31merror\u{1b}[0m: "), "{}", wrong.err);
}

#[test]
fn scripts_and_pages_are_made_of_the_options() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = pinscher(&["completions", shell]).exits(0).out;
        assert!(script.contains("check-matrices"), "{shell}: {script}");
    }
    assert!(pinscher(&["man"]).exits(0).out.contains(".TH pinscher 1"));
    assert!(pinscher(&["man", "check"]).exits(0).out.contains("\\-\\-invariant"));
    assert!(pinscher(&["man", "chekc"]).exits(2).err.contains("the commands are"));
    let scratch = Scratch::new();
    pinscher(&["man", "--dir", scratch.path().to_str().unwrap()]).exits(0);
    let commands = cli::command_line().get_subcommands().count();
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), commands + 1);
}

#[test]
fn options_of_other_tools_are_answered_with_what_to_write() {
    let run = pinscher(&["check", "m.pml", "--ltl", "[] p"]).exits(2);
    assert!(run.err.contains("help: formulas of LTL are not there yet"), "{}", run.err);
    assert!(pinscher(&["count", "m.pml", "--workers", "3"]).exits(2).err.contains("help: write --threads N"));
}
