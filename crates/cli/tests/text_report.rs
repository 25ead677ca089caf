//! The report for people: what is said, what is folded, and that no name can write what it likes.

mod common;

use common::{Scratch, WORKER, pinscher, pinscher_with};

fn model(name: &str) -> String {
    format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn properties_are_called_by_what_holds() {
    let out = pinscher(&["check", &model("crossing.dve")]).exits(0).out;
    assert!(out.starts_with("holds: no deadlock\nholds: no run-time errors\n"), "{out}");
    let out = pinscher(&["check", &model("odometer.dve")]).exits(1).out;
    assert!(out.contains("violated: run-time error after 6 steps\n"), "{out}");
    assert!(out.contains("\nrun-time error after 6 steps:\n    0  "), "{out}");
    let json = pinscher(&["check", &model("crossing.dve"), "--json"]).exits(0).json();
    assert_eq!(
        (&json["properties"][0]["name"], &json["properties"][1]["name"]),
        (&"deadlock".into(), &"errors".into())
    );
}

#[test]
fn what_another_violation_cut_short_is_one_line() {
    let out = pinscher(&["check", &model("account.dve")]).exits(1).out;
    let folded = "unknown: 2 other properties: the search stopped at the first violation; --all answers the others too\n";
    assert!(out.contains(folded) && out.matches("unknown").count() == 1, "{out}");
    let out = pinscher(&["check", &model("philosophers.5.dve")]).exits(1).out;
    assert!(out.contains(
        "unknown: 1 other property: the search stopped at the first violation; --all answers the others too"
    ));
    let json = pinscher(&["check", &model("account.dve"), "--json"]).exits(1).json();
    assert_eq!(json["properties"][0]["reason"], "other-violation");
    let out = pinscher(&["check", &model("account.dve"), "--all"]).exits(1).out;
    assert!(!out.contains("other properties"), "{out}");
}

#[test]
fn violations_are_counted_only_where_all_are_seen() {
    let hasty = model("crossing.hasty.dve");
    let asked = ["check", &hasty, "--invariant", "North.green + East.green <= 1"];
    assert!(!pinscher(&asked).exits(1).out.contains("violations seen"));
    let all = pinscher(&[&asked[..], &["--all"]].concat()).exits(1).out;
    assert!(all.contains("violations seen"), "{all}");
}

#[test]
fn a_run_begins_with_the_initial_state() {
    let out = pinscher(&["check", &model("account.dve")]).exits(1).out;
    let beginning = "fails in Auditor.counting after 5 steps:\n    0  initial state\n         balance = 0, booked = 0, Ann = idle, \
                     Ann.seen = 0, Bob = idle, Bob.seen = 0, Auditor = waiting\n    1  ";
    assert!(out.contains(beginning), "{out}");
    let out = pinscher(&["check", &model("account.dve"), "--invariant", "balance > 0"]).exits(1).out;
    assert!(
        out.contains(
            "invariant balance > 0 is false in the initial state:\n  initial state\n         balance = 0\n"
        ),
        "{out}"
    );
    assert!(!out.contains("final state"), "{out}");
    // Twelve slots are more than a line holds.
    let out = pinscher(&["check", &model("tickets.5.dve"), "--invariant", "not T0.inside"]).exits(1).out;
    assert!(out.lines().all(|line| line.chars().count() <= 140), "{out}");
}

#[test]
fn places_are_files_without_their_folders() {
    let path = model("account.dve");
    let out = pinscher(&["check", &path]).exits(1).out;
    assert!(out.contains("    1  Ann.idle->read   account.dve:14\n"), "{out}");
    let json = pinscher(&["check", &path, "--json"]).exits(1).json();
    assert_eq!(json["properties"][1]["witness"]["steps"][0]["places"][0], format!("{path}:14"));
    let out = pinscher(&["show", &path, "--groups"]).exits(0).out;
    assert!(out.contains(" account.dve:14\n"), "{out}");
    let out = pinscher(&["check", &model("odometer.dve")]).exits(1).out;
    assert!(out.contains("  --> odometer.dve:12:37\n"), "{out}");
}

/// The worker with an escape sequence in a state, and with a line end and a forged verdict in an action.
fn loud() -> String {
    let hex =
        |text: &str| format!("#{}#", text.bytes().map(|byte| format!("{byte:02X}")).collect::<String>());
    let action = hex("ask\nholds: no deadlock");
    WORKER.replace("\"asking\"", &hex("\u{1b}[31masking\u{7}")).replace("\"ask\"", &action)
}

#[test]
fn control_characters_of_a_file_are_shown_escaped() {
    let scratch = Scratch::new();
    let model = scratch.file("loud.etf", loud());
    let report = pinscher(&["check", &model, "--json"]).exits(1);
    assert!(
        report.json()["properties"][0]["witness"]["steps"][0]["state"]["P"]
            .as_str()
            .unwrap()
            .contains('\u{1b}')
    );
    let report = scratch.file("report.json", report.out);
    let runs = [
        pinscher(&["check", &model]),
        pinscher(&["check", &model, "--invariant", "P.bored", "--action", "nothing"]),
        pinscher(&["show", &model]),
        pinscher(&["show", &model, "--groups"]),
        pinscher(&["show", &model, "--matrix"]),
        pinscher_with(&["simulate", &model, "--along", &report], "1\np\nt\nb\nw all\n"),
    ];
    for run in &runs {
        for text in [&run.out, &run.err] {
            assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
            assert!(!text.contains("\nholds: no deadlock"), "{text}");
        }
    }
    assert!(runs[0].out.contains("P: idle → \\u{1b}[31masking\\u{7}"), "{}", runs[0].out);
    assert!(runs[0].out.contains("    1  ask\\nholds: no deadlock"), "{}", runs[0].out);
    assert!(runs[1].err.contains("\\u{1b}[31masking"), "{}", runs[1].err);
}

#[test]
fn deadlocks_are_told_from_states_in_which_it_is_fine_to_stop() {
    let service = model("counter.service.pml");
    let out = pinscher(&["check", &service]).exits(0).out;
    assert!(out.contains("\ndeadlocks    3, all where it is fine to stop\n"), "{out}");
    let out = pinscher(&["count", &service]).exits(0).out;
    assert!(out.contains("\ndeadlocks    3, with those where it is fine to stop\n"), "{out}");
    let scratch = Scratch::new();
    let stuck = scratch.file("stuck.pml", "chan c = [0] of { byte };\nactive proctype P() { c?1 }\n");
    let out = pinscher(&["check", &stuck]).exits(1).out;
    assert!(out.starts_with("violated: deadlock in the initial state\n"), "{out}");
    assert!(out.contains("\ndeadlocks    1\n"), "{out}");
}
