//! `check` and `count` from outside: verdicts, exit codes, reports, options.

mod common;

use common::{Scratch, WORKER, counters, pinscher};
use serde_json::{Value, json};

#[test]
fn a_deadlock_is_found_by_default_with_a_shortest_run() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    let run = pinscher(&["check", &model]).exits(1);
    let first = run.out.lines().next().unwrap();
    assert_eq!(first, "violated: deadlock reachable after 3 steps");
    for wanted in [
        "    1  ask ",
        "worker.etf:10",
        "P: idle → asking",
        "P: work → stuck",
        "final state",
        "P = stuck",
        "x = 2",
    ] {
        assert!(run.out.contains(wanted), "{wanted} is missing in\n{}", run.out);
    }
}

#[test]
fn the_json_report_keeps_its_contract() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    let report = pinscher(&["check", &model, "--json", "--all"]).exits(1).json();
    for (key, wanted) in [
        ("schema", json!("pinscher/1")),
        ("model", json!("worker.etf")),
        ("language", json!("etf")),
        ("engine", json!("explicit")),
        ("strategy", json!("bfs")),
        ("verdict", json!("violated")),
        ("reason", Value::Null),
        ("states", json!("4")),
        ("transitions", json!("4")),
        ("levels", json!(4)),
        ("deadlocks", json!("1")),
        ("nodes", Value::Null),
        ("version", json!(env!("CARGO_PKG_VERSION"))),
    ] {
        assert_eq!(report[key], wanted, "{key}");
    }
    assert!(report["seconds"]["load"].is_f64() && report["seconds"]["search"].is_f64());
    assert!(report["memory_bytes"].as_u64().unwrap() > 0);
    assert!(report.get("explored").is_none());
    let deadlock = &report["properties"][0];
    assert_eq!((&deadlock["name"], &deadlock["verdict"]), (&json!("deadlock"), &json!("violated")));
    let witness = &deadlock["witness"];
    assert_eq!(witness["length"], 3);
    assert_eq!(witness["ending"], "deadlock");
    assert_eq!(witness["initial"], json!({"P": "idle", "x": 0}));
    let last = &witness["steps"][2];
    assert_eq!(last["action"], "break");
    assert_eq!(last["state"], json!({"P": "stuck", "x": 2}));
    assert_eq!(last["changes"][1], json!({"slot": "x", "from": 1, "to": 2}));
    assert!(last["places"][0].as_str().unwrap().ends_with("worker.etf:19"), "{last}");
    let errors = &report["properties"][1];
    assert_eq!(
        (&errors["name"], &errors["verdict"], &errors["witness"]),
        (&json!("errors"), &json!("holds"), &Value::Null)
    );
}

