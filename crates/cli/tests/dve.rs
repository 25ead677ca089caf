//! DVE models from end to end: assertions, deadlocks, run-time errors, properties that cannot be checked yet.

mod common;

use common::{Scratch, pinscher, pinscher_with};
use serde_json::json;

/// Two processes that enter without asking, a counter that overflows an array, an assertion that breaks.
const MODEL: &str = "\
byte entered = 0;
byte log[2];
process P_0 {
state out, CS;
init out;
assert CS: entered < 2;
trans
  out -> CS { effect entered = entered + 1; },
  CS -> out { effect entered = entered - 1; };
}
process P_1 {
byte n = 0;
state out, CS;
init out;
trans
  out -> CS { guard n < 3; effect entered = entered + 1, log[n] = 1, n = n + 1; },
  CS -> out { effect entered = entered - 1; };
}
system async;
";

#[test]
fn an_assertion_of_the_file_is_checked_by_default() {
    let scratch = Scratch::new();
    let model = scratch.file("enter.dve", MODEL);
    let run = pinscher(&["check", &model, "--json"]).exits(1).json();
    let violated: Vec<_> =
        run["properties"].as_array().unwrap().iter().filter(|p| p["verdict"] == "violated").collect();
    assert_eq!(violated.len(), 1);
    assert!(violated[0]["name"].as_str().unwrap().contains("entered < 2"), "{}", violated[0]["name"]);
    assert_eq!(violated[0]["witness"]["ending"], "label");
    assert_eq!(violated[0]["witness"]["length"], 2);
}

#[test]
fn places_of_processes_are_names() {
    let scratch = Scratch::new();
    let model = scratch.file("enter.dve", MODEL);
    let run = pinscher(&["check", &model, "--invariant", "P_0.CS + P_1.CS <= 1"]).exits(1);
    for wanted in
        ["P_0: out → CS", "P_1: out → CS", "enter.dve:8", "enter.dve:16", "log = [1, 0]", "entered = 2"]
    {
        assert!(run.out.contains(wanted), "{wanted} is missing in\n{}", run.out);
    }
    for holds in
        ["P_1->n <= 3", "P_0 == \"CS\" -> entered > 0", "log[P_1.n % 2] <= 1", "P_0 == CS imply entered"]
    {
        let run = pinscher(&["check", &model, "--invariant", holds, "--all", "--json"]).exits(1).json();
        assert_eq!(run["properties"][0]["reason"], "evaluation-error", "{holds}");
        assert_eq!(run["properties"][0]["violations"], "0", "{holds}");
    }
}

#[test]
fn a_run_time_error_is_shown_at_its_place() {
    let scratch = Scratch::new();
    let model = scratch.file("enter.dve", MODEL);
    let run = pinscher(&["check", &model, "--deadlock"]).exits(1);
    for wanted in
        ["violated: run-time error after 4 steps", "error: index 2 is outside `log`", "enter.dve:16:", "^"]
    {
        assert!(run.out.contains(wanted), "{wanted} is missing in\n{}", run.out);
    }
    let run = pinscher_with(&["simulate", &model], "2\n2\n2\n2\n").exits(0);
    assert!(run.out.contains("cannot be taken"), "{}", run.out);
    let run = pinscher(&["count", &model, "--json"]).exits(3).json();
    assert_eq!(run["reason"], "evaluation-error");
    assert_eq!(run["properties"], json!([]));
    let run = pinscher(&["count", &model]).exits(3);
    for wanted in
        ["the model fails after 4 steps; `pinscher check` shows the run", "error: index 2 is outside `log`"]
    {
        assert!(run.out.contains(wanted), "{wanted} is missing in\n{}", run.out);
    }
    let copy = scratch.path().join("copy.etf");
    let run = pinscher(&["lts", &model, "-o", copy.to_str().unwrap()]).exits(3);
    assert!(run.out.contains("error: index 2 is outside `log`"), "{}", run.out);
}

