//! Wrong files and wrong usage: a message that says what to do, exit code 2, no panic.

mod common;

use common::{Scratch, WORKER, pinscher};

const COMMANDS: &[&str] = &["check", "count", "show", "simulate"];

/// Runs every command on a file; each must refuse it with these words.
fn refused(file: &str, wanted: &[&str]) {
    for command in COMMANDS {
        let run = pinscher(&[command, file]).exits(2);
        assert!(run.out.is_empty(), "{command}: {}", run.out);
        for wanted in wanted {
            assert!(run.err.contains(wanted), "{command}: {wanted} is missing in\n{}", run.err);
        }
    }
}

#[test]
fn files_that_are_no_models_are_refused() {
    let scratch = Scratch::new();
    scratch.file("worker.etf", WORKER);
    refused(
        scratch.path().join("worke.etf").to_str().unwrap(),
        &["there is no file", "did you mean", "worker.etf"],
    );
    refused(scratch.path().join("no/such/folder.etf").to_str().unwrap(), &["there is no folder"]);
    refused(scratch.path().to_str().unwrap(), &["is a directory"]);
    refused(&scratch.file("model.xyz", WORKER), &["end in .xyz", ".etf", "--lang"]);
    refused(&scratch.file("model", "once upon a time\n"), &["does not tell the language"]);
    let noise: Vec<u8> = (0..5000u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for extension in ["etf", "dve"] {
        refused(&scratch.file(&format!("noise.{extension}"), &noise), &["not text in UTF-8", "noise"]);
        refused(&scratch.file(&format!("empty.{extension}"), ""), &["error", "empty"]);
        refused(&scratch.file(&format!("words.{extension}"), "once upon a time\n"), &["error", "words"]);
    }
}

#[test]
fn a_language_by_name_reads_any_file() {
    let scratch = Scratch::new();
    let model = scratch.file("model.txt", WORKER);
    pinscher(&["count", &model, "--lang", "etf"]).exits(0);
    let run = pinscher(&["count", &model, "--lang", "etff"]).exits(2);
    assert!(run.err.contains("did you mean `etf`"), "{}", run.err);
}

#[test]
fn options_of_other_languages_are_refused() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    for define in [&["-D", "N=3"][..], &["-DN=3"], &["-DN"], &["--define", "N"], &["-DM", "-DN=a b"]] {
        for command in COMMANDS {
            let run = pinscher(&[&[command, model.as_str()], define].concat()).exits(2);
            assert!(run.err.contains("the language etf takes no -D "), "{command}: {}", run.err);
        }
    }
    let run = pinscher(&["count", &model, "--max-processes", "9"]).exits(2);
    assert!(run.err.contains("the language etf takes no --max-processes"), "{}", run.err);
    for wrong in
        [&["-D", "3=N"][..], &["-D", "f(x)=x"], &["-D", "=3"], &["-D", ""], &["--max-processes", "0"]]
    {
        let run = pinscher(&[&["count", model.as_str()], wrong].concat()).exits(2);
        assert!(run.err.contains("write a n"), "{wrong:?}: {}", run.err);
    }
}

#[test]
fn wrong_predicates_are_refused_all_at_once() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    let run = pinscher(&["check", &model, "--invariant", "y + z > 0", "--invariant", "P.bored"]).exits(2);
    for wanted in ["`y`", "`z`", "bored", "--invariant:1:1", "its values are idle, asking, work, stuck"] {
        assert!(run.err.contains(wanted), "{wanted} is missing in\n{}", run.err);
    }
    let deep = format!("{}x{}", "(".repeat(50_000), ")".repeat(50_000));
    let run = pinscher(&["check", &model, "--invariant", &deep]).exits(2);
    assert!(run.err.contains("nested more than"), "{}", run.err);
    let file = scratch.file("deep.inv", "(".repeat(100_000));
    let run = pinscher(&["check", &model, "--invariant", &format!("@{file}")]).exits(2);
    assert!(run.err.contains("nested more than"), "{}", run.err);
    assert!(run.err.len() < 2000, "the message is as long as the text");
    let run = pinscher(&["check", &model, "--invariant", "x < 18446744073709551617"]).exits(2);
    assert!(run.err.contains("does not fit 64 bits"), "{}", run.err);
}

