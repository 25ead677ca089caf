//! Transition systems in files: `pinscher lts -o x.aut` and `pinscher reduce`.

mod common;

use std::path::Path;

use common::{Scratch, WORKER, counters, pinscher, pinscher_with};
use serde_json::json;

/// Where a file would be written.
fn at(scratch: &Scratch, name: &str) -> String {
    scratch.path().join(name).to_str().unwrap().to_owned()
}

/// The lines of an `.aut` file behind the first, sorted.
fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().skip(1).collect();
    lines.sort_unstable();
    lines
}

const WORKER_AUT: [&str; 4] = ["(0,\"ask\",1)", "(1,\"start\",2)", "(2,\"break\",3)", "(2,\"finish\",0)"];

#[test]
fn the_transition_system_of_a_model_is_written() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    let file = at(&scratch, "worker.aut");
    for strategy in ["bfs", "dfs"] {
        let run = pinscher(&["lts", &model, "-o", &file, "--strategy", strategy]).exits(0);
        assert!(run.out.lines().any(|line| line == "states       4"), "{}", run.out);
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text.lines().next(), Some("des (0,4,4)"));
        assert_eq!(sorted(&text), WORKER_AUT, "{strategy}");
    }
    // Onto the standard output goes the file and nothing else.
    let run = pinscher(&["lts", &model, "-o", "-", "--threads", "2"]).exits(0);
    assert_eq!((sorted(&run.out), run.out.lines().count()), (WORKER_AUT.to_vec(), 5));
    assert!(run.err.contains("states       4"), "{}", run.err);
}

#[test]
fn half_a_transition_system_is_not_written() {
    let scratch = Scratch::new();
    let model = scratch.file("counters.etf", counters(3, 20));
    let file = at(&scratch, "half.aut");
    for limit in [["--states", "100"], ["--depth", "3"], ["--time", "0"]] {
        let run = pinscher(&["lts", &model, "-o", &file, limit[0], limit[1]]).exits(3);
        assert!(!Path::new(&file).exists(), "{limit:?}");
        let run_out = pinscher(&["lts", &model, "-o", "-", limit[0], limit[1]]).exits(3);
        assert!(run_out.out.is_empty() && run.err.len() + run.out.len() > 20, "{limit:?}: {}", run_out.out);
        pinscher(&["reduce", &model, "-o", &file, limit[0], limit[1]]).exits(3);
        assert!(!Path::new(&file).exists(), "{limit:?}");
    }
    let run = pinscher(&["lts", &model, "-o", "x.svg"]).exits(2);
    assert!(run.err.contains(".aut or .etf"), "{}", run.err);
}

#[test]
fn transitions_that_differ_in_nothing_are_written_once() {
    let scratch = Scratch::new();
    let step = "begin trans\n0/1 \"go\"\nend trans\n";
    let model = format!(
        "begin state\nx:int\nend state\nbegin edge\na:a\nend edge\nbegin init\n0\nend init\n{step}{step}\
         begin sort a\n\"go\"\nend sort\n"
    );
    let run = pinscher(&["lts", &scratch.file("twice.etf", model), "-o", "-"]).exits(0);
    assert_eq!(run.out, "des (0,1,2)\n(0,\"go\",1)\n");
    assert!(run.err.contains("1 of 2 transitions"), "{}", run.err);
}

const TWINS: &str = "des (0,5,6)\n(0,\"a\",1)\n(0,\"a\",2)\n(1,\"b\",3)\n(2,\"b\",4)\n(5,\"c\",5)\n";