#[test]
fn instances_and_assertions_can_be_asked_by_name() {
    let scratch = Scratch::new();
    let model = scratch.file("safe.dve", MODEL.replace("n < 3", "n < 2"));
    let assertion = "assert P_0.CS: entered < 2";
    pinscher(&["check", &model, "--invariant", assertion]).exits(1);
    let copy = scratch.path().join("safe.etf");
    let copy = copy.to_str().unwrap();
    let run = pinscher(&["lts", &model, "-o", copy]).exits(0);
    assert!(
        run.err.contains("ETF has no assertions") && run.err.contains(&format!("--invariant '{assertion}'"))
    );
    assert!(pinscher(&["lts", &model, "-o", copy, "--quiet"]).exits(0).err.is_empty());
    let run = pinscher(&["check", copy, "--invariant", assertion, "--json"]).exits(1).json();
    assert_eq!(run["properties"][0]["witness"]["length"], 2);
    let philosophers = format!("{}/../../models/philosophers.5.dve", env!("CARGO_MANIFEST_DIR"));
    pinscher(&["check", &philosophers, "--invariant", "Philosopher(0).eating -> taken[0] == 1", "--all"])
        .exits(0);
    pinscher(&["check", &philosophers, "--invariant", "not Philosopher(0).eating"]).exits(1);
}

#[test]
fn a_state_and_a_variable_of_one_name_are_told_apart() {
    let scratch = Scratch::new();
    let text = "process P { byte busy = 3; state free, busy; init free; trans free -> busy {}, busy -> free {}; }\n\
                system async;\n";
    let model = scratch.file("m.dve", text);
    let run = pinscher(&["check", &model, "--invariant", "P.busy < 2"]).exits(2);
    assert!(run.err.contains("both a state of `P` and a variable"), "{}", run.err);
    pinscher(&["check", &model, "--invariant", "P->busy == 3"]).exits(0);
    pinscher(&["check", &model, "--invariant", "P != \"busy\""]).exits(1);
}

#[test]
fn a_property_process_makes_the_verdict_unknown_unless_others_are_named() {
    let scratch = Scratch::new();
    let text = "process P { state a, b; init a; trans a -> b { }, b -> a { }; }\n\
                process Prop { state q; init q; accept q; trans q -> q { }; }\n\
                system async property Prop;\n";
    let model = scratch.file("live.dve", text);
    let run = pinscher(&["check", &model, "--json"]).exits(3).json();
    assert_eq!((&run["verdict"], &run["reason"]), (&json!("unknown"), &json!("unsupported")));
    assert_eq!(run["states"], "2");
    let last = run["properties"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["name"], &last["reason"]), (&json!("Prop"), &json!("unsupported")));
    pinscher(&["check", &model, "--deadlock"]).exits(0);
}

#[test]
fn warnings_go_to_stderr_unless_quiet() {
    let scratch = Scratch::new();
    let text = "byte a[2] = {1, 2, 3};\nprocess P { state s; init s; trans s -> s { effect a[0] = a[1]; }; }\nsystem async;\n";
    let model = scratch.file("warn.dve", text);
    let run = pinscher(&["count", &model, "--json"]).exits(0);
    assert!(run.err.contains("warning") && run.err.contains("warn.dve:1:"), "{}", run.err);
    run.json();
    assert!(pinscher(&["count", &model, "--quiet"]).exits(0).err.is_empty());
}

#[test]
fn every_way_of_searching_counts_the_same() {
    let scratch = Scratch::new();
    let model = scratch.file("safe.dve", MODEL.replace("n < 3", "n < 2"));
    let mut counts = Vec::new();
    for extra in [
        &[][..],
        &["--strategy", "dfs"],
        &["--cache"],
        &["--check-matrices"],
        &["--reorder", "reverse", "--check-matrices"],
        &["--reorder", "random:3", "--cache"],
    ] {
        let run = pinscher(&[&["count", &model, "--json"], extra].concat()).exits(0).json();
        counts.push((run["states"].clone(), run["transitions"].clone(), run["deadlocks"].clone()));
    }
    // P_1 can be out or in with n = 0, 1, 2 in five ways, and P_0 is out or in.
    assert_eq!(counts[0].0, "10");
    assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
}

#[test]
fn a_dve_model_can_be_written_as_etf() {
    let scratch = Scratch::new();
    let model = scratch.file("safe.dve", MODEL.replace("n < 3", "n < 2"));
    let copy = scratch.path().join("safe.etf");
    let copy = copy.to_str().unwrap();
    pinscher(&["lts", &model, "-o", copy]).exits(0);
    let numbers = |file: &str| {
        let run = pinscher(&["count", file, "--json"]).exits(0).json();
        [&run["states"], &run["transitions"], &run["levels"], &run["deadlocks"]].map(|n| n.to_string())
    };
    assert_eq!(numbers(&model), numbers(copy));
    pinscher(&["check", copy, "--invariant", "P_0.CS + P_1.CS <= 1"]).exits(1);
}

