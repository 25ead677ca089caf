//! Transition systems in files as models: what `check`, `count`, `show`, `simulate` and `lts` make of them.

mod common;

use common::{Scratch, pinscher, pinscher_with};
use serde_json::json;

/// One transition twice, one state out of reach, one deadlock.
const TWICE: &str = "des (0, 5, 4)\n(0, \"a\", 1)\n(0, \"a\", 1)\n(0, tau, 0)\n(1, \"b(2)\", 2)\n(3, i, 3)\n";

const ENGINES: [&str; 2] = ["explicit", "symbolic"];

#[test]
fn states_and_transitions_that_can_be_reached_are_counted() {
    let scratch = Scratch::new();
    let file = scratch.file("twice.aut", TWICE);
    for engine in ENGINES {
        let report = pinscher(&["count", &file, "--engine", engine, "--json"]).exits(0).json();
        let counts = (&report["states"], &report["transitions"], &report["deadlocks"]);
        assert_eq!(counts, (&json!("3"), &json!("4"), &json!("1")), "{engine}");
        assert_eq!((&report["language"], &report["model"]), (&json!("aut"), &json!("twice.aut")));
    }
    // The same from the standard input, where the language is named and where the text tells it.
    for more in [&["--lang", "aut"][..], &[]] {
        let run = pinscher_with(&[&["count", "-", "--json"], more].concat(), TWICE).exits(0);
        assert_eq!((&run.json()["states"], &run.json()["model"]), (&json!("3"), &json!("standard input")));
    }
}

#[test]
fn a_system_states_that_there_is_no_deadlock_and_nothing_else() {
    let scratch = Scratch::new();
    let (file, ring) = (scratch.file("twice.aut", TWICE), scratch.file("ring.aut", "des (0,1,1)\n(0,i,0)\n"));
    for engine in ENGINES {
        let run = pinscher(&["check", &file, "--engine", engine]).exits(1);
        assert!(run.out.contains("violated: deadlock reachable after 2 steps"), "{}", run.out);
        assert!(run.out.contains("    2  b(2)\n         state: 1 → 2\n"), "{}", run.out);
        let run = pinscher(&["check", &ring, "--engine", engine]).exits(0);
        assert!(run.out.contains("holds: no deadlock"), "{}", run.out);
        for (action, code) in [("b*", 1), ("tau", 1), ("i", 0)] {
            pinscher(&["check", &file, "--action", action, "--engine", engine]).exits(code);
        }
        for (invariant, code) in [("state <= 2", 0), ("state != 2", 1)] {
            pinscher(&["check", &file, "--invariant", invariant, "--engine", engine]).exits(code);
        }
    }
    let run = pinscher(&["check", &file, "--action", "c"]).exits(2);
    assert!(run.err.contains("no action of the model matches `c`"), "{}", run.err);
}

#[test]
fn a_system_is_shown_simulated_and_written() {
    let scratch = Scratch::new();
    let file = scratch.file("twice.aut", TWICE);
    let run = pinscher(&["show", &file]).exits(0);
    assert!(run.out.starts_with("twice.aut (aut): ") && run.out.contains("0..3, initially 0"), "{}", run.out);
    let run = pinscher_with(&["simulate", &file], "1\n1\n").exits(0);
    assert!(run.out.contains("b(2)") && run.out.contains("state: 1 → 2"), "{}", run.out);
    let run = pinscher(&["lts", &file, "-o", "-"]).exits(0);
    assert_eq!(run.out, "des (0,3,3)\n(0,\"a\",1)\n(0,\"tau\",0)\n(1,\"b(2)\",2)\n");
}

#[test]
fn a_file_by_its_language_is_reduced_as_it_is() {
    let scratch = Scratch::new();
    let file = scratch.file("twice.txt", TWICE);
    let report = pinscher(&["reduce", &file, "--lang", "aut", "--json"]).exits(0).json();
    assert_eq!(report["before"], json!({ "states": "4", "transitions": "5", "deadlocks": "1" }));
}

#[test]
fn what_is_wrong_is_told_with_its_lines() {
    let scratch = Scratch::new();
    let text = "des (0,3,2)\n(0,\"a\",1)\n(0,\"b,1)\n(7,c,0)\n";
    let file = scratch.file("bad.aut", text);
    let by_model = pinscher(&["count", &file]).exits(2);
    assert!(by_model.err.contains("bad.aut:3:4\n3 | (0,\"b,1)\n  |    ^"), "{}", by_model.err);
    assert!(
        by_model.err.contains("bad.aut:4:1") && by_model.err.contains("the source 7"),
        "{}",
        by_model.err
    );
    assert_eq!(pinscher(&["reduce", &file]).exits(2).err, by_model.err);
    let run = pinscher_with(&["count", "-", "--lang", "aut"], text).exits(2);
    assert!(run.err.contains("standard input:3:4"), "{}", run.err);
    let run = pinscher(&["count", &file, "-D", "N=2"]).exits(2);
    assert!(run.err.contains("the language aut takes no -D"), "{}", run.err);
}

#[test]
fn limits_are_kept_while_a_file_is_read() {
    let scratch = Scratch::new();
    let huge = scratch.file("huge.aut", "des (0,0,4000000000)\n");
    let run = pinscher(&["count", &huge, "--memory", "64M", "--json"]).exits(3);
    assert_eq!(run.json()["reason"], "memory");
    assert!(run.err.contains("huge.aut takes more than") && run.err.contains("--memory SIZE"), "{}", run.err);
    // The text is not kept: the file has more bytes than it may take.
    let blanks = " ".repeat(4 << 20);
    let wide = scratch.file("wide.aut", format!("des (0,2,2)\n(0,a,1){blanks}\n(1,{blanks}a,0)\n"));
    let lines = "\n".repeat(80 << 20);
    let long = scratch.file("long.aut", format!("des (0,2,2)\n(0,a,1){lines}(1,a,0)\n"));
    for file in [wide, long] {
        let report = pinscher(&["count", &file, "--memory", "64M", "--json"]).exits(0).json();
        assert_eq!(report["states"], "2");
    }
}