#[test]
fn a_file_is_reduced() {
    let scratch = Scratch::new();
    let (file, small) = (scratch.file("twins.aut", TWINS), at(&scratch, "small.aut"));
    let run = pinscher(&["reduce", &file, "-e", "strong", "-o", &small]).exits(0);
    for line in ["states                  6            3", "transitions             5            2"] {
        assert!(run.out.lines().any(|found| found == line), "{line} is missing in\n{}", run.out);
    }
    assert_eq!(std::fs::read_to_string(&small).unwrap(), "des (0,2,3)\n(0,\"a\",1)\n(1,\"b\",2)\n");
    let run = pinscher(&["reduce", &file, "--json"]).exits(0).json();
    assert_eq!(run["before"], json!({ "states": "6", "transitions": "5", "deadlocks": "2" }));
    assert_eq!(run["after"], json!({ "states": "3", "transitions": "2", "deadlocks": "1" }));
    assert_eq!(
        (&run["equivalence"], &run["language"], &run["model"]),
        (&json!("strong"), &json!("aut"), &json!("twins.aut"))
    );
    let piped = pinscher_with(&["reduce", "-", "-o", "-"], TWINS).exits(0);
    assert_eq!(piped.out, "des (0,2,3)\n(0,\"a\",1)\n(1,\"b\",2)\n");
}

#[test]
fn a_model_is_reduced() {
    let scratch = Scratch::new();
    // Counters whose steps look alike: what remains is how many steps are left.
    let text: String = counters(3, 5)
        .replace("begin edge\n", "begin edge\na:a\n")
        .lines()
        .map(|line| if line.contains('/') { format!("{line} \"step\"\n") } else { format!("{line}\n") })
        .collect();
    let model = scratch.file("counters.etf", text + "begin sort a\n\"step\"\nend sort\n");
    let run = pinscher(&["reduce", &model, "--json"]).exits(0).json();
    assert_eq!(run["before"]["states"], "216");
    assert_eq!(run["after"], json!({ "states": "16", "transitions": "15", "deadlocks": "1" }));
    let run = pinscher(&["reduce", &model, "--engine", "symbolic"]).exits(2);
    assert!(run.err.contains("cannot list single transitions"), "{}", run.err);
}

#[test]
fn what_is_wrong_with_a_file_is_told_with_its_lines() {
    let scratch = Scratch::new();
    let file = scratch.file("bad.aut", "des (0,2,2)\n(0,\"a\",1)\n(0,\"b,1)\n(7,c,0)\n");
    let run = pinscher(&["reduce", &file]).exits(2);
    assert!(run.err.contains("bad.aut:3:4\n3 | (0,\"b,1)\n  |    ^"), "{}", run.err);
    assert!(run.err.contains("bad.aut:4:1") && run.err.contains("the source 7"), "{}", run.err);
    let run = pinscher(&["reduce", &file, "--json"]).exits(2);
    assert_eq!(run.json()["reason"], "wrong-input");
    for (arguments, part) in [
        (vec!["reduce", "missing.aut"], "there is no file"),
        (vec!["reduce", &file, "-o", "x.bcg"], ".aut, the one format so far"),
        (vec!["reduce", &file, "-o", "-", "--json"], "cannot both go"),
        (vec!["reduce", &file, "-D", "N=2"], "takes no -D"),
        (vec!["reduce", &file, "-e", "weak"], "invalid value"),
    ] {
        let run = pinscher(&arguments).exits(2);
        assert!(run.err.contains(part), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn limits_are_kept_while_a_file_is_reduced() {
    let scratch = Scratch::new();
    let chain: String = (0..300_000).map(|n| format!("({n},\"a\",{})\n", n + 1)).collect();
    let file = scratch.file("chain.aut", format!("des (0,300000,300001)\n{chain}"));
    let run = pinscher(&["reduce", &file, "--memory", "20M", "--json"]).exits(3).json();
    assert_eq!(run["reason"], "memory");
    let run = pinscher(&["reduce", &file, "--time", "0.001", "--json"]).exits(3).json();
    assert_eq!(run["reason"], "time");
    let huge = scratch.file("huge.aut", "des (0,0,4000000000)\n");
    assert_eq!(
        pinscher(&["reduce", &huge, "--memory", "200M", "--json"]).exits(3).json()["reason"],
        "memory"
    );
}