#[test]
fn properties_in_files_are_read() {
    let scratch = Scratch::new();
    let model = scratch.file(
        "m.dve",
        "byte x; process P { state s, t; init s; trans s -> t { effect x = 1; }, t -> s {}; } system async;",
    );
    let holds = scratch.file("holds.inv", "x <= 1");
    let fails = scratch.file("fails.inv", "x == 0");
    let formula = scratch.file("later.ltl", "[] <> P.t");
    assert_eq!(
        pinscher(&["check", &model, "--property", &holds, "--json"]).exits(0).json()["verdict"],
        "holds"
    );
    pinscher(&["check", &model, "--property", &fails]).exits(1);
    let json =
        pinscher(&["check", &model, "--property", &holds, "--property", &formula, "--json"]).exits(3).json();
    assert_eq!(json["reason"], "unsupported");
    pinscher(&["check", &model, "--property", "no such file.inv"]).exits(2);
}

#[test]
fn a_property_process_moves_along_when_it_is_told_to() {
    let scratch = Scratch::new();
    let text = "process P { state a, b; init a; trans a -> b {}, b -> a {}; }
        process L { state q, r; init q; accept r; trans q -> q {}, q -> r { guard P.b; }, r -> r {}; }
        system async property L;";
    let model = scratch.file("m.dve", text);
    let states = |extra: &[&str]| {
        let arguments: Vec<&str> =
            ["count", &model, "--json"].into_iter().chain(extra.iter().copied()).collect();
        pinscher(&arguments).exits(0).json()["states"].as_str().unwrap().to_owned()
    };
    assert_eq!((states(&[]), states(&["--with-property"])), ("2".to_owned(), "4".to_owned()));
    let alone = scratch.file("alone.dve", "process P { state a; init a; trans a -> a {}; } system async;");
    let run = pinscher(&["count", &alone, "--with-property"]).exits(2);
    assert!(run.err.contains("no property process"), "{}", run.err);
    let other = format!("{}/../../models/lamp.etf", env!("CARGO_MANIFEST_DIR"));
    let run = pinscher(&["count", &other, "--with-property"]).exits(2);
    assert!(run.err.contains("the language etf takes no --with-property"), "{}", run.err);
    let json = pinscher(&["check", &model, "--json"]).exits(3).json();
    assert_eq!((&json["reason"], &json["properties"][2]["name"]), (&"unsupported".into(), &"L".into()));
}

#[test]
fn a_wrong_model_is_one_object_too() {
    let scratch = Scratch::new();
    let model = scratch.file("m.dve", "process P { state s; init t; } system async;");
    let json = pinscher(&["check", &model, "--json"]).exits(2).json();
    assert_eq!((&json["verdict"], &json["reason"]), (&"unknown".into(), &"wrong-input".into()));
    assert!(json["error"].as_str().unwrap().contains("m.dve:1:27"));
}

#[test]
fn a_file_with_ltl_is_read_and_not_searched_for() {
    let scratch = Scratch::new();
    let model = scratch.file("m.dve", "process P { state a; init a; trans a -> a {}; } system async;");
    let right = scratch.file("right.ltl", "G (P.a -> F P.a)\n");
    let asked = ["check", &model, "--property", &right];
    let text = pinscher(&asked).exits(3).out;
    assert!(
        text.contains("right.ltl: unsupported: ") && text.contains("\nstates       not searched\n"),
        "{text}"
    );
    let json = pinscher(&[&asked[..], &["--json"]].concat()).exits(3).json();
    let searched = ["engine", "strategy", "threads"].map(|key| &json[key]);
    assert!(searched.iter().all(|value| value.is_null()), "{json:#}");
    let broken = scratch.file("broken.ltl", "G (P.a -> F P.a\n");
    let run = pinscher(&["check", &model, "--property", &broken]).exits(2);
    assert!(run.err.contains("broken.ltl:1:3") && run.err.contains("`(` is not closed"), "{}", run.err);
    // In Promela the letters are names.
    let promela = scratch.file("m.pml", "byte F; active proctype P() { F = 1 }");
    let named = scratch.file("named.ltl", "[] (F == 0 || <> (F == 1))");
    pinscher(&["check", &promela, "--property", &named]).exits(3);
    pinscher(&["check", &model, "--property", &named]).exits(2);
}