#[test]
fn wrong_options_are_refused() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    for wrong in [
        &["count"][..],
        &["conut", &model],
        &["count", &model, "--memory", "lots"],
        &["count", &model, "--memory", "0"],
        &["count", &model, "--time", "-1"],
        &["count", &model, "--time", "soon"],
        &["count", &model, "--time", "nan"],
        &["count", &model, "--states", "many"],
        &["count", &model, "--threads", "0"],
        &["count", &model, "--reorder", "random:x"],
        &["count", &model, "--reorder", "best"],
        &["count", &model, "--strategy", "sideways"],
        &["count", &model, "--no-such-option"],
        &["show", &model, "--svg", "/no/such/folder/out.svg"],
        &["simulate", &model, "--along", "/no/such/witness.json"],
        &["corpus", &model],
        &["corpus", scratch.path().to_str().unwrap()],
    ] {
        let run = pinscher(wrong).exits(2);
        assert!(run.err.contains("error"), "{wrong:?} gave\n{}", run.err);
    }
}

#[test]
fn a_witness_file_that_is_none_is_refused() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    for text in [
        "",
        "nonsense",
        "[]",
        "{}",
        "{\"properties\": []}",
        "{\"steps\": 3}",
        "{\"steps\": [{}], \"initial\": {}}",
    ] {
        let file = scratch.file("witness.json", text);
        let run = pinscher(&["simulate", &model, "--along", &file]).exits(2);
        assert!(run.err.contains("witness.json") && run.err.contains("--json"), "{text}: {}", run.err);
    }
}

#[test]
fn wrong_numbers_are_refused_in_words() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    for (option, value, wanted) in [
        ("--states", "1e6", "such as 1000000"),
        ("--states", "-1", "such as 1000000"),
        ("--depth", "1.5", "such as 1000000"),
        ("--states", "99999999999999999999", "the greatest number is"),
        ("--threads", "0", "between 1 and 512"),
        ("--threads", "-2", "between 1 and 512"),
        ("--threads", "20000", "between 1 and 512"),
        ("--threads", "100000", "between 1 and 512"),
        ("--time", "-1", "a time such as"),
        ("--time", "5x", "90s, 5m or 1h30m"),
        ("--memory", "-1", "200M, 2G"),
        ("--memory", "1M", "at least 16 MiB"),
        ("--memory", "15M", "at least 16 MiB"),
    ] {
        let run = pinscher(&["count", &model, option, value]).exits(2);
        assert!(run.err.contains(wanted), "{option} {value}: {}", run.err);
        assert!(!run.err.contains("invalid digit"), "{option} {value}: {}", run.err);
    }
    pinscher(&["count", &model, "--memory", "16M"]).exits(0);
    pinscher(&["count", &model, "--memory", "22M", "--cache"]).exits(0);
    let run = pinscher(&["count", &model, "--memory", "17M", "--cache"]).exits(2);
    assert!(run.err.contains("at least 22 MiB"), "{}", run.err);
}

#[test]
fn a_witness_of_another_model_is_refused() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    let report = scratch.file("report.json", pinscher(&["check", &model, "--json"]).exits(1).out);
    let other = scratch.file("other.etf", WORKER);
    let run = pinscher(&["simulate", &other, "--along", &report]).exits(2);
    assert!(run.err.contains("report.json is about worker.etf, not about other.etf"), "{}", run.err);
    assert!(run.out.is_empty(), "{}", run.out);
    scratch.file("worker.etf", WORKER.replace("0 0\nend init", "1 0\nend init"));
    let run = pinscher(&["simulate", &model, "--along", &report]).exits(2);
    assert!(run.err.contains("another initial state"), "{}", run.err);
}
