//! `docs/report.schema.json` says what `--json` prints: everything that is printed here is held against it.

mod common;

use common::{Scratch, WORKER, pinscher};
use jsonschema::Validator;
use serde_json::Value;

fn schema() -> Validator {
    let text = include_str!("../../../docs/report.schema.json");
    jsonschema::validator_for(&serde_json::from_str(text).unwrap()).unwrap()
}

fn model(name: &str) -> String {
    format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// What is printed for this command line, after it was held against the schema.
fn printed(schema: &Validator, arguments: &[&str]) -> Value {
    let report = pinscher(&[arguments, &["--json", "--quiet"]].concat()).json();
    let problems: Vec<String> = schema.iter_errors(&report).map(|problem| problem.to_string()).collect();
    assert!(problems.is_empty(), "{arguments:?}: {problems:#?}\n{report:#}");
    report
}

#[test]
fn reports_are_as_the_schema_says() {
    let schema = schema();
    let scratch = Scratch::new();
    let worker = scratch.file("worker.etf", WORKER);
    let broken = scratch.file("broken.etf", "begin nothing");
    let temporal = scratch.file("temporal.ltl", "G F (x == 1)");
    let [philosophers, account, odometer, window, readers, formulas, tickets, bit] = [
        "philosophers.5.dve",
        "account.dve",
        "odometer.dve",
        "sliding.window.pml",
        "readers.pnml",
        "readers.xml",
        "tickets.3.dve",
        "alternating.bit.mcrl2",
    ]
    .map(model);
    let violated = printed(&schema, &["check", &philosophers]);
    assert_eq!(violated["verdict"], "violated");
    assert_eq!(violated["properties"][0]["witness"]["ending"], "deadlock");
    assert_eq!(violated["properties"][0]["witness"]["waiting"]["waiters"].as_array().unwrap().len(), 5);
    let stuck = "chan q = [1] of { byte }; chan r = [0] of { byte };\nactive proctype P() { byte m; q?m; r!m }\n\
                 active proctype Q() { byte m; r?m }\n";
    let stuck = printed(&schema, &["check", &scratch.file("stuck.pml", stuck)]);
    assert!(stuck["properties"][0]["witness"]["waiting"].is_object());
    let offer = scratch.file("offer.mcrl2", "act a, b;\ninit allow({b}, a . delta || b . delta);\n");
    printed(&schema, &["check", &offer, "--deadlock"]);
    for arguments in [
        &["check", &account, "--all"][..],
        &["check", &odometer],
        &["check", &window, "-D", "NUMBERS=2"],
        &["check", &readers, "--property", &formulas],
        &["check", &account, "--property", &temporal],
        &["check", &bit, "--action", "wrong"],
        &["check", &worker, "--states", "2"],
        &["check", &worker, "--invariant", "x < 1"],
        &["check", &worker, "--store", "bits"],
        &["check", "/no/such/file.dve"],
        &["check", &broken],
        &["count", &tickets],
        &["count", &tickets, "--engine", "symbolic", "--cache"],
        &["count", &tickets, "--time", "0"],
        &["count", &odometer],
        &["reduce", &tickets],
        &["reduce", &tickets, "--time", "0"],
    ] {
        printed(&schema, arguments);
    }
}

#[test]
fn what_is_no_report_is_refused() {
    let schema = schema();
    let mut report = pinscher(&["count", &model("tickets.3.dve"), "--json"]).exits(0).json();
    assert!(schema.is_valid(&report));
    report["transitions"] = 7.into();
    assert!(!schema.is_valid(&report), "numbers that can be large are strings");
    report["transitions"] = Value::Null;
    report["something"] = Value::Null;
    assert!(!schema.is_valid(&report), "a key that is not in the schema");
}