#[test]
fn an_incomplete_search_tells_what_it_explored_and_never_holds() {
    let scratch = Scratch::new();
    let model = scratch.file("counters.etf", counters(4, 9));
    let run =
        pinscher(&["check", &model, "--invariant", "c0 < 100", "--states", "50", "--json"]).exits(3).json();
    assert_eq!((&run["verdict"], &run["reason"]), (&json!("unknown"), &json!("states")));
    assert!(run.get("states").is_none());
    assert_eq!(run["explored"], "50");
    assert_eq!(
        (&run["transitions"], &run["levels"], &run["deadlocks"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    let text = pinscher(&["check", &model, "--invariant", "c0 < 100", "--states", "50"]).exits(3).out;
    assert!(
        text.starts_with(
            "unknown: states: the limit of 50 states was reached\nunknown: invariant c0 < 100\n"
        ),
        "{text}"
    );
    assert!(text.contains("50 explored, not all"), "{text}");
    let deep = pinscher(&["count", &model, "--depth", "3", "--json"]).exits(3).json();
    assert_eq!(deep["reason"], "depth");
    // 1 + 4 + 10 + 20: ways to spread up to three steps over four counters.
    assert_eq!(deep["explored"], "35");
    let text = pinscher(&["count", &model, "--depth", "3"]).exits(3).out;
    assert!(text.starts_with("unknown: depth: states beyond the depth limit of 3 steps"), "{text}");
}

#[test]
fn invariants_and_actions_are_asked_by_name() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    pinscher(&["check", &model, "--invariant", "x <= 2"]).exits(0);
    let run =
        pinscher(&["check", &model, "--invariant", "P.stuck -> x < 2", "--invariant", "x >= 0"]).exits(1);
    assert!(
        run.out.starts_with("violated: invariant P.stuck -> x < 2 is false after 3 steps"),
        "{}",
        run.out
    );
    assert!(
        !run.out.contains("deadlock rea") && run.out.contains("unknown: 2 other properties"),
        "{}",
        run.out
    );
    let run = pinscher(&["check", &model, "--action", "fin*", "--json"]).exits(1).json();
    assert_eq!(run["properties"][0]["name"], "action fin*");
    assert_eq!(run["properties"][0]["witness"]["ending"], "action");
    assert_eq!(run["properties"][0]["witness"]["length"], 3);
    pinscher(&["check", &model, "--deadlock", "--invariant", "x <= 2"]).exits(1);
}

#[test]
fn an_invariant_can_stand_in_a_file() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    let file = scratch.file("safe.inv", "x <= 1\n");
    let run = pinscher(&["check", &model, "--invariant", &format!("@{file}")]).exits(1);
    assert!(run.out.contains("safe.inv"), "{}", run.out);
    let run = pinscher(&["check", &model, "--invariant", &file]).exits(2);
    assert!(run.err.contains(&format!("--invariant @{file} reads it")), "{}", run.err);
    let several = scratch.file("several.inv", "// No more\nx <= 2 && // than two\n  P != nowhere -> 1\n");
    let run = pinscher(&["check", &model, "--invariant", &format!("@{several}")]).exits(2);
    assert!(run.err.contains("several.inv:3:8"), "{}", run.err);
    let several = scratch.file(
        "several.inv",
        "// No more\nx <= 2 && // than two\n  P != nothing ->\n 1\n".replace("nothing", "idle"),
    );
    pinscher(&["check", &model, "--invariant", &format!("@{several}")]).exits(0);
    let run = pinscher(&["check", &model, "--invariant", "@nowhere.inv"]).exits(2);
    assert!(run.err.contains("nowhere.inv"), "{}", run.err);
    let wrong = scratch.file("wrong.inv", "x <=\n y");
    let run = pinscher(&["check", &model, "--invariant", &format!("@{wrong}")]).exits(2);
    assert!(run.err.contains("wrong.inv:2:2"), "{}", run.err);
}

#[test]
fn an_invariant_that_cannot_be_evaluated_is_unknown_and_nothing_else_is() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    let wrong = ["check", &model, "--invariant", "1 / (x - 2) < 5", "--invariant", "x <= 2"];
    let run = pinscher(&[&wrong[..], &["--json"]].concat()).exits(3).json();
    assert_eq!(run["reason"], "predicate-error");
    let properties = run["properties"].as_array().unwrap();
    let verdicts: Vec<_> = properties.iter().map(|p| p["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["unknown", "holds", "holds"]);
    assert_eq!(properties[0]["reason"], "predicate-error");
    assert!(properties[0]["explanation"].as_str().unwrap().contains("division by zero"), "{}", properties[0]);
    let text = pinscher(&wrong).exits(3).out;
    let line = "unknown: invariant 1 / (x - 2) < 5: predicate-error: it cannot be evaluated in a reachable state: \
                division by zero\n";
    assert!(text.contains(line), "{text}");
    let run = pinscher(&["check", &model, "--invariant", "x < 1 / 0"]).exits(2);
    assert!(run.err.contains("division by zero") && run.err.contains("    ^^^^^"), "{}", run.err);
}

#[test]
fn a_state_label_is_asked_by_its_name() {
    let scratch = Scratch::new();
    let text = format!("{WORKER}begin map free\\ hands:int\n0 * 1\n1 * 1\n2 * 0\n3 * 1\nend map\n");
    let model = scratch.file("worker.etf", text);
    for argument in ["free hands", " `free hands` "] {
        let run = pinscher(&["check", &model, "--invariant", argument, "--invariant", "x < 3", "--json"])
            .exits(1)
            .json();
        assert_eq!(run["properties"][0]["witness"]["length"], 2, "{argument}");
        assert_eq!(run["properties"][1]["verdict"], "unknown");
    }
    let run = pinscher(&["check", &model, "--invariant", "free feet"]).exits(2);
    assert!(run.err.contains("no slot `free`"), "{}", run.err);
}

#[test]
fn an_action_that_the_model_does_not_have_is_refused() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    for (action, wanted) in [
        ("finsh", "did you mean `finish`"),
        ("explode", "Its actions are ask, break, finish, start"),
        ("x*", "no action of the model matches `x*`"),
        ("", "no action is named"),
    ] {
        let run = pinscher(&["check", &model, "--action", action]).exits(2);
        assert!(run.err.contains(wanted), "{action}: {}", run.err);
    }
}

/// A price of 20, and no step.
const PRICE: &str = "begin state\nx:price\nend state\nbegin edge\nend edge\nbegin init\n1\nend init\n\
                     begin trans\nend trans\nbegin sort price\n\"10\"\n\"20\"\n\"30\"\nend sort\n";

#[test]
fn values_that_are_integers_count_as_integers_and_other_names_do_not_count() {
    let scratch = Scratch::new();
    let model = scratch.file("price.etf", PRICE);
    for (predicate, code) in
        [("x < 10", 1), ("x > 10", 0), ("x == 20", 0), ("x + 10 == 30", 0), ("x == 1", 1)]
    {
        pinscher(&["check", &model, "--invariant", predicate]).exits(code);
    }
    let model = scratch.file("worker.etf", WORKER);
    for predicate in ["P", "P >= 0", "P < 9", "P + 1 > 0", "P == x", "P == 0"] {
        let run = pinscher(&["check", &model, "--invariant", predicate]).exits(2);
        assert!(run.err.contains("its values are idle, asking, work, stuck"), "{predicate}: {}", run.err);
    }
}

#[test]
fn every_way_of_searching_counts_the_same() {
    let scratch = Scratch::new();
    let model = scratch.file("counters.etf", counters(3, 5));
    for extra in [
        &[][..],
        &["--strategy", "dfs"],
        &["--cache"],
        &["--check-matrices"],
        &["--reorder", "reverse"],
        &["--reorder", "random:7", "--cache", "--check-matrices"],
        &["--engine", "explicit", "--eval", "interpret", "--lang", "etf"],
        &["--memory", "1GiB", "--time", "60", "--states", "216", "--threads", "1", "--quiet"],
    ] {
        let arguments = [&["count", &model, "--json"], extra].concat();
        let run = pinscher(&arguments).exits(0).json();
        assert_eq!((&run["states"], &run["transitions"]), (&json!("216"), &json!("540")), "{extra:?}");
        let levels = if extra.contains(&"dfs") { Value::Null } else { json!(16) };
        assert_eq!((&run["deadlocks"], &run["levels"]), (&json!("1"), &levels), "{extra:?}");
        let violated =
            [&["check", &model, "--json", "--invariant", "c0 + c1 + c2 < 4 || c2 < 3"], extra].concat();
        let run = pinscher(&violated).exits(1).json();
        let witness = &run["properties"][0]["witness"];
        let last = witness["steps"].as_array().unwrap().last().unwrap();
        assert!(last["state"]["c2"].as_i64().unwrap() >= 3, "{extra:?}");
        if !extra.contains(&"dfs") {
            assert_eq!(witness["length"], 4, "{extra:?}");
        }
    }
}

#[test]
fn text_and_json_tell_the_same_numbers() {
    let scratch = Scratch::new();
    let model = scratch.file("counters.etf", counters(3, 5));
    let text = pinscher(&["count", &model]).exits(0).out;
    for line in ["states       216", "transitions  540", "levels       16", "deadlocks    1"] {
        assert!(text.lines().any(|l| l == line), "{line} is missing in\n{text}");
    }
}

#[test]
fn what_is_not_there_yet_is_said() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    let run = pinscher(&["lts", &model, "-o", "out.bcg"]).exits(2);
    assert!(run.err.contains(".etf"), "{}", run.err);
}

#[test]
fn a_search_that_does_not_keep_states_whole_never_says_that_something_holds() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    for store in ["hash", "bits"] {
        let run = pinscher(&["check", &model, "--memory", "1G", "--store", store, "--invariant", "P == P"])
            .exits(3);
        assert!(run.out.starts_with("unknown: approximate: no violation was found"), "{}", run.out);
        let run = pinscher(&["check", &model, "--memory", "1G", "--store", store, "--deadlock", "--json"])
            .exits(1)
            .json();
        assert_eq!(
            (&run["verdict"], &run["properties"][0]["witness"]["length"]),
            (&json!("violated"), &json!(3))
        );
    }
}

#[test]
fn a_transition_system_is_written_and_read_back() {
    let scratch = Scratch::new();
    let model = scratch.file("worker.etf", WORKER);
    let copy = scratch.path().join("copy.etf");
    let copy = copy.to_str().unwrap();
    pinscher(&["lts", &model, "-o", copy]).exits(0);
    let run = pinscher(&["check", copy, "--json", "--all", "--invariant", "P != stuck"]).exits(1).json();
    assert_eq!(
        (&run["states"], &run["transitions"], &run["deadlocks"]),
        (&json!("4"), &json!("4"), &json!("1"))
    );
    assert_eq!(run["properties"][0]["witness"]["length"], 3);
    std::fs::remove_file(copy).unwrap();
    pinscher(&["lts", &model, "-o", copy, "--states", "2"]).exits(3);
    assert!(!std::path::Path::new(copy).exists(), "half a transition system was written");
}
